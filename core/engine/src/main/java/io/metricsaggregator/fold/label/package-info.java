/**
 * Figures by label and by endpoint, and the progress of samples in flight: waits, stalls. Belongs to the one thread that applies events. It must know no clock, socket, file or thread.
 */
@NullMarked
package io.metricsaggregator.fold.label;

import org.jspecify.annotations.NullMarked;
