package io.metricsaggregator.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends frames to a journal: written before a snapshot includes them, they survive the process; the thread {@code journal} fsyncs them so that they
 * survive the machine. A slow stream is written to the page cache burst by burst, a fast one with direct I/O by the thread {@code journal-writer} (see
 * {@link BufferedSegment}, {@link DirectSegment}). Everything else belongs to the receiving thread. After a failed write, frames are counted as missed
 * until a new segment can be written.
 */
public final class JournalWriter implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(JournalWriter.class);
    private static final long RETRY_NANOS = 1_000_000_000L;

    private final Path directory;
    private final Map<String, String> run;
    private final long segmentMaxBytes;
    final SyncThread sync;
    private final boolean syncEachBurst;
    final SegmentSpeed speed = new SegmentSpeed();
    private final SegmentFiles files;
    /** Null while a write has failed, and once closed. */
    @Nullable
    SegmentFile segment;

    private int segmentNumber;
    /** Bytes of the segments before this one. */
    private long earlierBytes;

    private long segmentOpenedNanos;
    private long syncErrorsSeen;
    private long sequence;
    private final ByteBuffer time = ByteBuffer.allocate(8);
    private boolean clockWritten;
    /** The buffer of the last frame and a view with a position of its own, kept to allocate nothing per frame. */
    private ByteBuffer viewed = time;

    private ByteBuffer view = time;
    private boolean inBurst;
    private long burstFrames;
    private boolean failed;
    private long retryNanos;
    private long errors;
    private long missed;
    /** Wall clock at a time of the monotonic clock; null for the system's clock now. */
    private @Nullable LongUnaryOperator wallClock;

    private String consequence = "The run continues, but a killed daemon would lose the frames received from now on";

    /**
     * Opens the first segment.
     *
     * @param directory the folder of this run, which must exist
     * @param run the description of the run, written into each segment
     * @param firstSegment number of the first segment to write, which must not exist
     * @param firstSequence sequence number of the first entry
     * @param segmentMaxBytes size at which a segment is rotated
     * @param syncNanos interval of fdatasync; 0 for one after each burst; negative for none
     * @param missed frames that earlier processes could not write
     */
    public JournalWriter(
            Path directory,
            Map<String, String> run,
            int firstSegment,
            long firstSequence,
            long segmentMaxBytes,
            long syncNanos,
            long missed)
            throws IOException {
        this.missed = missed;
        this.directory = directory;
        this.run = Map.copyOf(run);
        this.segmentNumber = firstSegment;
        this.sequence = firstSequence;
        this.segmentMaxBytes = segmentMaxBytes;
        this.syncEachBurst = syncNanos == 0;
        this.files = new SegmentFiles(syncNanos);
        openSegment(null);
        this.sync = new SyncThread(syncNanos);
    }

    /** Opens the first segment of a run without missed frames. */
    public JournalWriter(
            Path directory,
            Map<String, String> run,
            int firstSegment,
            long firstSequence,
            long segmentMaxBytes,
            long syncNanos)
            throws IOException {
        this(directory, run, firstSegment, firstSequence, segmentMaxBytes, syncNanos, 0);
    }

    /**
     * Sets the wall clock of recorded frames, which were not received now.
     *
     * @param clock from a time of {@link #frame} to nanoseconds since 1970 UTC
     */
    public void wallClock(LongUnaryOperator clock) {
        wallClock = clock;
    }

    /** Sets what the log says a failed write means, as a sentence. Default: what it means for a daemon. */
    public void consequence(String sentence) {
        consequence = sentence;
    }

    /** Opens the next segment; its entry in the folder may become durable later, with the segment's first bytes, if {@code syncLater} is given. */
    private void openSegment(@Nullable SyncThread syncLater) throws IOException {
        if (speed.isDirect() && !speed.isPacked()) {
            try {
                openSegment(true, syncLater);
                return;
            } catch (IOException | UnsupportedOperationException e) {
                speed.refused();
                LOG.info("no direct I/O for the journal directory={} cause={}", directory, e.toString());
            }
        }
        openSegment(speed.isDirect(), syncLater);
    }

    private void openSegment(boolean fast, @Nullable SyncThread syncLater) throws IOException {
        Path path = directory.resolve(Segments.name(segmentNumber));
        boolean packed = speed.isPacked();
        SegmentFile opened = files.create(path, fast, packed);
        segmentNumber++;
        long firstSequence = sequence;
        segment = opened;
        segmentOpenedNanos = System.nanoTime();
        speed.opened(segmentOpenedNanos);
        clockWritten = false;
        StringBuilder lines = new StringBuilder();
        run.forEach(
                (name, value) -> lines.append(name).append('=').append(value).append('\n'));
        try {
            append(
                    packed ? Entries.PACKED_RUN : Entries.RUN,
                    ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.UTF_8)));
            if (missed > 0) {
                append(Entries.MISSED, ByteBuffer.allocate(8).putLong(0, missed));
            }
            opened.settle();
            SegmentFiles.syncFolder(directory, syncLater);
        } catch (IOException e) {
            // A failed segment leaves no open file, no empty file and no gap in the numbers.
            segment = null;
            sequence = firstSequence;
            opened.channel().close();
            Files.deleteIfExists(path);
            throw e;
        }
    }

    /**
     * Appends a frame to the burst.
     *
     * @param buffer holds the frame; its position does not change
     * @param nowNanos the monotonic clock, the same value that the fold receives
     */
    @SuppressWarnings("ReferenceEquality") // the same buffer, not one like it
    public void frame(ByteBuffer buffer, int start, int length, long nowNanos) {
        if (failed && !recovered(nowNanos)) {
            missed++;
            return;
        }
        burstFrames++;
        try {
            if (!inBurst) {
                inBurst = true;
                if (!clockWritten) {
                    clockWritten = true;
                    appendClock(nowNanos, wallClock == null ? wallNanos() : wallClock.applyAsLong(nowNanos));
                }
                append(Entries.BURST, time.clear().putLong(0, nowNanos));
            }
            if (buffer != viewed) {
                viewed = buffer;
                view = buffer.duplicate();
            }
            append(Entries.FRAME, view.limit(start + length).position(start));
        } catch (IOException e) {
            fail(e, nowNanos);
        }
    }

    /** Ends the burst; after {@link #settle} its frames survive this process. */
    public void endBurst(long nowNanos) {
        if (!inBurst) {
            return;
        }
        inBurst = false;
        try {
            SegmentFile current = open();
            current.endBurst();
            if (current.isSettled()) {
                burstFrames = 0;
            }
            if (syncEachBurst) {
                current.channel().force(false);
            } else {
                sync.dirty(current);
            }
            // A failed sync may have dropped dirty pages, and the next call on that file can succeed without them.
            if (current.bytes() >= segmentMaxBytes || sync.errors() != syncErrorsSeen || isWrongWay(current)) {
                syncErrorsSeen = sync.errors();
                nextSegment(current);
            }
        } catch (IOException e) {
            fail(e, nowNanos);
        }
    }

    /** Whether another way to write than that of this segment suits the stream better. */
    private boolean isWrongWay(SegmentFile current) {
        if (syncEachBurst || !speed.isJudged(current.rawBytes())) {
            return false;
        }
        if (current instanceof DirectSegment fast) {
            return fast.isPacked() && speed.isTooSlowToPack(current.rawBytes(), System.nanoTime(), files.waitedNanos());
        }
        return speed.isWorthDirect(current.rawBytes(), System.nanoTime());
    }

    /** Waits until the frames of all bursts survive this process: to be called before a snapshot shows them. Not within a burst. */
    public void settle(long nowNanos) {
        SegmentFile current = segment;
        if (current == null) {
            return;
        }
        try {
            current.settle();
            burstFrames = 0;
        } catch (IOException e) {
            fail(e, nowNanos);
        }
    }

    private SegmentFile open() throws IOException {
        SegmentFile current = segment;
        if (current == null) {
            throw new IOException("no segment is open");
        }
        return current;
    }

    /**
     * Writes the end of the run, so that a replay ends at the same time.
     *
     * @param nanos the monotonic clock, as in {@link #frame}
     * @param wallNanos the wall clock at that moment, since 1970 UTC
     * @throws IOException if it cannot be written
     */
    public void end(long nanos, long wallNanos) throws IOException {
        if (segment != null) {
            appendClock(nanos, wallNanos);
            segment.settle();
        }
    }

    /**
     * Writes an outage of the daemon, so that a replay reports it too. Not within a burst.
     *
     * @param fromWallNanos as in {@link JournalReader.Visitor#outage}
     * @param nowNanos the monotonic clock
     */
    public void outage(long fromWallNanos, long toWallNanos, long nowNanos) {
        if (segment == null) {
            return;
        }
        try {
            append(
                    Entries.OUTAGE,
                    ByteBuffer.allocate(16)
                            .putLong(fromWallNanos)
                            .putLong(toWallNanos)
                            .flip());
            segment.settle();
            sync.dirty(segment);
        } catch (IOException e) {
            fail(e, nowNanos);
        }
    }

    private void appendClock(long nanos, long wallNanos) throws IOException {
        ByteBuffer clock = ByteBuffer.allocate(16).putLong(nanos).putLong(wallNanos);
        append(Entries.CLOCK, clock.flip());
    }

    private static long wallNanos() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }

    private void nextSegment(SegmentFile full) throws IOException {
        full.finish();
        burstFrames = 0;
        segment = null;
        earlierBytes += full.bytes();
        long nanos = System.nanoTime() - segmentOpenedNanos;
        if (full instanceof DirectSegment fast) {
            speed.direct(full.rawBytes(), nanos, files.waitedNanos(), fast.isPacked());
        } else if (!syncEachBurst) {
            speed.buffered(full.rawBytes(), nanos);
        }
        speed.ended(full.rawBytes(), full.bytes());
        sync.retire(full.channel());
        openSegment(sync);
    }

    private void append(byte kind, ByteBuffer rest) throws IOException {
        open().append(sequence++, kind, rest);
    }

    private void fail(IOException cause, long nowNanos) {
        LOG.error("journal write failed cause={}. {}", cause.toString(), consequence);
        failed = true;
        inBurst = false;
        missed += burstFrames;
        burstFrames = 0;
        errors++;
        retryNanos = nowNanos + RETRY_NANOS;
        SegmentFile broken = segment;
        segment = null;
        speed.failed();
        if (broken != null) {
            earlierBytes += broken.bytes();
            try {
                // The bursts before the failed write are fsynced as those of a full segment.
                sync.retire(broken.channel());
            } catch (IOException e) {
                LOG.debug("failed segment not closed", e);
            }
        }
    }

    /** Tries to open a new segment, at most once per retry interval. */
    private boolean recovered(long nowNanos) {
        if (nowNanos - retryNanos < 0) {
            return false;
        }
        try {
            openSegment(null);
            failed = false;
            LOG.warn("journal writing resumed frames_missing={}", missed);
            return true;
        } catch (IOException e) {
            segment = null;
            errors++;
            retryNanos = nowNanos + RETRY_NANOS;
            return false;
        }
    }

    /** Number of bytes written, or about to be. */
    public long bytes() {
        SegmentFile current = segment;
        return earlierBytes + (current == null ? 0 : current.bytes());
    }

    /** Number of failed writes. */
    public long errors() {
        return errors + sync.errors();
    }

    /** Number of frames that are not, or may not be, in the journal. */
    public long missed() {
        return missed;
    }

    @Override
    public void close() throws IOException {
        sync.end();
        sync.finishRetired();
        SegmentFile last = segment;
        segment = null;
        if (last != null) {
            try (FileChannel file = last.channel()) {
                last.finish();
                file.force(false);
            }
        }
        files.end();
    }
}
