package io.metricsaggregator.web.model;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.OutageText;
import io.metricsaggregator.analysis.SessionGap;
import io.metricsaggregator.analysis.StallText;
import io.metricsaggregator.analysis.SteadyFigure;
import io.metricsaggregator.analysis.fleet.FleetWait;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.report.section.SteadySection;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.SelfCost;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.verdict.Finding;
import io.metricsaggregator.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The sentences below the tiles: warm-up, missing session events, outages, steady state, and the verdict once the run has ended. */
final class Notes {
    private static final int EVIDENCE_MAX = 400;

    private Notes() {}

    static Map<String, Object> note(String tone, String text) {
        return Map.of("tone", tone, "text", text);
    }

    static List<Map<String, Object>> of(MetricsSnapshot snapshot) {
        List<Map<String, Object>> notes = new ArrayList<>();
        if (snapshot.state().isTerminal()) {
            verdict(notes, snapshot);
        } else {
            FleetWait wait = FleetWait.of(snapshot);
            if (wait != null) {
                notes.add(note(Texts.WARN, "Waiting " + Texts.of(wait.clause(), EVIDENCE_MAX) + "."));
            }
            String stall = StallText.isStalledNow(snapshot) ? StallText.now(snapshot) : null;
            if (stall != null) {
                notes.add(note(Texts.BAD, "Stalled: " + Texts.of(stall, EVIDENCE_MAX) + "."));
            }
            findings(notes, Verdict.soFar(snapshot));
            lengthened(notes, snapshot.extensions());
        }
        SessionGap gap = SessionGap.of(snapshot);
        if (gap != null) {
            notes.add(note(Texts.WARN, "Not tracked: " + gap.inShort() + ": " + gap.remedy() + "."));
        } else if (snapshot.state() == SessionState.LIVE
                && snapshot.counter(CounterName.TOTAL_SAMPLES_ISSUED) > 0
                && snapshot.counter(CounterName.TRACKED_SAMPLES_ISSUED) == 0) {
            notes.add(note(Texts.WARN, "Warm-up: nothing is tracked yet."));
        }
        SteadyState steady = SteadySection.of(snapshot);
        String driver = steady == null ? null : SteadyFigure.driver(steady);
        if (steady != null) {
            notes.add(note(
                    !steady.state().equals("steady") ? "" : Verdict.isChanging(snapshot) ? Texts.WARN : Texts.GOOD,
                    "Steady state"
                            + (driver == null ? ": " : ", judged by the " + Texts.of(driver, EVIDENCE_MAX) + " alone: ")
                            + Texts.of(SteadySection.state(steady), EVIDENCE_MAX) + "."));
        }
        if (snapshot.state() == SessionState.DRAINING) {
            notes.add(note(
                    Texts.WARN,
                    String.format(
                            Locale.ROOT,
                            "The session has ended; %,d texts are still to be counted.",
                            snapshot.pendingTasks())));
        }
        String outages = OutageText.brief(OutageText.of(snapshot));
        if (!outages.isEmpty()) {
            notes.add(note(Texts.BAD, "The run was resumed: " + outages + "."));
        }
        long lost = snapshot.extensions().recordsLost();
        if (lost > 0) {
            notes.add(note(Texts.BAD, String.format(Locale.ROOT, "%,d records were lost in transit.", lost)));
        }
        return notes;
    }

    private static void lengthened(List<Map<String, Object>> notes, SnapshotExtensions extensions) {
        SelfCost self = extensions.self();
        if (self != null && self.ticksLengthened() > 0) {
            notes.add(note(
                    Texts.WARN,
                    "The daemon could not keep the publish interval; it is now "
                            + Figures.duration(self.tickIntervalNanos()) + "."));
        }
    }

    private static void verdict(List<Map<String, Object>> notes, MetricsSnapshot snapshot) {
        Verdict verdict = Verdict.of(snapshot);
        String tone = switch (verdict.validity()) {
            case VALID -> Texts.GOOD;
            case QUESTIONABLE -> Texts.WARN;
            case INVALID -> Texts.BAD;
        };
        notes.add(note(tone, "Verdict: " + Texts.of(verdict.summary(), EVIDENCE_MAX)));
        findings(notes, verdict.findings());
    }

    /** Adds the findings that need attention. */
    private static void findings(List<Map<String, Object>> notes, List<Finding> findings) {
        for (Finding each : findings) {
            if (each.weight().isNamed()) {
                notes.add(note(
                        each.isFailure() ? Texts.BAD : Texts.WARN,
                        Texts.of(each.what() + ": " + each.evidence(), EVIDENCE_MAX)));
            }
        }
    }
}
