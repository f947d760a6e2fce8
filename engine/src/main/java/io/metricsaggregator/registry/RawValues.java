package io.metricsaggregator.registry;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every value of a series. Values wait in a small array until it is full; then they are packed as a block into a slab: the
 * smallest of them, and the others' distances from it, in as few bytes as the largest distance takes (0 to 8). When there is no
 * room for another slab, the values are given up as a whole: percentiles then come from the histogram, and say so.
 */
final class RawValues {
    /** Values of a block. */
    static final int BLOCK = 4096;

    private static final int FIRST_STAGING = 128;
    private static final long[] NO_VALUES = {};

    // The head of a block: how many values, bytes of each, the smallest.
    private static final int COUNT = 0;
    private static final int WIDTH = 4;
    private static final int BASE = 8;
    private static final int HEAD_BYTES = 16;
    /** A value is written and read as 8 bytes, whatever its width: so many are left free behind the last. */
    private static final int SLACK_BYTES = 8;

    private final SlabStore store;
    private final List<SlabStore.Slab> sealed = new ArrayList<>();
    private final List<Integer> sealedBytes = new ArrayList<>();
    private SlabStore.@Nullable Slab filling;
    private int filled;
    private long[] staging = NO_VALUES;
    private int staged;
    private long packed;
    private boolean complete = true;

    RawValues(SlabStore store) {
        this.store = store;
    }

    void add(long value) {
        if (staged == staging.length && !makeRoom()) {
            return;
        }
        staging[staged++] = value;
    }

    /** Adds all of another's values; if those are not complete, neither are these any more. */
    void add(RawValues other) {
        if (!other.complete) {
            giveUp();
            return;
        }
        boolean whole = other.visit(0, 1, (values, size) -> {
            for (int i = 0; i < size; i++) {
                add(values[i]);
            }
            return complete;
        });
        if (!whole) {
            giveUp();
        }
    }

    private boolean makeRoom() {
        if (!complete) {
            return false;
        }
        if (staging.length < BLOCK) {
            int size = staging.length == 0 ? FIRST_STAGING : 2 * staging.length;
            if (!store.take(8L * (size - staging.length))) {
                giveUp();
                return false;
            }
            long[] larger = new long[size];
            System.arraycopy(staging, 0, larger, 0, staged);
            staging = larger;
            return true;
        }
        if (!pack()) {
            giveUp();
            return false;
        }
        return true;
    }

    private boolean pack() {
        long min = staging[0];
        long max = min;
        for (int i = 1; i < BLOCK; i++) {
            min = Math.min(min, staging[i]);
            max = Math.max(max, staging[i]);
        }
        // As an unsigned number, right even where it is beyond 63 bits.
        int width = (64 - Long.numberOfLeadingZeros(max - min) + 7) / 8;
        int size = HEAD_BYTES + BLOCK * width;
        SlabStore.Slab slab = filling;
        if (slab == null || filled + size + SLACK_BYTES > SlabStore.SLAB_BYTES) {
            slab = nextSlab();
            if (slab == null) {
                return false;
            }
        }
        ByteBuffer buffer = slab.buffer();
        buffer.putInt(filled + COUNT, BLOCK);
        buffer.putInt(filled + WIDTH, width);
        buffer.putLong(filled + BASE, min);
        int at = filled + HEAD_BYTES;
        for (int i = 0; i < BLOCK; i++) {
            // Zeros above the value's own bytes: the next one overwrites them.
            buffer.putLong(at, staging[i] - min);
            at += width;
        }
        filled += size;
        packed += BLOCK;
        staged = 0;
        return true;
    }

    private SlabStore.@Nullable Slab nextSlab() {
        SlabStore.Slab next = store.newSlab();
        if (next == null) {
            return null;
        }
        if (filling != null) {
            sealed.add(filling);
            sealedBytes.add(filled);
            filling.seal();
        }
        filling = next;
        filled = 0;
        return next;
    }

    private void giveUp() {
        if (!complete) {
            return;
        }
        complete = false;
        sealed.forEach(SlabStore.Slab::release);
        sealed.clear();
        sealedBytes.clear();
        if (filling != null) {
            filling.release();
            filling = null;
        }
        store.giveBack(8L * staging.length);
        staging = NO_VALUES;
        staged = 0;
        packed = 0;
    }

    /** Whether it holds all values that were added. */
    boolean isComplete() {
        return complete;
    }

    long size() {
        return packed + staged;
    }

    /** Sees values, some at a time; answers whether to go on. */
    interface Visitor {
        boolean visit(long[] values, int size);
    }

    /**
     * Looks at every so many-th slab, a block at a time. Several threads may do so at once, while nothing is added.
     *
     * @param part which of the parts, from 0
     * @param parts how many of them there are
     * @return false if the visitor ended it, or values cannot be read any more
     */
    boolean visit(int part, int parts, Visitor visitor) {
        long[] values = new long[BLOCK];
        ByteBuffer scratch =
                ByteBuffer.allocate(sealed.isEmpty() ? 0 : SlabStore.SLAB_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = part; i < sealed.size(); i += parts) {
            ByteBuffer content = sealed.get(i).read(scratch);
            if (content == null || !visitSlab(content, sealedBytes.get(i), values, visitor)) {
                return false;
            }
        }
        if (part > 0) {
            return true;
        }
        if (filling != null && !visitSlab(filling.buffer(), filled, values, visitor)) {
            return false;
        }
        return staged == 0 || visitor.visit(staging, staged);
    }

    private static boolean visitSlab(ByteBuffer slab, int bytes, long[] values, Visitor visitor) {
        int at = 0;
        while (at < bytes) {
            int count = slab.getInt(at + COUNT);
            int width = slab.getInt(at + WIDTH);
            long base = slab.getLong(at + BASE);
            long mask = width == 8 ? -1 : (1L << (8 * width)) - 1;
            at += HEAD_BYTES;
            for (int i = 0; i < count; i++) {
                values[i] = base + (slab.getLong(at) & mask);
                at += width;
            }
            if (!visitor.visit(values, count)) {
                return false;
            }
        }
        return true;
    }
}
