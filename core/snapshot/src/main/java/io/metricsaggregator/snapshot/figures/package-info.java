/**
 * The records of a snapshot beside its counters and series, each with one declaration of its fields, {@code pass}. Immutable.
 */
@NullMarked
package io.metricsaggregator.snapshot.figures;

import org.jspecify.annotations.NullMarked;
