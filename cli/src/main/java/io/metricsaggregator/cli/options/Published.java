package io.metricsaggregator.cli.options;

import java.util.Locale;

/** The result line of a command that publishes, and its exit status; losses are always reported. */
public final class Published {
    private Published() {}

    /**
     * Reports the result on standard error.
     *
     * @param what what was published, such as "records"
     * @param count their number
     * @param frames number of frames they were sent in
     * @param unheard number of frames without a subscriber, which are lost
     * @param handedOver whether all frames have left this process
     * @return 0, or {@link Follow#NONE_IN_TIME} if no frame reached a subscriber or not all frames could be sent
     */
    public static int report(String what, long count, long frames, long unheard, boolean handedOver) {
        if (frames > 0 && unheard >= frames) {
            System.err.printf(Locale.ROOT, "metrics-aggregator: no subscriber: all %,d %s were lost%n", count, what);
            return Follow.NONE_IN_TIME;
        }
        System.err.printf(Locale.ROOT, "published %,d %s%n", count, what);
        if (unheard > 0) {
            System.err.printf(
                    Locale.ROOT, "metrics-aggregator: %,d of %,d frames were lost: no subscriber%n", unheard, frames);
        }
        if (!handedOver) {
            System.err.println(
                    "metrics-aggregator: the last frames were not sent in time: subscribers read too slowly");
            return Follow.NONE_IN_TIME;
        }
        return 0;
    }
}
