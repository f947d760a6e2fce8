package io.metricsaggregator.otlp;

import java.util.function.Predicate;

/**
 * What the readers keep of a span; they skip the rest unread, prompts and answers among it.
 *
 * @param attribute whether an attribute of that name is kept
 * @param event whether an event of that name is a chunk of the answer
 */
record Wanted(Predicate<String> attribute, Predicate<String> event) {}
