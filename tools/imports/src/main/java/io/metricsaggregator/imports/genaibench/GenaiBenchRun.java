package io.metricsaggregator.imports.genaibench;

import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedUsage;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.imports.ToolCheck.Statistic;
import io.metricsaggregator.imports.json.Decimals;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.read.DecimalColumn;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run of genai-bench. Its file names the unit of its times last, so the numbers wait in memory, about 60 bytes a request. Belongs to
 * one read.
 */
final class GenaiBenchRun {
    private static final List<String> TIMES = List.of("ttft", "e2e_latency");
    private static final Map<String, Statistic> STATISTICS = statistics();

    private final ImportSink sink;
    private final Map<String, DecimalColumn> columns = new LinkedHashMap<>();
    private final List<@Nullable String> errors = new ArrayList<>();
    private final List<String> codes = new ArrayList<>();
    private JsonFields aggregated = JsonFields.EMPTY;
    private int exponent = 9;
    private long succeeded;

    GenaiBenchRun(ImportSink sink) {
        this.sink = sink;
        for (String name :
                List.of("ttft", "e2e_latency", "num_input_tokens", "num_output_tokens", "num_reasoning_tokens")) {
            columns.put(name, new DecimalColumn());
        }
    }

    private static Map<String, Statistic> statistics() {
        Map<String, Statistic> statistics = new LinkedHashMap<>();
        statistics.put("mean", Statistic.Simple.MEAN);
        statistics.put("stddev", Statistic.Simple.STD);
        statistics.put("sum", Statistic.Simple.SUM);
        statistics.put("min", Statistic.Simple.MIN);
        statistics.put("max", Statistic.Simple.MAX);
        for (int percent : new int[] {25, 50, 75, 90, 95, 99}) {
            statistics.put("p" + percent, new Statistic.Linear(percent));
        }
        return statistics;
    }

    /** Sets the figures of the run. */
    void aggregated(JsonFields figures) {
        aggregated = figures;
    }

    /** Sets the unit of all times: {@code s} or {@code ms}. */
    void unit(@Nullable Object unit) {
        if ("ms".equals(unit)) {
            exponent = 6;
        } else if (!"s".equals(unit)) {
            sink.skipped("time_unit_invalid");
        }
    }

    /** Adds a request. */
    void add(JsonFields row) throws IOException {
        for (Map.Entry<String, DecimalColumn> each : columns.entrySet()) {
            each.getValue().add(row.any(each.getKey()));
        }
        String code = row.textOfAny("error_code");
        boolean failed = code != null && !code.equals("0");
        codes.add(failed ? code : "");
        String message = row.textOfAny("error_message");
        errors.add(failed ? message == null ? "" : message : null);
    }

    /** Hands the run to the sink. */
    void hand() throws IOException {
        if (!sink.part(label())) {
            return;
        }
        sink.unknowable("chunk_delta_ns", "the file has no chunks");
        sink.unknowable("finish_reason", "the file has none");
        for (int i = 0; i < errors.size(); i++) {
            try {
                request(i);
            } catch (InvalidField e) {
                sink.skipped(e.reason());
            }
        }
        try {
            check();
        } catch (InvalidField e) {
            sink.skipped(e.reason());
        }
    }

    private String label() {
        String scenario = aggregated.textOfAny("scenario");
        String type = aggregated.textOfAny("iteration_type");
        String load = aggregated.textOfAny("batch_size".equals(type) ? "batch_size" : "num_concurrency");
        return (scenario == null ? "run" : "scenario " + scenario)
                + (load == null ? "" : ", " + ("batch_size".equals(type) ? "batch size " : "concurrency ") + load);
    }

    private void request(int i) throws IOException, InvalidField {
        ImportedRequest request = ImportedRequest.issuedAfter(0)
                .usage(new ImportedUsage(
                        count("num_input_tokens", i),
                        count("num_output_tokens", i),
                        null,
                        count("num_reasoning_tokens", i),
                        true));
        String error = errors.get(i);
        if (error != null) {
            sink.request(request.failedAt(null, codes.get(i), error));
            return;
        }
        BigDecimal latency = number("e2e_latency", i);
        BigDecimal first = number("ttft", i);
        if (latency == null) {
            throw new InvalidField("e2e_latency", "missing");
        }
        request.succeededAt(nanos(latency, "e2e_latency"));
        if (first != null && first.signum() > 0) {
            request.firstChunkAt(nanos(first, "ttft"));
        }
        succeeded++;
        for (String name : TIMES) {
            BigDecimal value = number(name, i);
            if (value != null) {
                sink.value(name, value.doubleValue());
            }
        }
        sink.request(request);
    }

    private @Nullable BigDecimal number(String name, int i) throws InvalidField {
        DecimalColumn column = columns.get(name);
        return column == null ? null : column.number(i, name);
    }

    private @Nullable Long count(String name, int i) throws InvalidField {
        DecimalColumn column = columns.get(name);
        return column == null ? null : column.count(i, name);
    }

    private long nanos(BigDecimal time, String name) throws InvalidField {
        Long nanos = Decimals.nanos(time, exponent);
        if (nanos == null || nanos < 0) {
            throw new InvalidField(name, "invalid");
        }
        return nanos;
    }

    private void check() throws InvalidField {
        for (String name : aggregated.names()) {
            if (aggregated.any(name) instanceof Number number) {
                sink.toolFigure(name, number.doubleValue());
            }
        }
        JsonFields stats = aggregated.objectOrEmpty("stats");
        BigDecimal sum = stats.objectOrEmpty("e2e_latency").number("sum");
        BigDecimal mean = stats.objectOrEmpty("e2e_latency").number("mean");
        if (sum == null || mean == null || mean.signum() == 0) {
            return;
        }
        long counted = Math.round(sum.doubleValue() / mean.doubleValue());
        if (counted != succeeded) {
            sink.unknowable(
                    "warmup",
                    "genai-bench computed its figures from " + counted + " of " + succeeded
                            + " successful requests and does not say which it left out");
            return;
        }
        for (String name : TIMES) {
            JsonFields figures = stats.objectOrEmpty(name);
            for (Map.Entry<String, Statistic> each : STATISTICS.entrySet()) {
                BigDecimal expected = figures.number(each.getKey());
                if (expected != null) {
                    sink.check(new ToolCheck(
                            name + "." + each.getKey(),
                            expected.doubleValue(),
                            name,
                            each.getValue(),
                            1,
                            ToolCheck.EXACT));
                }
            }
        }
    }
}
