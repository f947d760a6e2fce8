package io.metricsaggregator.snapshot.figures;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The acceptance length that speculative decoding has to show, among the settings of a run: tokens of one step, with the one that the model itself adds.
 * Benchmarks that fix the acceptance publish it by model.
 */
public final class GoldenLength {
    /** Name of the setting; a run without it is not judged by its acceptance length. */
    public static final String NAME = "golden_al";

    private GoldenLength() {}

    /** Whether a length is possible: from 1 on, for a step yields the model's own token. */
    public static boolean isPossible(double length) {
        return length >= 1 && length <= Integer.MAX_VALUE;
    }

    /** The length among the settings of a run; null if none is stated, or several in a merged run, or what is none. */
    public static @Nullable Double of(Map<String, String> settings) {
        try {
            double length = Double.parseDouble(settings.getOrDefault(NAME, ""));
            return isPossible(length) ? (Double) length : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
