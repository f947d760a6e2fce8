/**
 * The live sum of many runs: subscribes to the snapshots of daemons and of other fleets, and publishes one snapshot of all. The sockets, the
 * node table and the sum belong to the main loop, on the thread {@code main}; files are written on the thread {@code disk}, and exporters read immutable
 * snapshots. It must not see events, folds or journals, and no package but the command line knows it.
 */
@NullMarked
package io.metricsaggregator.fleet;

import org.jspecify.annotations.NullMarked;
