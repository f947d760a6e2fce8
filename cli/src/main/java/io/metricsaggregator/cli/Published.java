package io.metricsaggregator.cli;

import java.util.Locale;

/** What a command that publishes says at its end, and its exit status: nothing that was lost is passed over. */
final class Published {
    private Published() {}

    /**
     * Says it.
     *
     * @param what what was published, such as "records"
     * @param count how many of them
     * @param frames the frames they went in
     * @param unheard those of the frames that found no subscriber
     * @param handedOver whether everything has left this process
     * @return 0, or the status for "none came in time" if nobody received anything or not all could be handed over
     */
    static int say(String what, long count, long frames, long unheard, boolean handedOver) {
        if (frames > 0 && unheard >= frames) {
            System.err.printf(
                    Locale.ROOT, "metrics-aggregator: nobody subscribed: none of %,d %s reached anyone%n", count, what);
            return Follow.NONE_IN_TIME;
        }
        System.err.printf(Locale.ROOT, "published %,d %s%n", count, what);
        if (unheard > 0) {
            System.err.printf(
                    Locale.ROOT,
                    "metrics-aggregator: %,d of %,d frames found no subscriber and are gone%n",
                    unheard,
                    frames);
        }
        if (!handedOver) {
            System.err.println(
                    "metrics-aggregator: subscribers were too slow: the last of it was not handed over in time");
            return Follow.NONE_IN_TIME;
        }
        return 0;
    }
}
