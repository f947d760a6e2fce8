/**
 * The simulated machine: one virtual clock, one source of chance, and the threads of one process at a time as coroutines on a single
 * thread of the JVM. Knows the JDK alone: the daemon's classes are loaded by another class loader and reach it through {@link
 * io.metricsaggregator.simulation.machine.JdkCalls}. Must not read the real clock.
 */
@NullMarked
package io.metricsaggregator.simulation.machine;

import org.jspecify.annotations.NullMarked;
