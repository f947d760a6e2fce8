package io.metricsaggregator.ingest;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.IdKind;
import io.metricsaggregator.event.Malformation;
import io.metricsaggregator.event.frame.BatchReader;
import io.metricsaggregator.event.frame.ChunkFrames;
import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.fold.ChunkRun;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.label.EndpointWaits;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.telemetry.TelemetryFolds;
import io.metricsaggregator.telemetry.TelemetryOptions;
import io.metricsaggregator.telemetry.fold.TelemetryLimits;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the records of frames and applies them to the folds in the order received: the load generator's in blocks, telemetry one by
 * one. {@link Ingest} feeds it received frames, {@link JournalIngest} those of a journal. Belongs to the thread of the main flow. A
 * record of the load generator allocates nothing here; every record has an outcome in the ledger.
 */
public final class FrameApplier {
    /** Applies every record. */
    public static final Predicate<DecodedEvent> ALL = event -> true;

    private static final int BLOCK = 64;

    private final RecordLedger ledger;
    private static final double NANOS_PER_MICRO = 1e3;

    private final LoadgenFold fold;
    private final TelemetryFolds telemetry;
    private final EventDecoder decoder;
    private final Predicate<DecodedEvent> selection;
    private final Discards discards = new Discards();
    private final BatchReader batch = new BatchReader();
    private final ChunkFrames chunks = new ChunkFrames();
    private final ChunkRun chunkRun;
    private final MsgpackTree trees = new MsgpackTree();
    private final DecodedEvent[] block = new DecodedEvent[BLOCK];
    private int decoded;
    private long receivedNanos;
    private boolean sessionBegan;
    private @Nullable Consumer<DecodedEvent> traces;

    /** An applier of every record, with the default limits and options of telemetry. */
    public FrameApplier(RecordLedger ledger, LoadgenFold fold) {
        this(
                ledger,
                fold,
                new TelemetryFolds(TelemetryOptions.DEFAULT, TelemetryLimits.ofThisHeap()),
                new EventDecoder(),
                ALL);
    }

    /**
     * An applier of the records that {@code selection} accepts.
     *
     * @param ledger the ledger that {@code fold} counts in
     * @param decoder used by nothing else
     * @param selection tested once for each decoded record; those it refuses count in no figure, as if they had not been received
     */
    public FrameApplier(
            RecordLedger ledger,
            LoadgenFold fold,
            TelemetryFolds telemetry,
            EventDecoder decoder,
            Predicate<DecodedEvent> selection) {
        this.ledger = ledger;
        this.fold = fold;
        this.chunkRun = new ChunkRun(fold, chunks);
        this.telemetry = telemetry;
        this.decoder = decoder;
        this.selection = selection;
        for (int i = 0; i < BLOCK; i++) {
            block[i] = new DecodedEvent();
        }
    }

    void tracesTo(Consumer<DecodedEvent> consumer) {
        traces = consumer;
    }

    EndpointWaits waits() {
        return fold.waits();
    }

    /** See {@link LoadgenFold#outage}. */
    void outage(long fromWallNanos, long toWallNanos, long lastReceivedNanos) {
        fold.outage(fromWallNanos, toWallNanos, lastReceivedNanos);
    }

    public RecordLedger ledger() {
        return ledger;
    }

    public TelemetryFolds telemetry() {
        return telemetry;
    }

    /**
     * Decodes a frame and applies its records, except the last few of an incomplete block: those refer to the bytes of {@code buffer}
     * until {@link #apply}.
     *
     * @param receivedNanos monotonic time of receipt; the time of records that carry none
     */
    void decode(ByteBuffer buffer, int start, int length, long receivedNanos) {
        this.receivedNanos = receivedNanos;
        ledger.framesReceived.increment();
        ledger.frameBytesReceived.add(length);
        if (length <= Topic.LENGTH) {
            ledger.framesEmpty.increment();
            return;
        }
        int payload = start + Topic.LENGTH;
        int size = length - Topic.LENGTH;
        if (Topic.isBatch(buffer, start)) {
            decodeBatch(buffer, payload, size, receivedNanos);
        } else if (Topic.isChunks(buffer, start)) {
            decodeChunks(buffer, payload, size);
        } else {
            decodeRecord(buffer, payload, size, receivedNanos);
        }
    }

    private void decodeBatch(ByteBuffer buffer, int start, int length, long receivedNanos) {
        ledger.batchesReceived.increment();
        if (batch.open(buffer, start, length) < 0) {
            ledger.batchesMalformed.increment();
            discards.batch(buffer, start, length);
            return;
        }
        while (batch.next()) {
            if (batch.length() == 0) {
                ledger.batchElementsEmpty.increment();
            } else {
                decodeRecord(buffer, batch.start(), batch.length(), receivedNanos);
            }
        }
    }

    /** Decodes a frame of chunks: each becomes the event that a record of its own would, so that figures and ledger are those of single records. */
    private void decodeChunks(ByteBuffer buffer, int start, int length) {
        ledger.count(CounterName.CHUNK_FRAMES_RECEIVED, 1);
        if (!chunks.open(buffer, start, length)) {
            ledger.count(CounterName.CHUNK_FRAMES_MALFORMED, 1);
            discards.chunks(buffer, start, length);
            return;
        }
        ledger.count(CounterName.CHUNKS_RECEIVED, chunks.count());
        if (selection == ALL && chunks.producer() != ChunkFrames.NO_PRODUCER) {
            applyRun();
            return;
        }
        long unknown = 0;
        while (chunks.next(block[decoded])) {
            DecodedEvent event = block[decoded];
            unknown += event.idKind() == IdKind.EMPTY ? 1 : 0;
            if (selection.test(event) && ++decoded == BLOCK) {
                apply();
            }
        }
        ledger.count(CounterName.CHUNK_HANDLES_UNKNOWN, unknown);
    }

