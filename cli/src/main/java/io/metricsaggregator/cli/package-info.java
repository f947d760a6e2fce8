/**
 * The one command and its sub-commands: options in, exit status out. Each sub-command runs on {@code main} and wires the other
 * modules; none of them knows this one. It must not compute anything that a user of the libraries needs.
 */
@NullMarked
package io.metricsaggregator.cli;

import org.jspecify.annotations.NullMarked;
