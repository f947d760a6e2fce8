/**
 * What needs JDK 25: coroutines of its virtual threads, and its class-file API, with which the daemon's classes are changed while they are
 * loaded. Maven does not compile this folder; {@code quality/simulation/run} does.
 */
@NullMarked
package io.metricsaggregator.simulation.weave;

import org.jspecify.annotations.NullMarked;
