package io.metricsaggregator.report;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.runs.Comparison;
import io.metricsaggregator.verdict.Finding;
import io.metricsaggregator.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;

/** The head of a comparison: for each run its verdict and the findings of at least a note. */
final class VerdictLines {
    private static final int NAME_MAX = 200;
    private static final int EVIDENCE_MAX = 400;

    private VerdictLines() {}

    /**
     * The verdict on one run.
     *
     * @param head role and name of the run, and the verdict
     * @param against findings of at least a note, the worst first
     */
    record Lines(String head, List<String> against) {}

    static List<Lines> of(Comparison comparison) {
        return List.of(
                lines("baseline", comparison.baseline(), comparison.baselineVerdict()),
                lines("run", comparison.other(), comparison.otherVerdict()));
    }

    private static Lines lines(String role, String name, Verdict verdict) {
        List<String> against = new ArrayList<>();
        for (Finding each : verdict.findings()) {
            if (each.weight().isNamed()) {
                against.add(Printable.escape(each.what() + ": " + each.evidence(), EVIDENCE_MAX));
            }
        }
        return new Lines(role + " " + Printable.escape(name, NAME_MAX) + ": " + verdict.summary(), against);
    }
}
