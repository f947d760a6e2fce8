package io.metricsaggregator.codec;

import java.util.Random;

/** A seeded generator that says its seed, so that a failure can be had again: {@code -Dtest.seed=…}. */
public final class Seed {
    private Seed() {}

    public static Random random(Class<?> test) {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println(test.getSimpleName() + " seed: -Dtest.seed=" + seed);
        return new Random(seed);
    }
}
