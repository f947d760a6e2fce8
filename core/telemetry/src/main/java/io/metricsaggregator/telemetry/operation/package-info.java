/**
 * Folds keyed operations ({@code operation.*}): durations, counts and attributes by name, key and source. The fold belongs to the thread that
 * applies events. It must not keep a key beyond the limit: such keys are folded into {@code other} and counted.
 */
@NullMarked
package io.metricsaggregator.telemetry.operation;

import org.jspecify.annotations.NullMarked;
