package io.metricsaggregator.snapshot.figures;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The share of failed samples from which the verdict on a run is questionable, among the settings of the run. */
public final class FailureLimit {
    /** Name of the setting; a run without it is judged by {@link #DEFAULT}. */
    public static final String NAME = "max_failed";

    public static final double DEFAULT = 0.05;

    /** From this share on a run is invalid, so that no limit may be above it. */
    public static final double INVALID = 0.5;

    private FailureLimit() {}

    /** Whether a limit is possible: 0, for any failure, to {@link #INVALID}. */
    public static boolean isPossible(double share) {
        return share >= 0 && share <= INVALID;
    }

    /**
     * The smallest limit among the settings of a run, of which a merged run has several; null if none is stated. One that is out of range or unreadable,
     * as from another version, counts as not stated.
     */
    public static @Nullable Double of(Map<String, String> settings) {
        Double smallest = null;
        for (String text : settings.getOrDefault(NAME, "").split(" / ", -1)) {
            try {
                double share = Double.parseDouble(text);
                if (isPossible(share) && (smallest == null || share < smallest)) {
                    smallest = share;
                }
            } catch (NumberFormatException e) {
                // Not stated.
            }
        }
        return smallest;
    }
}
