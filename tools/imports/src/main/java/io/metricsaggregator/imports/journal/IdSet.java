package io.metricsaggregator.imports.journal;

import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Remembers ids by a 64-bit hash, 16 bytes each at most. Two ids may collide, once in 2^64 pairs; the caller then renames the second one
 * without need. One thread.
 */
final class IdSet {
    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

    private final long seed = new SecureRandom().nextLong();
    private long[] table = new long[1 << 10];
    private int size;

    /** Adds an id; returns whether it is new. */
    boolean add(String id) {
        if (4L * size >= 3L * table.length) {
            grow();
        }
        return insert(hash(id));
    }

    private long hash(String id) {
        long hash = seed;
        for (int i = 0; i < id.length(); i++) {
            hash = (hash ^ id.charAt(i)) * MULTIPLIER;
            hash ^= hash >>> 29;
        }
        hash = (hash ^ id.length()) * MULTIPLIER;
        hash ^= hash >>> 32;
        return hash == 0 ? 1 : hash;
    }

    private boolean insert(long hash) {
        int mask = table.length - 1;
        int at = (int) (hash & mask);
        while (table[at] != 0) {
            if (table[at] == hash) {
                return false;
            }
            at = (at + 1) & mask;
        }
        table[at] = hash;
        size++;
        return true;
    }

    private void grow() {
        long[] old = table;
        table = new long[Math.multiplyExact(2, old.length)];
        size = 0;
        Arrays.stream(old).filter(hash -> hash != 0).forEach(this::insert);
    }
}
