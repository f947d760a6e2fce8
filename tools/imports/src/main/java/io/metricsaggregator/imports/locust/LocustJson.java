package io.metricsaggregator.imports.locust;

import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.SummarySeries;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.read.JsonDocument;
import io.metricsaggregator.imports.read.SummaryCounts;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of Locust's {@code --json-file}: an entry for each name and method, with a histogram of response times in milliseconds rounded
 * to two significant digits. The entries are added up; percentiles follow Locust's rule. Belongs to one read.
 */
final class LocustJson {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double[] PERCENTS = {50, 66, 75, 80, 90, 95, 98, 99, 99.9, 99.99};
    /** Seconds since 1970 that nanoseconds of 64 bits hold. */
    private static final double END_MAX = 9e9;

    /** Entries whose figures are kept. */
    private static final int KEPT_MAX = 1000;

    private final ImportSink sink;
    private final TreeMap<Double, Long> times = new TreeMap<>();
    private long entries;
    private long requests;
    private long failures;
    private long timed;
    private double totalMillis;
    private double minMillis = Double.POSITIVE_INFINITY;
    private double maxMillis;
    private double start = Double.POSITIVE_INFINITY;
    private double last;

    LocustJson(ImportSink sink) {
        this.sink = sink;
    }

    /** Reads the file. */
    void read(ImportSource source) throws IOException {
        JsonDocument.read(source, sink, cursor -> JsonDocument.rows(cursor, sink, this::entry));
        if (entries == 0) {
            return;
        }
        double seconds = last - start;
        sink.summary(new SummarySeries(
                "sample_latency_ns",
                timed,
                timed == 0 ? null : (Double) (totalMillis / timed * NANOS_PER_MILLI),
                null,
                timed == 0 ? null : (Double) (minMillis * NANOS_PER_MILLI),
                timed == 0 ? null : (Double) (maxMillis * NANOS_PER_MILLI),
                percentiles()));
        SummaryCounts.hand(sink, requests, requests, failures, Math.max(0, requests - failures));
        if (seconds >= 0 && seconds < Double.POSITIVE_INFINITY && last < END_MAX) {
            sink.dates(nanos(start), nanos(last));
        }
        sink.toolFigure("Aggregated: Request Count", requests);
        sink.toolFigure("Aggregated: Failure Count", failures);
        if (seconds > 0) {
            sink.toolFigure("Aggregated: Requests/s", requests / seconds);
            sink.toolFigure("Aggregated: Failures/s", failures / seconds);
        }
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * 1e6) * 1000;
    }

    private void entry(JsonFields entry) throws InvalidField {
        long number = required(entry, "num_requests");
        long failed = required(entry, "num_failures");
        Long untimed = entry.count("num_none_requests");
        BigDecimal total = entry.number("total_response_time");
        BigDecimal min = entry.number("min_response_time");
        BigDecimal max = entry.number("max_response_time");
        Map<Double, Long> histogram = histogram(entry);
        double began = seconds(entry, "start_time", Double.POSITIVE_INFINITY);
        double ended = seconds(entry, "last_request_timestamp", 0);
        histogram.forEach((millis, count) -> times.merge(millis, count, Long::sum));
        requests += number;
        failures += failed;
        timed += Math.max(0, number - (untimed == null ? 0 : untimed));
        totalMillis += total == null ? 0 : total.doubleValue();
        minMillis = min == null ? minMillis : Math.min(minMillis, min.doubleValue());
        maxMillis = max == null ? maxMillis : Math.max(maxMillis, max.doubleValue());
        start = Math.min(start, began);
        last = Math.max(last, ended);
        if (entries++ < KEPT_MAX) {
            String name = (String.valueOf(entry.textOfAny("method")) + " " + entry.textOfAny("name")).strip();
            sink.toolFigure(name + ": Request Count", number);
            sink.toolFigure(name + ": Failure Count", failed);
            if (ended > began) {
                sink.toolFigure(name + ": Requests/s", number / (ended - began));
            }
        }
    }

    private static long required(JsonFields entry, String name) throws InvalidField {
        Long count = entry.count(name);
        if (count == null) {
            throw new InvalidField(name, "missing");
        }
        return count;
    }

    private static double seconds(JsonFields entry, String name, double otherwise) throws InvalidField {
        BigDecimal value = entry.number(name);
        return value == null || value.signum() <= 0 ? otherwise : value.doubleValue();
    }

    private static Map<Double, Long> histogram(JsonFields entry) throws InvalidField {
        Map<Double, Long> histogram = new LinkedHashMap<>();
        JsonFields field = entry.objectOrEmpty("response_times");
        for (String time : field.names()) {
            Double millis = LocustReader.number(time);
            Long count = field.count(time);
            if (millis == null || millis < 0 || count == null) {
                throw new InvalidField("response_times", "invalid");
            }
            histogram.merge(millis, count, Long::sum);
        }
        return histogram;
    }

    /** Locust's rule: from the top, the first time above which no more than ⌊n·p⌋ requests are left; n counts requests without a time. */
    private Map<Double, Double> percentiles() {
        Map<Double, Double> percentiles = new LinkedHashMap<>();
        for (double percent : PERCENTS) {
            Double found = percentile((long) (requests * (percent / 100)));
            if (found != null) {
                percentiles.put(percent, found * NANOS_PER_MILLI);
            }
        }
        return percentiles;
    }

    private @Nullable Double percentile(long below) {
        long seen = 0;
        for (Map.Entry<Double, Long> each : times.descendingMap().entrySet()) {
            seen += each.getValue();
            if (requests - seen <= below) {
                return each.getKey();
            }
        }
        return null;
    }
}
