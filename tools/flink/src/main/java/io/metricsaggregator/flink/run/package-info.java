/**
 * The fold of whole runs: source and fold in one chain, a run at a time, by the daemon's own replay. A task's thread owns the run it
 * folds. Nothing here keeps state between runs, and no event leaves the task.
 */
@NullMarked
package io.metricsaggregator.flink.run;

import org.jspecify.annotations.NullMarked;
