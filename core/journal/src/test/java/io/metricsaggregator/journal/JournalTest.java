package io.metricsaggregator.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    private static final Map<String, String> RUN = Map.of("run_id", "cafe", "streaming", "true");

    @TempDir
    private Path directory;

    private Path run;
    private final Random random = new Random(5);

    @BeforeEach
    void folder() throws IOException {
        run = Files.createDirectory(directory.resolve("run"));
    }

    /** Collects the frames and bursts of a reader. */
    private static final class Seen implements JournalReader.Visitor {
        final List<byte[]> frames = new ArrayList<>();
        final List<Long> bursts = new ArrayList<>();

        @Override
        public void burst(long nanos) {
            bursts.add(nanos);
        }

        @Override
        public void frame(ByteBuffer buffer, int start, int length) {
            byte[] frame = new byte[length];
            buffer.get(start, frame);
            frames.add(frame);
        }
    }

    private JournalWriter writer(long segmentMaxBytes) throws IOException {
        return new JournalWriter(run, RUN, 1, 0, segmentMaxBytes, -1);
    }

    private List<byte[]> write(JournalWriter writer, int bursts, int framesOfEach, int longest) {
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < bursts; i++) {
            for (int k = 0; k < framesOfEach; k++) {
                byte[] frame = new byte[random.nextInt(longest) + 1];
                random.nextBytes(frame);
                frames.add(frame);
                writer.frame(ByteBuffer.wrap(frame), 0, frame.length, 1000 + i);
            }
            writer.endBurst(1000 + i);
        }
        return frames;
    }

    private Seen read(JournalReader reader) throws IOException {
        Seen seen = new Seen();
        reader.read(run, seen);
        return seen;
    }

    private static void assertSame(List<byte[]> seen, List<byte[]> expected) {
        assertThat(seen).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(seen.get(i)).isEqualTo(expected.get(i));
        }
    }

    @Test
    void framesAreReadBackInOrderWithTheTimesOfTheirBursts() throws IOException {
        List<byte[]> frames;
        try (JournalWriter writer = writer(1 << 20)) {
            frames = write(writer, 20, 7, 50_000);
            // A segment ends with the burst that finds it long enough, by what its thread has written so far.
            writer.settle(1020);
            frames.addAll(write(writer, 1, 1, 100));
            assertThat(writer.errors()).isZero();
        }
        JournalReader reader = new JournalReader();
        Seen seen = read(reader);
        assertSame(seen.frames, frames);
        assertThat(seen.bursts).hasSize(21).startsWith(1000L, 1001L);
        assertThat(reader.run()).isEqualTo(RUN);
        assertThat(reader.skippedBytes()).isZero();
        assertThat(reader.missingEntries()).isZero();
        assertThat(Segments.list(run)).hasSizeGreaterThan(1);
        assertThat(reader.nextSegment()).isEqualTo(Segments.list(run).size() + 1);
        for (Path segment : Segments.list(run)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(segment)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void framesSmallerAndLargerThanTheBufferAreReadBack() throws IOException {
        int buffer = 1 << 20;
        List<byte[]> frames = new ArrayList<>();
        try (JournalWriter writer = writer(64 << 20)) {
            for (int first :
                    new int[] {1, 500, buffer - 60, buffer - 51, buffer - 50, buffer - 43, buffer - 42, buffer - 41}) {
                for (int second :
                        new int[] {1, 17, 18, buffer - 60, buffer - 43, buffer - 17, buffer, buffer + 1, 3 * buffer + 5
                        }) {
                    for (int size : new int[] {first, second, 3}) {
                        byte[] frame = new byte[size];
                        random.nextBytes(frame);
                        frames.add(frame);
                        writer.frame(ByteBuffer.wrap(frame), 0, size, 7);
                    }
                    writer.endBurst(7);
                }
            }
            assertThat(writer.missed()).isZero();
        }
        JournalReader reader = new JournalReader();
        assertSame(read(reader).frames, frames);
        assertThat(reader.skippedBytes() + reader.missingEntries()).isZero();
        assertThat(reader.frames()).isEqualTo(frames.size());
    }

    @Test
    void theSyncModeDoesNotChangeTheContent() throws IOException {
        List<byte[]> frames = new ArrayList<>();
        long bytes = 0;
        int segment = 1;
        long sequence = 0;
        for (long syncNanos : new long[] {-1, 0, 1_000_000}) {
            try (JournalWriter writer = new JournalWriter(run, RUN, segment, sequence, 4096, syncNanos)) {
                frames.addAll(write(writer, 30, 3, 500));
                bytes += writer.bytes();
                assertThat(writer.errors() + writer.missed()).isZero();
            }
            JournalReader reader = new JournalReader();
            assertSame(read(reader).frames, frames);
            assertThat(reader.missingEntries()).isZero();
            segment = reader.nextSegment();
            sequence = reader.nextSequence();
        }
        long onDisk = 0;
        for (Path each : Segments.list(run)) {
            // The first burst that fills it ends the segment: three frames with their headers, and the header of the
            // burst.
            assertThat(Files.size(each)).isLessThan(4096 + 3 * 520 + 30);
            onDisk += Files.size(each);
        }
        assertThat(onDisk).isEqualTo(bytes);
    }

    @Test
    void completedBurstsSurviveWithoutACloseAndAnOpenBurstIsNotRead() throws IOException {
        JournalWriter writer = writer(1 << 20);
        List<byte[]> frames = write(writer, 3, 2, 100);
        byte[] open = {1, 2, 3};
        writer.frame(ByteBuffer.wrap(open), 0, 3, 5);
        assertSame(read(new JournalReader()).frames, frames);
        writer.close();
    }

    @Test
    void aSecondWriterAppendsAfterTheFirst() throws IOException {
        List<byte[]> frames;
        try (JournalWriter writer = writer(1 << 20)) {
            frames = write(writer, 3, 2, 100);
        }
        JournalReader reader = new JournalReader();
        read(reader);
        try (JournalWriter writer =
                new JournalWriter(run, RUN, reader.nextSegment(), reader.nextSequence(), 1 << 20, -1)) {
            frames.addAll(write(writer, 3, 2, 100));
        }
        JournalReader again = new JournalReader();
        assertSame(read(again).frames, frames);
        assertThat(again.missingEntries()).isZero();
        assertThatThrownBy(() -> writer(1 << 20)).isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void aSegmentTruncatedAnywhereYieldsItsIntactPartAndCountsTheRest() throws IOException {
        List<byte[]> frames;
        try (JournalWriter writer = writer(1 << 20)) {
            frames = write(writer, 5, 2, 60);
        }
        Path segment = Segments.list(run).get(0);
        byte[] whole = Files.readAllBytes(segment);
        List<Integer> starts = entries(whole);
        int most = 0;
        for (int length = 0; length < whole.length; length++) {
            int end = length;
            int last = starts.stream().filter(start -> start <= end).reduce(0, (a, b) -> b);
            byte[] cut = java.util.Arrays.copyOf(whole, length);
            Files.write(segment, cut);
            JournalReader reader = new JournalReader();
            Seen seen = read(reader);
            assertThat(seen.frames.size()).isBetween(most, frames.size());
            most = seen.frames.size();
            assertSame(seen.frames, frames.subList(0, most));
            assertThat(reader.skippedBytes()).isZero();
            // The first bytes of a length are zeros, which a killed process leaves behind direct I/O.
            boolean zeros = ByteBuffer.wrap(cut, last, length - last).equals(ByteBuffer.allocate(length - last));
            assertThat(reader.tornBytes()).isEqualTo(zeros ? 0 : length - last);
        }
        assertThat(most).as("without the last burst").isEqualTo(frames.size() - 2);
    }

    /** Returns the offsets of a segment's entries. */
    private static List<Integer> entries(byte[] segment) {
        List<Integer> starts = new ArrayList<>();
        for (int at = 0;
                at < segment.length;
                at += Entries.HEAD_BYTES + ByteBuffer.wrap(segment).getInt(at)) {
            starts.add(at);
        }
        return starts;
    }

    /** Number of frames in front of a place, of bursts of one frame. */
    private static int framesBefore(byte[] segment, int end) {
        return (int) entries(segment).stream()
                .filter(at -> at < end && segment[at + Entries.HEAD_BYTES] == Entries.PACKED)
                .count();
    }

    /** A flipped bit in an entry, even in its sequence number or length, invalidates the entry and the rest of its segment. */
    @Test
    void aFlippedBitLosesOnlyItsEntryAndTheRestOfItsSegment() throws IOException {
        List<byte[]> frames;
        try (JournalWriter writer = writer(256)) {
            frames = write(writer, 6, 1, 120);
        }
        int before = 0;
        for (Path segment : Segments.list(run)) {
            byte[] whole = Files.readAllBytes(segment);
            int all = framesBefore(whole, whole.length);
            List<Integer> starts = entries(whole);
            for (int bit = 0; bit < 8 * whole.length; bit++) {
                int at = bit / 8;
                int entry = starts.stream().filter(start -> start <= at).reduce(0, (a, b) -> b);
                byte[] flipped = whole.clone();
                flipped[at] ^= (byte) (1 << (bit % 8));
                Files.write(segment, flipped);
                JournalReader reader = new JournalReader();
                List<byte[]> expected = new ArrayList<>(frames.subList(0, before + framesBefore(whole, entry)));
                expected.addAll(frames.subList(before + all, frames.size()));
                assertSame(read(reader).frames, expected);
                assertThat(reader.skippedBytes() + reader.tornBytes()).isEqualTo(whole.length - entry);
                // Without the length of the last entry, nothing says that it is whole.
                if (entry < starts.get(starts.size() - 1) || at >= entry + 4) {
                    assertThat(reader.tornBytes()).isZero();
                }
            }
            Files.write(segment, whole);
            before += all;
        }
        assertThat(before).isEqualTo(frames.size());
    }

    @Test
    void segmentsAfterADamagedOneAreReadAndMissingOnesAreCounted() throws IOException {
        List<byte[]> frames;
        try (JournalWriter writer = writer(256)) {
            frames = write(writer, 20, 1, 120);
        }
        List<Path> segments = Segments.list(run);
        Files.delete(segments.get(1));
        JournalReader reader = new JournalReader();
        Seen seen = read(reader);
        assertThat(seen.frames).hasSizeLessThan(frames.size());
        assertThat(seen.frames.get(seen.frames.size() - 1)).isEqualTo(frames.get(frames.size() - 1));
        assertThat(reader.missingEntries()).isPositive();
    }

    @Test
    void framesAreCountedAsMissedWhileNoSegmentCanBeOpened() throws IOException {
        long second = 1_000_000_000L;
        byte[] frame = new byte[300];
        random.nextBytes(frame);
        List<byte[]> kept = new ArrayList<>();
        try (JournalWriter writer = writer(256)) {
            Path away = directory.resolve("away");
            Files.move(run, away);
            // This frame fills the open segment; the next segment cannot be created.
            one(writer, frame, 1, 10 * second, kept);
            assertThat(writer.errors()).isEqualTo(1);
            assertThat(writer.missed()).isZero();
            one(writer, frame, 2, 10 * second + second / 2, new ArrayList<>());
            one(writer, frame, 3, 12 * second, new ArrayList<>());
            assertThat(writer.missed()).isEqualTo(2);
            assertThat(writer.errors()).isEqualTo(2);
            Files.move(away, run);
            one(writer, frame, 4, 12 * second + second / 2, new ArrayList<>());
            assertThat(writer.missed()).isEqualTo(3);
            one(writer, frame, 5, 14 * second, kept);
            one(writer, frame, 6, 14 * second, kept);
            assertThat(writer.missed()).isEqualTo(3);
        }
        JournalReader reader = new JournalReader();
        assertSame(read(reader).frames, kept);
        assertThat(reader.skippedBytes()).isZero();
    }

    private static void one(JournalWriter writer, byte[] frame, int mark, long nowNanos, List<byte[]> kept) {
        frame[0] = (byte) mark;
        writer.frame(ByteBuffer.wrap(frame), 0, frame.length, nowNanos);
        writer.endBurst(nowNanos);
        kept.add(frame.clone());
    }

    @Test
    void outages_and_frames_missed_by_earlier_processes_are_read_back() throws IOException {
        try (JournalWriter writer = new JournalWriter(run, RUN, 1, 0, 1 << 20, -1, 7)) {
            writer.outage(100, 200, 0);
            writer.frame(ByteBuffer.wrap(new byte[] {1}), 0, 1, 5);
            writer.endBurst(5);
            writer.outage(100, 250, 0);
            assertThat(writer.missed()).isEqualTo(7);
        }
        List<String> seen = new ArrayList<>();
        JournalReader reader = new JournalReader();
        reader.read(run, new JournalReader.Visitor() {
            @Override
            public void burst(long nanos) {
                seen.add("burst " + nanos);
            }

            @Override
            public void frame(ByteBuffer buffer, int start, int length) {
                seen.add("frame");
            }

            @Override
            public void outage(long fromWallNanos, long toWallNanos) {
                seen.add("outage " + fromWallNanos + " " + toWallNanos);
            }
        });
        assertThat(seen).containsExactly("outage 100 200", "burst 5", "frame", "outage 100 250");
        assertThat(reader.missedFrames()).isEqualTo(7);
        assertThat(reader.missingEntries()).isZero();
        // No frame arrived in between, so the second outage extends the first.
        assertThat(reader.lastReceivedWallNanos(0)).isEqualTo(100);
    }
}
