package io.metricsaggregator.run;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.tokens.TokenCountQueue;

/** The counters of texts in snapshots, which mirror those of the queue. Belongs to the thread of the main flow. */
final class TextCounters {
    private final TokenCountQueue queue;
    private final LongCounter enqueued;
    private final LongCounter counted;
    private final LongCounter approximate;
    private final LongCounter failed;
    private final LongCounter dropped;

    TextCounters(Registry registry, TokenCountQueue queue) {
        this.queue = queue;
        this.enqueued = registry.counter(CounterName.TEXTS_ENQUEUED);
        this.counted = registry.counter(CounterName.TEXTS_COUNTED);
        this.approximate = registry.counter(CounterName.TEXTS_APPROXIMATE);
        this.failed = registry.counter(CounterName.TEXTS_FAILED);
        this.dropped = registry.counter(CounterName.TEXTS_DROPPED);
    }

    /** Updates the counters; to be called before a snapshot is taken. */
    void refresh() {
        enqueued.set(queue.enqueued());
        counted.set(queue.counted());
        approximate.set(queue.approximate());
        failed.set(queue.failed());
        dropped.set(queue.dropped());
    }
}
