package io.metricsaggregator.simulation.disk;

import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A file: its bytes as the process sees them, and those that a power cut leaves. */
final class FileNode extends Node {
    private static final int SECTOR = 512;

    private byte[] bytes = new byte[0];
    private int size;
    private byte[] durable = new byte[0];
    private int durableSize;
    /** Sectors written since the last fsync. */
    private final BitSet dirty = new BitSet();

    private boolean sizeDirty;
    private @Nullable MappedByteBuffer mapped;

    int size() {
        return size;
    }

    byte[] content() {
        readMapping();
        return Arrays.copyOf(bytes, size);
    }

    byte[] durableContent() {
        return Arrays.copyOf(durable, durableSize);
    }

    /** Whether a power cut now could leave other bytes than the process sees. */
    boolean isDirty() {
        return sizeDirty || !dirty.isEmpty();
    }

    void read(int at, byte[] into) {
        readMapping();
        System.arraycopy(bytes, at, into, 0, into.length);
    }

    void write(byte[] from, int at) {
        int end = at + from.length;
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, bytes.length * 2 + 4096));
        }
        System.arraycopy(from, 0, bytes, at, from.length);
        dirty.set(at / SECTOR, (end - 1) / SECTOR + 1);
        if (end > size) {
            size = end;
            sizeDirty = true;
        }
    }

    void truncate(int to) {
        if (to < size) {
            Arrays.fill(bytes, to, size, (byte) 0);
            size = to;
            sizeDirty = true;
        }
    }

    /** Maps the file: to memory that is read when the bytes are needed. In the JDK every direct buffer is a mapped one. */
    MappedByteBuffer map(long length) {
        MappedByteBuffer buffer = (MappedByteBuffer) ByteBuffer.allocateDirect((int) length);
        buffer.put(0, content(), 0, (int) Math.min(size, length));
        mapped = buffer;
        return buffer;
    }

    private void readMapping() {
        MappedByteBuffer buffer = mapped;
        if (buffer != null) {
            byte[] now = new byte[buffer.capacity()];
            buffer.get(0, now);
            if (!Arrays.equals(now, 0, now.length, bytes, 0, Math.min(now.length, bytes.length))) {
                write(now, 0);
            }
        }
    }

    @Override
    void force() {
        readMapping();
        for (int sector = dirty.nextSetBit(0); sector >= 0; sector = dirty.nextSetBit(sector + 1)) {
            persist(sector);
        }
        dirty.clear();
        durableSize = sizeDirty ? size : durableSize;
        sizeDirty = false;
    }

    @Override
    void forceFailed() {
        // As the kernel does: the pages count as clean, though they are not on the disk.
        dirty.clear();
    }

    private void persist(int sector) {
        int start = sector * SECTOR;
        int end = Math.min(start + SECTOR, bytes.length);
        if (durable.length < end) {
            durable = Arrays.copyOf(durable, Math.max(end, durable.length * 2));
        }
        if (end > start) {
            System.arraycopy(bytes, start, durable, start, end - start);
        }
    }

    @Override
    void cutPower(SplittableRandom chance) {
        readMapping();
        mapped = null;
        for (int sector = dirty.nextSetBit(0); sector >= 0; sector = dirty.nextSetBit(sector + 1)) {
            if (chance.nextBoolean()) {
                persist(sector);
            }
        }
        dirty.clear();
        durableSize = sizeDirty && chance.nextBoolean() ? size : durableSize;
        sizeDirty = false;
        durable = Arrays.copyOf(durable, Math.max(durable.length, durableSize));
        bytes = Arrays.copyOf(durable, durableSize);
        size = durableSize;
    }

    @Override
    void killProcess() {
        readMapping();
        mapped = null;
    }
}
