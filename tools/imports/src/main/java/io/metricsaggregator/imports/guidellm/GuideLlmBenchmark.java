package io.metricsaggregator.imports.guidellm;

import io.metricsaggregator.event.ModelText;
import io.metricsaggregator.event.TextModelOutput;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedUsage;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.read.ErrorTypes;
import io.metricsaggregator.imports.read.JsonDocument;
import io.metricsaggregator.imports.read.Payload;
import io.metricsaggregator.json.InvalidJson;
import io.metricsaggregator.json.JsonCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One benchmark of a GuideLLM report. GuideLLM writes the settings and the measured interval before the requests, which are then handed
 * on one by one; where another tool has reordered the keys, requests wait in memory for the interval. Belongs to one read.
 */
final class GuideLlmBenchmark {
    /** Requests that may wait for the measured interval. */
    private static final int WAITING_MAX = 1_000_000;
    /** Strategies whose {@code targeted_start} is a due time; the others target "as soon as possible". */
    private static final Set<String> SCHEDULED =
            Set.of("constant", "poisson", "trace", "async_constant", "async_poisson");

    private static final int SECONDS = 9;
    /** A request issued further from the measured interval than 30 days was issued at an unknown time, not before or after it. */
    private static final long MEASURED_WITHIN_NANOS = 30 * 86_400_000_000_000L;

    private final ImportSink sink;
    private final GuideLlmFigures figures = new GuideLlmFigures();
    private final List<ImportedRequest> waiting = new ArrayList<>();
    private JsonFields config = JsonFields.EMPTY;
    private boolean measured;
    private @Nullable Long measureStart;
    private @Nullable Long measureEnd;
    private @Nullable Boolean wanted;
    private @Nullable String cut;

    GuideLlmBenchmark(ImportSink sink) {
        this.sink = sink;
    }

    /** Reads the benchmark at the cursor. */
    void read(JsonCursor cursor) throws IOException, InvalidJson {
        while (cursor.nextField()) {
            switch (cursor.name()) {
                case "config" -> config = JsonDocument.object(cursor);
                case "scheduler_state" -> cutBy(JsonDocument.object(cursor));
                case "scheduler_metrics" -> interval(JsonDocument.object(cursor));
                case "metrics" -> figures.read(cursor);
                case "requests" -> requests(cursor);
                default -> cursor.skip();
            }
        }
        if (isWanted()) {
            if (cut != null) {
                sink.interrupted(cut);
            }
            for (ImportedRequest each : waiting) {
                hand(each);
            }
            figures.check(sink, sampleSize());
        }
    }

    private boolean isWanted() throws IOException {
        if (wanted == null) {
            wanted = sink.part(label());
            if (wanted) {
                sink.unknowable(
                        "chunk_delta_ns", "the report has the first and last token of a request, not each chunk");
                sink.unknowable("finish_reason", "the report has none");
            }
        }
        return wanted;
    }

    /** What tells this benchmark from the others of the report, such as {@code constant 2.5} or {@code concurrent 8}. */
    private String label() {
        try {
            JsonFields strategy = config.objectOrEmpty("strategy");
            StringBuilder label =
                    new StringBuilder(strategy.text("type_") == null ? "benchmark" : strategy.text("type_"));
            for (String name : List.of("rate", "streams", "max_concurrency")) {
                String value = strategy.textOfAny(name);
                if (value != null) {
                    return label.append(' ').append(value).toString();
                }
            }
            return label.toString();
        } catch (InvalidField e) {
            return "benchmark";
        }
    }

    private boolean isScheduled() throws InvalidField {
        String type = config.objectOrEmpty("strategy").text("type_");
        return type != null && SCHEDULED.contains(type);
    }

    private long sampleSize() {
        try {
            Long size = config.integer("sample_size");
            return size == null ? 0 : size;
        } catch (InvalidField e) {
            return 0;
        }
    }

    private void interval(JsonFields scheduler) {
        measured = true;
        try {
            measureStart = positive(scheduler.nanos("measure_start_time", SECONDS));
            measureEnd = positive(scheduler.nanos("measure_end_time", SECONDS));
            figures.interval(scheduler.number("measure_start_time"), scheduler.number("measure_end_time"));
            figures.made(scheduler.objectOrEmpty("requests_made"));
        } catch (InvalidField e) {
            sink.skipped(e.reason());
        }
    }

    /** A benchmark that a limit of errors or overload ended has not run as long as it was to. */
    private void cutBy(JsonFields state) {
        if (state.any("end_processing_constraints") instanceof Map<?, ?> constraints) {
            constraints.keySet().stream()
                    .map(String::valueOf)
                    .filter(each -> each.contains("error") || each.contains("saturat"))
                    .findFirst()
                    .ifPresent(each -> cut = "GuideLLM stopped at " + each);
        }
    }

    private static @Nullable Long positive(@Nullable Long nanos) {
        return nanos == null || nanos <= 0 ? null : nanos;
    }

