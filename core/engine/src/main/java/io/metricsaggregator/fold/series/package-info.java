/**
 * The counters and series of samples, and the options of a fold: which samples are tracked, objectives, what counts as a stall. Belongs to the one thread that applies events. It must know no clock, socket, file or thread.
 */
@NullMarked
package io.metricsaggregator.fold.series;

import org.jspecify.annotations.NullMarked;
