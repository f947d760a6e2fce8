package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;

/** Where the texts of tracked samples go to be counted. Called by the fold's owner; must take what it wants before it returns. */
public interface TextSink {
    /** What stands for the time since the first chunk if there was none. */
    long NO_FIRST_CHUNK = Long.MIN_VALUE;

    /** Counts nothing. */
    TextSink NONE = new TextSink() {
        @Override
        public void prompt(DecodedEvent event) {}

        @Override
        public boolean output(DecodedEvent event, long sinceFirstNanos, long completedNanos, int met) {
            return false;
        }
    };

    /** A prompt without token ids. */
    void prompt(DecodedEvent event);

    /**
     * An output.
     *
     * @param sinceFirstNanos from the first chunk to the completion, or {@link #NO_FIRST_CHUNK}
     * @param completedNanos when it completed; to be given back with the count
     * @param met what is known of its objectives; likewise
     * @return whether it will be counted
     */
    boolean output(DecodedEvent event, long sinceFirstNanos, long completedNanos, int met);
}
