package io.metricsaggregator.fold;

import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.snapshot.Outage;
import java.util.List;

/**
 * Folds the samples of one lane of a {@link PartitionedFold}: those whose ids have its number as their hash. Keeps their rows, counters and series, and
 * logs the rest in the batch. Belongs to the thread of the lane while that has a batch, and to the thread of the head between batches.
 */
public final class FoldLane {
    private final int number;
    private final LaneLog log = new LaneLog();
    private final LoadgenFold fold;

    FoldLane(int number, FoldOptions options, Registry registry) {
        this.number = number;
        this.fold = new LoadgenFold(registry, new RecordLedger(), options, true, log);
    }

    LoadgenFold fold() {
        return fold;
    }

    /** Copies the outages with the samples of this lane. */
    List<Outage> outages() {
        return fold.outages();
    }

    /** Folds the lane's events of a batch, in their order. */
    public void apply(EventBatch batch) {
        int[] places = batch.places[number];
        int size = batch.sizes[number];
        LaneEffects effects = batch.effects[number];
        log.effects = effects;
        fold.rows.look(batch.events, places, size);
        InFlightCounts counts = fold.samples.inFlight();
        for (int k = 0; k < size; k++) {
            int i = places[k];
            effects.begin(i);
            long before = counts.level();
            fold.rows.select(k);
            fold.applySelected(batch.events[i], batch.stamps[i]);
            long change = counts.level() - before;
            if (change != 0) {
                effects.add(LaneEffects.IN_FLIGHT, change, counts.changedNanos());
            }
        }
    }

    /** Updates the counters that are derived from other state, and takes back those that the head counts for all lanes. */
    void refresh() {
        fold.refresh();
        fold.counters.totalIssued.set(0);
        fold.counters.totalCompleted.set(0);
        fold.counters.totalFailed.set(0);
    }
}
