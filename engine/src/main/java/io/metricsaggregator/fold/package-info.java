/**
 * Events to metrics: what each event means, one fold a family of events. Pure: no clock, no socket, no file, no thread; time comes
 * in as a value. All of it belongs to the one thread that applies events. Applying an event allocates nothing, except where
 * something is seen for the first time.
 */
@NullMarked
package io.metricsaggregator.fold;

import org.jspecify.annotations.NullMarked;
