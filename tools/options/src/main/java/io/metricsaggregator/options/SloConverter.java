package io.metricsaggregator.options;

import io.metricsaggregator.fold.series.Slo;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Parses objectives such as {@code ttft=500ms,tpot=40ms,latency=10s,share=95%}, or those of classes: {@code gold: ttft=200ms; *: ttft=2s}. */
public final class SloConverter implements CommandLine.ITypeConverter<Slo> {
    private static final String SHAPE =
            "not objectives such as ttft=500ms,tpot=40ms,latency=10s,share=95%. Give at least one limit, and each at most once";

    /**
     * Adds the label whose values are the classes of objectives.
     *
     * @throws IllegalArgumentException if only one of both is given
     */
    public static @Nullable Slo keyed(@Nullable Slo slo, @Nullable String key) {
        boolean classes = slo != null && !slo.classes().isEmpty();
        if (slo == null || key == null || !classes || key.isBlank()) {
            if (key != null || classes) {
                throw new IllegalArgumentException("--slo-key KEY is the label of the classes in --slo, such as --slo"
                        + " 'gold: ttft=200ms; *: ttft=2s' --slo-key priority: one needs the other, not "
                        + (key == null ? "classes alone" : "--slo-key '" + key + "'"));
            }
            return slo;
        }
        return Slo.ofClasses(key, slo.classes());
    }

    @Override
    public Slo convert(String text) {
        if (text.indexOf(':') < 0) {
            return limits(text);
        }
        Map<String, Slo> classes = new LinkedHashMap<>();
        for (String part : text.split(";", -1)) {
            int colon = part.lastIndexOf(':');
            String name = part.substring(0, Math.max(0, colon)).trim();
            try {
                if (name.isEmpty()
                        || classes.put(name, limits(part.substring(colon + 1).trim())) != null) {
                    throw new CommandLine.TypeConversionException(
                            "not a class given once, such as gold: ttft=200ms,share=99%");
                }
            } catch (CommandLine.TypeConversionException e) {
                throw new CommandLine.TypeConversionException("'" + part.trim() + "': " + e.getMessage());
            }
        }
        try {
            return Slo.ofClasses("", classes);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.TypeConversionException("'" + text + "': " + e.getMessage());
        }
    }

    private static Slo limits(String text) {
        Map<String, Long> limits = new HashMap<>();
        double share = Slo.DEFAULT_TARGET_SHARE;
        boolean hasShare = false;
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? "" : part.substring(0, equals).trim();
            String value = part.substring(equals + 1).trim();
            switch (name) {
                case "ttft", "tpot", "latency" -> {
                    long nanos = limit(name, value);
                    if (nanos == 0 || limits.put(name, nanos) != null) {
                        throw wrong(text);
                    }
                }
                case "share" -> {
                    if (hasShare) {
                        throw wrong(text);
                    }
                    hasShare = true;
                    share = share(value);
                }
                default -> throw wrong(text);
            }
        }
        if (limits.isEmpty()) {
            throw wrong(text);
        }
        return new Slo(
                limits.getOrDefault("ttft", Slo.NONE),
                limits.getOrDefault("tpot", Slo.NONE),
                limits.getOrDefault("latency", Slo.NONE),
                share);
    }

    private static long limit(String name, String value) {
        try {
            return new DurationConverter().convert(value).toNanos();
        } catch (CommandLine.TypeConversionException e) {
            throw new CommandLine.TypeConversionException(name + "=" + value + ": " + e.getMessage());
        }
    }

    private static double share(String text) {
        boolean percent = text.endsWith("%");
        try {
            double value = Double.parseDouble(percent ? text.substring(0, text.length() - 1) : text);
            double share = percent ? value / 100 : value;
            if (share > 0 && share <= 1) {
                return share;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new CommandLine.TypeConversionException("'" + text + "' is not a share such as 95% or 0.95");
    }

    private static CommandLine.TypeConversionException wrong(String text) {
        return new CommandLine.TypeConversionException("'" + text + "': " + SHAPE);
    }
}
