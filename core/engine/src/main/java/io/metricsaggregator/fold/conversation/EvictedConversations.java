package io.metricsaggregator.fold.conversation;

/**
 * Remembers which conversations were evicted, in a filter of 8 MB: after a million evictions it takes about one new conversation in 80 000 for a known
 * one. Belongs to the thread of the fold; allocates with the first eviction.
 */
final class EvictedConversations {
    private static final int BITS = 26;
    private static final int PROBES = 4;
    private static final long[] EMPTY = {};

    private long[] filter = EMPTY;

    void add(long id) {
        if (filter.length == 0) {
            filter = new long[1 << (BITS - 6)];
        }
        long step = step(id);
        for (int i = 0; i < PROBES; i++) {
            long bit = (id + i * step) & ((1L << BITS) - 1);
            filter[(int) (bit >>> 6)] |= 1L << bit;
        }
    }

    boolean contains(long id) {
        if (filter.length == 0) {
            return false;
        }
        long step = step(id);
        for (int i = 0; i < PROBES; i++) {
            long bit = (id + i * step) & ((1L << BITS) - 1);
            if ((filter[(int) (bit >>> 6)] & 1L << bit) == 0) {
                return false;
            }
        }
        return true;
    }

    private static long step(long id) {
        return id >>> 32 | 1;
    }
}
