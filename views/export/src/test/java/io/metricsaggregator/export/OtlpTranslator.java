package io.metricsaggregator.export;

import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The names that receivers of OTLP give to metrics in Prometheus: the rules of github.com/prometheus/otlptranslator v1.0.0, with suffixes and without
 * UTF-8 names, which is the default of Prometheus' receiver.
 */
final class OtlpTranslator {
    private static final Map<String, String> UNITS = Map.ofEntries(
            Map.entry("d", "days"),
            Map.entry("h", "hours"),
            Map.entry("min", "minutes"),
            Map.entry("s", "seconds"),
            Map.entry("ms", "milliseconds"),
            Map.entry("us", "microseconds"),
            Map.entry("ns", "nanoseconds"),
            Map.entry("By", "bytes"),
            Map.entry("KiBy", "kibibytes"),
            Map.entry("MiBy", "mebibytes"),
            Map.entry("GiBy", "gibibytes"),
            Map.entry("TiBy", "tibibytes"),
            Map.entry("KBy", "kilobytes"),
            Map.entry("MBy", "megabytes"),
            Map.entry("GBy", "gigabytes"),
            Map.entry("TBy", "terabytes"),
            Map.entry("m", "meters"),
            Map.entry("V", "volts"),
            Map.entry("A", "amperes"),
            Map.entry("J", "joules"),
            Map.entry("W", "watts"),
            Map.entry("g", "grams"),
            Map.entry("Cel", "celsius"),
            Map.entry("Hz", "hertz"),
            Map.entry("1", ""),
            Map.entry("%", "percent"));

    private static final Map<String, String> PER =
            Map.of("s", "second", "m", "minute", "h", "hour", "d", "day", "w", "week", "mo", "month", "y", "year");

    private OtlpTranslator() {}

    /** The name of a metric in Prometheus, without the suffixes of a histogram's series. */
    static String name(MetricData metric) {
        boolean counter = metric.getType() == MetricDataType.DOUBLE_SUM
                && metric.getDoubleSumData().isMonotonic();
        boolean gauge = metric.getType() == MetricDataType.DOUBLE_GAUGE;
        return name(metric.getName(), metric.getUnit(), counter, gauge);
    }

    static String name(String name, String unit, boolean counter, boolean gauge) {
        List<String> tokens = new ArrayList<>(Arrays.asList(name.split("[^a-zA-Z0-9:]+")));
        tokens.removeIf(String::isEmpty);
        String[] parts = unit.split("/", 2);
        add(tokens, word(parts[0], UNITS));
        String per = parts.length < 2 ? "" : word(parts[1], PER);
        // The whole suffix is looked for among single words: a name that says it already says it twice.
        add(tokens, per.isEmpty() ? "" : "per_" + per);
        if (counter) {
            last(tokens, "total");
        }
        if (gauge && unit.equals("1")) {
            last(tokens, "ratio");
        }
        String joined = String.join("_", tokens);
        return joined.isEmpty() || !Character.isDigit(joined.charAt(0)) ? joined : "_" + joined;
    }

    private static String word(String unit, Map<String, String> words) {
        String stripped = unit.strip();
        String word = stripped.matches(".*[{}].*") ? "" : words.getOrDefault(stripped, stripped);
        return word.replaceAll("[^a-zA-Z0-9:]+", "_").replaceFirst("^_", "");
    }

    private static void add(List<String> tokens, String suffix) {
        if (!suffix.isEmpty() && !tokens.contains(suffix)) {
            tokens.add(suffix);
        }
    }

    private static void last(List<String> tokens, String word) {
        tokens.removeIf(word::equals);
        tokens.add(word);
    }
}
