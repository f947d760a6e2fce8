package io.metricsaggregator.registry;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every value of a series, 8 bytes each, in chunks that are never copied. When the budget is used up, the values are given up as a
 * whole: percentiles then come from the histogram, and say so.
 */
final class RawValues {
    private static final int FIRST_CHUNK = 1 << 10;
    private static final int LARGEST_CHUNK = 1 << 16;

    private final RawBudget budget;
    private final List<long[]> full = new ArrayList<>();
    private long @Nullable [] chunk;
    private int used;
    private long fullCount;
    private boolean complete = true;

    RawValues(RawBudget budget) {
        this.budget = budget;
    }

    void add(long value) {
        long[] current = chunk;
        if (current == null || used == current.length) {
            current = nextChunk();
            if (current == null) {
                return;
            }
        }
        current[used++] = value;
    }

    /** Adds all of another's values; if those are not complete, neither are these any more. */
    void add(RawValues other) {
        if (!other.complete) {
            giveUp();
            return;
        }
        other.forEachChunk((values, size) -> {
            for (int i = 0; i < size; i++) {
                add(values[i]);
            }
            return complete;
        });
    }

    private long @Nullable [] nextChunk() {
        if (!complete) {
            return null;
        }
        int size = chunk == null ? FIRST_CHUNK : Math.min(2 * chunk.length, LARGEST_CHUNK);
        if (!budget.take(8L * size)) {
            giveUp();
            return null;
        }
        if (chunk != null) {
            full.add(chunk);
            fullCount += chunk.length;
        }
        used = 0;
        chunk = new long[size];
        return chunk;
    }

    private void giveUp() {
        complete = false;
        for (long[] each : full) {
            budget.giveBack(8L * each.length);
        }
        if (chunk != null) {
            budget.giveBack(8L * chunk.length);
        }
        full.clear();
        fullCount = 0;
        chunk = null;
        used = 0;
    }

    /** Whether it holds all values that were added. */
    boolean isComplete() {
        return complete;
    }

    long size() {
        return fullCount + used;
    }

    /** Looks at every value, in the order they came, a chunk at a time. */
    void forEachChunk(ChunkVisitor visitor) {
        for (long[] each : full) {
            if (!visitor.visit(each, each.length)) {
                return;
            }
        }
        if (chunk != null) {
            visitor.visit(chunk, used);
        }
    }

    /** Sees one chunk; answers whether to go on. */
    interface ChunkVisitor {
        boolean visit(long[] values, int size);
    }
}
