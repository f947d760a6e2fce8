package io.metricsaggregator.otlp;

import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.event.server.ServerKey;
import io.metricsaggregator.event.server.ServerTimes;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The event records of a span: issued at its start, first chunk if it has one, an error if it failed, complete at its end. A value that
 * contradicts the others or the protocol is left out and counted; the sample stands. One thread.
 */
final class SpanSamples {
    private static final HexFormat HEX = HexFormat.of();
    private static final int LABEL_MAX_BYTES = 256;
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final long offsetNanos;
    private long valuesRejected;

    /**
     * A mapping to the clock of the daemon.
     *
     * @param offsetNanos wall clock minus monotonic clock, in nanoseconds
     */
    SpanSamples(long offsetNanos) {
        this.offsetNanos = offsetNanos;
    }

    /** Values left out of samples so far. */
    long valuesRejected() {
        return valuesRejected;
    }

    /** A time since the Unix epoch on the monotonic clock. */
    long monotonic(long epochNanos) {
        return epochNanos - offsetNanos;
    }

    /** The id of a span's sample: the last 16 digits of the trace id, then the span id. */
    static String sampleId(Span span) {
        return hex(span.traceLow()) + hex(span.id());
    }

    /** The header that names a span (W3C Trace Context); what the record says of its trace. */
    private static String traceparent(Span span) {
        return "00-" + hex(span.traceHigh()) + hex(span.traceLow()) + "-" + hex(span.id()) + "-01";
    }

    private static String hex(long value) {
        return HEX.toHexDigits(value);
    }

    /** The times in the server that a span has, its own or those of the server that it is of; null without any. */
    @Nullable
    ServerTimes server(Span span) {
        ServerTimes times = null;
        times = with(times, ServerKey.QUEUE_NS, span, GenAi.TIME_IN_QUEUE);
        times = with(times, ServerKey.PREFILL_NS, span, GenAi.TIME_IN_PREFILL);
        times = with(times, ServerKey.TTFT_NS, span, GenAi.TIME_IN_PREFILL);
        times = with(times, ServerKey.DECODE_NS, span, GenAi.TIME_IN_DECODE);
        return with(times, ServerKey.E2E_NS, span, GenAi.TIME_IN_SERVER);
    }

    private @Nullable ServerTimes with(@Nullable ServerTimes times, ServerKey key, Span span, String attribute) {
        Object value = GenAi.value(span, attribute);
        double nanos = value instanceof Number seconds ? seconds.doubleValue() * NANOS_PER_SECOND : Double.NaN;
        if (nanos >= 0 && nanos < 0x1p63) {
            return (times == null ? ServerTimes.from(ServerTimes.Source.SPAN) : times).with(key, Math.round(nanos));
        }
        valuesRejected += value == null ? 0 : 1;
        return times;
    }

    /**
     * Adds the records of a span, in the order of their times.
     *
     * @param server times in the server; null if unknown
     */
    void add(Span span, @Nullable ServerTimes server, List<EventRecord> into) {
        String id = sampleId(span);
        long issued = monotonic(span.startNanos());
        long ended = monotonic(span.endNanos());
        EventRecord issue = EventRecord.sample(EventType.SAMPLE_ISSUED, issued, id)
                .withLabels(labels(span))
                .withTraceparent(traceparent(span));
        String conversation = bounded(GenAi.text(span, GenAi.CONVERSATION));
        into.add(conversation == null ? issue : issue.inConversation(conversation, null));
        long first = first(span, ended - issued);
        if (first >= 0) {
            into.add(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, issued + first, id));
        }
        String error = GenAi.text(span, GenAi.ERROR_TYPE);
        if (error != null || span.status() == Span.ERROR) {
            into.add(EventRecord.sample(EventType.ERROR_GENERIC, ended, id)
                    .withData(new ErrorData(error == null ? "Error" : error, span.statusMessage())));
        }
        EventRecord complete = EventRecord.sample(EventType.SAMPLE_COMPLETE, ended, id);
        String reason = GenAi.text(span, GenAi.FINISH_REASONS);
        complete = reason == null ? complete : complete.withFinishReason(reason);
        complete = server == null ? complete : complete.withServer(server);
        Usage usage = usage(span);
        into.add(usage == null ? complete : complete.withUsage(usage));
    }

    /** Nanoseconds from the start of the span to its first chunk; −1 if it has none, or one outside the span. */
    private long first(Span span, long durationNanos) {
        Object seconds = GenAi.value(span, GenAi.TIME_TO_FIRST_CHUNK);
        double nanos;
        if (seconds instanceof Number number) {
            nanos = number.doubleValue() * NANOS_PER_SECOND;
        } else if (seconds != null) {
            nanos = Double.NaN;
        } else if (span.chunkNanos() > 0) {
            nanos = span.chunkNanos() - span.startNanos();
        } else {
            return -1;
        }
        if (nanos >= 0 && Math.rint(nanos) <= durationNanos) {
            return Math.round(nanos);
        }
        valuesRejected++;
        return -1;
    }

    private Map<String, String> labels(Span span) {
        Map<String, String> labels = new LinkedHashMap<>();
        String model = GenAi.text(span, GenAi.REQUEST_MODEL);
        label(labels, "model", model == null ? GenAi.text(span, GenAi.RESPONSE_MODEL) : model);
        String address = GenAi.text(span, GenAi.SERVER_ADDRESS);
        Object port = GenAi.value(span, GenAi.SERVER_PORT);
        label(labels, "endpoint", address == null || !(port instanceof Long) ? address : address + ":" + port);
        label(labels, "provider", GenAi.text(span, GenAi.PROVIDER));
        label(labels, "operation", GenAi.text(span, GenAi.OPERATION));
        return labels;
    }

    private void label(Map<String, String> labels, String key, @Nullable String value) {
        String checked = bounded(value);
        if (checked != null) {
            labels.put(key, checked);
        }
    }

    private @Nullable String bounded(@Nullable String value) {
        if (value != null && value.getBytes(StandardCharsets.UTF_8).length > LABEL_MAX_BYTES) {
            valuesRejected++;
            return null;
        }
        return value;
    }

    /** The tokens of a span; null without any. A part above its whole is left out, and an integer that came as a real is taken. */
    private @Nullable Usage usage(Span span) {
        Usage usage = null;
        usage = with(usage, UsageKey.PROMPT_TOKENS, span, GenAi.INPUT_TOKENS);
        usage = with(usage, UsageKey.COMPLETION_TOKENS, span, GenAi.OUTPUT_TOKENS);
        usage = with(usage, UsageKey.CACHED_TOKENS, span, GenAi.CACHE_READ_TOKENS);
        usage = with(usage, UsageKey.CACHE_WRITE_TOKENS, span, GenAi.CACHE_WRITE_TOKENS);
        return with(usage, UsageKey.REASONING_TOKENS, span, GenAi.REASONING_TOKENS);
    }

    private @Nullable Usage with(@Nullable Usage usage, UsageKey key, Span span, String attribute) {
        Object value = GenAi.value(span, attribute);
        if (value == null) {
            return usage;
        }
        if (value instanceof Long || (value instanceof Double real && real == Math.rint(real))) {
            try {
                long count = ((Number) value).longValue();
                return usage == null ? new Usage(Map.of(key, count), false) : usage.with(key, count);
            } catch (IllegalArgumentException e) {
                // Negative, or a part above its whole: counted below.
            }
        }
        valuesRejected++;
        return usage;
    }
}
