package io.metricsaggregator.verdict;

import io.metricsaggregator.snapshot.MergeSettings;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.List;

/** Checks that the parts of a merged run measured at the same time; only then do the figures describe one system under the sum of their loads. */
final class MergedTimes implements Check {
    @Override
    public String name() {
        return "merged runs";
    }

    @Override
    public String effect() {
        return "no overlap in time, or only in part: questionable";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        String overlap = snapshot.extensions().run().settings().get(MergeSettings.OVERLAP);
        if (overlap == null) {
            return List.of();
        }
        return List.of(
                switch (overlap) {
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
                });
    }

    private Finding finding(Finding.Weight weight, String evidence) {
        return new Finding(weight, name(), evidence);
    }
}
