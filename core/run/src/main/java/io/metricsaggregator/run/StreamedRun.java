package io.metricsaggregator.run;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.ingest.FrameApplier;
import io.metricsaggregator.ingest.JournalIngest;
import io.metricsaggregator.journal.JournalClock;
import io.metricsaggregator.registry.RegistryCopy;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.transport.TransportStats;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run whose frames a caller hands on one by one, from a log of messages for example, folded as a daemon folds received frames. It has no sockets, no
 * journal and no thread of its own; its values lie outside the heap until it is closed. Used by one thread.
 */
public final class StreamedRun implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(StreamedRun.class);

    private final String id;
    private final JournalClock clock;
    private final JournalIngest ingest;
    private final ReplayedRun run;
    private RegistryCopy copy;
    private long receivedNanos = Long.MIN_VALUE;
    private long frames;
    private long framesSkipped;
    private long snapshots;

    private StreamedRun(String id, JournalClock clock, RunParts parts, RunIdentity identity) {
        this.id = id;
        this.clock = clock;
        this.ingest = new JournalIngest(parts.frames());
        this.run = new ReplayedRun(parts, identity, clock);
        this.copy = parts.registry().newCopy();
    }

    /**
     * Starts a run without frames.
     *
     * @param id 16 hexadecimal digits
     * @param startedWallNanos start of the run, in nanoseconds since 1970 UTC
     * @param config decides the numbers
     * @param resources memory, and the tokenizer that {@code config} names
     */
    public static StreamedRun start(String id, long startedWallNanos, RunConfig config, RunResources resources) {
        RunParts parts =
                new RunAssembler(config, resources, System::nanoTime).parts(new EventDecoder(), FrameApplier.ALL);
        RunIdentity identity = new RunIdentity(
                id,
                config.version(),
                startedWallNanos,
                Map.of(),
                RunConfigCodec.encode(config),
                List.of(),
                null,
                null,
                config.labels(),
                config.node(),
                null);
        return new StreamedRun(id, new JournalClock(), parts, identity);
    }

    /**
     * Applies all records of a frame. A frame that the fold cannot apply is logged and counted; its other records keep their effect.
     *
     * @param frame topic and payload
     * @param atNanos monotonic time of its receipt; the time of records that carry none. Frames with the same time were received together
     * @param atWallNanos wall-clock time of its receipt, in nanoseconds since 1970 UTC
     */
    public void frame(byte[] frame, long atNanos, long atWallNanos) {
        received(atNanos, atWallNanos);
        try {
            ingest.frame(ByteBuffer.wrap(frame), 0, frame.length);
        } catch (RuntimeException | StackOverflowError e) {
            framesSkipped++;
            LOG.error("frame skipped run={} frame={} bytes={}: it cannot be applied", id, frames, frame.length, e);
        }
        frames++;
    }

    private void received(long atNanos, long atWallNanos) {
        if (atNanos != receivedNanos) {
            receivedNanos = atNanos;
            clock.burst(atNanos);
            clock.pair(atNanos, atWallNanos);
            ingest.burst(atNanos);
            run.texts().makeRoom();
        }
    }

    /** Frames that could not be applied. */
    public long framesSkipped() {
        return framesSkipped;
    }

    /** Whether {@code session.ended} was received; all later records are late. */
    public boolean isEnded() {
        return run.isEnded();
    }

    /** Whether a snapshot would show anything: the session has started, or telemetry was received. */
    public boolean hasStarted() {
        return run.hasStarted();
    }

    /** Takes a snapshot with percentiles from the histograms; the run must have started. Not to be called after {@link #complete}. */
    public MetricsSnapshot live() {
        run.enterLive();
        TransportStats noSockets = new TransportStats();
        run.refresh(clock.endNanos(), noSockets);
        if (copy.size() != run.registry().size()) {
            // Rare series are registered with their first value.
            copy = run.registry().newCopy();
        }
        run.registry().copyInto(copy);
        return new MetricsSnapshot(
                ++snapshots,
                clock.endNanos(),
                run.state(),
                run.texts().pending(),
                copy.render(),
                run.extensions(
                        clock.endNanos(),
                        run.identity().info(clock.endWallNanos(run.identity().startedWallNanos()), noSockets.exposures),
                        List.of(),
                        null));
    }

    /** Takes the terminal snapshot with exact percentiles as far as values were kept: INTERRUPTED if the session did not end. To be called once. */
    public MetricsSnapshot complete() {
        return run.complete();
    }

    /** Ends the tokenizer threads, and frees the memory and the file of the values; nothing of the run must be used afterwards, nor a part of it. */
    @Override
    public void close() throws IOException {
        run.texts().stop();
        run.values().close();
    }
}
