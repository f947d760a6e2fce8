package io.metricsaggregator.producer;

import io.metricsaggregator.event.EventRecord;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Spreads requests over conversations: a request is the next turn of the conversation whose user has been ready the longest, or begins a new one.
 * Belongs to one thread.
 */
final class SyntheticConversations {
    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final int MOST_TURNS = 6;
    private static final long SHORTEST_THINK_MILLIS = 300;
    private static final int THINK_RANGE_MILLIS = 2000;

    /**
     * A turn of a conversation.
     *
     * @param conversation number of the conversation, from 1
     * @param index place of the turn, from 1
     * @param turns turns of the conversation, at least {@code index}
     * @param readyNanos earliest time of the request
     * @param contextTokens tokens of the turns before it
     */
    record Turn(long conversation, int index, int turns, long readyNanos, int contextTokens) {
        /** The issue as a record of the conversation, with the number of its message: 1, 3, 5 and so on. */
        EventRecord on(EventRecord issue) {
            EventRecord turn = issue.inConversation("conversation-" + conversation, 2L * index - 1);
            return index == turns ? turn.withLastTurn() : turn;
        }
    }

    private final SplittableRandom random;
    private final PriorityQueue<Turn> waiting =
            new PriorityQueue<>(Comparator.comparingLong(Turn::readyNanos).thenComparingLong(Turn::conversation));
    private long conversations;

    SyntheticConversations(long seed) {
        // Apart from the random numbers of the load, whose events stay those of a load without conversations.
        this.random = new SplittableRandom(~seed);
    }

    /** The turn that a request at a time is. */
    Turn next(long atNanos) {
        @Nullable Turn ready = waiting.peek();
        if (ready != null && ready.readyNanos() <= atNanos) {
            waiting.remove();
            return ready;
        }
        conversations++;
        return new Turn(conversations, 1, 1 + random.nextInt(MOST_TURNS), atNanos, 0);
    }

    /** Takes note that a turn ended; the next one comes after its user has thought. */
    void completed(Turn turn, long atNanos, int contextTokens) {
        if (turn.index() < turn.turns()) {
            long think = (SHORTEST_THINK_MILLIS + random.nextInt(THINK_RANGE_MILLIS)) * NANOS_PER_MILLI;
            waiting.add(new Turn(turn.conversation(), turn.index() + 1, turn.turns(), atNanos + think, contextTokens));
        }
    }
}
