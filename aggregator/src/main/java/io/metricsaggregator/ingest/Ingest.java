package io.metricsaggregator.ingest;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.BatchReader;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.Malformation;
import io.metricsaggregator.event.TelemetryRecord;
import io.metricsaggregator.event.Topic;
import io.metricsaggregator.fold.LedgerCounters;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.journal.JournalWriter;
import io.metricsaggregator.registry.Meter;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.telemetry.TelemetryFolds;
import io.metricsaggregator.telemetry.TelemetryOptions;
import io.metricsaggregator.telemetry.fold.TelemetryLimits;
import io.metricsaggregator.transport.FrameHandler;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes frames, decodes their records and applies them in order, a block at a time. What is malformed is counted by reason; the
 * first of each reason is logged.
 */
public final class Ingest implements FrameHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Ingest.class);
    private static final int BLOCK = 64;

    private final LoadgenFold fold;
    private final LedgerCounters ledger;
    private final LongSupplier clock;
    private final EventDecoder decoder;
    private final BatchReader batch = new BatchReader();
    private final TelemetryFolds telemetry;
    private final MsgpackTree trees = new MsgpackTree();
    private final DecodedEvent[] block = new DecodedEvent[BLOCK];
    private final long[] malformed = new long[Malformation.values().length];
    private final Meter lag = new Meter();
    private int decoded;
    private boolean closed;
    private long framesAfterwards;
    /** Records received before the burst at hand. */
    private long recordsBefore;

    private boolean inBurst;
    private long burstNanos;
    private @Nullable JournalWriter journal;
    private @Nullable Predicate<DecodedEvent> keeps;
    /** Whether what comes is read back from a journal. */
    private boolean replaying;

    private long replayNanos;
    private long bursts;
    private boolean loggedBatch;
    private boolean loggedUnknown;
    private boolean loggedRejected;

    /**
     * An ingest that applies to {@code fold}.
     *
     * @param clock the daemon's monotonic clock, for records that have no time of their own
     */
    public Ingest(LoadgenFold fold, LongSupplier clock) {
        this(fold, clock, TelemetryOptions.DEFAULT, TelemetryLimits.ofThisHeap());
    }

    /**
     * As above.
     *
     * @param options of other kinds of observation
     * @param limits bounds on what is kept of them
     */
    public Ingest(LoadgenFold fold, LongSupplier clock, TelemetryOptions options, TelemetryLimits limits) {
        this(fold, clock, options, limits, new EventDecoder());
    }

    /**
     * As above.
     *
     * @param decoder of this ingest alone
     */
    public Ingest(
            LoadgenFold fold,
            LongSupplier clock,
            TelemetryOptions options,
            TelemetryLimits limits,
            EventDecoder decoder) {
        this.decoder = decoder;
        this.telemetry = new TelemetryFolds(options, limits);
        this.fold = fold;
        this.ledger = fold.ledger();
        this.clock = clock;
        for (int i = 0; i < BLOCK; i++) {
            block[i] = new DecodedEvent();
        }
    }

    /**
     * The last snapshot has been taken: what comes from now on belongs to no run. Its frames are counted for the log, and take no
     * memory that is needed to write the file.
     */
    public void close() {
        closed = true;
    }

    /** Frames that came after {@link #close}. */
    public long framesAfterwards() {
        return framesAfterwards;
    }

    @Override
    public void onFrame(ByteBuffer buffer, int start, int length) {
        if (closed) {
            framesAfterwards++;
            return;
        }
        if (!inBurst) {
            inBurst = true;
            burstNanos = replaying ? replayNanos : clock.getAsLong();
            recordsBefore = ledger.recordsReceived.value();
        }
        if (journal != null) {
            journal.frame(buffer, start, length, burstNanos);
        }
        ledger.framesReceived.increment();
        ledger.frameBytesReceived.add(length);
        if (length <= Topic.LENGTH) {
            ledger.framesEmpty.increment();
            return;
        }
        int payload = start + Topic.LENGTH;
        int size = length - Topic.LENGTH;
        if (Topic.isBatch(buffer, start)) {
            readBatch(buffer, payload, size);
        } else {
            readRecord(buffer, payload, size);
        }
    }

    private void readBatch(ByteBuffer buffer, int start, int length) {
        ledger.batchesReceived.increment();
        if (batch.open(buffer, start, length) < 0) {
            ledger.batchesMalformed.increment();
            if (!loggedBatch) {
                loggedBatch = true;
                LOG.warn(
                        "a batch of {} bytes is no array of binaries and was lost whole (counted from now on): {}",
                        length,
                        Excerpt.of(buffer, start, length));
            }
            return;
        }
        while (batch.next()) {
            if (batch.length() == 0) {
                ledger.batchElementsEmpty.increment();
            } else {
                readRecord(buffer, batch.start(), batch.length());
            }
        }
    }

    private void readRecord(ByteBuffer buffer, int start, int length) {
        DecodedEvent event = block[decoded];
        Malformation wrong = decoder.decode(buffer, start, length, event);
        if (wrong != null) {
            applyBlock();
            reject(wrong, buffer, start, length);
            return;
        }
        boolean stamped = !event.hasTimestamp();
        if (stamped) {
            // The same for all of a burst, so that a journal gives it back.
            event.stamp(burstNanos);
        }
        if (keeps != null && !keeps.test(event)) {
            return;
        }
        if (stamped) {
            ledger.recordsWithoutTimestamp.increment();
        }
        if (event.type() == null && observed(event, buffer, start, length)) {
            return;
        }
        if (event.type() == null && !loggedUnknown) {
            loggedUnknown = true;
            LOG.warn(
                    "a record has an event_type this daemon does not know (counted from now on): {}",
                    Excerpt.of(buffer, start, length));
        }
        if (++decoded == BLOCK) {
            applyBlock();
        }
    }

    /** Applies a record of another kind; false if it is of none that is known. */
    private boolean observed(DecodedEvent event, ByteBuffer buffer, int start, int length) {
        if (length > telemetry.limits().recordBytes()) {
            applyBlock();
            fold.observed(event, () -> {
                telemetry.tooLarge();
                return false;
            });
            return true;
        }
        TelemetryRecord observation = TelemetryRecord.read(trees, buffer, start, length, burstNanos);
        if (observation == null || !telemetry.knows(observation.category())) {
            return false;
        }
        // What came before it comes first.
        applyBlock();
        fold.observed(event, () -> {
            boolean taken = telemetry.apply(observation);
            if (!taken && !loggedRejected) {
                loggedRejected = true;
                LOG.warn(
                        "an observation {} was rejected, see `malformed` in the snapshot (counted from now on): {}",
                        Excerpt.of(buffer, start, length),
                        telemetry.rejected());
            }
            return taken;
        });
        return true;
    }

    private void reject(Malformation wrong, ByteBuffer buffer, int start, int length) {
        if (fold.malformed() && malformed[wrong.ordinal()]++ == 0) {
            LOG.warn("malformed record: {} (counted from now on): {}", wrong.text(), Excerpt.of(buffer, start, length));
        }
    }

    private void applyBlock() {
        int count = decoded;
        // First: should applying break, what comes after it must still find room.
        decoded = 0;
        try {
            fold.apply(block, count);
        } catch (RuntimeException | Error e) {
            settle();
            throw e;
        }
    }

    /** A record in the middle of which applying broke was received and is nothing else: it counts as malformed. */
    private void settle() {
        ledger.recordsMalformed.add(Math.max(0, ledger.recordsReceived.value() - ledger.recordsAccounted()));
    }

    /** Applies what is decoded, before the bytes it refers to are gone. */
    @Override
    public void onBurstEnd() {
        if (inBurst && journal != null) {
            journal.endBurst(burstNanos);
        }
        applyBlock();
        if (inBurst) {
            inBurst = false;
            if (replaying) {
                return;
            }
            bursts++;
            lag.record(clock.getAsLong() - burstNanos, ledger.recordsReceived.value() - recordsBefore);
        }
    }

    /** From now on applies only records of which {@code which} says so; the others are as if they had not come. */
    public void applyOnly(Predicate<DecodedEvent> which) {
        keeps = which;
    }

    /** Keeps every frame from now on, before anybody is shown what came of it. */
    public void journalTo(JournalWriter writer) {
        journal = writer;
    }

    /** The burst that follows was received at that time of the clock, by an earlier process. */
    public void replayed(long nanos) {
        replaying = true;
        replayNanos = nanos;
        telemetry.tick(nanos);
    }

    /** The daemon was not there between the bursts before and those to come; see {@link LoadgenFold#outage}. */
    public void outage(long fromWallNanos, long toWallNanos) {
        applyBlock();
        fold.outage(fromWallNanos, toWallNanos);
    }

    /** All has been read back. */
    public void replayedAll() {
        replaying = false;
    }

    /** Applies what is decoded although the burst goes on: the bytes it refers to are gone after this. */
    public void applyNow() {
        applyBlock();
    }

    /** Time from the receipt of records to their application: for each of a burst, that of the last. */
    public Meter lag() {
        return lag;
    }

    /** Other kinds of observation. */
    public TelemetryFolds telemetry() {
        return telemetry;
    }

    /** Bursts of frames. */
    public long bursts() {
        return bursts;
    }

    /** What was wrong with malformed records. */
    public List<SnapshotExtensions.MalformedRow> malformed() {
        List<SnapshotExtensions.MalformedRow> rows = new ArrayList<>();
        for (Malformation reason : Malformation.values()) {
            if (malformed[reason.ordinal()] > 0) {
                rows.add(new SnapshotExtensions.MalformedRow(reason.reason(), malformed[reason.ordinal()]));
            }
        }
        rows.addAll(telemetry.rejected());
        return rows;
    }
}
