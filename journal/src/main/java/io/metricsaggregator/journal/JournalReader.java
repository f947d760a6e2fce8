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
 * Reads the frames of a run back: of each segment the longest prefix that is whole, and then the next segment. What is behind the
 * prefix is counted, and so are entries whose numbers never came.
 */
public final class JournalReader {
    /** Name, in what a run says about itself, of the secret its long sample ids are hashed with. Not for export. */
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

    /** Sees what a journal holds, in order. */
    public interface Visitor {
        /** A burst of frames begins, received at that time of the monotonic clock. */
        void burst(long nanos);

        /** A frame; the buffer is used again afterwards. */
        void frame(ByteBuffer buffer, int start, int length);

        /**
         * The daemon was not there between two bursts.
         *
         * @param fromWallNanos when the process that died last received something, since 1970 UTC. Where it is that of the outage
         *     before, this is the same outage, whose end is known better
         * @param toWallNanos when its successor was ready to receive
         */
        default void outage(long fromWallNanos, long toWallNanos) {}
    }

    /**
     * Reads a run.
     *
     * @param directory of its segments
     * @throws IOException if a segment cannot be read at all; damage is no such reason
     */
    public void read(Path directory, Visitor visitor) throws IOException {
        List<Path> segments = Segments.list(directory);
        for (Path segment : segments) {
            nextSegment = Math.max(nextSegment, Segments.number(segment) + 1);
            readSegment(segment, visitor);
        }
    }

    /** Reads what a run says about itself for everybody to know, and nothing else. */
    public static Map<String, String> describe(Path directory) throws IOException {
        Map<String, String> run = new LinkedHashMap<>(describeAll(directory));
        run.remove(ID_SECRET);
        return run;
    }

    /** Reads what a run says about itself, with its secret. */
    public static Map<String, String> describeAll(Path directory) throws IOException {
        JournalReader reader = new JournalReader();
        for (Path segment : Segments.list(directory)) {
            try (FileChannel channel =
                    FileChannel.open(segment, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
                reader.nextSequence = 0;
                reader.readEntry(channel, 0, channel.size(), true, NOBODY);
            }
            if (!reader.run.isEmpty()) {
                break;
            }
        }
        return reader.run();
    }

    private static final Visitor NOBODY = new Visitor() {
        @Override
        public void burst(long nanos) {
            // Not asked for.
        }

        @Override
        public void frame(ByteBuffer buffer, int start, int length) {
            // Not asked for.
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

    /** Where the next entry is; −1 if this one is not whole. */
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
                // Of a later version: it was meant to be passed over.
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

    /** What the segments say about their run; empty if none could be read. */
    public Map<String, String> run() {
        return Map.copyOf(run);
    }

    /** When what was read ended. */
    public JournalClock clock() {
        return clock;
    }

    /** Frames that earlier processes received and could not write, as far as they could say so. */
    public long missedFrames() {
        return missedFrames;
    }

    /**
     * When the process that wrote this last received something.
     *
     * @param startedWallNanos when the run was started, for journals that hold no wall-clock time
     * @return nanoseconds since 1970 UTC
     */
    public long lastReceivedWallNanos(long startedWallNanos) {
        // A process that died before it received anything lengthened the outage before it.
        return framesAtOutage == frames ? outageWallNanos : clock.endWallNanos(startedWallNanos);
    }

    /** Frames read. */
    public long frames() {
        return frames;
    }

    /** Bytes behind the whole part of a segment. */
    public long skippedBytes() {
        return skippedBytes;
    }

    /** Entries between others that are not there. */
    public long missingEntries() {
        return missingEntries;
    }

    /** Number of the entry that comes next. */
    public long nextSequence() {
        return nextSequence;
    }

    /** Number of the segment that comes next. */
    public int nextSegment() {
        return nextSegment;
    }
}
