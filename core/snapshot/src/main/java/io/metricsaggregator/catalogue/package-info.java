/**
 * The catalogue of a snapshot's counters and series: each name once, with its unit and meaning, for the code that registers it and for the
 * code that reads, shows, exports and documents it. Immutable, so any thread may use it. It must not hold values, and it must not list names
 * that producers choose at run time (own metrics, operations, workers): those are keys of the snapshot's extensions.
 */
@NullMarked
package io.metricsaggregator.catalogue;

import org.jspecify.annotations.NullMarked;
