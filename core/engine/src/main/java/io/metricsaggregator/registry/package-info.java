/**
 * Counters and series: what the folds record and snapshots are made of. One thread owns a registry and records; {@link
 * io.metricsaggregator.registry.RegistryCopy} carries a copy to the thread that renders. It must not know where a value comes from, nor
 * any clock, file, socket or thread.
 */
@NullMarked
package io.metricsaggregator.registry;

import org.jspecify.annotations.NullMarked;
