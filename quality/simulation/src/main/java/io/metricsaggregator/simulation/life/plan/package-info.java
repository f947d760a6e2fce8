/**
 * What is decided about a life before it begins: how the daemon is started, what its producers send, and what goes wrong; as records, drawn from a seed, and
 * as text. Loaded by the class loader that weaves; has no state.
 */
@NullMarked
package io.metricsaggregator.simulation.life.plan;

import org.jspecify.annotations.NullMarked;
