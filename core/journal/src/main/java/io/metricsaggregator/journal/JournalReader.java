package io.metricsaggregator.journal;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of a run. From each segment it reads the longest undamaged prefix and counts the bytes behind it: as torn if they are the start of one
 * entry, as skipped otherwise. Entries missing from the sequence are counted too. One thread.
 */
public final class JournalReader implements Closeable {
    /** Name of the secret that hashes long sample ids, in the description of a run. Not for export. */
    public static final String ID_SECRET = "id_secret";

    private static final int FIRST_BUFFER = 1 << 16;
    /** Longest part of an entry that is searched for entries within it, before it passes as torn. */
    private static final int TORN_MAX_BYTES = 32 << 20;

    private static final ByteBuffer NO_BUFFER = ByteBuffer.allocate(0);

    private final CRC32C crc = new CRC32C();
    private final Map<String, String> run = new LinkedHashMap<>();
    private final JournalClock clock = new JournalClock();
    private RunOrigin origin = RunOrigin.UNKNOWN;
    private ByteBuffer buffer = NO_BUFFER;
    private long nextSequence;
    private long frames;
    private long skippedBytes;
    private long tornBytes;
    private long missingEntries;
    private int nextSegment = 1;
    private long missedFrames;
    private long framesAtOutage = -1;
    private long outageWallNanos;
    private Iterator<RunFiles.Segment> segments = Collections.emptyIterator();
    private RunFiles.@Nullable Content content;
    private @Nullable FrameUnpacker unpacker;
    /** Kind of the first entry of the segment that is being read. */
    private byte segmentKind = Entries.RUN;

    private long position;
    /** Zeros at the end of the segment, if {@link #readEntry} found nothing else there. */
    private long padding;
    /** Whether {@link #readEntry} found nothing but the start of one entry at the end of the segment. */
    private boolean torn;

    /** Receives the content of a journal in order. */
    public interface Visitor {
        /** A burst of frames starts, received at {@code nanos} of the monotonic clock. */
        void burst(long nanos);

        /** A frame; the buffer is reused afterwards. */
        void frame(ByteBuffer buffer, int start, int length);

        /**
         * The daemon was down between two bursts.
         *
         * @param fromWallNanos last receipt of the process that died, since 1970 UTC. The same value as in the previous outage means
         *     the same outage with a later end
         * @param toWallNanos when the next process was ready to receive, since 1970 UTC
         */
        default void outage(long fromWallNanos, long toWallNanos) {}
    }

    /**
     * Reads a run.
     *
     * @param directory the folder with its segments
     * @throws IOException if a segment cannot be opened or read; a damaged one is not an error
     */
    public void read(Path directory, Visitor visitor) throws IOException {
        read(RunFiles.local(directory), visitor);
    }

    /**
     * Reads a run.
     *
     * @throws IOException if a segment cannot be opened or read; a damaged one is not an error
     */
    public void read(RunFiles files, Visitor visitor) throws IOException {
        open(files);
        try {
            while (next(visitor)) {
                // The visitor receives the entry.
            }
        } finally {
            close();
        }
    }

    /**
     * Opens a run, to be read entry by entry with {@link #next}.
     *
     * @throws IOException if its segments cannot be listed
     */
    public void open(RunFiles files) throws IOException {
        List<RunFiles.Segment> all = files.segments();
        all.forEach(each -> nextSegment = Math.max(nextSegment, Segments.number(each.name()) + 1));
        segments = all.iterator();
    }

    /**
     * Reads the next undamaged entry and hands it to {@code visitor}, if it is a burst, a frame or an outage.
     *
     * @return false at the end of the run
     * @throws IOException if a segment cannot be opened or read; a damaged one is not an error
     */
    public boolean next(Visitor visitor) throws IOException {
        while (true) {
            if (unpacker != null && unpacker.hasNext()) {
                nextSequence++;
                frames += unpacker.isFrame() ? 1 : 0;
                unpacker.next(clock, visitor);
                return true;
            }
            if (content == null) {
                if (!segments.hasNext()) {
                    return false;
                }
                content = segments.next().open();
                position = 0;
            }
            if (position < content.bytes()) {
                long end = readEntry(content, position == 0, visitor);
                if (end >= 0) {
                    position = end;
                    if (unpacker == null || !unpacker.hasNext()) {
                        return true;
                    }
                    // The first of the entries that were packed is next.
                    continue;
                }
                long unread = content.bytes() - position - padding;
                tornBytes += torn ? unread : 0;
                skippedBytes += torn ? 0 : unread;
            }
            close();
        }
    }

