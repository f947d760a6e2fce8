package io.metricsaggregator.imports.aiperf;

import io.metricsaggregator.answer.Answer;
import io.metricsaggregator.answer.ServerSentEvent;
import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedUsage;
import io.metricsaggregator.imports.json.Decimals;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.read.Payload;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One line of AIPerf's records: a request with its metrics, or with its responses. Built by one of two factories, used once. */
final class AiperfRecord {
    /** Durations in the file are binary fractions of milliseconds. */
    private static final long ROUNDING_NANOS = 1000;

    private final ImportedRequest request;
    private final JsonFields metadata;
    private final @Nullable JsonFields payload;
    private final boolean measured;
    private @Nullable Double interTokenMillis;

    private AiperfRecord(JsonFields line, JsonFields metadata) throws InvalidField {
        this.metadata = metadata;
        this.payload = line.any("payload") == null ? null : line.object("payload");
        boolean warmup =
                "warmup".equals(metadata.text("benchmark_phase")) || "warmup".equals(metadata.text("phase_kind"));
        boolean failed = line.object("error") != null;
        Long started = metadata.nanos("request_start_ns", 0);
        if (started == null && !failed) {
            throw new InvalidField("request_start_ns", "missing");
        }
        this.request = ImportedRequest.issuedAt(started == null ? 0 : started)
                .id(metadata.text("x_request_id"))
                .source(metadata.text("worker_id"))
                .conversation(metadata.text("conversation_id"), metadata.integer("turn_index"))
                .scheduledAt(metadata.nanos("credit_issued_ns", 0))
                .warmup(warmup);
        boolean ended = end(line);
        this.measured = ended && !warmup;
    }

    /** Ends the request if it was cancelled or failed; returns whether it is still to be ended as a success. */
    private boolean end(JsonFields line) throws InvalidField {
        if (Boolean.TRUE.equals(metadata.flag("was_cancelled"))) {
            return false;
        }
        JsonFields error = line.object("error");
        if (error == null) {
            return true;
        }
        Long code = error.integer("code");
        String type = error.textOfAny("type");
        String message = error.textOfAny("message");
        request.failedAt(
                metadata.nanos("request_end_ns", 0),
                type != null ? type : code == null ? "" : code.toString(),
                message == null ? "" : message);
        return false;
    }

    /** Reads a line of {@code profile_export.jsonl}; null if the tool left the request out. */
    static @Nullable AiperfRecord ofMetrics(JsonFields line) throws InvalidField {
        JsonFields metadata = line.requiredObject("metadata");
        if (Boolean.TRUE.equals(metadata.flag("context_overflow_skip"))) {
            return null;
        }
        AiperfRecord record = new AiperfRecord(line, metadata);
        record.metrics(line.objectOrEmpty("metrics"));
        return record;
    }

    private void metrics(JsonFields metrics) throws InvalidField {
        long issued = request.issuedNanos();
        BigDecimal first = value(metrics, "time_to_first_token");
        if (first != null) {
            request.chunksAt(chunks(issued, first, metrics));
            BigDecimal answered = value(metrics, "time_to_first_output_token");
            if (answered != null) {
                request.partsOfChunks(parts(issued + nanos(answered, "time_to_first_output_token")));
            }
        }
        request.usage(usage(metrics));
        if (!isOpenToSuccess()) {
            return;
        }
        BigDecimal latency = value(metrics, "request_latency");
        if (latency == null) {
            throw new InvalidField("request_latency", "missing");
        }
        request.succeededAt(issued + nanos(latency, "request_latency"))
                .streamEndedAt(metadata.nanos("request_end_ns", 0));
        BigDecimal each = value(metrics, "inter_token_latency");
        interTokenMillis = each == null ? null : (Double) (each.doubleValue() / 1e6);
    }

    private boolean isOpenToSuccess() throws InvalidField {
        return request.outcome() == ImportedRequest.Outcome.OPEN
                && !Boolean.TRUE.equals(metadata.flag("was_cancelled"));
    }

    private static long[] chunks(long issued, BigDecimal first, JsonFields metrics) throws InvalidField {
        JsonFields metric = metrics.objectOrEmpty("inter_chunk_latency");
        List<@Nullable Object> gaps = metric.array("value");
        long[] chunks = new long[1 + (gaps == null ? 0 : gaps.size())];
        BigDecimal time = first;
        for (int i = 0; i < chunks.length; i++) {
            if (i > 0 && gaps != null) {
                time = time.add(JsonFields.number(gaps.get(i - 1), "inter_chunk_latency")
                        .movePointRight(exponent(metric, "inter_chunk_latency")));
            }
            chunks[i] = issued + nanos(time, "inter_chunk_latency");
        }
        return chunks;
    }

    /** The parts of the chunks of an answer whose first chunk behind the reasoning came at {@code answered}. */
    private List<ChunkPart> parts(long answered) {
        List<ChunkPart> parts = new ArrayList<>();
        for (int i = 0; i < request.chunks(); i++) {
            boolean before = request.chunkNanos(i) < answered - ROUNDING_NANOS;
            parts.add(before ? ChunkPart.REASONING : ChunkPart.OUTPUT);
        }
        return parts;
    }

