package io.metricsaggregator.imports.perfanalyzer;

import io.metricsaggregator.answer.Answer;
import io.metricsaggregator.answer.AnswerReader;
import io.metricsaggregator.answer.EventStream;
import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.read.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One request of a perf_analyzer export. A response is what one read of the connection gave: it may hold several server-sent events, which
 * then are one chunk, or the rest of an event that began in a response before, whose time counts. Belongs to one row.
 */
final class PerfAnalyzerRequest {
    private static final Pattern FIELD = Pattern.compile("(data|event|id|retry):.*", Pattern.DOTALL);

    private final Answer answer = new Answer();
    private final EventStream events =
            new EventStream((event, feed) -> content(answer.event(event)), AnswerReader.MESSAGE_BYTES_MAX);
    private final @Nullable ChunkPart[] parts;
    /** The response in which the event that is being decoded began, and the one that is being read. */
    private int began;

    private int reading;
    /** Whether the response before ends as a message does. */
    private boolean whole;

    private PerfAnalyzerRequest(int responses) {
        this.parts = new @Nullable ChunkPart[responses];
    }

    /** Reads a request, with its prompt if {@code keepTexts}. */
    static ImportedRequest read(JsonFields row, boolean keepTexts) throws InvalidField {
        List<Long> times = times(row);
        List<@Nullable Object> outputs = row.array("response_outputs");
        PerfAnalyzerRequest responses = new PerfAnalyzerRequest(times.size());
        responses.read(outputs == null ? List.of() : outputs);
        long[] chunks = new long[times.size()];
        List<ChunkPart> parts = new ArrayList<>();
        for (int i = 0; i < chunks.length; i++) {
            ChunkPart part = responses.parts[i];
            if (part != null) {
                chunks[parts.size()] = times.get(i);
                parts.add(part);
            }
        }
        JsonFields inputs = row.objectOrEmpty("request_inputs");
        ImportedRequest request = ImportedRequest.issuedAt(row.requiredNanos("timestamp", 0))
                .conversation(conversation(row, inputs), null)
                .chunksAt(chunks, parts.size())
                .answered(responses.answer);
        if (outputs != null && !outputs.isEmpty()) {
            request.partsOfChunks(parts);
        }
        if (times.isEmpty() && request.issuedNanos() <= 0) {
            request.failedAt(null, "", "the file has neither an issue time nor a response");
        } else if (!times.isEmpty()) {
            long last = times.get(times.size() - 1);
            ErrorData error = responses.answer.error();
            if (error != null) {
                request.failedAt(last, error.errorType(), error.errorMessage());
            } else {
                request.succeededAt(parts.isEmpty() ? last : chunks[parts.size() - 1])
                        .streamEndedAt(last);
            }
        }
        return keepTexts ? request.prompt(prompt(inputs)) : request;
    }

    private static List<Long> times(JsonFields row) throws InvalidField {
        List<@Nullable Object> values = row.array("response_timestamps");
        if (values == null) {
            throw new InvalidField("response_timestamps", "missing");
        }
        List<Long> times = new ArrayList<>(values.size());
        for (Object each : values) {
            if (!(each instanceof Long time)) {
                throw new InvalidField("response_timestamps", "invalid");
            }
            times.add(time);
        }
        return times;
    }

    private static @Nullable String conversation(JsonFields row, JsonFields inputs) {
        String session = inputs.textOfAny("session_id");
        return session == null ? row.textOfAny("sequence_id") : session;
    }

    private static @Nullable PromptData prompt(JsonFields inputs) {
        if (inputs.any("payload") instanceof String payload) {
            return Payload.prompt(Payload.parse(payload));
        }
        return inputs.any("text_input") instanceof String text ? PromptData.ofText(text) : null;
    }

    /** Reads the outputs of all responses; a response brings content if the file has no outputs at all. */
    private void read(List<@Nullable Object> outputs) {
        for (reading = 0; reading < parts.length; reading++) {
            Object output = reading < outputs.size() ? outputs.get(reading) : null;
            if (outputs.isEmpty() || (output instanceof Map<?, ?> map && isTensor(map))) {
                parts[reading] = ChunkPart.OUTPUT;
            }
            if (output instanceof Map<?, ?> map && map.get("response") instanceof String text) {
                read(text);
            }
        }
        events.end();
        answer.addUnreadable(events.skipped());
    }

    private void read(String text) {
        if (whole && events.isWithinLine() && FIELD.matcher(text).matches()) {
            // The export has left out the line feeds between the events.
            events.end();
        }
        if (!events.isPending()) {
            began = reading;
            if (AnswerReader.isJson(text)) {
                content(answer.message(text));
                return;
            }
        }
        events.feed(text);
        whole = text.endsWith("}") || text.endsWith("]");
    }

    /** Takes a message that began in response {@link #began}; the next one begins in the response that is being read. */
    private void content(@Nullable ChunkPart part) {
        if (part != null && parts[began] != ChunkPart.OUTPUT) {
            parts[began] = part;
        }
        began = reading;
    }

    /** Whether an output of Triton has a value that is not empty: tensors by name, text or numbers. */
    private static boolean isTensor(Map<?, ?> output) {
        for (Map.Entry<?, ?> each : output.entrySet()) {
            Object value = each.getValue();
            boolean empty = value == null
                    || (value instanceof String text && text.isEmpty())
                    || (value instanceof List<?> list && list.isEmpty());
            if (!empty && !"response".equals(each.getKey())) {
                return true;
            }
        }
        return false;
    }
}