    private void applyRun() {
        // Earlier records first: one of them may end the session.
        apply();
        try {
            ledger.count(CounterName.CHUNK_HANDLES_UNKNOWN, chunkRun.apply(receivedNanos));
            noteSession(receivedNanos);
        } catch (RuntimeException | Error e) {
            ledger.settleAsMalformed();
            throw e;
        }
    }

    private void decodeRecord(ByteBuffer buffer, int start, int length, long receivedNanos) {
        DecodedEvent event = block[decoded];
        Malformation malformation = decoder.decode(buffer, start, length, event);
        if (malformation != null) {
            discard(malformation, buffer, start, length);
            return;
        }
        if (event.handle() != DecodedEvent.NO_HANDLE && !chunkRun.bind(event)) {
            ledger.count(CounterName.CHUNK_HANDLES_REJECTED, 1);
        }
        if (isOfLoadgen(event, buffer, start, length, receivedNanos) && ++decoded == BLOCK) {
            apply();
        }
    }

    /** Completes a decoded record. Applies it if it is telemetry; otherwise returns true, unless the record is not selected. */
    private boolean isOfLoadgen(DecodedEvent event, ByteBuffer buffer, int start, int length, long receivedNanos) {
        boolean stamped = !event.hasTimestamp();
        if (stamped) {
            // One time for a whole burst, because the journal keeps no other.
            event.stamp(receivedNanos);
        }
        if (!selection.test(event)) {
            return false;
        }
        if (traces != null && event.trace().isPresent()) {
            traces.accept(event);
        }
        if (stamped) {
            ledger.recordsWithoutTimestamp.increment();
        }
        if (event.type() == null) {
            if (applyTelemetry(event, buffer, start, length, receivedNanos)) {
                return false;
            }
            discards.unknown(buffer, start, length);
        }
        return true;
    }

    private void discard(Malformation malformation, ByteBuffer buffer, int start, int length) {
        // Earlier records first: one of them may end the session.
        apply();
        ledger.receivedUndecoded();
        if (fold.malformed()) {
            ledger.recordsMalformed.increment();
            discards.malformed(malformation, buffer, start, length);
        } else {
            ledger.eventsLate.increment();
        }
    }

    /** Applies a telemetry record; returns false if the record is of no known kind. One that is too large is rejected unread. */
    private boolean applyTelemetry(DecodedEvent event, ByteBuffer buffer, int start, int length, long receivedNanos) {
        if (length > telemetry.limits().recordBytes()) {
            apply();
            ledger.received(event);
            if (fold.isEnded()) {
                ledger.eventsLate.increment();
            } else {
                ledger.recordsMalformed.increment();
                telemetry.tooLarge();
            }
            return true;
        }
        TelemetryRecord record = TelemetryRecord.read(trees, buffer, start, length, receivedNanos);
        boolean tool = record != null && record.category().equals("tool");
        if (record == null || !(tool || telemetry.knows(record.category()))) {
            return false;
        }
        // Earlier records first: one of them may end the session.
        apply();
        ledger.received(event);
        if (fold.isEnded()) {
            ledger.eventsLate.increment();
        } else if (tool ? applyTool(record) : telemetry.apply(record, receivedNanos, fold.newestNanos())) {
            ledger.recordsApplied.increment();
            join(record);
        } else {
            ledger.recordsMalformed.increment();
            discards.rejected(telemetry.rejected(), buffer, start, length);
        }
        return true;
    }

    private boolean applyTool(TelemetryRecord record) {
        try {
            fold.tool(record);
            return true;
        } catch (TelemetryRecord.Rejected e) {
            telemetry.reject("tool." + e.reason());
            return false;
        }
    }

    /** Joins the KV transfer of a request with its sample. */
    private void join(TelemetryRecord record) {
        if (record.category().equals("transfer") && record.action().equals("complete")) {
            String requestId = record.text("request_id");
            if (requestId != null && record.fields().get("xfer_duration_us") instanceof Number micros) {
                fold.transferred(requestId, Math.round(micros.doubleValue() * NANOS_PER_MICRO));
            }
        }
    }

    /**
     * Applies the decoded records of the incomplete block. To be called before the buffers of their frames are reused. If applying
     * throws, the records that have no outcome count as malformed, and later records can still be applied.
     */
    void apply() {
        int count = decoded;
        // First, so that the block has room again even if applying throws.
        decoded = 0;
        try {
            if (count > 0) {
                fold.apply(block, count, receivedNanos);
                noteSession(receivedNanos);
            }
        } catch (RuntimeException | Error e) {
            ledger.settleAsMalformed();
            throw e;
        }
    }

    /** Tells the telemetry once that the session has begun. */
    private void noteSession(long nanos) {
        if (!sessionBegan && fold.isStarted()) {
            sessionBegan = true;
            telemetry.sessionBegan(nanos);
        }
    }

    /** Returns the reasons for which records were malformed or telemetry was rejected, with their counts. */
    public List<SnapshotExtensions.MalformedRow> malformed() {
        List<SnapshotExtensions.MalformedRow> rows = discards.rows();
        rows.addAll(telemetry.rejected());
        return rows;
    }
}
