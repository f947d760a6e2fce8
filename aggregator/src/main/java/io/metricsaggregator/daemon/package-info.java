/**
 * The daemon: its one main flow ({@link io.metricsaggregator.daemon.Aggregator}), the wiring, signals, and what the exit status
 * promises. The flow runs on the thread {@code main-loop}, which owns sockets, fold and registry; {@code main} waits at the barrier.
 * It must not compute a metric.
 */
@NullMarked
package io.metricsaggregator.daemon;

import org.jspecify.annotations.NullMarked;
