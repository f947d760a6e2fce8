package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Outcomes;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.FailureLimit;
import java.util.List;
import java.util.Locale;

/** The share of tracked samples that failed: an overloaded server that refuses requests answers fast. */
final class FailedSamples implements Check {
    static final String NAME = "failed samples";
    private static final double NOTED = 0.01;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String effect() {
        return "failed ÷ (succeeded + failed) tracked samples: a note from " + Check.percent(NOTED)
                + ", questionable from "
                + Check.percent(FailureLimit.DEFAULT) + " (`--max-failed SHARE`), invalid from "
                + Check.percent(FailureLimit.INVALID)
                + " or if none succeeded. No limiting factor is named from the middle limit on";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        Outcomes outcomes = Outcomes.of(snapshot);
        Double share = outcomes.failedShare();
        if (share == null) {
            return List.of();
        }
        Double stated = snapshot.extensions().isNone()
                ? null
                : FailureLimit.of(snapshot.extensions().run().settings());
        double limit = stated == null ? FailureLimit.DEFAULT : stated;
        boolean any = outcomes.failed() > 0;
        String counts = String.format(
                Locale.ROOT,
                "%,d of %,d tracked samples failed (%s)",
                outcomes.failed(),
                outcomes.succeeded() + outcomes.failed(),
                Figures.share(share));
        if (any && (share >= FailureLimit.INVALID || outcomes.succeeded() == 0)) {
            String none = outcomes.succeeded() == 0 ? "no tracked sample succeeded: " : "";
            return List.of(finding(Finding.Weight.BAD, none + counts));
        }
        if (any && share >= limit) {
            return List.of(finding(
                    Finding.Weight.REMARK, counts + "; the limit is " + Figures.share(limit) + " (--max-failed)"));
        }
        return List.of(finding(share >= NOTED ? Finding.Weight.NOTE : Finding.Weight.GOOD, counts));
    }

    private static Finding finding(Finding.Weight weight, String evidence) {
        return new Finding(weight, NAME, evidence, Finding.Limit.UNKNOWN);
    }
}
