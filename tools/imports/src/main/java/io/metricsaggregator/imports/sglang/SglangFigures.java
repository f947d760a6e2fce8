package io.metricsaggregator.imports.sglang;

import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.SummarySeries;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.imports.ToolCheck.Statistic;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.read.DecimalRows;
import io.metricsaggregator.imports.read.SummaryCounts;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one run of the SGLang benchmark: mean, median, standard deviation and percentiles by linear interpolation, in
 * milliseconds, of the requests that succeeded. The latency is kept and not recomputed, since it ends at the end of the stream, which
 * the file does not have. Belongs to one run.
 */
final class SglangFigures {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final Map<String, Statistic> STATISTICS = statistics();
    /** Values of which the times between tokens are recomputed; more would not fit into memory. */
    private static final int VALUES_MAX = 1 << 24;

    private final ImportSink sink;
    private final JsonFields fields;
    private long completed;
    private long gaps;

    SglangFigures(ImportSink sink, JsonFields fields) {
        this.sink = sink;
        this.fields = fields;
    }

    private static Map<String, Statistic> statistics() {
        Map<String, Statistic> statistics = new LinkedHashMap<>();
        statistics.put("mean", Statistic.Simple.MEAN);
        statistics.put("std", Statistic.Simple.STD);
        statistics.put("median", new Statistic.Linear(50));
        statistics.put("p90", new Statistic.Linear(90));
        statistics.put("p95", new Statistic.Linear(95));
        statistics.put("p99", new Statistic.Linear(99));
        return statistics;
    }

    /**
     * Takes a request that succeeded.
     *
     * @param ttft seconds
     * @param smoothed the smoothed times between its tokens, array {@code row}; null if the requests have real ones
     */
    void succeeded(double ttft, @Nullable DecimalRows smoothed, int row) throws InvalidField {
        completed++;
        sink.value("ttfts", ttft);
        for (int i = 0; smoothed != null && i < smoothed.length(row) && gaps < VALUES_MAX; i++) {
            gaps++;
            sink.value("itls", smoothed.number(row, i, "itls").doubleValue());
        }
    }

    /** Asks to recompute what can be recomputed of the requests, and keeps the rest. */
    void check(boolean streamed, boolean smoothed) {
        try {
            for (String kept : fields.names()) {
                if (kept.endsWith("_latency_ms") || kept.endsWith("_tpot_ms") || kept.endsWith("_throughput")) {
                    keep(kept);
                }
            }
            if (completed == 0) {
                return;
            }
            check("completed", "ttfts", Statistic.Simple.COUNT, 1);
            checks("ttft", "ttfts", 1e-3);
            check("total_output_tokens", "usage_completion_tokens", Statistic.Simple.SUM, 1);
            BigDecimal accepted = fields.number("accept_length");
            boolean retokenised = accepted != null
                    && accepted.signum() > 0
                    && Set.of("sglang-oai", "sglang-oai-chat").contains(String.valueOf(fields.any("backend")));
            if (streamed && !retokenised && gaps < VALUES_MAX) {
                checks("itl", smoothed ? "itls" : "chunk_delta_ns", smoothed ? 1e-3 : NANOS_PER_MILLI);
            }
        } catch (InvalidField e) {
            sink.skipped(e.reason());
        }
    }

    private void keep(String name) throws InvalidField {
        BigDecimal value = fields.number(name);
        if (value != null) {
            sink.toolFigure(name, value.doubleValue());
        }
    }

    private void checks(String metric, String series, double unit) throws InvalidField {
        for (Map.Entry<String, Statistic> each : STATISTICS.entrySet()) {
            check(each.getKey() + "_" + metric + "_ms", series, each.getValue(), unit);
        }
    }

    private void check(String name, String series, Statistic statistic, double unit) throws InvalidField {
        BigDecimal expected = fields.number(name);
        if (expected != null) {
            sink.check(new ToolCheck(name, expected.doubleValue(), series, statistic, unit, ToolCheck.EXACT));
        }
    }

    /** Hands the figures over as those of a run without requests. */
    void summarise() {
        try {
            summary("e2e_latency", "sample_latency_ns");
            summary("ttft", "ttft_ns");
            summary("tpot", "usage_tpot_ns");
            SummaryCounts.hand(sink, null, fields.count("completed"), null, fields.count("completed"));
            SummaryCounts.duration(sink, fields.number("duration"));
            for (String name : fields.names()) {
                if (fields.any(name) instanceof Number number) {
                    sink.toolFigure(name, number.doubleValue());
                }
            }
        } catch (InvalidField e) {
            sink.skipped(e.reason());
        }
    }

    private void summary(String metric, String series) throws InvalidField {
        Double mean = nanos("mean_" + metric + "_ms");
        if (mean == null) {
            return;
        }
        Map<Double, Double> percentiles = new HashMap<>();
        for (Map.Entry<String, Statistic> each : STATISTICS.entrySet()) {
            Double value = nanos(each.getKey() + "_" + metric + "_ms");
            if (value != null && each.getValue() instanceof Statistic.Linear percentile) {
                percentiles.put(percentile.percent(), value);
            }
        }
        Long count = fields.count("completed");
        sink.summary(new SummarySeries(
                series,
                count,
                mean,
                SummarySeries.ofPopulation(nanos("std_" + metric + "_ms"), count),
                null,
                null,
                percentiles));
    }

    private @Nullable Double nanos(String name) throws InvalidField {
        BigDecimal millis = fields.number(name);
        return millis == null ? null : millis.doubleValue() * NANOS_PER_MILLI;
    }
}
