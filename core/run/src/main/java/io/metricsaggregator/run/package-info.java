/**
 * The state of one run: its folds, registry, journal and token counting, wired by {@link io.metricsaggregator.run.RunAssembler}, and
 * the snapshots taken of it. The thread {@code main-loop} owns a {@link io.metricsaggregator.run.LiveRun}, and the thread that replays
 * owns a {@link io.metricsaggregator.run.ReplayedRun}; only snapshots leave that thread. It must not open a socket, handle a signal or
 * decide how the process ends.
 */
@NullMarked
package io.metricsaggregator.run;

import org.jspecify.annotations.NullMarked;
