package io.metricsaggregator.ingest;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.registry.Meter;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.telemetry.TelemetryFolds;
import io.metricsaggregator.transport.FrameHandler;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The main flow of a live run: each frame is received, journaled, decoded and applied. All frames of a burst share one time of receipt,
 * which the journal keeps. Belongs to the thread that receives.
 */
public final class Ingest implements FrameHandler {
    private final FrameApplier frames;
    private final LongSupplier clock;
    private final FrameLog journal;
    private final ReceiptWatch receipts;
    private final Meter lag = new Meter();
    private boolean inBurst;
    private long burstNanos;
    /** Records received before the current burst. */
    private long recordsBefore;

    private long bursts;
    private boolean closed;
    private long framesAfterwards;

    /** An ingest without a journal. */
    public Ingest(FrameApplier frames, LongSupplier clock) {
        this(frames, clock, FrameLog.NONE);
    }

    /**
     * An ingest that applies frames through {@code frames}.
     *
     * @param clock the daemon's monotonic clock, in nanoseconds
     * @param journal keeps every frame
     */
    public Ingest(FrameApplier frames, LongSupplier clock, FrameLog journal) {
        this.frames = frames;
        this.clock = clock;
        this.journal = journal;
        this.receipts = new ReceiptWatch(frames);
    }

    @Override
    public void onFrame(ByteBuffer buffer, int start, int length) {
        if (closed) {
            framesAfterwards++;
            return;
        }
        if (!inBurst) {
            beginBurst();
        }
        journal.frame(buffer, start, length, burstNanos);
        frames.decode(buffer, start, length, burstNanos);
    }

    @Override
    public List<String> announced() {
        return List.of(Topic.CHUNKS);
    }

    private void beginBurst() {
        inBurst = true;
        burstNanos = clock.getAsLong();
        receipts.check(burstNanos);
        recordsBefore = frames.ledger().recordsReceived.value();
    }

    /** Applies what is decoded, before the bytes of the burst are overwritten. */
    @Override
    public void onBurstEnd() {
        if (!inBurst) {
            return;
        }
        journal.endBurst(burstNanos);
        frames.apply();
        inBurst = false;
        bursts++;
        long appliedNanos = clock.getAsLong();
        receipts.check(appliedNanos);
        lag.record(appliedNanos - burstNanos, frames.ledger().recordsReceived.value() - recordsBefore);
    }

    /** Hands every record that names a trace or the id of an answer to {@code traces}, on this thread, before it is applied. */
    public void tracesTo(Consumer<DecodedEvent> traces) {
        frames.tracesTo(traces);
    }

    /**
     * Announces a wait for frames. The daemon that comes back later, by more than a second, fell behind.
     *
     * @param nowNanos the daemon's monotonic clock
     * @param waitNanos longest wait
     */
    public void waits(long nowNanos, long waitNanos) {
        receipts.expect(nowNanos, waitNanos);
    }

    /**
     * Applies no frame from now on, because the last snapshot has been taken. Later frames are only counted, so that they take no memory
     * from writing the file.
     */
    public void close() {
        closed = true;
    }

    /** Frames received after {@link #close}. */
    public long framesAfterwards() {
        return framesAfterwards;
    }

    /** Nanoseconds from the receipt of records to the end of their application; for each record, that of its burst. */
    public Meter lag() {
        return lag;
    }

    /** Bursts of frames received. */
    public long bursts() {
        return bursts;
    }

    /** Returns the folds of telemetry. */
    public TelemetryFolds telemetry() {
        return frames.telemetry();
    }

    /** Returns the reasons for which records were malformed or telemetry was rejected, with their counts. */
    public List<SnapshotExtensions.MalformedRow> malformed() {
        return frames.malformed();
    }
}
