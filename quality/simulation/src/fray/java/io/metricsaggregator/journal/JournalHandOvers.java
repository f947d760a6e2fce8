package io.metricsaggregator.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32C;

/** Bytes from the main loop to the thread {@code journal-writer}, files to the thread {@code journal}. */
public final class JournalHandOvers {
    private static final int ENTRIES = 5;
    /** Two entries in each of two blocks, and one between them. */
    private static final int BYTES = 1500;

    private static final int HEAD = 17;
    /** A kind that is not packed. */
    private static final byte PLAIN = (byte) 'M';

    private JournalHandOvers() {}

    /** Two blocks of a page take turns: the file holds what was appended. */
    public static void blocks() throws IOException {
        append(false);
    }

    /** The same where the thread {@code journal-writer} packs. */
    public static void packed() throws IOException {
        append(true);
    }

    private static void append(boolean packs) throws IOException {
        Path path = Files.createTempFile("fray", ".blocks");
        BlockWriter writer = new BlockWriter(new BlockPool(BlockWriter.PAGE, 2), -1);
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
            PackedEntries packed = packs ? new PackedEntries(file, writer.pages(), 1) : null;
            writer.start(file, packed);
            for (int i = 0; i < ENTRIES; i++) {
                byte[] rest = new byte[BYTES];
                Arrays.fill(rest, (byte) (i + 1));
                writer.append(1 + BYTES, i, i, PLAIN, ByteBuffer.wrap(rest));
                if (i % 2 == 0) {
                    writer.publish();
                }
            }
            writer.settle();
            if (!writer.isSettled()) {
                throw new AssertionError("not settled");
            }
            writer.end();
            byte[] all = Files.readAllBytes(path);
            for (int i = 0; i < ENTRIES; i++) {
                int at = i * (HEAD + BYTES);
                if (ByteBuffer.wrap(all).getInt(at) != 1 + BYTES
                        || all[at + HEAD] != i + 1
                        || all[at + HEAD + BYTES - 1] != i + 1) {
                    throw new AssertionError("entry " + i + " is not where it belongs");
                }
                boolean within = at % BlockWriter.PAGE + HEAD + BYTES <= BlockWriter.PAGE;
                if (!packs && within && !Entries.isWhole(new CRC32C(), ByteBuffer.wrap(all), at)) {
                    throw new AssertionError("entry " + i + " has another checksum");
                }
            }
        } finally {
            Files.delete(path);
        }
    }

    /** One thread takes blocks and two give them back: no block is held twice, and none is lost. */
    public static void pool() throws InterruptedException {
        BlockPool pool = new BlockPool(BlockWriter.PAGE, 2);
        AtomicReference<BlockPool.Block> first = new AtomicReference<>(pool.take());
        AtomicReference<BlockPool.Block> second = new AtomicReference<>(pool.take());
        Thread giver = new Thread(() -> pool.give(first.get()));
        Thread other = new Thread(() -> pool.give(second.get()));
        giver.start();
        other.start();
        List<BlockPool.Block> taken = new ArrayList<>();
        while (taken.size() < 2) {
            BlockPool.Block block = pool.take();
            if (block == null) {
                Thread.yield();
            } else if (taken.contains(block)) {
                throw new AssertionError("a block was taken twice");
            } else {
                taken.add(block);
            }
        }
        giver.join();
        other.join();
        if (pool.take() != null) {
            throw new AssertionError("a third block of two");
        }
    }

    private record Written(FileChannel channel) implements SyncThread.Dirty {
        @Override
        public boolean isWritten() {
            return true;
        }
    }

    /** Full segments go to the thread {@code journal} while the main loop ends: each is closed once, without an error. */
    public static void sync() throws IOException {
        SyncThread sync = new SyncThread(1000);
        Path path = Files.createTempFile("fray", ".segment");
        FileChannel one = FileChannel.open(path, StandardOpenOption.WRITE);
        FileChannel two = FileChannel.open(path, StandardOpenOption.WRITE);
        try {
            sync.dirty(new Written(one));
            sync.retire(one);
            sync.dirty(new Written(two));
            sync.retire(two);
            sync.finishRetired();
            sync.end();
            while (one.isOpen() || two.isOpen()) {
                Thread.yield();
            }
            if (sync.errors() != 0) {
                throw new AssertionError(sync.errors() + " errors");
            }
        } finally {
            Files.delete(path);
        }
    }
}
