package io.metricsaggregator.journal;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * Reads the frames of a run. From each segment it reads the longest undamaged prefix and counts the bytes behind it; entries missing
 * from the sequence are counted too. One thread.
 */
public final class JournalReader {
    /** Name of the secret that hashes long sample ids, in the description of a run. Not for export. */
    public static final String ID_SECRET = "id_secret";

    private static final int FIRST_BUFFER = 1 << 20;

    private final CRC32C crc = new CRC32C();
    private final Map<String, String> run = new LinkedHashMap<>();
    private final JournalClock clock = new JournalClock();
    private ByteBuffer buffer = ByteBuffer.allocate(FIRST_BUFFER);
    private long nextSequence;
    private long frames;
    private long skippedBytes;
    private long missingEntries;
    private int nextSegment = 1;
    private long missedFrames;
    private long framesAtOutage = -1;
    private long outageWallNanos;

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
        List<Path> segments = Segments.list(directory);
        for (Path segment : segments) {
            nextSegment = Math.max(nextSegment, Segments.number(segment) + 1);
            readSegment(segment, visitor);
        }
    }

    /** Reads the description of a run without its secret. */
    public static Map<String, String> describe(Path directory) throws IOException {
        Map<String, String> run = new LinkedHashMap<>(describeAll(directory));
        run.remove(ID_SECRET);
        return run;
    }

    /** Reads the description of a run with its secret. */
    public static Map<String, String> describeAll(Path directory) throws IOException {
        JournalReader reader = new JournalReader();
        for (Path segment : Segments.list(directory)) {
            try (FileChannel channel =
                    FileChannel.open(segment, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
                reader.nextSequence = 0;
                reader.readEntry(channel, 0, channel.size(), true, IGNORE);
            }
            if (!reader.run.isEmpty()) {
                break;
            }
        }
        return reader.run();
    }

    private static final Visitor IGNORE = new Visitor() {
        @Override
        public void burst(long nanos) {
            // Only the description is read.
        }

        @Override
        public void frame(ByteBuffer buffer, int start, int length) {
            // Only the description is read.
        }
    };

    private void readSegment(Path path, Visitor visitor) throws IOException {
        try (FileChannel channel = FileChannel.open(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            long size = channel.size();
            long position = 0;
            boolean first = true;
            while (position < size) {
                long next = readEntry(channel, position, size, first, visitor);
                if (next < 0) {
                    skippedBytes += size - position;
                    return;
                }
                position = next;
                first = false;
            }
        }
    }

    /** Reads an entry and returns the position of the next one; −1 if this one is damaged or incomplete. */
    private long readEntry(FileChannel channel, long position, long size, boolean first, Visitor visitor)
            throws IOException {
        if (size - position < Entries.HEAD_BYTES + 1) {
            return -1;
        }
        fill(channel, position, Entries.HEAD_BYTES);
        int length = buffer.getInt(0);
        int checksum = buffer.getInt(4);
        long sequence = buffer.getLong(8);
        long end = position + Entries.HEAD_BYTES + length;
        if (length < 1 || length > Entries.PAYLOAD_MAX_BYTES || end > size || sequence < nextSequence) {
            return -1;
        }
        fill(channel, position + Entries.HEAD_BYTES, length);
        byte kind = buffer.get(0);
        if (Entries.checksum(crc, length, sequence, kind, buffer.slice(1, length - 1)) != checksum
                || first != (kind == Entries.RUN)) {
            return -1;
        }
        missingEntries += sequence - nextSequence;
        nextSequence = sequence + 1;
        switch (kind) {
            case Entries.RUN -> readRun(length);
            case Entries.BURST -> {
                if (length != 9) {
                    return -1;
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
                    return -1;
                }
                clock.pair(buffer.getLong(1), buffer.getLong(9));
            }
            case Entries.OUTAGE -> {
                if (length != 17) {
                    return -1;
                }
                framesAtOutage = frames;
                outageWallNanos = buffer.getLong(1);
                visitor.outage(buffer.getLong(1), buffer.getLong(9));
            }
            case Entries.MISSED -> {
                if (length != 9) {
                    return -1;
                }
                missedFrames = buffer.getLong(1);
            }
            default -> {
                // Kinds of later versions are skipped.
            }
        }
        return end;
    }

    private void readRun(int length) {
        String lines =
                StandardCharsets.UTF_8.decode(buffer.slice(1, length - 1)).toString();
        lines.lines().forEach(line -> {
            int equals = line.indexOf('=');
            if (equals > 0) {
                run.putIfAbsent(line.substring(0, equals), line.substring(equals + 1));
            }
        });
    }

    private void fill(FileChannel channel, long position, int length) throws IOException {
        if (buffer.capacity() < length) {
            buffer = ByteBuffer.allocate(Math.max(length, 2 * buffer.capacity()));
        }
        buffer.clear().limit(length);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, position + buffer.position()) < 0) {
                throw new EOFException("the segment became shorter while it was read");
            }
        }
        buffer.clear();
    }

    /** The description of the run; empty if no segment could be read. */
    public Map<String, String> run() {
        return Map.copyOf(run);
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

    /** Number of bytes behind the undamaged prefixes of segments. */
    public long skippedBytes() {
        return skippedBytes;
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
