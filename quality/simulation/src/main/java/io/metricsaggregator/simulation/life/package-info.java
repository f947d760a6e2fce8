/**
 * One life of the daemon: what its machine, producers and operator do is drawn from a seed, the daemon runs until a run has ended, and
 * invariants are checked on everything it shows and leaves. Loaded by the class loader that weaves; runs on one thread of the JVM.
 */
@NullMarked
package io.metricsaggregator.simulation.life;

import org.jspecify.annotations.NullMarked;
