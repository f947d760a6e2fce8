/**
 * Telemetry that the daemon or {@code agent} collects itself: resources of the host from /proc and cgroup files, and metrics of exporters.
 * Each source has a thread of its own, which passes records through one queue; the main loop journals and folds them like those of producers.
 * This package must not aggregate, and must not block the main loop.
 */
@NullMarked
package io.metricsaggregator.collect;

import org.jspecify.annotations.NullMarked;
