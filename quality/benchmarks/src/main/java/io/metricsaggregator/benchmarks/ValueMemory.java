package io.metricsaggregator.benchmarks;

import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.storage.ValueStorage;

/** Memory for values as the daemon has it: outside the heap, and made in advance by a thread of its own. */
final class ValueMemory {
    private static final ValueStorage STORE = new ValueStorage(Long.MAX_VALUE, null);

    private ValueMemory() {}

    /** A registry of a run, without series. */
    static Registry newRegistry() {
        return new Registry(3, 30, STORE);
    }
}
