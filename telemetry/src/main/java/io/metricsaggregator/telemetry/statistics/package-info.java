/**
 * Statistics that several telemetry kinds share: interpolated percentiles, moments, a reservoir and a time grid that coarsens. Every instance
 * belongs to one fold, and with it to the thread that applies events. The package knows no kind, no record and no wire key besides the names
 * of its statistics.
 */
@NullMarked
package io.metricsaggregator.telemetry.statistics;

import org.jspecify.annotations.NullMarked;
