/**
 * Measurements: JMH for the parts of the event path, real processes for the whole, with what is possible and what others do beside
 * it. Nothing here is shipped, and nobody knows this package.
 */
@NullMarked
package io.metricsaggregator.benchmarks;

import org.jspecify.annotations.NullMarked;
