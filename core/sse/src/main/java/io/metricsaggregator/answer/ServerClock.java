package io.metricsaggregator.answer;

import io.metricsaggregator.event.server.ServerKey;
import io.metricsaggregator.event.server.ServerTimes;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads where a server says that a request spent its time: the object {@code metrics} of vLLM ({@code --enable-per-request-metrics}), the object
 * {@code timings} of llama.cpp, and the header {@code Server-Timing}. A body wins over the header; a later message over an earlier one. What is not
 * a number from 0 to about 292 years is passed over. One owner.
 *
 * <p>vLLM's {@code time_to_first_token_ms} and llama.cpp's {@code prompt_ms} both end with the first token and begin when the request is
 * scheduled, so each is {@code ttft_ns}; llama.cpp does not report its queue.
 */
public final class ServerClock {
    private static final double NANOS_PER_MILLI = 1e6;
    /** Metrics of a header that are read, and characters of it. */
    private static final int ENTRIES_MAX = 64;

    private static final int HEADER_MAX_CHARS = 8192;

    private @Nullable ServerTimes body;
    private @Nullable ServerTimes header;

    /** Takes a message, or a whole body; of the responses API the object within its last event. */
    public void message(Map<String, ?> message) {
        Map<?, ?> within = message.get("response") instanceof Map<?, ?> response ? response : message;
        if (within.get("metrics") instanceof Map<?, ?> vllm) {
            take(vllm, "queue_time_ms", ServerKey.QUEUE_NS);
            take(vllm, "time_to_first_token_ms", ServerKey.TTFT_NS);
            take(vllm, "generation_time_ms", ServerKey.DECODE_NS);
        }
        if (within.get("timings") instanceof Map<?, ?> llamaCpp) {
            take(llamaCpp, "prompt_ms", ServerKey.PREFILL_NS);
            take(llamaCpp, "prompt_ms", ServerKey.TTFT_NS);
            take(llamaCpp, "predicted_ms", ServerKey.DECODE_NS);
        }
    }

    private void take(Map<?, ?> object, String name, ServerKey key) {
        Long nanos = object.get(name) instanceof Number millis ? nanos(millis.doubleValue()) : null;
        if (nanos != null) {
            body = (body == null ? ServerTimes.from(ServerTimes.Source.BODY) : body).with(key, nanos);
        }
    }

    /**
     * Takes a header {@code Server-Timing} (W3C): names with {@code dur} in milliseconds. Known names are {@code queue}, {@code prefill}, {@code ttft},
     * {@code decode}, {@code total} and {@code kv_transfer}, with common variants.
     *
     * @param value the header; null without one
     */
    public void header(@Nullable String value) {
        if (value == null || value.length() > HEADER_MAX_CHARS) {
            return;
        }
        String[] entries = value.split(",", ENTRIES_MAX + 1);
        for (int i = 0; i < Math.min(entries.length, ENTRIES_MAX); i++) {
            String[] parts = entries[i].split(";", ENTRIES_MAX);
            ServerKey key = parts.length == 0 ? null : key(parts[0]);
            for (int j = 1; key != null && j < parts.length; j++) {
                Long nanos = duration(parts[j]);
                if (nanos != null) {
                    header = (header == null ? ServerTimes.from(ServerTimes.Source.HEADER) : header).with(key, nanos);
                    break;
                }
            }
        }
    }

    private static @Nullable ServerKey key(String name) {
        String plain = name.strip().toLowerCase(Locale.ROOT).replace('-', '_');
        return switch (plain.endsWith("_time") ? plain.substring(0, plain.length() - 5) : plain) {
            case "queue", "queued", "queueing", "queuing" -> ServerKey.QUEUE_NS;
            case "prefill", "prompt" -> ServerKey.PREFILL_NS;
            case "ttft", "first_token", "time_to_first_token" -> ServerKey.TTFT_NS;
            case "decode", "generation", "predicted" -> ServerKey.DECODE_NS;
            case "total", "e2e" -> ServerKey.E2E_NS;
            case "kv_transfer", "kv" -> ServerKey.KV_TRANSFER_NS;
            default -> null;
        };
    }

    private static @Nullable Long duration(String parameter) {
        int equals = parameter.indexOf('=');
        if (equals < 0 || !parameter.substring(0, equals).strip().equalsIgnoreCase("dur")) {
            return null;
        }
        String number = parameter.substring(equals + 1).strip();
        if (number.length() > 2 && number.startsWith("\"") && number.endsWith("\"")) {
            number = number.substring(1, number.length() - 1);
        }
        try {
            return nanos(Double.parseDouble(number));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static @Nullable Long nanos(double millis) {
        double nanos = millis * NANOS_PER_MILLI;
        return nanos >= 0 && nanos < 0x1p63 ? (Long) Math.round(nanos) : null;
    }

    /** What the server said so far; null if nothing. The source is the body if it said anything. */
    public @Nullable ServerTimes times() {
        ServerTimes times = body;
        ServerTimes less = header;
        if (times == null || less == null) {
            return times == null ? less : times;
        }
        for (Map.Entry<ServerKey, Long> each : less.numbers().entrySet()) {
            times = times.number(each.getKey()) == null ? times.with(each.getKey(), each.getValue()) : times;
        }
        return times;
    }
}
