/**
 * Counts the tokens of texts off the event path: batches of texts go to threads, and their counts come back to the thread of the fold.
 * {@code TokenCountQueue} belongs to that thread; workers own one batch at a time and share nothing but the tokenizer. It must not know
 * the fold or the registry, must not block the thread of the fold, and must report every text that it does not count.
 */
@NullMarked
package io.metricsaggregator.tokens;

import org.jspecify.annotations.NullMarked;
