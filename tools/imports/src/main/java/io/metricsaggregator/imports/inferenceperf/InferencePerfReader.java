package io.metricsaggregator.imports.inferenceperf;

import io.metricsaggregator.answer.Answer;
import io.metricsaggregator.answer.AnswerUsage;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedUsage;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.read.DecimalRows;
import io.metricsaggregator.imports.read.JsonDocument;
import io.metricsaggregator.imports.read.Payload;
import io.metricsaggregator.imports.read.YamlDocument;
import io.metricsaggregator.json.InvalidJson;
import io.metricsaggregator.json.JsonCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the files of one import of {@link InferencePerfFormat}. */
final class InferencePerfReader implements FormatReader {
    private static final int SECONDS = 9;

    private final boolean keepTexts;
    private final InferencePerfFigures figures = new InferencePerfFigures();
    private final InferencePerfStages stages = new InferencePerfStages();
    private long rows;
    private boolean cut;

    InferencePerfReader(boolean keepTexts) {
        this.keepTexts = keepTexts;
    }

    @Override
    public void read(ImportSource source, ImportSink sink) throws IOException {
        if (YamlDocument.isIn(source)) {
            stages.read(source, sink);
            return;
        }
        boolean whole = JsonDocument.read(source, sink, cursor -> {
            if (cursor.enterArray()) {
                requests(cursor, sink);
            } else if (cursor.enterObject()) {
                report(source, JsonDocument.object(cursor), sink);
            } else {
                sink.skipped("not_an_array");
            }
        });
        cut |= !whole;
    }

    private void report(ImportSource source, JsonFields fields, ImportSink sink) {
        try {
            if (fields.has("global") && fields.has("reports")) {
                stages.validation(fields, sink);
            } else if (!fields.has("load_summary")) {
                sink.skipped("not_a_report");
            } else if (stages.report(source, fields, sink)) {
                figures.stage(fields);
            } else {
                figures.summary(fields);
            }
        } catch (InvalidField e) {
            sink.skipped(e.reason());
        }
    }

    private void requests(JsonCursor cursor, ImportSink sink) throws IOException, InvalidJson {
        sink.kind(SourceKind.CHUNKS);
        sink.unknowable("schedule_slip_ns", "inference-perf measures the scheduled time and does not write it");
        sink.unknowable("stages", "inference-perf does not write the stage of a request");
        rows += JsonDocument.rows(cursor, sink, row -> request(row, sink));
    }

    @Override
    public void finish(ImportSink sink) throws IOException {
        figures.finish(sink);
        Long requests = rows > 0 ? (Long) rows : figures.requests();
        stages.finish(cut ? null : requests, sink);
    }

    private void request(JsonFields row, ImportSink sink) throws IOException, InvalidField {
        JsonFields info = row.objectOrEmpty("info");
        JsonFields response = response(info);
        List<@Nullable Object> times = chunkTimes(info, response);
        JsonFields error = row.object("error");
        Long ended = error == null ? (Long) row.requiredNanos("end_time", SECONDS) : row.nanos("end_time", SECONDS);
        Long started =
                error == null ? (Long) row.requiredNanos("start_time", SECONDS) : row.nanos("start_time", SECONDS);
        ImportedRequest request =
                ImportedRequest.issuedAt(started == null ? 0 : started).conversation(row.text("session_id"), null);
        if (times != null) {
            request.chunksAt(nanos(times));
        }
        Answer answer = Answer.of(row.text("response"));
        request.answered(answer).usage(usage(info, response));
        ErrorData within = answer.error();
        if (error == null) {
            if (within == null) {
                request.succeededAt(ended == null ? 0 : ended);
            } else {
                request.failedAt(ended, within.errorType(), within.errorMessage());
            }
            figures.succeeded(sink, row, info, response, times);
            if (times == null) {
                sink.kind(SourceKind.TIMES);
                sink.unknowable("ttft_ns", "some responses were not streamed");
                sink.unknowable("chunk_delta_ns", "some responses were not streamed");
            }
        } else {
            request.failedAt(ended, orEmpty(error.text("error_type")), orEmpty(error.text("error_msg")));
            figures.failed();
        }
        if (keepTexts) {
            request.prompt(Payload.prompt(Payload.parse(row.text("request"))));
        }
        sink.request(request);
    }

    /** The measures of the response, which versions before 0.6 called {@code response_info} or kept in {@code info} itself. */
    private static JsonFields response(JsonFields info) throws InvalidField {
        JsonFields response = info.object("response_metrics");
        if (response == null) {
            response = info.object("response_info");
        }
        return response == null ? info : response;
    }

    /**
     * The times of the chunks with content; null if the response was not streamed. {@code output_token_times} repeats a chunk's time for
     * each of its tokens, except in versions up to 0.4, which have nothing else.
     */
    private static @Nullable List<@Nullable Object> chunkTimes(JsonFields info, JsonFields response)
            throws InvalidField {
        if (response.has("chunk_times")) {
            return merged(response.array("chunk_times"), response.array("reasoning_chunk_times"));
        }
        boolean flat = !info.has("response_metrics") && !info.has("response_info");
        List<@Nullable Object> times = flat ? info.array("output_token_times") : null;
        return times == null || times.isEmpty() ? null : times;
    }

    /** Text and reasoning come in chunks of their own; our first chunk is the first of either. */
    private static @Nullable List<@Nullable Object> merged(
            @Nullable List<@Nullable Object> text, @Nullable List<@Nullable Object> reasoning) {
        if (text == null || reasoning == null || reasoning.isEmpty()) {
            return text;
        }
        List<@Nullable Object> all = new ArrayList<>(reasoning);
        all.addAll(text);
        return all;
    }

    private static long[] nanos(List<@Nullable Object> times) throws InvalidField {
        long[] nanos = new long[times.size()];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = DecimalRows.nanos(JsonFields.number(times.get(i), "chunk_times"), "chunk_times");
        }
        Arrays.sort(nanos);
        return nanos;
    }

    private static ImportedUsage usage(JsonFields info, JsonFields response) throws InvalidField {
        ImportedUsage server = ImportedUsage.of(AnswerUsage.of(response.any("server_usage")));
        JsonFields text = info.objectOrEmpty("request_metrics").objectOrEmpty("text");
        Long input = text.has("input_tokens") ? text.count("input_tokens") : info.count("input_tokens");
        Long output = response.count("output_tokens");
        if (server.promptTokens() == null && server.completionTokens() == null) {
            return ImportedUsage.ofClient(input, output);
        }
        return server;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
