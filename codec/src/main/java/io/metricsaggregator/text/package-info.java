/**
 * The seam between the fold of samples and the counting of tokens: texts go out through {@link io.metricsaggregator.text.TextSink},
 * counts come back through {@link io.metricsaggregator.text.TokenCountSink}, both on the thread that owns the fold. It must not know
 * either side: no tokenizer, no registry, no thread.
 */
@NullMarked
package io.metricsaggregator.text;

import org.jspecify.annotations.NullMarked;
