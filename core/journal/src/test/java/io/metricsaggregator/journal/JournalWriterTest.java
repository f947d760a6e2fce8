package io.metricsaggregator.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a journal begins another segment, what a failed write costs, and what an end leaves. */
class JournalWriterTest {
    private static final Map<String, String> RUN = Map.of("run_id", "cafe", "streaming", "true");
    private static final long HOUR = 3_600_000_000_000L;

    @TempDir
    private Path directory;

    private Path run;
    private final Random random = new Random(5);

    @BeforeEach
    void folder() throws IOException {
        run = Files.createDirectory(directory.resolve("run"));
    }

    private JournalWriter writer(long segmentMaxBytes) throws IOException {
        return new JournalWriter(run, RUN, 1, 0, segmentMaxBytes, -1);
    }

    private List<byte[]> write(JournalWriter writer, int bursts, int framesOfEach) {
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < bursts; i++) {
            for (int k = 0; k < framesOfEach; k++) {
                byte[] frame = new byte[random.nextInt(50) + 1];
                random.nextBytes(frame);
                frames.add(frame);
                writer.frame(ByteBuffer.wrap(frame), 0, frame.length, 1000 + i);
            }
            writer.endBurst(1000 + i);
        }
        return frames;
    }

    private static void one(JournalWriter writer, long nowNanos) {
        writer.frame(ByteBuffer.wrap(new byte[50]), 0, 50, nowNanos);
        writer.endBurst(nowNanos);
    }

    /** Makes the segment that is written one of a fast stream, whatever this machine does. */
    private static void fast(JournalWriter writer) {
        writer.speed.isWorthDirect(-2 * SegmentSpeed.JUDGED_BYTES, System.nanoTime() + 2 * HOUR);
        writer.speed.isWorthDirect(-SegmentSpeed.JUDGED_BYTES, System.nanoTime() + HOUR);
    }

    /** Makes the next segments plain ones. */
    private static void unpacked(JournalWriter writer) {
        writer.speed.ended(1L << 30, (1L << 30) - 1);
    }

    private List<byte[]> read(JournalReader reader) throws IOException {
        List<byte[]> frames = new ArrayList<>();
        reader.read(run, new JournalReader.Visitor() {
            @Override
            public void burst(long nanos) {}

            @Override
            public void frame(ByteBuffer buffer, int start, int length) {
                byte[] frame = new byte[length];
                buffer.get(start, frame);
                frames.add(frame);
            }
        });
        assertThat(reader.skippedBytes()).isZero();
        return frames;
    }

    private static List<String> openFiles(Path folder) throws IOException {
        List<String> open = new ArrayList<>();
        for (String each :
                Objects.requireNonNull(Path.of("/proc/self/fd").toFile().list())) {
            try {
                String target =
                        Files.readSymbolicLink(Path.of("/proc/self/fd", each)).toString();
                if (target.startsWith(folder.toString())) {
                    open.add(target);
                }
            } catch (NoSuchFileException e) {
                // That of the listing itself.
            }
        }
        return open;
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().startsWith("journal"))
                .collect(Collectors.toSet());
    }

    @Test
    void aSegmentOfASlowStreamIsNotEndedWhenItsSpeedIsJudged() throws IOException {
        try (JournalWriter writer = writer(1 << 30)) {
            writer.speed.isWorthDirect(-2 * SegmentSpeed.JUDGED_BYTES, System.nanoTime() - HOUR);
            SegmentFile current = writer.segment;
            one(writer, 5);
            assertThat(writer.speed.isJudged(SegmentSpeed.JUDGED_BYTES - 1))
                    .as("it was judged")
                    .isFalse();
            assertThat(writer.segment).isSameAs(current);
            assertThat(writer.errors()).isZero();
        }
    }

    @Test
    void aClosedJournalHoldsItsOpenBurstAndLeavesNeitherThreadNorOpenFile() throws Exception {
        Set<Thread> before = threads();
        List<byte[]> frames;
        try (JournalWriter writer = new JournalWriter(run, RUN, 1, 0, 100, HOUR)) {
            fast(writer);
            frames = write(writer, 3, 2);
            writer.frame(ByteBuffer.wrap(frames.get(0)), 0, frames.get(0).length, 9);
            frames.add(frames.get(0));
            // Threads of earlier tests may end meanwhile.
            assertThat(threads()).filteredOn(each -> !before.contains(each)).hasSize(2);
            assertThat(openFiles(run)).isNotEmpty();
        }
        assertThat(read(new JournalReader())).containsExactlyElementsOf(frames);
        assertThat(openFiles(run)).isEmpty();
        threads().stream().filter(each -> !before.contains(each)).forEach(LockSupport::unpark);
        for (Thread each : threads()) {
            if (!before.contains(each)) {
                each.join(30_000);
                assertThat(each.isAlive()).as(each.getName()).isFalse();
            }
        }
    }

    @Test
    void aBurstThatReachesTheSizeOfASegmentEndsIt() throws IOException {
        long size;
        try (JournalWriter writer = writer(1 << 20)) {
            one(writer, 5);
            size = writer.bytes();
        }
        for (long most : new long[] {size, size + 1}) {
            Path own = Files.createDirectory(directory.resolve("run-" + most));
            try (JournalWriter writer = new JournalWriter(own, RUN, 1, 0, most, -1)) {
                one(writer, 5);
                assertThat(Segments.list(own)).hasSize(most == size ? 2 : 1);
                assertThat(writer.bytes())
                        .isEqualTo(
                                most == size
                                        ? size + Files.size(Segments.list(own).get(1))
                                        : size);
            }
        }
    }

    @Test
    void aSegmentWhoseFsyncFailedIsEndedWithTheNextBurstAndTheFailureIsCounted() throws IOException {
        try (JournalWriter writer = new JournalWriter(run, RUN, 1, 0, 1 << 20, HOUR)) {
            one(writer, 5);
            SegmentFile first = Objects.requireNonNull(writer.segment);
            assertThat(writer.sync.dirty.get()).as("to be fsynced").isSameAs(first);
            ScriptedChannel failing = new ScriptedChannel();
            failing.failures.add(new IOException("no more space"));
            writer.sync.retire(failing);
            writer.sync.finishRetired();
            assertThat(writer.errors()).isEqualTo(1);
            one(writer, 6);
            assertThat(writer.segment).isNotSameAs(first);
            SegmentFile second = writer.segment;
            one(writer, 7);
            assertThat(writer.segment).isSameAs(second);
            assertThat(writer.missed()).isZero();
        }
        assertThat(read(new JournalReader())).hasSize(3);
    }

    @Test
    void aFailedWriteCostsTheFramesOfItsBurstWhichTheNextSegmentTells() throws IOException {
        long second = 1_000_000_000L;
        try (JournalWriter writer = writer(1 << 20)) {
            writer.speed.buffered(1L << 40, 1);
            write(writer, 2, 2);
            Objects.requireNonNull(writer.segment).channel().close();
            long bytes = writer.bytes();
            write(writer, 1, 3);
            assertThat(writer.missed()).isEqualTo(3);
            assertThat(writer.errors()).isEqualTo(1);
            assertThat(writer.bytes()).isEqualTo(bytes);
            assertThat(writer.speed.isDirect()).isFalse();
            // Nothing of this is written, and nothing fails.
            writer.settle(1001);
            writer.outage(1, 2, 1001);
            writer.end(1001, 5);
            writer.endBurst(1001);
            assertThat(writer.errors()).isEqualTo(1);
            one(writer, second + 999);
            assertThat(writer.missed()).isEqualTo(4);
            one(writer, second + 1000);
            assertThat(writer.missed()).isEqualTo(4);
            assertThat(writer.bytes()).isEqualTo(bytes + Files.size(run.resolve(Segments.name(2))));
        }
        JournalReader reader = new JournalReader();
        assertThat(read(reader)).hasSize(5);
        assertThat(reader.missedFrames()).isEqualTo(4);
        assertThat(openFiles(run)).isEmpty();
    }

    @Test
    void anEndThatCannotBeWrittenIsAnErrorAndSoIsAnOutageOrABurst() throws IOException {
        JournalWriter writer = writer(1 << 20);
        unpacked(writer);
        write(writer, 1, 1);
        Objects.requireNonNull(writer.segment).channel().close();
        assertThatThrownBy(() -> writer.end(5, 6)).isInstanceOf(IOException.class);
        writer.outage(1, 2, 5);
        assertThat(writer.errors()).isEqualTo(1);
        writer.close();
        writer.frame(ByteBuffer.wrap(new byte[3]), 0, 3, 3_000_000_000L);
        writer.close();
        assertThat(writer.bytes()).isPositive();
    }

    @Test
    void aFrameAfterTheEndIsMissed() throws IOException {
        JournalWriter writer = writer(1 << 20);
        writer.close();
        one(writer, 5);
        assertThat(writer.missed()).isEqualTo(1);
        assertThat(writer.errors()).isEqualTo(1);
        writer.close();
        assertThat(read(new JournalReader())).isEmpty();
    }

    @Test
    void aPlainSegmentHoldsEndAndOutageBeforeItIsClosedAndFramesOfOneBufferAtItsPlaces() throws IOException {
        try (JournalWriter writer = writer(1)) {
            unpacked(writer);
            write(writer, 1, 1);
            assertThat(writer.segment).isInstanceOf(BufferedSegment.class);
            writer.wallClock(nanos -> nanos + 100);
            ByteBuffer both = ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5});
            writer.frame(both, 1, 2, 5);
            writer.frame(both, 3, 2, 5);
            writer.outage(10, 20, 5);
            assertThat(writer.sync.dirty.get()).isSameAs(writer.segment);
            writer.end(75, 175);
            assertThat(both.position()).isZero();
            JournalReader reader = new JournalReader();
            List<byte[]> frames = read(reader);
            assertThat(frames.subList(1, 3)).containsExactly(new byte[] {2, 3}, new byte[] {4, 5});
            assertThat(reader.lastReceivedWallNanos(0)).isEqualTo(10);
            assertThat(reader.clock().endWallNanos(0)).isEqualTo(175);
            assertThat(reader.clock().endNanos()).isEqualTo(75);
        }
    }

    @Test
    void aFastStreamThatPacksBadlyIsWrittenWithDirectIoOrWhereThatIsRefusedWithoutIt() throws IOException {
        List<byte[]> frames;
        try (JournalWriter writer = writer(1)) {
            fast(writer);
            unpacked(writer);
            // The next one is there already, which refuses any way to write it.
            Path taken = Files.createFile(run.resolve(Segments.name(2)));
            frames = write(writer, 1, 2);
            assertThat(writer.errors()).isEqualTo(1);
            assertThat(writer.speed.isDirect()).isFalse();
            assertThat(taken).isEmptyFile();
            writer.speed.buffered(1L << 40, 1);
            assertThat(writer.speed.isDirect()).as("for good").isFalse();
        }
        assertThat(read(new JournalReader())).containsExactlyElementsOf(frames);
        Files.delete(run.resolve(Segments.name(1)));
        Files.delete(run.resolve(Segments.name(2)));
        try (JournalWriter writer = writer(1)) {
            fast(writer);
            unpacked(writer);
            frames = write(writer, 1, 2);
            assertThat(writer.segment).isNotInstanceOf(PackedSegment.class);
            frames.addAll(write(writer, 1, 1));
            writer.settle(1000);
            assertThat(writer.missed() + writer.errors()).isZero();
        }
        assertThat(read(new JournalReader())).containsExactlyElementsOf(frames);
    }

    @Test
    void aStreamIsJudgedFromTheBeginningOfEachSegmentAndByEachSegment() throws IOException {
        try (JournalWriter writer = writer(1)) {
            assertThat(JournalReader.describe(run)).as("before a burst").isEqualTo(RUN);
            fast(writer);
            one(writer, 5);
            assertThat(writer.segment).isInstanceOf(DirectSegment.class);
            assertThat(writer.speed.isJudged(SegmentSpeed.JUDGED_BYTES - 1)).isFalse();
            one(writer, 6);
            assertThat(writer.segment).as("after a slow one").isNotInstanceOf(DirectSegment.class);
            byte[] noise = new byte[900_000];
            for (int i = 0; i < 3; i++) {
                random.nextBytes(noise);
                writer.frame(ByteBuffer.wrap(noise), 0, noise.length, 7);
            }
            writer.endBurst(7);
            assertThat(Files.readAllBytes(run.resolve(Segments.name(4)))[Entries.HEAD_BYTES])
                    .as("after one that packed badly")
                    .isEqualTo(Entries.RUN);
            // Nothing of what was read before is part of a description.
            for (int i = 0; i < 2; i++) {
                byte[] lines = "x=".repeat(500).substring(i).getBytes(StandardCharsets.US_ASCII);
                writer.frame(ByteBuffer.wrap(lines), 0, lines.length, 8);
                writer.endBurst(8);
            }
        }
        JournalReader reader = new JournalReader();
        assertThat(read(reader)).hasSize(7);
        assertThat(reader.run()).isEqualTo(RUN);
    }

    @Test
    void aJournalHasNoEntriesButThoseOfItsBursts() throws IOException {
        try (JournalWriter writer = writer(1 << 20)) {
            one(writer, 5);
        }
        JournalReader reader = new JournalReader();
        read(reader);
        // Description, clock, burst and frame.
        assertThat(reader.nextSequence()).isEqualTo(4);
    }

    @Test
    void aFastStreamWhoseDiskFailedFailsAtTheLatestBeforeASnapshotShowsIt() throws IOException {
        try (JournalWriter writer = writer(1 << 20)) {
            fast(writer);
            one(writer, 5);
            assertThat(writer.segment).isInstanceOf(DirectSegment.class);
            Objects.requireNonNull(writer.segment).channel().close();
            one(writer, 6);
            writer.settle(6);
            assertThat(writer.errors()).isEqualTo(1);
            assertThat(writer.missed()).isEqualTo(1);
        }
    }

    @Test
    void aStreamThatBecameFastEndsItsSegmentEarlyUnlessEachBurstIsFsynced() throws IOException {
        for (long syncNanos : new long[] {-1, 0}) {
            Path own = Files.createDirectory(directory.resolve("run" + syncNanos));
            try (JournalWriter writer = new JournalWriter(own, RUN, 1, 0, 1 << 20, syncNanos)) {
                fast(writer);
                one(writer, 5);
                assertThat(Segments.list(own)).hasSize(syncNanos == 0 ? 1 : 2);
                assertThat(writer.segment instanceof DirectSegment).isEqualTo(syncNanos != 0);
            }
        }
    }

    @Test
    void anFsyncIsRequestedForTheSegmentOfAFastStreamWhichKnowsWhetherAllIsWritten() throws IOException {
        try (JournalWriter writer = new JournalWriter(run, RUN, 1, 0, 1 << 20, HOUR)) {
            fast(writer);
            one(writer, 5);
            SegmentFile direct = Objects.requireNonNull(writer.segment);
            assertThat(direct).isInstanceOf(DirectSegment.class);
            writer.sync.dirty.set(null);
            one(writer, 6);
            assertThat(writer.sync.dirty.get()).isSameAs(direct);
            writer.settle(6);
            assertThat(direct.isWritten()).isTrue();
        }
    }
}
