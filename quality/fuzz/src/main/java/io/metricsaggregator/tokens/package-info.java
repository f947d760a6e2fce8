/**
 * Holds the fuzz target of chat templates, which needs package-private access. The fuzzer calls it on one thread. It must not download
 * anything.
 */
@NullMarked
package io.metricsaggregator.tokens;

import org.jspecify.annotations.NullMarked;
