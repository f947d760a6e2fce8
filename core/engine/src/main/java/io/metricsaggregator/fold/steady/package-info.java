/**
 * Slices of time, batches of steady state, super-passes and objectives: figures by the time of issue. Belongs to the one thread that applies events. It must know no clock, socket, file or thread.
 */
@NullMarked
package io.metricsaggregator.fold.steady;

import org.jspecify.annotations.NullMarked;
