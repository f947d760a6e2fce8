/**
 * Folds custom metrics ({@code metric.count}, {@code metric.gauge}, {@code metric.record}) by name and label set. The fold belongs to the
 * thread that applies events. It must not keep more series than the limit: later ones are folded into {@code other} and counted.
 */
@NullMarked
package io.metricsaggregator.telemetry.metric;

import org.jspecify.annotations.NullMarked;
