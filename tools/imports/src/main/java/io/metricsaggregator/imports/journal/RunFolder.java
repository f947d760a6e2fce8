package io.metricsaggregator.imports.journal;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.journal.JournalWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a run as the folder of a finished run: frames that are batches of at most 1000 records, a burst for each millisecond of event
 * time, the events of the session around the requests, and the mark {@code done}. One thread.
 */
public final class RunFolder {
    /** Most changes between warm-up and tracked requests that a run may have. */
    static final int WINDOWS_MAX = 1000;

    private static final int BATCH = 1000;
    private static final int BATCH_BYTES = 8 << 20;
    private static final long BURST_NANOS = 1_000_000;
    private static final long SEGMENT_BYTES = 256L << 20;

    private final ImportedPart part;
    private final Extent extent;
    private final EventPacker packer = new EventPacker();
    private final EventEncoder encoder = new EventEncoder();
    private final List<byte[]> batch = new ArrayList<>(BATCH);
    private long batchBytes;
    private long burst = Long.MIN_VALUE;
    private @Nullable JournalWriter writer;

    private RunFolder(ImportedPart part, Extent extent) {
        this.part = part;
        this.extent = extent;
    }

    /** The times between which a run's events lie, and when its tracked requests are issued. */
    static final class Extent {
        long firstNanos = Long.MAX_VALUE;
        long lastNanos = Long.MIN_VALUE;
        long lastTrackedNanos = Long.MIN_VALUE;
        long trackedIssues;
        int changes;
        private boolean warmup;

        void event(long nanos, boolean issue, boolean isWarmup) {
            firstNanos = Math.min(firstNanos, nanos);
            lastNanos = Math.max(lastNanos, nanos);
            if (!issue) {
                return;
            }
            if (isWarmup != warmup) {
                warmup = isWarmup;
                changes++;
            }
            if (!isWarmup) {
                trackedIssues++;
                lastTrackedNanos = nanos;
            }
        }
    }

    private static Extent extent(ImportedPart part) throws IOException {
        Extent extent = new Extent();
        part.events().forEach((nanos, issue, warmup, record) -> extent.event(nanos, issue, warmup));
        return extent;
    }

    /**
     * The wall clock at the first event, in nanoseconds since 1970 UTC: its own time, or, where the times of the run are not on the wall clock, the start
     * that its files state; null if they state none.
     *
     * @throws IOException if a temporary file cannot be read
     */
    public static @Nullable Long startedWallNanos(ImportedPart part) throws IOException {
        long first = extent(part).firstNanos;
        return part.size() > 0 && first >= Verifier.EPOCH_MIN_NANOS ? (Long) first : part.startedWallNanos();
    }

