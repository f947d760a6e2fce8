/** A target of the fuzzer beside what it needs. */
@NullMarked
package io.metricsaggregator.transport.zmtp;

import org.jspecify.annotations.NullMarked;
