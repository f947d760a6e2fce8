/**
 * Turns the load generator's events into metrics: sessions, samples, errors, objectives and slices of time. Belongs to the one thread
 * that applies events; applying one allocates nothing, except where something is received for the first time. It must know no clock,
 * socket, file or thread: time is always passed in.
 */
@NullMarked
package io.metricsaggregator.fold;

import org.jspecify.annotations.NullMarked;
