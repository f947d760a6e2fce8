/**
 * Holds the fuzz target of received traces, which needs package-private access. The fuzzer calls it on one thread. It must not open a
 * socket.
 */
@NullMarked
package io.metricsaggregator.otlp;

import org.jspecify.annotations.NullMarked;
