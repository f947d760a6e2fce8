/**
 * The seam between {@code TelemetryFolds} and the kinds: the interface a kind implements, and the memory its tables may take. Every instance
 * belongs to the thread that applies events. The package knows no kind; limits of a kind that follow from the heap are named here, their use
 * is the kind's.
 */
@NullMarked
package io.metricsaggregator.telemetry.fold;

import org.jspecify.annotations.NullMarked;
