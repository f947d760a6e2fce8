package io.metricsaggregator.fold.label;

import io.metricsaggregator.ledger.WorkerCounts;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import org.jspecify.annotations.Nullable;

/** The workers of a run as a key of samples beside the labels: the first {@link LabelKey#VALUES_MAX} workers that issue samples. Belongs to the thread of the fold. */
final class WorkerKey {
    private final LabelKey key = new LabelKey(LabelBreakdown.WORKER);
    private final @Nullable WorkerCounts[] workers = new @Nullable WorkerCounts[LabelKey.CODES];
    private @Nullable WorkerCounts last;
    private int lastCode = LabelKey.UNKNOWN;

    LabelKey key() {
        return key;
    }

    /** The code of a worker; allocates for a new one. */
    int code(WorkerCounts worker) {
        if (worker != last) {
            last = worker;
            lastCode = find(worker);
        }
        return lastCode;
    }

    private int find(WorkerCounts worker) {
        if (worker.worker().isEmpty()) {
            return LabelKey.NONE;
        }
        for (int code = 0; code < workers.length; code++) {
            if (workers[code] == worker) {
                return code;
            }
        }
        if (key.isFull()) {
            return LabelKey.OTHER;
        }
        int code = key.add(worker.worker());
        workers[code] = worker;
        return code;
    }
}
