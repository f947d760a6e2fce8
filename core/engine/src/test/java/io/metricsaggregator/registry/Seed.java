package io.metricsaggregator.registry;

/** Chooses and prints a seed, so that a failure can be reproduced with {@code -Dtest.seed=…}. */
public final class Seed {
    private Seed() {}

    public static long next(Class<?> test) {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println(test.getSimpleName() + " seed: -Dtest.seed=" + seed);
        return seed;
    }
}