    /**
     * Writes a run.
     *
     * @param directory gets a new folder
     * @param runId 16 hexadecimal digits
     * @param startedWallNanos start of the run, in nanoseconds since 1970 UTC; 0 if it is unknown: then no time of the journal has a date
     * @param description the run entry of the journal, by name
     * @return the folder
     * @throws IOException if the journal cannot be written, which leaves no folder, or warm-up and tracked requests interleave too often
     */
    public static Path write(
            ImportedPart part,
            JournalDirectory directory,
            String runId,
            long startedWallNanos,
            Map<String, String> description)
            throws IOException {
        Extent extent = extent(part);
        if (extent.changes > WINDOWS_MAX) {
            throw new IOException("warm-up and measured requests interleave " + extent.changes + " times, more than "
                    + WINDOWS_MAX + ": leave the warm-up out with --warmup drop");
        }
        Path folder = directory.create(runId, startedWallNanos);
        boolean whole = false;
        try {
            write(part, extent, folder, startedWallNanos, description);
            JournalDirectory.finish(folder);
            whole = true;
        } finally {
            if (!whole) {
                delete(folder);
            }
        }
        return folder;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> content = Files.walk(folder)) {
            for (Path each : content.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }

    private static void write(
            ImportedPart part, Extent extent, Path folder, long startedWallNanos, Map<String, String> description)
            throws IOException {
        RunFolder run = new RunFolder(part, extent);
        long first = extent.firstNanos;
        try (JournalWriter opened = new JournalWriter(folder, description, 1, 0, SEGMENT_BYTES, -1)) {
            opened.consequence("The import fails and leaves no run");
            opened.wallClock(nanos -> startedWallNanos == 0 ? 0 : startedWallNanos + (nanos - first));
            run.writer = opened;
            run.write();
            opened.end(extent.lastNanos, startedWallNanos == 0 ? 0 : startedWallNanos + (extent.lastNanos - first));
            if (opened.errors() > 0 || opened.missed() > 0) {
                throw new IOException("the journal " + folder + " could not be written; the import leaves no run");
            }
        }
        // The writer fsyncs the last segment only.
        JournalDirectory.sync(folder);
    }

    private void write() throws IOException {
        if (part.holdsRecords()) {
            part.events().forEach((nanos, issue, warmup, record) -> add(nanos, record.read()));
        } else {
            Session session = new Session();
            part.events().forEach((nanos, issue, warmup, record) -> {
                if (issue) {
                    session.beforeIssue(nanos, warmup);
                }
                add(nanos, record.read());
                if (issue && !warmup) {
                    session.afterTrackedIssue(nanos);
                }
            });
            session.end();
        }
        endBurst();
    }

    /** The events of the session, placed between the requests. */
    private final class Session {
        private boolean started;
        private boolean tracking;
        private long trackedLeft = extent.trackedIssues;

        void beforeIssue(long nanos, boolean warmup) throws IOException {
            if (!started) {
                started = true;
                add(nanos, packer.session(EventType.SESSION_STARTED, nanos));
            }
            if (tracking == warmup) {
                tracking = !warmup;
                add(
                        nanos,
                        packer.session(
                                tracking
                                        ? EventType.SESSION_START_PERFORMANCE_TRACKING
                                        : EventType.SESSION_STOP_PERFORMANCE_TRACKING,
                                nanos));
            }
        }

        void afterTrackedIssue(long nanos) throws IOException {
            if (--trackedLeft == 0) {
                tracking = false;
                add(nanos, packer.session(EventType.SESSION_STOP_PERFORMANCE_TRACKING, nanos));
            }
        }

        void end() throws IOException {
            if (started && part.isInterrupted()) {
                add(extent.lastNanos, packer.session(EventType.SESSION_INTERRUPTED, extent.lastNanos));
            }
            if (started) {
                add(extent.lastNanos, packer.session(EventType.SESSION_ENDED, extent.lastNanos));
            }
        }
    }

    private void add(long nanos, byte[] record) throws IOException {
        long millisecond = Math.floorDiv(nanos, BURST_NANOS);
        if (millisecond != burst || batch.size() == BATCH || batchBytes + record.length > BATCH_BYTES) {
            if (millisecond != burst) {
                endBurst();
                burst = millisecond;
            } else {
                flush();
            }
        }
        batch.add(record);
        batchBytes += record.length;
    }

    /** Writes the batch as one frame of the burst; its time is the start of the millisecond, of the first burst that of the first event. */
    private void flush() {
        JournalWriter into = writer;
        if (batch.isEmpty() || into == null) {
            return;
        }
        byte[] frame = Topic.frame(Topic.BATCH, encoder.encodeBatch(batch));
        into.frame(ByteBuffer.wrap(frame), 0, frame.length, burstNanos());
        batch.clear();
        batchBytes = 0;
    }

    private long burstNanos() {
        return Math.max(burst * BURST_NANOS, extent.firstNanos);
    }

    private void endBurst() {
        flush();
        if (writer != null && burst != Long.MIN_VALUE) {
            writer.endBurst(burstNanos());
        }
    }
}
