package io.metricsaggregator.options;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.run.JournalReplay;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The values of {@code replay --window} that a first pass over the journal turns into a range of time. */
final class ReplayWindow {
    private static final String STEADY = "steady";
    private static final String SUPERPASS = "superpass:";
    private static final Pattern RANGE = Pattern.compile("superpass:(\\d{1,6})\\.\\.(\\d{1,6})");

    private ReplayWindow() {}

    /** Whether the window has to be found in the run. */
    static boolean isFound(String window) {
        return window.equals(STEADY) || window.startsWith(SUPERPASS);
    }

    /**
     * Finds the window and computes the run for it.
     *
     * @throws IOException if the journal cannot be read
     * @throws IllegalArgumentException if the text is not a range of super-passes, or the run has no such window
     */
    static JournalReplay.Result replay(String window, JournalReplay replay, RunConfig config, RunResources resources)
            throws IOException {
        if (window.equals(STEADY)) {
            return replay.replaySteady(config, resources);
        }
        int[] passes = superPasses(window);
        return replay.replaySuperPasses(config, resources, passes[0], passes[1]);
    }

    /**
     * Checks a window for which {@link #isFound} holds.
     *
     * @throws IllegalArgumentException if the text is not a range of super-passes
     */
    static void requireReadable(String window) {
        if (!window.equals(STEADY)) {
            superPasses(window);
        }
    }

    /** First and last super-pass of a range. */
    private static int[] superPasses(String window) {
        Matcher range = RANGE.matcher(window);
        int from = range.matches() ? Integer.parseInt(range.group(1)) : 0;
        int to = range.matches() ? Integer.parseInt(range.group(2)) : 0;
        if (from < 1 || to < from) {
            throw new IllegalArgumentException(
                    "--window '" + window + "' is not a range of super-passes from 1 on, such as superpass:3..12");
        }
        return new int[] {from, to};
    }
}
