package io.metricsaggregator.imports.format;

import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request of a perf_analyzer export. A response is what one read of the connection gave: it may hold several server-sent events, which
 * then are one chunk, or the rest of an event that began in the response before, whose time counts. Stateless.
 */
final class PerfAnalyzerRequest {
    private static final String DATA = "data:";

    private PerfAnalyzerRequest() {}

    /** Reads a request, with prompt and answer if {@code keepTexts}. */
    static ImportedRequest read(JsonFields row, boolean keepTexts) throws InvalidField {
        List<Long> times = times(row);
        List<@Nullable Object> outputs = row.array("response_outputs");
        SseAnswer answer = new SseAnswer();
        boolean[] content = content(times.size(), outputs == null ? List.of() : outputs, answer);
        long[] chunks = new long[times.size()];
        int count = 0;
        for (int i = 0; i < chunks.length; i++) {
            if (content[i]) {
                chunks[count++] = times.get(i);
            }
        }
        JsonFields inputs = row.objectOrEmpty("request_inputs");
        ImportedRequest request = ImportedRequest.issuedAt(row.requiredNanos("timestamp", 0))
                .conversation(conversation(row, inputs), null)
                .chunksAt(chunks, count)
                .usage(ServerUsage.of(answer.usage()))
                .finishReason(answer.finishReason());
        if (!times.isEmpty()) {
            long last = times.get(times.size() - 1);
            if (answer.error() != null) {
                request.failedAt(last, "", answer.error());
            } else {
                request.succeededAt(count == 0 ? last : chunks[count - 1]).streamEndedAt(last);
            }
        }
        if (keepTexts) {
            request.prompt(prompt(inputs)).output(answer.output(count));
        }
        return request;
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

    /** Whether each response brings content; a response without an output of its own does. Adds what they say to {@code answer}. */
    private static boolean[] content(int responses, List<@Nullable Object> outputs, SseAnswer answer) {
        boolean[] content = new boolean[responses];
        List<@Nullable StringBuilder> events = new ArrayList<>(responses);
        for (int i = 0; i < responses; i++) {
            Object output = i < outputs.size() && outputs.get(i) instanceof Map<?, ?> map ? map : null;
            Object text = output instanceof Map<?, ?> map ? map.get("response") : null;
            events.add(text instanceof String body ? new StringBuilder(body) : null);
            content[i] = outputs.isEmpty() || (output instanceof Map<?, ?> map && isTensor(map));
        }
        join(events);
        for (int i = 0; i < responses; i++) {
            StringBuilder body = events.get(i);
            if (body == null) {
                continue;
            }
            boolean[] any = {false};
            String text = body.toString();
            if (text.startsWith("{")) {
                any[0] = answer.message(text);
            } else {
                text.lines().forEach(line -> any[0] |= answer.line(line));
            }
            content[i] = any[0];
        }
        return content;
    }

    /** Moves the start of a response up to its first event to the response before it. */
    private static void join(List<@Nullable StringBuilder> events) {
        for (int i = events.size() - 1; i > 0; i--) {
            StringBuilder body = events.get(i);
            StringBuilder before = events.get(i - 1);
            if (body == null || before == null || before.indexOf(DATA) < 0 || isEvent(body)) {
                continue;
            }
            int start = body.indexOf(DATA);
            before.append(body, 0, start < 0 ? body.length() : start);
            body.delete(0, start < 0 ? body.length() : start);
        }
    }

    private static boolean isEvent(StringBuilder body) {
        return body.indexOf(DATA) == 0
                || body.indexOf(":") == 0
                || body.indexOf("event:") == 0
                || body.indexOf("id:") == 0;
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
