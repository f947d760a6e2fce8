package io.metricsaggregator.daemon;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.otlp.OtlpCounts;
import io.metricsaggregator.otlp.OtlpListener;
import io.metricsaggregator.otlp.SpanFrames;
import io.metricsaggregator.otlp.SpanReceiver;
import io.metricsaggregator.run.DaemonCounters;
import io.metricsaggregator.run.HostClocks;
import io.metricsaggregator.run.LiveRun;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * OpenTelemetry traces as a producer within the daemon: the listener's thread reads and queues spans, and the thread of the main flow folds
 * their records into the run as if it had received them. All methods belong to that thread.
 */
final class SpanInput {
    private static final Logger LOG = LoggerFactory.getLogger(SpanInput.class);

    private final OtlpListener listener;
    private final SpanFrames frames;

    private SpanInput(OtlpListener listener, SpanFrames frames) {
        this.listener = listener;
        this.frames = frames;
    }

    /**
     * Opens the listener.
     *
     * @param ownsSession whether there is no other input: the first span then begins the session
     * @param wake called on the listener's thread when spans are queued
     * @throws IOException if the address cannot be bound
     */
    static SpanInput open(InetSocketAddress address, boolean ownsSession, Runnable wake) throws IOException {
        SpanReceiver receiver = new SpanReceiver(ownsSession, wake);
        SpanFrames frames =
                new SpanFrames(receiver, HostClocks.offset(System::nanoTime).wallMinusMonotonicNanos());
        try {
            OtlpListener listener = OtlpListener.open(address, receiver);
            LOG.info("listening for OpenTelemetry traces url={}", listener.url());
            return new SpanInput(listener, frames);
        } catch (IOException e) {
            throw new IOException(
                    "--otlp-listen " + address.getHostString() + ":" + address.getPort() + ": " + e.getMessage(), e);
        }
    }

    /** Takes a record of a producer that says of which trace its request is. */
    void measured(DecodedEvent record) {
        frames.measured(record);
    }

    /** Nanoseconds until waiting spans are due. */
    long nanosUntilDue(long nowNanos) {
        return frames.nanosUntilDue(nowNanos);
    }

    /** Folds the spans that are due into {@code run}, and sets its counters of spans. */
    void foldInto(LiveRun run) {
        long now = System.nanoTime();
        for (byte[] frame = frames.poll(now); frame != null; frame = frames.poll(now)) {
            run.ingest().onFrame(ByteBuffer.wrap(frame), 0, frame.length);
            run.ingest().onBurstEnd();
        }
        count(run);
    }

    /** Receives no further spans; those that wait for their place in time are due now. */
    void stop() {
        listener.close();
        frames.release();
    }

    /** Stops at the end of the session; spans that still wait would be late, so they are dropped and counted. */
    void end(LiveRun run) {
        stop();
        frames.end();
        count(run);
    }

    private void count(LiveRun run) {
        OtlpCounts counts = frames.counts();
        DaemonCounters counters = run.counters();
        counters.count(CounterName.SPAN_REQUESTS, counts.requests());
        counters.count(CounterName.SPAN_REQUESTS_REFUSED, listener.refused());
        counters.count(CounterName.SPANS_RECEIVED, counts.spans());
        counters.count(CounterName.SPANS_SAMPLED, counts.samples());
        counters.count(CounterName.SPANS_OTHER, counts.other());
        counters.count(CounterName.SPANS_JOINED, counts.joined());
        counters.count(CounterName.SPANS_REPEATED, counts.repeated());
        counters.count(CounterName.SPANS_REJECTED, counts.rejected());
        counters.count(CounterName.SPANS_DROPPED, counts.dropped());
        counters.count(CounterName.SPAN_VALUES_REJECTED, counts.valuesRejected());
    }
}
