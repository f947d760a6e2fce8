package io.metricsaggregator.options;

import io.metricsaggregator.fold.series.Slo;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine;

/** Parses objectives such as {@code ttft=500ms,tpot=40ms,latency=10s,share=95%}. */
public final class SloConverter implements CommandLine.ITypeConverter<Slo> {
    private static final String SHAPE =
            "not objectives such as ttft=500ms,tpot=40ms,latency=10s,share=95%. Give at least one limit, and each at most once";

    @Override
    public Slo convert(String text) {
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
