package io.metricsaggregator.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The thread that writes blocks: when it sleeps, what wakes it, and what it does when it falls behind. */
class BlockWriterTest {
    private static final int BLOCKS = 8;
    private static final int BLOCK_BYTES = 2 * BlockWriter.PAGE;
    private static final int PART_BYTES = 32;
    private static final int HEAD_BYTES = Entries.HEAD_BYTES + 1;

    private final BlockWriter blocks = new BlockWriter(new BlockPool(BLOCK_BYTES, BLOCKS), -1);
    private final ScriptedChannel file = new ScriptedChannel();

    @AfterEach
    void end() {
        file.gate.countDown();
        blocks.end();
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("30 s are over").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private void append(int bytes) throws IOException {
        blocks.append(bytes - Entries.HEAD_BYTES, 0, 0, Entries.FRAME, ByteBuffer.allocate(bytes - HEAD_BYTES));
    }

    private void awaitSleep() {
        await(() -> blocks.thread.getState() == Thread.State.WAITING);
    }

    @Test
    void a_thread_that_sleeps_is_woken_by_a_burst_and_by_a_full_block() throws IOException {
        blocks.start(file, null);
        awaitSleep();
        append(BLOCK_BYTES);
        await(() -> file.written.size() == BLOCK_BYTES);
        awaitSleep();
        append(BlockWriter.PAGE);
        blocks.publish();
        await(blocks::isSettled);
        assertThat(file.written.size()).isEqualTo(BLOCK_BYTES + BlockWriter.PAGE);
    }

    @Test
    void a_burst_waits_some_time_for_its_block_to_fill() throws IOException {
        blocks.start(file, null);
        boolean[] waited = {false};
        await(() -> {
            try {
                awaitSleep();
                append(BlockWriter.PAGE);
                blocks.publish();
                while (!blocks.isSettled()) {
                    waited[0] |= blocks.thread.getState() == Thread.State.TIMED_WAITING;
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            return waited[0];
        });
    }

    /** Time until a burst of some pages and a part of one is written, by the channel's clock: from its end, and from the write before the last. */
    private static long[] burstNanos(BlockWriter writer) {
        List<Long> writes = new ArrayList<>();
        ScriptedChannel channel = new ScriptedChannel();
        channel.whenWritten = () -> writes.add(System.nanoTime());
        writer.start(channel, null);
        long start = System.nanoTime();
        try {
            int bytes = BlockWriter.PAGE + PART_BYTES;
            writer.append(bytes - Entries.HEAD_BYTES, 0, 0, Entries.FRAME, ByteBuffer.allocate(bytes - HEAD_BYTES));
            writer.publish();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        await(writer::isWritten);
        assertThat(writes).hasSize(2);
        return new long[] {writes.get(1) - start, writes.get(1) - writes.get(0)};
    }

    @Test
    void the_last_page_of_a_burst_is_written_with_its_other_pages() {
        // On a machine that is busy not at each attempt.
        await(() -> burstNanos(blocks)[1] < BlockWriter.LINGER_NANOS / 2);
    }

    @Test
    void a_burst_is_written_before_the_next_fsync() {
        BlockWriter hurried = new BlockWriter(new BlockPool(BLOCK_BYTES, BLOCKS), BlockWriter.LINGER_NANOS / 50);
        try {
            await(() -> burstNanos(hurried)[0] < BlockWriter.LINGER_NANOS / 2);
            BlockWriter patient = new BlockWriter(new BlockPool(BLOCK_BYTES, BLOCKS), Long.MAX_VALUE);
            assertThat(burstNanos(patient)[0]).isGreaterThan(BlockWriter.LINGER_NANOS);
            patient.end();
        } finally {
            hurried.end();
        }
    }

    @Test
    void each_entry_has_its_checksum_wherever_its_block_ends() throws IOException {
        for (int beyond = -20; beyond <= 20; beyond++) {
            for (int blocksOfNext : new int[] {0, 1, 2}) {
                ScriptedChannel written = new ScriptedChannel();
                DirectSegment segment = new DirectSegment(written, blocks, false, true);
                // The second entry ends so many bytes behind the end of a block, and the third that many blocks later.
                int[] lengths = {100, BLOCK_BYTES - 100 + beyond, 300 + blocksOfNext * BLOCK_BYTES, 25};
                for (int i = 0; i < lengths.length; i++) {
                    byte[] rest = new byte[lengths[i] - HEAD_BYTES];
                    Arrays.fill(rest, (byte) i);
                    segment.append(i, Entries.FRAME, ByteBuffer.wrap(rest));
                }
                segment.settle();
                ByteBuffer file = ByteBuffer.wrap(written.written.toByteArray());
                int at = 0;
                for (int length : lengths) {
                    assertThat(Entries.isWhole(new CRC32C(), file, at))
                            .as("entry at %d, %d beyond", at, beyond)
                            .isTrue();
                    at += length;
                }
            }
        }
    }

    @Test
    void what_is_published_is_not_written_until_the_disk_has_taken_it() throws IOException {
        file.gate = new CountDownLatch(1);
        DirectSegment segment = new DirectSegment(file, blocks, false, true);
        assertThat(segment.isWritten()).isTrue();
        segment.append(0, Entries.RUN, ByteBuffer.allocate(50));
        segment.endBurst();
        assertThat(segment.isWritten()).isFalse();
        file.gate.countDown();
        segment.settle();
        assertThat(segment.isWritten()).isTrue();
        assertThat(new PackedSegment(file).isWritten()).isTrue();
    }

    @Test
    void a_thread_that_waits_for_the_disk_sleeps() throws Exception {
        file.gate = new CountDownLatch(1);
        blocks.start(file, null);
        append(BLOCK_BYTES);
        AtomicReference<IOException> failure = new AtomicReference<>();
        Thread receiving = new Thread(() -> {
            try {
                blocks.settle();
            } catch (IOException e) {
                failure.set(e);
            }
        });
        receiving.start();
        await(() -> receiving.getState() == Thread.State.TIMED_WAITING);
        file.gate.countDown();
        receiving.join(30_000);
        assertThat(receiving.isAlive()).isFalse();
        assertThat(failure.get()).isNull();
        assertThat(blocks.waitedNanos()).isPositive();
    }

    @Test
    void what_arrives_just_before_the_thread_sleeps_is_written() throws IOException {
        blocks.start(file, null);
        for (int i = 0; i < 5_000; i++) {
            append(BLOCK_BYTES - PART_BYTES);
            // Written, the thread is on its way to sleep: the rest of the block comes sooner or later on that way.
            await(blocks::isWritten);
            for (int k = i % 50; k > 0; k--) {
                Thread.onSpinWait();
            }
            append(PART_BYTES);
        }
        blocks.settle();
        assertThat(blocks.isWritten()).isTrue();
        assertThat(blocks.isSettled()).isTrue();
    }

    @Test
    void a_block_given_back_while_others_are_taken_and_given_is_neither_lost_nor_handed_out_twice()
            throws InterruptedException {
        BlockPool pool = new BlockPool(BlockWriter.PAGE, BLOCKS);
        Queue<BlockPool.Block> used = new ConcurrentLinkedQueue<>();
        Set<BlockPool.Block> out = ConcurrentHashMap.newKeySet();
        AtomicInteger left = new AtomicInteger(200_000);
        Runnable give = () -> {
            while (left.get() > 0) {
                BlockPool.Block block = used.poll();
                if (block != null) {
                    out.remove(block);
                    pool.give(block);
                }
            }
        };
        List<Thread> givers = List.of(new Thread(give), new Thread(give));
        givers.forEach(Thread::start);
        try {
            while (left.get() > 0) {
                AtomicReference<BlockPool.Block> taken = new AtomicReference<>();
                await(() -> {
                    taken.set(pool.take());
                    return taken.get() != null;
                });
                assertThat(out.add(taken.get()))
                        .as("a block is handed out once")
                        .isTrue();
                used.add(taken.get());
                left.decrementAndGet();
            }
        } finally {
            left.set(0);
        }
        for (Thread giver : givers) {
            giver.join();
        }
        used.forEach(out::remove);
        used.forEach(pool::give);
        for (int i = 0; i < BLOCKS; i++) {
            BlockPool.Block block = pool.take();
            assertThat(block).as("block %s of %s", i, BLOCKS).isNotNull();
            assertThat(out.add(block)).isTrue();
        }
        assertThat(pool.take()).isNull();
    }

    @Test
    void a_stream_larger_than_all_blocks_fails_with_the_disk() {
        file.writeFailure = new IOException("no space left on device");
        blocks.start(file, null);
        assertThatThrownBy(() -> append(2 * BLOCKS * BLOCK_BYTES)).hasMessage("no space left on device");
    }

    @Test
    void texts_are_deflated_unless_more_than_a_quarter_of_the_blocks_waits_for_the_thread() throws IOException {
        for (int waiting : new int[] {1, BLOCKS - 1}) {
            ScriptedChannel own = new ScriptedChannel();
            own.gate = new CountDownLatch(1);
            awaitSleep();
            blocks.start(own, new PackedEntries(own, null, 1));
            // The first block holds the thread up, the others wait.
            int frame = BLOCK_BYTES - HEAD_BYTES;
            for (int i = 0; i <= waiting; i++) {
                append(BLOCK_BYTES);
                if (i == 0) {
                    await(() -> blocks.thread.getState() == Thread.State.TIMED_WAITING);
                }
            }
            own.gate.countDown();
            blocks.settle();
            // The last two are written when no more than a quarter waits.
            assertThat(own.written.size() / frame).isEqualTo(waiting == 1 ? 0 : waiting - 2);
        }
    }
}
