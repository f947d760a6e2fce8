package io.metricsaggregator.fold;

/** Where the folds of a lane log their effects: those of the batch that the lane folds at present. Belongs to the thread of the lane. */
final class LaneLog {
    LaneEffects effects = new LaneEffects(0, 1);
}
