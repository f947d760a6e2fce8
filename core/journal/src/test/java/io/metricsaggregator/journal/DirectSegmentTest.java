package io.metricsaggregator.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segments written from blocks; through the page cache here, since the file system of a test may not take direct I/O. */
class DirectSegmentTest {
    private static final long SECOND = 1_000_000_000;
    private static final int BLOCKS_BYTES = 4 * BlockWriter.PAGE;

    @TempDir
    private Path directory;

    private Path run;
    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final BlockWriter blocks = new BlockWriter(new BlockPool(2 * BlockWriter.PAGE, 2), -1);
    private long sequence;
    private final List<byte[]> frames = new ArrayList<>();

    @BeforeEach
    void folder() throws IOException {
        run = Files.createDirectory(directory.resolve("run"));
        System.out.println("seed " + seed);
    }

    @AfterEach
    void end() {
        blocks.end();
    }

    private DirectSegment segment(int number) throws IOException {
        DirectSegment segment = new DirectSegment(
                FileChannel.open(
                        run.resolve(Segments.name(number)), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                blocks,
                false,
                true);
        append(segment, Entries.RUN, "run_id=cafe\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        return segment;
    }

    private void append(SegmentFile segment, byte kind, byte[] payload) throws IOException {
        segment.append(sequence++, kind, ByteBuffer.wrap(payload));
    }

    private void appendFrames(SegmentFile segment, int count, int longest) throws IOException {
        for (int i = 0; i < count; i++) {
            byte[] frame = new byte[1 + random.nextInt(longest)];
            random.nextBytes(frame);
            frames.add(frame);
            append(segment, Entries.FRAME, frame);
            if (random.nextInt(4) == 0) {
                segment.endBurst();
            }
            if (random.nextInt(50) == 0) {
                segment.settle();
            }
        }
    }

    /** Reads the run as it is on disk now, which is what remains of a process that is killed. */
    private JournalReader assertHoldsAllFrames() throws IOException {
        List<byte[]> seen = new ArrayList<>();
        JournalReader reader = new JournalReader();
        reader.read(run, new JournalReader.Visitor() {
            @Override
            public void burst(long nanos) {
                throw new IllegalStateException("no burst was written");
            }

            @Override
            public void frame(ByteBuffer buffer, int start, int length) {
                byte[] frame = new byte[length];
                buffer.get(start, frame);
                seen.add(frame);
            }
        });
        assertThat(seen).hasSameSizeAs(frames);
        for (int i = 0; i < seen.size(); i++) {
            assertThat(seen.get(i)).as("frame %d", i).isEqualTo(frames.get(i));
        }
        return reader;
    }

    @Test
    void whateverTheSizesOfFramesAllAreInTheFileOnceSettledAndThePaddingIsNoDamage() throws IOException {
        for (int number = 1; number <= 5; number++) {
            DirectSegment segment = segment(number);
            for (int i = 0; i < 20; i++) {
                // Some frames are larger than all blocks.
                appendFrames(segment, 1 + random.nextInt(40), i % 5 == 0 ? 3 * BLOCKS_BYTES : 300);
                segment.settle();
                assertThat(segment.isSettled()).isTrue();
                JournalReader reader = assertHoldsAllFrames();
                assertThat(reader.skippedBytes()).isZero();
                assertThat(reader.missingEntries()).isZero();
                assertThat(Files.size(run.resolve(Segments.name(number))) % BlockWriter.PAGE)
                        .isZero();
            }
            segment.finish();
            assertThat(Files.size(run.resolve(Segments.name(number)))).isEqualTo(segment.bytes());
            segment.channel().close();
            assertHoldsAllFrames();
        }
    }

    @Test
    void aBurstThatDoesNotFillItsBlockIsWrittenWithoutASnapshot() throws IOException {
        DirectSegment segment = segment(1);
        appendFrames(segment, 1, 100);
        segment.endBurst();
        long deadline = System.nanoTime() + 30 * SECOND;
        while (!segment.isSettled() && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(segment.isSettled()).isTrue();
        assertHoldsAllFrames();
    }

    @Test
    void theBlockGivenBackLastIsTakenFirstAndNoMoreThanTheLimitAreMade() {
        BlockPool pool = new BlockPool(BlockWriter.PAGE, 3);
        BlockPool.Block first = pool.take();
        BlockPool.Block second = pool.take();
        BlockPool.Block third = pool.take();
        assertThat(List.of(first, second, third)).doesNotHaveDuplicates();
        assertThat(pool.take()).isNull();
        pool.give(second);
        pool.give(first);
        assertThat(pool.take()).isSameAs(first);
        assertThat(pool.take()).isSameAs(second);
        assertThat(pool.take()).isNull();
    }

    @Test
    void aPageWithSomethingBehindTheLastEntryIsDamaged() throws IOException {
        DirectSegment segment = segment(1);
        appendFrames(segment, 1, 100);
        segment.settle();
        Path file = run.resolve(Segments.name(1));
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1] = 1;
        Files.write(file, bytes);
        assertThat(assertHoldsAllFrames().skippedBytes()).isEqualTo(bytes.length - segment.bytes());
    }

    @Test
    void aWriteThatFailsIsAnErrorOfTheNextStepAndAnotherFileCanFollow() throws IOException {
        DirectSegment segment = segment(1);
        segment.settle();
        segment.channel().close();
        append(segment, Entries.FRAME, new byte[10]);
        assertThatThrownBy(segment::settle).isInstanceOf(IOException.class);
        assertThat(segment.isSettled()).isFalse();
        assertThatThrownBy(segment::endBurst).isInstanceOf(IOException.class);
        DirectSegment next = segment(2);
        appendFrames(next, 10, 100);
        next.settle();
        assertHoldsAllFrames();
    }

    @Test
    void aFastStreamIsWrittenWithDirectIoAndASlowOneThroughThePageCache() {
        SegmentSpeed speed = new SegmentSpeed();
        speed.opened(0);
        assertThat(speed.isDirect()).as("at first").isFalse();
        assertThat(speed.isJudged(SegmentSpeed.JUDGED_BYTES - 1)).isFalse();
        assertThat(speed.isJudged(SegmentSpeed.JUDGED_BYTES)).isTrue();
        assertThat(speed.isWorthDirect(SegmentSpeed.JUDGED_BYTES, SECOND)).isFalse();
        speed.buffered(SegmentSpeed.JUDGED_BYTES, SECOND);
        assertThat(speed.isDirect()).as("after a slow segment").isFalse();
        speed.opened(0);
        speed.buffered(SegmentSpeed.FAST_BYTES * 2, SECOND);
        assertThat(speed.isDirect()).as("after a fast segment").isTrue();
        speed.direct(SegmentSpeed.FAST_BYTES / 2, SECOND, 0, false);
        assertThat(speed.isDirect()).as("after it became slow").isFalse();
        speed.opened(0);
        speed.buffered(SegmentSpeed.FAST_BYTES * 2, SECOND);
        speed.refused();
        assertThat(speed.isDirect()).as("where the file system refuses").isFalse();
        assertThat(speed.isJudged(SegmentSpeed.JUDGED_BYTES)).isFalse();
    }

    @Test
    void aStreamOfExactlyTheLimitIsSlowAndAFailedWriteEndsATrial() {
        SegmentSpeed speed = new SegmentSpeed();
        speed.buffered(SegmentSpeed.FAST_BYTES, SECOND);
        assertThat(speed.isDirect()).isFalse();
        speed.buffered(SegmentSpeed.FAST_BYTES + 1, SECOND);
        assertThat(speed.isDirect()).isTrue();
        // Half of the time, and no more, is no reason for a trial.
        speed.direct(2 * SegmentSpeed.FAST_BYTES, SECOND, SECOND / 2, false);
        assertThat(speed.isDirect()).isTrue();
        speed.direct(2 * SegmentSpeed.FAST_BYTES, SECOND, SECOND / 2 + 1, false);
        assertThat(speed.isDirect()).isFalse();
        speed.failed();
        // Slower than what was tried: with the trial it would be held against the page cache.
        speed.buffered(2 * SegmentSpeed.FAST_BYTES, 2 * SECOND - 1);
        assertThat(speed.isDirect()).isTrue();
        speed.failed();
        assertThat(speed.isDirect()).isFalse();
    }

    @Test
    void aPageCacheThatIsAsFastAsDirectIoIsNotKept() {
        SegmentSpeed speed = new SegmentSpeed();
        long bytes = SegmentSpeed.FAST_BYTES * 2;
        speed.buffered(bytes, SECOND);
        speed.direct(bytes, SECOND, SECOND, false);
        speed.buffered(bytes, SECOND);
        assertThat(speed.isDirect()).isTrue();
    }

    @Test
    void writesThatTakeWholePagesAreContinuedAndOneThatEndsWithinAPageIsAFullDisk() throws Exception {
        for (int most : new int[] {BlockWriter.PAGE, BlockWriter.PAGE + 1}) {
            ScriptedChannel file = new ScriptedChannel();
            file.writeMax = most;
            blocks.start(file, null);
            byte[] content = new byte[2 * BlockWriter.PAGE];
            random.nextBytes(content);
            blocks.append(content.length - 1, 7, 5, Entries.FRAME, ByteBuffer.wrap(content, 17, content.length - 17));
            if (most == BlockWriter.PAGE) {
                blocks.settle();
                ByteBuffer.wrap(content)
                        .putInt(content.length - 1)
                        .putInt(7)
                        .putLong(5)
                        .put(Entries.FRAME);
                assertThat(file.written.toByteArray()).isEqualTo(content);
            } else {
                assertThatThrownBy(blocks::settle)
                        .hasMessage("the file took 4097 bytes only: no space left on device?");
            }
        }
    }

    @Test
    void withoutAFileThereIsNothingToSettleAndNowhereToAppend() {
        assertThat(blocks.isSettled()).isTrue();
        assertThatThrownBy(() -> blocks.append(1, 0, 0, Entries.FRAME, ByteBuffer.allocate(0)))
                .hasMessage("no segment is open");
        assertThat(new SegmentFiles(-1).waitedNanos()).isZero();
        for (boolean packed : new boolean[] {true, false}) {
            assertThatThrownBy(() -> new SegmentFiles(-1).create(run.resolve("missing/segment"), true, packed))
                    .isInstanceOf(java.nio.file.NoSuchFileException.class);
        }
    }

    @Test
    void theTimeThatTheStreamWaitedIsThatOfTheCurrentFile() throws IOException {
        DirectSegment segment = segment(1);
        appendFrames(segment, 20, 3 * BLOCKS_BYTES);
        long start = System.nanoTime();
        segment.settle();
        assertThat(blocks.waitedNanos()).isBetween(1L, System.nanoTime() - start + 60 * SECOND);
        segment.finish();
        segment(2);
        assertThat(blocks.waitedNanos()).isZero();
    }

    @Test
    void theWritingThreadSleepsWhenAllIsWrittenAndEndsWhenItIsToldTo() throws Exception {
        DirectSegment segment = segment(1);
        segment.settle();
        Thread writer = blocks.thread;
        assertThat(writer.getName()).isEqualTo("journal-writer");
        assertThat(writer.isDaemon()).isTrue();
        long deadline = System.nanoTime() + 30 * SECOND;
        while (writer.getState() != Thread.State.WAITING && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(writer.getState()).isEqualTo(Thread.State.WAITING);
        blocks.end();
        writer.join(30_000);
        assertThat(writer.isAlive()).isFalse();
    }

    @Test
    void aStreamThatIsFastAfterAPauseIsWrittenWithDirectIo() {
        SegmentSpeed speed = new SegmentSpeed();
        long bytes = SegmentSpeed.JUDGED_BYTES;
        speed.opened(0);
        assertThat(speed.isWorthDirect(bytes, 100 * SECOND))
                .as("with the pause")
                .isFalse();
        assertThat(speed.isJudged(2 * bytes - 1)).isFalse();
        assertThat(speed.isJudged(2 * bytes)).isTrue();
        assertThat(speed.isWorthDirect(2 * bytes, 100 * SECOND + SECOND / 10)).isTrue();
        speed.buffered(2 * bytes, 100 * SECOND + SECOND / 10);
        assertThat(speed.isDirect()).isTrue();
    }

    @Test
    void aDiskThatHoldsTheStreamUpIsTriedWithThePageCacheAndTheFasterWayIsKept() {
        SegmentSpeed speed = new SegmentSpeed();
        long bytes = SegmentSpeed.FAST_BYTES * 2;
        speed.opened(0);
        speed.buffered(bytes, SECOND / 4);
        speed.direct(bytes, SECOND, SECOND * 3 / 4, false);
        assertThat(speed.isDirect()).as("for a trial").isFalse();
        speed.opened(0);
        speed.buffered(bytes, SECOND * 5 / 4);
        for (int i = 0; i < SegmentSpeed.KEPT; i++) {
            assertThat(speed.isDirect()).as("the page cache was slower").isTrue();
            speed.direct(bytes, SECOND, SECOND * 3 / 4, false);
        }
        speed.direct(bytes, SECOND, SECOND * 3 / 4, false);
        assertThat(speed.isDirect()).as("for the next trial").isFalse();
        speed.opened(0);
        speed.buffered(bytes, SECOND * 3 / 4);
        for (int i = 0; i < SegmentSpeed.KEPT; i++) {
            assertThat(speed.isDirect()).as("the page cache was faster").isFalse();
            assertThat(speed.isJudged(bytes)).isFalse();
            speed.opened(0);
            speed.buffered(bytes, SECOND * 3 / 4);
        }
        assertThat(speed.isDirect()).as("some segments later").isTrue();
    }

    @Test
    void aJournalAtFullSpeedHoldsEveryFrame() throws IOException {
        try (JournalWriter writer = new JournalWriter(run, Map.of("run_id", "cafe"), 1, 0, 48 << 20, -1)) {
            byte[] frame = new byte[1 << 20];
            random.nextBytes(frame);
            for (int i = 0; i < 160; i++) {
                frame[i] ^= 1;
                frames.add(frame.clone());
                writer.frame(ByteBuffer.wrap(frame), 0, frame.length, i);
                writer.endBurst(i);
                if (i % 40 == 39) {
                    writer.settle(i);
                    JournalReader reader = new JournalReader();
                    reader.read(run, new JournalReader.Visitor() {
                        @Override
                        public void burst(long nanos) {}

                        @Override
                        public void frame(ByteBuffer buffer, int start, int length) {}
                    });
                    assertThat(reader.frames()).as("settled frames").isEqualTo(i + 1);
                    assertThat(reader.skippedBytes()).isZero();
                }
            }
            assertThat(writer.missed()).isZero();
        }
        int[] seen = {0};
        JournalReader reader = new JournalReader();
        reader.read(run, new JournalReader.Visitor() {
            @Override
            public void burst(long nanos) {}

            @Override
            public void frame(ByteBuffer buffer, int start, int length) {
                assertThat(ByteBuffer.wrap(frames.get(seen[0]++))).isEqualTo(buffer.slice(start, length));
            }
        });
        assertThat(seen[0]).isEqualTo(160);
    }

    @Test
    void fastSegmentsOfOneJournalFollowEachOther() throws IOException {
        SegmentFiles files = new SegmentFiles(-1);
        for (int number = 1; number <= 2; number++) {
            SegmentFile segment = files.create(run.resolve(Segments.name(number)), true, true);
            append(segment, Entries.PACKED_RUN, new byte[0]);
            appendFrames(segment, 20, 100);
            segment.finish();
            assertThat(files.waitedNanos()).isPositive();
            segment.channel().close();
        }
        files.end();
        assertHoldsAllFrames();
    }
}
