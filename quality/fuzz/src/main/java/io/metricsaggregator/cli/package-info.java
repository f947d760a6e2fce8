/**
 * Holds the fuzz target of the command line, which needs package-private access. The fuzzer calls it on one thread. It must not run a
 * command.
 */
@NullMarked
package io.metricsaggregator.cli;

import org.jspecify.annotations.NullMarked;
