/** Commands that run beside a benchmark: {@code run}, {@code fleet}, {@code agent}, and what starts or asks them. */
@NullMarked
package io.metricsaggregator.cli.daemon;

import org.jspecify.annotations.NullMarked;
