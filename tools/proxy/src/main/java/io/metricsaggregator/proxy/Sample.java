package io.metricsaggregator.proxy;

import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.event.TextModelOutput;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.server.ServerTimes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The records of one request. It is issued before all else, whatever is called first, and ends once; later calls do nothing. Times are those of
 * {@link System#nanoTime}. Thread-safe.
 */
final class Sample {
    private static final int MESSAGE_MAX_CHARS = 1024;

    private final String id;
    private final RecordQueue records;
    private final ProxyCounts counts;
    private final Map<String, String> labels;
    private final @Nullable String traceparent;
    private byte @Nullable [] body;
    private boolean sent;
    private long sentNanos;
    private boolean issued;
    private boolean chunkReceived;
    private boolean ended;

    /**
     * Begins before the issue.
     *
     * @param traceparent header of the request; null if it has none that fits
     */
    Sample(
            String id,
            RecordQueue records,
            ProxyCounts counts,
            Map<String, String> labels,
            @Nullable String traceparent) {
        this.id = id;
        this.records = records;
        this.counts = counts;
        this.labels = labels;
        this.traceparent = traceparent;
    }

    String id() {
        return id;
    }

    /** Sets the body of the request, whose prompt is read at the issue; null if it is not kept. */
    synchronized void body(byte @Nullable [] bytes) {
        body = bytes;
    }

    /** The last bytes of the request are passed on: the time of its issue. The record follows with the next call of another method. */
    synchronized void sent(long nanos) {
        sent = true;
        sentNanos = nanos;
    }

    /** Publishes the issue, if that was not done; {@code nanos} is its time if the request was not passed on completely. */
    synchronized void issued(long nanos) {
        if (issued) {
            return;
        }
        issued = true;
        EventRecord issue = EventRecord.sample(EventType.SAMPLE_ISSUED, sent ? sentNanos : nanos, id);
        PromptData prompt = body == null ? null : Prompts.read(body);
        body = null;
        issue = prompt == null ? issue : issue.withData(prompt);
        issue = traceparent == null ? issue : issue.withTraceparent(traceparent);
        records.add(labels.isEmpty() ? issue : issue.withLabels(labels));
    }

    /** Content of the answer was read. */
    synchronized void chunk(ChunkPart part, long nanos) {
        issued(nanos);
        if (!ended) {
            EventType type = chunkReceived ? EventType.SAMPLE_RECV_NON_FIRST : EventType.SAMPLE_RECV_FIRST;
            chunkReceived = true;
            records.add(EventRecord.sample(type, nanos, id).withPart(part));
        }
    }

    /** The answer is complete. */
    synchronized void complete(
            long nanos,
            @Nullable TextModelOutput output,
            @Nullable String finishReason,
            @Nullable Usage usage,
            @Nullable ServerTimes server,
            @Nullable String responseId) {
        if (end(nanos)) {
            counts.succeeded.increment();
            EventRecord end = EventRecord.sample(EventType.SAMPLE_COMPLETE, nanos, id);
            end = output == null ? end : end.withData(output);
            end = finishReason == null ? end : end.withFinishReason(finishReason);
            end = responseId == null ? end : end.withResponseId(responseId);
            end = server == null ? end : end.withServer(server);
            records.add(usage == null ? end : end.withUsage(usage));
        }
    }

    /** The request failed, by the server, the network or the proxy. */
    synchronized void failed(long nanos, String type, String message) {
        if (end(nanos)) {
            counts.failed.increment();
            error(EventType.ERROR_GENERIC, nanos, type, message);
        }
    }

    /** The client closed the connection before the answer was complete. */
    synchronized void cancelled(long nanos) {
        if (end(nanos)) {
            counts.cancelled.increment();
            error(EventType.ERROR_CLIENT, nanos, "Cancelled", "the client closed the connection");
        }
    }

    private boolean end(long nanos) {
        issued(nanos);
        boolean first = !ended;
        ended = true;
        return first;
    }

    private void error(EventType type, long nanos, String name, String message) {
        String text = message.length() > MESSAGE_MAX_CHARS ? message.substring(0, MESSAGE_MAX_CHARS) : message;
        records.add(EventRecord.sample(type, nanos, id).withData(new ErrorData(name, text)));
        records.add(EventRecord.sample(EventType.SAMPLE_COMPLETE, nanos, id));
    }
}