    /** The server's counts, each replaced by the tool's own where the server reported none at all. */
    private static @Nullable ImportedUsage usage(JsonFields metrics) throws InvalidField {
        Long prompt = count(metrics, "usage_prompt_tokens");
        Long completion = count(metrics, "usage_completion_tokens");
        if (prompt != null || completion != null) {
            return new ImportedUsage(
                    prompt,
                    completion,
                    count(metrics, "usage_prompt_cache_read_tokens"),
                    count(metrics, "usage_reasoning_tokens"),
                    false);
        }
        return new ImportedUsage(
                count(metrics, "input_sequence_length"),
                count(metrics, "output_sequence_length"),
                null,
                count(metrics, "reasoning_token_count"),
                true);
    }

    private static @Nullable Long count(JsonFields metrics, String tag) throws InvalidField {
        JsonFields metric = metrics.object(tag);
        return metric == null ? null : metric.count("value");
    }

    /** The value of a metric in nanoseconds, exact; null if it is absent. */
    private static @Nullable BigDecimal value(JsonFields metrics, String tag) throws InvalidField {
        JsonFields metric = metrics.object(tag);
        BigDecimal value = metric == null ? null : metric.number("value");
        return metric == null || value == null ? null : value.movePointRight(exponent(metric, tag));
    }

    private static int exponent(JsonFields metric, String tag) throws InvalidField {
        String unit = metric.text("unit");
        return switch (unit == null ? "ms" : unit) {
            case "ms" -> 6;
            case "sec", "s" -> 9;
            case "us" -> 3;
            case "ns" -> 0;
            default -> throw new InvalidField(tag + "_unit", "unknown");
        };
    }

    private static long nanos(BigDecimal number, String name) throws InvalidField {
        Long nanos = Decimals.nanos(number, 0);
        if (nanos == null || nanos < 0) {
            throw new InvalidField(name, "invalid");
        }
        return nanos;
    }

    /** Reads a line of {@code profile_export_raw.jsonl}; null if the tool left the request out. */
    static @Nullable AiperfRecord ofResponses(JsonFields line) throws InvalidField {
        JsonFields metadata = line.requiredObject("metadata");
        if (Boolean.TRUE.equals(metadata.flag("context_overflow_skip"))) {
            return null;
        }
        AiperfRecord record = new AiperfRecord(line, metadata);
        record.responses(line);
        return record;
    }

    private void responses(JsonFields line) throws InvalidField {
        long issued = request.issuedNanos();
        Long start = line.nanos("start_perf_ns", 0);
        boolean started = start != null && start > 0;
        if (!started && isOpenToSuccess()) {
            throw new InvalidField("start_perf_ns", "missing");
        }
        List<@Nullable Object> responses = started ? line.array("responses") : null;
        int count = responses == null ? 0 : responses.size();
        long[] chunks = new long[count];
        List<ChunkPart> parts = new ArrayList<>();
        boolean streamed = false;
        Long last = null;
        Answer answer = new Answer();
        for (int i = 0; i < count && responses != null; i++) {
            JsonFields response = JsonFields.of(responses.get(i), "responses");
            long nanos = issued + (response.requiredNanos("perf_ns", 0) - (start == null ? 0 : start));
            last = nanos;
            streamed |= response.has("packets");
            ChunkPart part = content(response, answer);
            if (part != null) {
                chunks[parts.size()] = nanos;
                parts.add(part);
            }
        }
        if (streamed) {
            request.chunksAt(chunks, parts.size()).partsOfChunks(parts);
        }
        request.answered(answer);
        if (!isOpenToSuccess()) {
            return;
        }
        if (last == null) {
            throw new InvalidField("responses", "missing");
        }
        ErrorData error = answer.error();
        if (error != null) {
            request.failedAt(last, error.errorType(), error.errorMessage());
        } else {
            request.succeededAt(parts.isEmpty() ? last : chunks[parts.size() - 1])
                    .streamEndedAt(last);
        }
    }

    /** Adds a response to the answer: an event as its fields, or a whole body; returns the part of the answer that it brings. */
    private static @Nullable ChunkPart content(JsonFields response, Answer answer) throws InvalidField {
        List<@Nullable Object> packets = response.array("packets");
        if (packets == null) {
            String text = response.text("text");
            return text == null ? null : answer.message(text);
        }
        String type = "";
        Map<String, String> fields = new HashMap<>();
        for (Object each : packets) {
            JsonFields packet = JsonFields.of(each, "packets");
            String name = packet.text("name");
            String value = packet.text("value");
            if ("event".equals(name)) {
                type = value == null ? "" : value.strip();
            } else if (name != null) {
                fields.merge(name, value == null ? "" : value, (before, next) -> before + '\n' + next);
            }
        }
        return answer.event(new ServerSentEvent(type, fields.get("data"), fields.get("comment")));
    }

    /** Number of chunks with content. */
    int chunks() {
        return request.chunks();
    }

    /** Hands the request to the sink, with its prompt. */
    void hand(ImportSink sink, AiperfPrompts prompts) throws IOException, InvalidField {
        request.prompt(
                payload != null
                        ? Payload.prompt(payload)
                        : prompts.find(metadata.text("conversation_id"), metadata.integer("turn_index")));
        if (measured && interTokenMillis != null) {
            sink.value(AiperfSummary.INTER_TOKEN_MILLIS, interTokenMillis);
        }
        sink.request(request);
    }
}
