/**
 * Statistics that several telemetry kinds share: interpolated percentiles, moments, a reservoir and a time grid that coarsens. Every instance
 * belongs to one fold, and with it to the thread that applies events. The package must not know kinds, records or wire keys other than the names
 * of its statistics.
 */
@NullMarked
package io.metricsaggregator.telemetry.statistics;

import org.jspecify.annotations.NullMarked;
