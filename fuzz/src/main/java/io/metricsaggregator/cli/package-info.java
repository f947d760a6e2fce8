/** A target of the fuzzer beside what it needs. */
@NullMarked
package io.metricsaggregator.cli;

import org.jspecify.annotations.NullMarked;
