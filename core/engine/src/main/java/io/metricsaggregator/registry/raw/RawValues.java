package io.metricsaggregator.registry.raw;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * All values of a series. Values are staged in a small array; a full array is packed into a slab as a block: the smallest value, and the
 * distances of all values from it, each in as few bytes as the largest distance needs (0 to 8). Without room for another slab all values
 * are discarded and the series is incomplete: its percentiles then come from the histogram, and are marked as such. Belongs to the
 * thread that owns the registry; {@link #visit} may be called by several threads while nothing is added.
 */
public final class RawValues {
    /** Number of values in a block. */
    public static final int BLOCK = 4096;

    private static final int FIRST_STAGING = 128;
    private static final long[] NO_VALUES = {};

    // Offsets in the head of a block: number of values, bytes of each, smallest value.
    private static final int COUNT = 0;
    private static final int WIDTH = 4;
    private static final int BASE = 8;
    private static final int HEAD_BYTES = 16;
    /** Bytes left free behind the last block, because every value is written and read as 8 bytes whatever its width. */
    private static final int SLACK_BYTES = 8;

    private final SlabStore store;
    private final List<SlabStore.Slab> sealed = new ArrayList<>();
    private final List<Integer> sealedBytes = new ArrayList<>();
    private SlabStore.@Nullable Slab filling;
    private int filled;
    private long[] staging = NO_VALUES;
    private int staged;
    /** The first staged values whose bounds are known, and these. */
    private int bounded;

    private long low;
    private long high;
    private long packed;
    /** Values in full slabs. */
    private long sealedValues;

    private boolean complete = true;

    public RawValues(SlabStore store) {
        this.store = store;
    }

    /** Adds a value, unless values have been discarded. */
    public void add(long value) {
        if (staged == staging.length && !makeRoom()) {
            return;
        }
        staging[staged++] = value;
    }

    /** Adds the first {@code size} of {@code values}, which are from {@code lowest} to {@code highest}, unless values have been discarded. */
    public void add(long[] values, int size, long lowest, long highest) {
        int at = 0;
        while (at < size && (staged < staging.length || makeRoom())) {
            int part = Math.min(size - at, staging.length - staged);
            System.arraycopy(values, at, staging, staged, part);
            if (bounded == staged) {
                low = staged == 0 ? lowest : Math.min(low, lowest);
                high = staged == 0 ? highest : Math.max(high, highest);
                bounded += part;
            }
            staged += part;
            at += part;
        }
    }

    /**
     * Adds all values of another series; incomplete if those are. Full slabs of the other are shared, because they do not change any more; their
     * memory stays that of the other's store.
     */
    public void add(RawValues other) {
        if (!other.complete) {
            discard();
            return;
        }
        if (!complete) {
            return;
        }
        for (int i = 0; i < other.sealed.size(); i++) {
            SlabStore.Slab slab = other.sealed.get(i);
            sealed.add(slab instanceof SharedSlab ? slab : new SharedSlab(slab));
            sealedBytes.add(other.sealedBytes.get(i));
        }
        packed += other.sealedValues;
        sealedValues += other.sealedValues;
        boolean whole = other.visitUnsealed(new long[BLOCK], (values, size) -> {
            for (int i = 0; i < size; i++) {
                add(values[i]);
            }
            return complete;
        });
        if (!whole) {
            discard();
        }
    }

    /** Ends filling the present slab, so that a store that spills can write it. */
    public void seal() {
        if (filling != null) {
            sealed.add(filling);
            sealedBytes.add(filled);
            sealedValues = packed;
            filling.seal();
            filling = null;
        }
    }

    /** Discards all values, so that percentiles come from the histogram. */
    public void leaveOut() {
        discard();
    }

    /** A full slab of other values, which those release. */
    private record SharedSlab(SlabStore.Slab of) implements SlabStore.Slab {
        @Override
        public ByteBuffer buffer() {
            return of.buffer();
        }

        @Override
        public void seal() {
            // Sealed by its owner.
        }

        @Override
        public @Nullable ByteBuffer read(ByteBuffer scratch) {
            return of.read(scratch);
        }

        @Override
        public void release() {
            // Released by its owner.
        }
    }

    private boolean makeRoom() {
        if (!complete) {
            return false;
        }
        if (staging.length < BLOCK) {
            int size = staging.length == 0 ? FIRST_STAGING : 2 * staging.length;
            if (!store.takeStaging(8L * (size - staging.length))) {
                discard();
                return false;
            }
            long[] larger = new long[size];
            System.arraycopy(staging, 0, larger, 0, staged);
            staging = larger;
            return true;
        }
        if (!pack()) {
            discard();
            return false;
        }
        return true;
    }

    private boolean pack() {
        long min = bounded == 0 ? staging[0] : low;
        long max = bounded == 0 ? staging[0] : high;
        for (int i = bounded; i < BLOCK; i++) {
            min = Math.min(min, staging[i]);
            max = Math.max(max, staging[i]);
        }
        // The difference as an unsigned number is right even beyond 63 bits.
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
            // The next value overwrites the zeros above the bytes of this one.
            buffer.putLong(at, staging[i] - min);
            at += width;
        }
        filled += size;
        packed += BLOCK;
        staged = 0;
        bounded = 0;
        return true;
    }

    private SlabStore.@Nullable Slab nextSlab() {
        SlabStore.Slab next = store.newSlab();
        if (next == null) {
            return null;
        }
        seal();
        filling = next;
        filled = 0;
        return next;
    }

    private void discard() {
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
        bounded = 0;
        packed = 0;
        sealedValues = 0;
    }

    /** Whether all values that were added are kept. */
    public boolean isComplete() {
        return complete;
    }

    /** Number of values kept. */
    public long size() {
        return packed + staged;
    }

    /**
     * Hands the values after the first {@code from} to {@code receiver}, if there are few of them.
     *
     * @param all number of values that should be kept
     * @return false if not all are kept, or if some of the last ones are packed; then none is handed on
     */
    public boolean visitLatest(long all, long from, LongConsumer receiver) {
        if (size() != all || from < packed || from > all) {
            return false;
        }
        for (int i = (int) (from - packed); i < staged; i++) {
            receiver.accept(staging[i]);
        }
        return true;
    }

    /** Receives values block by block. */
    public interface Visitor {
        /** Takes the first {@code size} of {@code values}; returns false to end the visit. */
        boolean visit(long[] values, int size);
    }

    /**
     * Visits the values of one part of the slabs. Several threads may visit at the same time while nothing is added.
     *
     * @param part number of the part, from 0
     * @param parts number of parts
     * @return false if the visitor ended the visit or values cannot be read
     */
    public boolean visit(int part, int parts, Visitor visitor) {
        long[] values = new long[BLOCK];
        ByteBuffer scratch =
                ByteBuffer.allocate(sealed.isEmpty() ? 0 : SlabStore.SLAB_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = part; i < sealed.size(); i += parts) {
            ByteBuffer content = sealed.get(i).read(scratch);
            if (content == null || !visitSlab(content, sealedBytes.get(i), values, visitor)) {
                return false;
            }
        }
        return part > 0 || visitUnsealed(values, visitor);
    }

    private boolean visitUnsealed(long[] values, Visitor visitor) {
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
