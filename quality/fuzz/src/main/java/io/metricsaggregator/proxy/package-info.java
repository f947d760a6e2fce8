/**
 * Holds the fuzz target of the proxy's framing, which needs package-private access. The fuzzer calls it on one thread. It must not open sockets.
 */
@NullMarked
package io.metricsaggregator.proxy;

import org.jspecify.annotations.NullMarked;
