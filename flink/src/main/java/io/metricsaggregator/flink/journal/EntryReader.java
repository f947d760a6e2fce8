package io.metricsaggregator.flink.journal;

import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.journal.RecoveryMarker;
import io.metricsaggregator.journal.RunOrigin;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.RecordAndPosition;
import org.jspecify.annotations.Nullable;

/** Reads the entries of one run in batches. Belongs to the source's thread. */
final class EntryReader implements BulkFormat.Reader<JournalEntry>, JournalReader.Visitor {
    /** Entries of a batch, and bytes after which it ends: a source holds some batches at a time. */
    private static final int BATCH_ENTRIES = 256;

    private static final long BATCH_BYTES = 1 << 20;

    private final StoredRun files;
    private final String run;
    private final long from;
    private final JournalReader reader = new JournalReader();
    private final RecoveryMarker marker;
    private long toSkip;
    private Queue<JournalEntry> batch = new ArrayDeque<>();
    private long batchBytes;
    private long startedWallNanos;
    private long burstNanos;
    private long skippedFrames;
    private boolean isStarted;
    private boolean isEnded;

    /**
     * Opens a run.
     *
     * @param from position of the first entry to hand on, but for {@code toSkip} entries from there on
     */
    EntryReader(StoredRun files, long from, long toSkip) throws IOException {
        this.files = files;
        this.run = files.name();
        this.from = from;
        this.toSkip = toSkip;
        this.marker = RecoveryMarker.readOnly(files);
        reader.open(files);
    }

    @Override
    public BulkFormat.@Nullable RecordIterator<JournalEntry> readBatch() throws IOException {
        batch = new ArrayDeque<>();
        batchBytes = 0;
        if (!isStarted) {
            isStarted = true;
            Map<String, String> description = JournalReader.describeAll(files);
            startedWallNanos = startedWallNanos(description);
            add(JournalEntry.run(run, description));
        }
        while (!isEnded && batch.size() < BATCH_ENTRIES && batchBytes < BATCH_BYTES) {
            if (!reader.next(this)) {
                isEnded = true;
                add(JournalEntry.end(run, reader, startedWallNanos, skippedFrames));
            }
        }
        return batch.isEmpty() ? null : new Batch(batch);
    }

    private static long startedWallNanos(Map<String, String> description) {
        try {
            return Long.parseLong(description.getOrDefault(RunOrigin.STARTED_WALL_NANOS, "0"));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private void add(JournalEntry entry) {
        if (entry.position() < from) {
            return;
        }
        if (toSkip > 0) {
            toSkip--;
            return;
        }
        batch.add(entry);
        batchBytes += entry.bytes().length;
    }

    private long position() {
        return reader.nextSequence() - 1;
    }

    @Override
    public void burst(long nanos) {
        burstNanos = nanos;
    }

    @Override
    public void frame(ByteBuffer buffer, int start, int length) {
        if (!marker.applies(position())) {
            skippedFrames++;
            return;
        }
        byte[] bytes = new byte[length];
        buffer.get(start, bytes);
        add(JournalEntry.frame(run, position(), burstNanos, reader.clock().endWallNanos(startedWallNanos), bytes));
    }

    @Override
    public void outage(long fromWallNanos, long toWallNanos) {
        add(JournalEntry.outage(run, position(), fromWallNanos, toWallNanos));
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    /** The entries of a batch, each with the position behind it. */
    private record Batch(Queue<JournalEntry> entries) implements BulkFormat.RecordIterator<JournalEntry> {
        @Override
        public @Nullable RecordAndPosition<JournalEntry> next() {
            JournalEntry next = entries.poll();
            return next == null ? null : new RecordAndPosition<>(next, next.position(), 1);
        }

        @Override
        public void releaseBatch() {
            // The entries are not reused.
        }
    }
}
