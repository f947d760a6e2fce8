package io.metricsaggregator.codec;

import java.util.Random;

/** Creates seeded generators and prints the seed, so that a failure can be reproduced with {@code -Dtest.seed=…}. */
public final class Seed {
    private Seed() {}

    public static Random random(Class<?> test) {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println(test.getSimpleName() + " seed: -Dtest.seed=" + seed);
        return new Random(seed);
    }
}
