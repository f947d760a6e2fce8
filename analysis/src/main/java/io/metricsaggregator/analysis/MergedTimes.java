package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.MergeSettings;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import org.jspecify.annotations.Nullable;

/** Checks that the parts of a merged run measured at the same time; only then do the figures describe one system under the sum of their loads. */
final class MergedTimes {
    private MergedTimes() {}

    /** The finding; null for a run that was not merged. */
    static @Nullable Finding of(MetricsSnapshot snapshot) {
        String overlap = snapshot.extensions() == null
                ? null
                : snapshot.extensions().run().settings().get(MergeSettings.OVERLAP);
        if (overlap == null) {
            return null;
        }
        return switch (overlap) {
            case "whole" -> finding(Finding.Weight.GOOD, "the runs measured at the same time");
            case "partial" ->
                finding(
                        Finding.Weight.REMARK,
                        "the runs measured at the same time only in part: rates are their mean, not their sum");
            case "none" ->
                finding(
                        Finding.Weight.REMARK,
                        "the runs did not measure at the same time: rates are their mean, not their sum");
            default -> finding(Finding.Weight.UNKNOWN, "whether they measured at the same time is unknown");
        };
    }

    private static Finding finding(Finding.Weight weight, String evidence) {
        return new Finding(weight, "merged runs", evidence);
    }
}
