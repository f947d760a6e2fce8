package io.metricsaggregator.synthetic;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The times that a synthetic server reports of one request, in the form of another server. Used by the thread that answers the request.
 */
public final class ReportedTimes {
    private static final double NANOS_PER_MILLI = 1e6;

    private final Form form;
    private long queueNanos;
    private long firstTokenNanos;
    private long decodeNanos;

    /** How a server reports times. */
    public enum Form {
        NONE("none"),
        /** The object {@code metrics}, in a whole body and in the chunk with the usage. */
        VLLM("vllm"),
        /** The object {@code timings}, in a whole body and in the last chunk; no queue. */
        LLAMA_CPP("llama.cpp"),
        /** The header {@code Server-Timing}: of a stream without the decode time, which is not known when the header is sent. */
        HEADER("header");

        private final String word;

        Form(String word) {
            this.word = word;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    ReportedTimes(Form form) {
        this.form = form;
    }

    /** Sets the time from arrival to the start of the answer. */
    void queued(long nanos) {
        queueNanos = nanos;
    }

    /** Sets the time from the start of the answer to its first token. */
    void firstToken(long nanos) {
        firstTokenNanos = nanos;
    }

    /** Sets the time from the first token to the last. */
    void decoded(long nanos) {
        decodeNanos = nanos;
    }

    boolean isHeader() {
        return form == Form.HEADER;
    }

    /** The header; a decode time of 0 is left out. */
    String header() {
        String text = String.format(
                Locale.ROOT,
                "queue;dur=%s, ttft;dur=%s;desc=\"first token\"",
                queueNanos / NANOS_PER_MILLI,
                firstTokenNanos / NANOS_PER_MILLI);
        return decodeNanos == 0 ? text : text + ", decode;dur=" + decodeNanos / NANOS_PER_MILLI;
    }

    /** Adds the times to a whole body, or to the last chunk of a stream. */
    Map<String, Object> in(Map<String, Object> message, boolean hasUsage) {
        boolean vllm = form == Form.VLLM && hasUsage;
        if (!vllm && form != Form.LLAMA_CPP) {
            return message;
        }
        Map<String, @Nullable Object> times = new LinkedHashMap<>();
        if (vllm) {
            times.put("time_to_first_token_ms", firstTokenNanos / NANOS_PER_MILLI);
            times.put("generation_time_ms", decodeNanos / NANOS_PER_MILLI);
            times.put("queue_time_ms", queueNanos / NANOS_PER_MILLI);
            times.put("mean_itl_ms", null);
        } else {
            times.put("prompt_ms", firstTokenNanos / NANOS_PER_MILLI);
            times.put("predicted_ms", decodeNanos / NANOS_PER_MILLI);
        }
        Map<String, Object> with = new LinkedHashMap<>(message);
        with.put(vllm ? "metrics" : "timings", times);
        return with;
    }

    /** Adds the times to the line of the log. */
    void log(Map<String, Object> line) {
        line.put("queue_ns", queueNanos);
        line.put("server_ttft_ns", firstTokenNanos);
        line.put("decode_ns", decodeNanos);
    }
}
