package io.metricsaggregator.samples;

import io.metricsaggregator.event.TimestampMath;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The service level objectives of a run, as its journal describes them, judged as the fold judges them: a failed sample meets none, a limit that is not set
 * is met. Immutable.
 *
 * @param ttftNanos longest time to first token; null for no limit
 * @param tpotNanos longest time per output token after the first chunk; null for no limit
 * @param latencyNanos longest time to completion; null for no limit
 * @param usesUsage whether the lengths of outputs come from the usage that servers report
 */
public record SampleObjectives(
        @Nullable Long ttftNanos,
        @Nullable Long tpotNanos,
        @Nullable Long latencyNanos,
        boolean usesUsage) {
    /** Reads the objectives from the description of a run; null without them, or if one cannot be read. */
    public static @Nullable SampleObjectives of(Map<String, String> description) {
        if (!description.containsKey("slo_target_share")) {
            return null;
        }
        try {
            return new SampleObjectives(
                    limit(description.get("slo_ttft_ns")),
                    limit(description.get("slo_tpot_ns")),
                    limit(description.get("slo_latency_ns")),
                    "usage".equals(description.get("token_source")));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static @Nullable Long limit(@Nullable String text) {
        return text == null ? null : Long.valueOf(text);
    }

    /**
     * Judges a sample that completed.
     *
     * @param hasFailed whether the sample had an error since its issue
     * @param hasOutput whether the output has a text to count, or a reported length if lengths are reported
     * @param tokensAfterFirst tokens after the first chunk; null if they were not counted
     * @return null if the limit on the time per token decides and the output was not counted
     */
    @Nullable
    Boolean judge(SampleRow row, boolean hasFailed, boolean hasOutput, @Nullable Long tokensAfterFirst) {
        Long issued = row.issued;
        Long completed = row.completed;
        if (issued == null || completed == null) {
            return null;
        }
        Long first = row.first;
        Long firstIssued = row.firstIssued == null ? issued : row.firstIssued;
        boolean inTime = first == null ? within(issued, completed, ttftNanos) : within(firstIssued, first, ttftNanos);
        if (hasFailed || !inTime || !within(issued, completed, latencyNanos)) {
            return false;
        }
        if (tpotNanos == null || !hasOutput || first == null || !TimestampMath.fits(first, completed)) {
            return true;
        }
        if (tokensAfterFirst == null) {
            return null;
        }
        return tokensAfterFirst <= 0 || (double) (completed - first) / (double) tokensAfterFirst <= (double) tpotNanos;
    }

    private static boolean within(long startNanos, long endNanos, @Nullable Long limitNanos) {
        return limitNanos == null || TimestampMath.saturatedBetween(startNanos, endNanos) <= limitNanos;
    }
}
