package io.metricsaggregator.event;

/** The conversation that a record names, as a place in its bytes. Valid as long as the {@link DecodedEvent} it belongs to. */
public final class DecodedConversation {
    private final DecodedEvent event;
    int start;
    int length;
    byte lastTurnState;
    boolean firstTurn;

    DecodedConversation(DecodedEvent event) {
        this.event = event;
    }

    void clear() {
        start = 0;
        length = 0;
        lastTurnState = DecodedEvent.ABSENT;
        firstTurn = false;
    }

    /** Whether the record names a conversation: an empty id is none. */
    public boolean isPresent() {
        return length > 0;
    }

    /**
     * A hash of 64 bits of the id; two with different seeds identify the conversation. Valid if {@link #isPresent}.
     *
     * @param seed secret, so that a producer cannot choose ids that collide
     */
    public long hash(long seed) {
        return SampleIds.hash(event.buffer, start, length, seed);
    }

    /** Whether the record's {@code turn} is 1 or less: nothing of the conversation is in the server's cache. False without a turn. */
    public boolean isFirstTurn() {
        return firstTurn;
    }

    /** Whether the record ends its conversation: no further turn will be issued. */
    public boolean isLastTurn() {
        return lastTurnState == DecodedEvent.PRESENT;
    }

    /** Whether the record has a {@code last_turn} that is not a boolean; it is ignored. */
    public boolean isLastTurnRejected() {
        return lastTurnState == DecodedEvent.REJECTED;
    }
}