    /** Closes the segment that is being read, if any. */
    @Override
    public void close() throws IOException {
        RunFiles.Content open = content;
        content = null;
        // A daemon keeps its reader for what it counted.
        buffer = NO_BUFFER;
        if (unpacker != null) {
            unpacker.reset();
        }
        if (open != null) {
            open.close();
        }
    }

    /** Reads the description of a run without its secret. */
    public static Map<String, String> describe(Path directory) throws IOException {
        return describe(RunFiles.local(directory));
    }

    /** Reads the description of a run without its secret; empty if no segment can be read. */
    public static Map<String, String> describe(RunFiles files) throws IOException {
        Map<String, String> run = new LinkedHashMap<>(describeAll(files));
        run.remove(ID_SECRET);
        return run;
    }

    /** Reads the description of a run with its secret. */
    public static Map<String, String> describeAll(RunFiles files) throws IOException {
        for (RunFiles.Segment segment : files.segments()) {
            // The first entry of a segment is expected with any number.
            try (JournalReader reader = new JournalReader()) {
                RunFiles.Content content = segment.open();
                reader.content = content;
                reader.readEntry(content, true, IGNORE);
                if (!reader.run.isEmpty()) {
                    return reader.run();
                }
            }
        }
        return Map.of();
    }

    /** Of a segment's description, which is neither a burst nor a frame. */
    private static final Visitor IGNORE = new Visitor() {
        @Override
        public void burst(long nanos) {}

        @Override
        public void frame(ByteBuffer buffer, int start, int length) {}
    };

    /** Reads the entry at {@link #position} and returns the position of the next one; −1 if this one is damaged or incomplete. */
    private long readEntry(RunFiles.Content segment, boolean first, Visitor visitor) throws IOException {
        padding = 0;
        torn = false;
        long left = segment.bytes() - position;
        if (left < Entries.HEAD_BYTES + 1) {
            padding = zeros(segment.channel(), 0, left);
            torn = true;
            return -1;
        }
        fill(segment.channel(), Entries.HEAD_BYTES);
        int length = buffer.getInt(0);
        int checksum = buffer.getInt(4);
        long sequence = buffer.getLong(8);
        long end = position + Entries.HEAD_BYTES + length;
        if (length == 0 && checksum == 0 && sequence == 0 && left < BlockWriter.PAGE) {
            padding = zeros(segment.channel(), Entries.HEAD_BYTES, left);
            return -1;
        }
        if (length < 1 || length > Entries.PAYLOAD_MAX_BYTES || sequence < nextSequence) {
            return -1;
        }
        if (end > segment.bytes()) {
            torn = (first || sequence == nextSequence) && isOneEntry(segment.channel(), left - Entries.HEAD_BYTES);
            return -1;
        }
        fill(segment.channel(), length);
        byte kind = buffer.get(0);
        if (Entries.checksum(crc, length, sequence, kind, buffer.slice(1, length - 1)) != checksum
                || first != Entries.isRun(kind)) {
            return -1;
        }
        segmentKind = first ? kind : segmentKind;
        if (kind == Entries.PACKED) {
            return segmentKind != Entries.RUN && unpack(sequence, length) ? end : -1;
        }
        missingEntries += sequence - nextSequence;
        nextSequence = sequence + 1;
        return visit(kind, length, visitor) ? end : -1;
    }

    /** Unpacks a packed entry, whose entries {@link #next} then hands over; false if no writer packed it. */
    private boolean unpack(long sequence, int length) {
        unpacker = unpacker == null ? new FrameUnpacker() : unpacker;
        unpacker.timesOnly(segmentKind == Entries.PACKED_RUN_1);
        missingEntries += sequence - nextSequence;
        nextSequence = sequence;
        return unpacker.unpack(buffer.array(), 1, length) > 0;
    }

