/**
 * Statistics of steady state: trend tests, change points, confidence intervals, plateaus of a run, and the live state. Every function is pure
 * and may be called on any thread; a result never changes. The package must not know records, snapshots or the engine: its inputs are arrays.
 */
@NullMarked
package io.metricsaggregator.steady;

import org.jspecify.annotations.NullMarked;
