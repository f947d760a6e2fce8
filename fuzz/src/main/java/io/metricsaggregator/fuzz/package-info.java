/**
 * Targets of a fuzzer: each takes any bytes and throws only if our code does what it must not. One thread calls them. They hold no
 * state from one input to the next that could change an outcome.
 */
@NullMarked
package io.metricsaggregator.fuzz;

import org.jspecify.annotations.NullMarked;