    private void requests(JsonCursor cursor) throws IOException, InvalidJson {
        if (!cursor.enterObject() || !isWanted()) {
            cursor.skip();
            return;
        }
        while (cursor.nextField()) {
            switch (cursor.name()) {
                case "successful" -> JsonDocument.rows(cursor, sink, row -> request(row, Status.SUCCESSFUL));
                case "incomplete" -> JsonDocument.rows(cursor, sink, row -> request(row, Status.INCOMPLETE));
                case "errored" -> JsonDocument.rows(cursor, sink, row -> request(row, Status.ERRORED));
                default -> cursor.skip();
            }
        }
    }

    private enum Status {
        SUCCESSFUL,
        INCOMPLETE,
        ERRORED
    }

    private void request(JsonFields row, Status status) throws IOException, InvalidField {
        JsonFields info = row.requiredObject("info");
        JsonFields timings = info.requiredObject("timings");
        ImportedRequest request = ImportedRequest.issuedAt(started(timings, status))
                .firstChunkAt(timings.nanos("first_token_iteration", SECONDS))
                .scheduledAt(isScheduled() ? timings.nanos("targeted_start", SECONDS) : null)
                .id(row.text("request_id"))
                .conversation(info.text("conversation_id"), info.integer("turn_index"))
                .source(worker(info))
                .usage(usage(row, timings));
        switch (status) {
            case SUCCESSFUL -> {
                Long ended = ended(timings);
                if (ended == null) {
                    throw new InvalidField("resolve_end", "missing");
                }
                request.succeededAt(ended);
            }
            case ERRORED -> {
                String message = info.text("error");
                request.failedAt(
                        ended(timings), message == null ? "" : ErrorTypes.of(message), message == null ? "" : message);
            }
            case INCOMPLETE -> {}
        }
        texts(row, request);
        if (status == Status.SUCCESSFUL) {
            figures.successful(sink, timings);
        }
        if (measured) {
            hand(request);
        } else if (waiting.size() < WAITING_MAX) {
            waiting.add(request);
        } else {
            throw new IOException("more than " + WAITING_MAX
                    + " requests precede scheduler_metrics: import the report with its keys in GuideLLM's order");
        }
    }

    /** When the request was sent, else when it was resolved; 0 if neither is known, which only a failure may lack. */
    private static long started(JsonFields timings, Status status) throws InvalidField {
        Long sent = positive(timings.nanos("request_start", SECONDS));
        Long resolved = sent == null ? positive(timings.nanos("resolve_start", SECONDS)) : sent;
        if (resolved == null && status != Status.ERRORED && timings.number("resolve_start") == null) {
            throw new InvalidField("resolve_start", "missing");
        }
        return resolved == null ? 0 : resolved;
    }

    private static @Nullable Long ended(JsonFields timings) throws InvalidField {
        Long received = positive(timings.nanos("request_end", SECONDS));
        return received == null ? positive(timings.nanos("resolve_end", SECONDS)) : received;
    }

    private static @Nullable String worker(JsonFields info) throws InvalidField {
        Long process = info.integer("scheduler_process_id");
        return process == null || process < 0 ? null : process.toString();
    }

    /** Server's counts; where the output has none, GuideLLM takes each token iteration for one token. */
    private static @Nullable ImportedUsage usage(JsonFields row, JsonFields timings) throws InvalidField {
        JsonFields input = row.objectOrEmpty("input_metrics");
        Long prompt = tokens(input);
        Long completion = tokens(row.objectOrEmpty("output_metrics"));
        Long iterations = timings.count("token_iterations");
        if (completion == null && iterations != null && iterations > 0) {
            return ImportedUsage.ofClient(prompt, iterations);
        }
        return new ImportedUsage(prompt, completion, input.count("cached_tokens"), null, false);
    }

    private static @Nullable Long tokens(JsonFields metrics) throws InvalidField {
        Long total = metrics.count("total_tokens");
        return total == null ? metrics.count("text_tokens") : total;
    }

    private static void texts(JsonFields row, ImportedRequest request) throws InvalidField {
        JsonFields arguments = Payload.parse(row.text("request_args"));
        if (arguments != null) {
            JsonFields body = arguments.object("body");
            request.prompt(Payload.prompt(body == null ? arguments : body));
        }
        String output = row.text("output");
        String reasoning = row.text("reasoning_output");
        List<@Nullable Object> calls = row.array("tool_calls");
        if (output != null || reasoning != null || calls != null) {
            request.output(new TextModelOutput(
                    new ModelText.Whole(output == null ? "" : output),
                    reasoning == null ? null : new ModelText.Whole(reasoning),
                    calls == null ? null : Payload.list(calls)));
        }
    }

    private void hand(ImportedRequest request) throws IOException {
        long issued = request.issuedNanos();
        boolean before =
                measureStart != null && issued < measureStart && measureStart - issued <= MEASURED_WITHIN_NANOS;
        boolean after = measureEnd != null && issued > measureEnd && issued - measureEnd <= MEASURED_WITHIN_NANOS;
        sink.request(request.warmup(before || after));
    }
}
