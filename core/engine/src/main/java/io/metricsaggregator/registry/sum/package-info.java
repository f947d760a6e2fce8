/**
 * Sums without rounding: of integers in 128 bits, of doubles as their exact value. Belongs to the thread that owns the registry.
 */
@NullMarked
package io.metricsaggregator.registry.sum;

import org.jspecify.annotations.NullMarked;
