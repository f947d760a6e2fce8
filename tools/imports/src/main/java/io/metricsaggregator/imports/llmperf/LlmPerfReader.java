package io.metricsaggregator.imports.llmperf;

import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedUsage;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.SummarySeries;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.imports.ToolCheck.Statistic;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.read.JsonDocument;
import io.metricsaggregator.imports.read.SummaryCounts;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the files of one import of {@link LlmPerfFormat}. */
final class LlmPerfReader implements FormatReader {
    private static final int SECONDS = 9;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String LATENCY = "end_to_end_latency_s";
    private static final String TTFT = "ttft_s";
    private static final Map<String, Statistic> STATISTICS = statistics();

    private JsonFields summary = JsonFields.EMPTY;
    private long requests;

    private static Map<String, Statistic> statistics() {
        Map<String, Statistic> statistics = new LinkedHashMap<>();
        statistics.put("mean", Statistic.Simple.MEAN);
        statistics.put("stddev", Statistic.Simple.SAMPLE_STD);
        statistics.put("min", Statistic.Simple.MIN);
        statistics.put("max", Statistic.Simple.MAX);
        for (int percent : new int[] {25, 50, 75, 90, 95, 99}) {
            statistics.put("quantiles_p" + percent, new Statistic.Linear(percent));
        }
        return statistics;
    }

    @Override
    public void read(ImportSource source, ImportSink sink) throws IOException {
        JsonDocument.read(source, sink, cursor -> {
            if (cursor.enterArray()) {
                sink.kind(SourceKind.DURATIONS);
                sink.unknowable("chunk_delta_ns", "the file has the mean time between tokens only");
                sink.unknowable("finish_reason", "the file has none");
                JsonDocument.rows(cursor, sink, row -> request(row, sink));
            } else {
                summary = JsonDocument.object(cursor);
            }
        });
    }

    private void request(JsonFields row, ImportSink sink) throws IOException, InvalidField {
        // The tool counts the output with one tokenizer, whatever the model is.
        ImportedRequest request = ImportedRequest.issuedAfter(0)
                .usage(ImportedUsage.ofClient(row.count("number_input_tokens"), row.count("number_output_tokens")));
        requests++;
        String code = row.textOfAny("error_code");
        if (code != null) {
            String message = row.text("error_msg");
            sink.request(request.failedAt(null, code, message == null ? "" : message));
            return;
        }
        Long first = row.nanos(TTFT, SECONDS);
        request.succeededAt(row.requiredNanos(LATENCY, SECONDS));
        if (first != null && first > 0) {
            request.firstChunkAt(first);
        }
        for (String name : new String[] {LATENCY, TTFT}) {
            BigDecimal value = row.number(name);
            if (value != null) {
                sink.value(name, value.doubleValue());
            }
        }
        sink.request(request);
    }

    @Override
    public void finish(ImportSink sink) {
        try {
            for (String name : summary.names()) {
                if (name.startsWith("results_") && summary.any(name) instanceof Number number) {
                    sink.toolFigure(name, number.doubleValue());
                }
            }
            if (requests > 0) {
                checks(sink, LATENCY);
                checks(sink, TTFT);
            } else if (!summary.names().isEmpty()) {
                summarise(sink);
            }
        } catch (InvalidField e) {
            sink.skipped(e.reason());
        }
    }

    private void checks(ImportSink sink, String series) throws InvalidField {
        for (Map.Entry<String, Statistic> each : STATISTICS.entrySet()) {
            String name = "results_" + series + "_" + each.getKey();
            BigDecimal expected = summary.number(name);
            if (expected != null) {
                sink.check(new ToolCheck(name, expected.doubleValue(), series, each.getValue(), 1, ToolCheck.EXACT));
            }
        }
    }

    private void summarise(ImportSink sink) throws InvalidField {
        sink.kind(SourceKind.AGGREGATES);
        Long completed = summary.count("results_num_completed_requests");
        series(sink, LATENCY, "sample_latency_ns", completed);
        series(sink, TTFT, "ttft_ns", completed);
        SummaryCounts.hand(
                sink,
                summary.count("results_num_requests_started"),
                completed,
                summary.count("results_number_errors"),
                completed);
    }

    private void series(ImportSink sink, String metric, String series, @Nullable Long count) throws InvalidField {
        Double mean = nanos("results_" + metric + "_mean");
        if (mean == null) {
            return;
        }
        Map<Double, Double> percentiles = new HashMap<>();
        for (Map.Entry<String, Statistic> each : STATISTICS.entrySet()) {
            Double value = nanos("results_" + metric + "_" + each.getKey());
            if (value != null && each.getValue() instanceof Statistic.Linear percentile) {
                percentiles.put(percentile.percent(), value);
            }
        }
        sink.summary(new SummarySeries(
                series,
                count,
                mean,
                nanos("results_" + metric + "_stddev"),
                nanos("results_" + metric + "_min"),
                nanos("results_" + metric + "_max"),
                percentiles));
    }

    private @Nullable Double nanos(String name) throws InvalidField {
        BigDecimal seconds = summary.number(name);
        return seconds == null ? null : (Double) (seconds.doubleValue() * NANOS_PER_SECOND);
    }
}
