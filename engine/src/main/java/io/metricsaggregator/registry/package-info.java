/**
 * Counters and series: what the fold writes and snapshots are made of. Recording belongs to the one thread that owns the
 * registry; {@link io.metricsaggregator.registry.SeriesFreeze} carries a copy to the thread that renders. It must not know
 * where a value comes from, nor any clock or socket.
 */
@NullMarked
package io.metricsaggregator.registry;

import org.jspecify.annotations.NullMarked;
