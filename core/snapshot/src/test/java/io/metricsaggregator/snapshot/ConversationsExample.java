package io.metricsaggregator.snapshot;

import io.metricsaggregator.snapshot.figures.Conversations;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import java.util.List;

/** Conversations in which every component has a value of its own, and rows with and without values. */
final class ConversationsExample {
    private static final LabelBreakdown.Durations DURATIONS = new LabelBreakdown.Durations(3, 1, 2, 3, 4);

    static final Conversations CONVERSATIONS = new Conversations(
            9,
            8,
            7,
            6,
            1.154,
            5,
            4,
            0.5,
            new Conversations.CacheHits(3, 0.6, 0.1, 0.5, 0.9),
            List.of(
                    new Conversations.Turns(
                            1,
                            1,
                            3,
                            2,
                            1,
                            new Conversations.Tokens(2, 300),
                            new Conversations.Tokens(1, 40),
                            1000,
                            512,
                            DURATIONS,
                            DURATIONS),
                    new Conversations.Turns(
                            65,
                            null,
                            1,
                            0,
                            0,
                            new Conversations.Tokens(0, 0),
                            new Conversations.Tokens(0, 0),
                            0,
                            0,
                            null,
                            null)));

    private ConversationsExample() {}
}
