/** A target of the fuzzer beside what it needs. */
@NullMarked
package io.metricsaggregator.tokens;

import org.jspecify.annotations.NullMarked;
