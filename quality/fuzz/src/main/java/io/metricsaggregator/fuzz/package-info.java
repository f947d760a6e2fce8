/**
 * Targets of a fuzzer: each accepts arbitrary bytes and throws only on a defect. The fuzzer calls them on one thread. They must not keep
 * state between inputs that could change an outcome.
 */
@NullMarked
package io.metricsaggregator.fuzz;

import org.jspecify.annotations.NullMarked;
