/**
 * Measurements: JMH for the parts of the event path, real processes for the whole, beside upper bounds and other implementations. Each
 * process of a case owns its own sockets and threads. It is not shipped, and no other package may depend on it.
 */
@NullMarked
package io.metricsaggregator.benchmarks;

import org.jspecify.annotations.NullMarked;
