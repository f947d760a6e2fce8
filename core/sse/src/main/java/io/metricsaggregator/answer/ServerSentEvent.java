package io.metricsaggregator.answer;

import org.jspecify.annotations.Nullable;

/**
 * One event of a stream. Immutable.
 *
 * @param type its type; empty if it has none, which the standard calls {@code message}
 * @param data its data lines, joined by line feeds; null if it has none: the standard drops such an event, but servers send errors so
 * @param comment its comment lines, joined by line feeds; null if it has none
 */
public record ServerSentEvent(
        String type, @Nullable String data, @Nullable String comment) {}
