/**
 * Holds the fuzz target of the protocol engine, which needs package-private access. The fuzzer calls it on one thread. It must not open a
 * socket.
 */
@NullMarked
package io.metricsaggregator.transport.zmtp;

import org.jspecify.annotations.NullMarked;
