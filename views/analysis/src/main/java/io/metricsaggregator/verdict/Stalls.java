package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.StallText;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ProgressState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Spans in which the endpoints of a run did not answer. */
final class Stalls implements Check {
    private static final double SHARE_MAX = 0.05;

    @Override
    public String name() {
        return "stalls";
    }

    @Override
    public String effect() {
        return "any span without an answer as long as the limit: questionable, and limited by the server; invalid if such spans are more"
                + " than " + Check.percent(SHARE_MAX) + " of the tracked time, or one lasted until the end";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        Progress progress = StallText.of(snapshot);
        String total = StallText.total(snapshot);
        List<String> single = StallText.shortened(StallText.byEndpoint(snapshot));
        if (progress == null || (total == null && single.isEmpty())) {
            return List.of();
        }
        List<String> evidence = new ArrayList<>();
        if (total != null) {
            evidence.add(total);
        }
        boolean open = snapshot.state().isTerminal() && progress.state() == ProgressState.STALLED;
        if (open) {
            evidence.add("no answer came until the end");
        }
        long tracked = snapshot.counter(CounterName.TRACKED_DURATION_NS);
        double share = tracked == 0 ? 0 : (double) progress.stalledNanos() / tracked;
        if (share > SHARE_MAX) {
            evidence.add(String.format(Locale.ROOT, "that is %.0f%% of the tracked time", 100 * share));
        }
        evidence.addAll(single);
        Finding finding = new Finding(
                open || share > SHARE_MAX ? Finding.Weight.BAD : Finding.Weight.REMARK,
                name(),
                String.join("; ", evidence));
        return List.of(finding.limitedBy(Finding.Limit.SERVER));
    }
}