    /** Applies an undamaged entry; false if its length is not that of its kind. */
    private boolean visit(byte kind, int length, Visitor visitor) {
        switch (kind) {
            case Entries.RUN, Entries.PACKED_RUN, Entries.PACKED_RUN_2, Entries.PACKED_RUN_1 -> readRun(length);
            case Entries.BURST -> {
                if (length != 9) {
                    return false;
                }
                clock.burst(buffer.getLong(1));
                visitor.burst(buffer.getLong(1));
            }
            case Entries.FRAME -> {
                frames++;
                visitor.frame(buffer, 1, length - 1);
            }
            case Entries.CLOCK -> {
                if (length != 17) {
                    return false;
                }
                clock.pair(buffer.getLong(1), buffer.getLong(9));
            }
            case Entries.OUTAGE -> {
                if (length != 17) {
                    return false;
                }
                framesAtOutage = frames;
                outageWallNanos = buffer.getLong(1);
                visitor.outage(buffer.getLong(1), buffer.getLong(9));
            }
            case Entries.MISSED -> {
                if (length != 9) {
                    return false;
                }
                missedFrames = buffer.getLong(1);
            }
            default -> {
                // Kinds of later versions are skipped.
            }
        }
        return true;
    }

    /** A killed process leaves the last page of a segment padded with zeros: returns {@code left} if the rest is zeros, otherwise 0. */
    private long zeros(ReadableByteChannel channel, int read, long left) throws IOException {
        int rest = (int) left - read;
        fill(channel, rest);
        for (int i = 0; i < rest; i++) {
            if (buffer.get(i) != 0) {
                return 0;
            }
        }
        return left;
    }

    /** Whether no entry follows within the rest of the segment, as one does behind a damaged length. */
    private boolean isOneEntry(ReadableByteChannel channel, long rest) throws IOException {
        if (rest > TORN_MAX_BYTES) {
            return false;
        }
        fill(channel, (int) rest);
        int least = segmentKind == Entries.RUN ? Entries.HEAD_BYTES + 1 : PackFormat.INNER_BYTES;
        return !Entries.isAnyWithin(crc, buffer, (int) rest, nextSequence, least);
    }

    private void readRun(int length) {
        Map<String, String> own = Entries.description(buffer.slice(1, length - 1));
        own.forEach(run::putIfAbsent);
        origin = RunOrigin.of(own);
    }

    private void fill(ReadableByteChannel channel, int length) throws IOException {
        if (buffer.capacity() < length) {
            buffer = ByteBuffer.allocate(Math.max(Math.max(FIRST_BUFFER, length), 2 * buffer.capacity()));
        }
        buffer.clear().limit(length);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new EOFException("the segment became shorter while it was read");
            }
        }
        buffer.clear();
    }

    /** The description of the run; empty if no segment could be read. */
    public Map<String, String> run() {
        return Map.copyOf(run);
    }

    /**
     * Where the newest segment read so far was received. A process that resumes a run after a restart of its host has another clock: its segments say so,
     * unlike {@link #run}, which is that of the first segment.
     */
    public RunOrigin origin() {
        return origin;
    }

    /** The time axis of the entries read. */
    public JournalClock clock() {
        return clock;
    }

    /** Number of frames that earlier processes received and could not write; a lower bound. */
    public long missedFrames() {
        return missedFrames;
    }

    /**
     * Wall-clock time of the last receipt.
     *
     * @param startedWallNanos when the run was started, for journals that hold no wall-clock time
     * @return nanoseconds since 1970 UTC
     */
    public long lastReceivedWallNanos(long startedWallNanos) {
        // A process that died before it received anything extends the previous outage.
        return framesAtOutage == frames ? outageWallNanos : clock.endWallNanos(startedWallNanos);
    }

    /** Number of frames read. */
    public long frames() {
        return frames;
    }

    /** Number of bytes behind the undamaged prefixes of segments, without {@link #tornBytes}. */
    public long skippedBytes() {
        return skippedBytes;
    }

    /** Number of bytes at the ends of segments that are the start of an entry which a killed process was writing: at most one frame of each. */
    public long tornBytes() {
        return tornBytes;
    }

    /** Number of entries missing from the sequence. */
    public long missingEntries() {
        return missingEntries;
    }

    /** Sequence number for the next entry. */
    public long nextSequence() {
        return nextSequence;
    }

    /** Number for the next segment. */
    public int nextSegment() {
        return nextSegment;
    }
}
