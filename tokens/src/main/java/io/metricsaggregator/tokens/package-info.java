/**
 * Counts the tokens of texts off the event path: batches of texts go out to threads, counts come back, and the thread that owns
 * the fold records them. {@code TokenCountQueue} belongs to that thread; workers see one batch at a time and share nothing but the
 * tokenizer. It never blocks the thread of the fold, and a text that cannot be counted is counted as such.
 */
@NullMarked
package io.metricsaggregator.tokens;

import org.jspecify.annotations.NullMarked;
