/**
 * Counts the tokens of texts off the event path: batches of texts go to threads, and their counts return to the thread of the fold.
 * {@code TokenCountQueue} is owned by that thread; workers own one batch at a time and share only the tokenizer. It must not depend on
 * the fold or the registry, must not block the thread of the fold, and must report every text that it does not count.
 */
@NullMarked
package io.metricsaggregator.tokens;

import org.jspecify.annotations.NullMarked;
