package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SelfCost;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a reader of a report's figures has to know: everything that is not as it should be. */
public final class Notes {
    private Notes() {}

    public static List<String> of(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        List<String> notes = new ArrayList<>();
        if (snapshot.state() == SessionState.INTERRUPTED) {
            notes.add("the run was interrupted: the figures cover what had arrived until then");
        } else if (!snapshot.state().isTerminal()) {
            notes.add("this is a snapshot of a run that goes on");
        }
        note(notes, snapshot.pendingTasks(), "values were not counted: the drain was cut short");
        note(notes, snapshot.counterValue("records_malformed"), "records were malformed");
        note(notes, snapshot.counterValue("records_unknown"), "records were of an unknown type");
        note(notes, snapshot.counterValue("batches_malformed"), "batches were malformed and lost whole");
        note(notes, snapshot.counterValue("frames_truncated"), "connections ended within a frame");
        note(notes, snapshot.counterValue("protocol_errors"), "connections were closed for what they sent");
        note(notes, snapshot.counterValue("inflight_evicted"), "samples in flight were given up: there were too many");
        note(
                notes,
                snapshot.counterValue("journal_frames_skipped"),
                "frames of the journal were skipped: applying them killed the daemon");
        note(notes, snapshot.counterValue("durations_overflowed"), "durations were beyond 64 bits and not recorded");
        note(notes, snapshot.counterValue("prometheus_failures"), "requests for /metrics failed in the daemon");
        note(notes, snapshot.counterValue("otlp_failures"), "pushes over OTLP failed");
        note(notes, snapshot.counterValue("collector_failures"), "rounds of --host or --scrape broke in the daemon");
        note(notes, snapshot.counterValue("export_label_conflicts"), "label sets collided in /metrics or OTLP");
        note(notes, snapshot.counterValue("export_metrics_left_out"), "values were left out of /metrics or OTLP");
        SnapshotExtensions extensions = snapshot.extensions();
        if (extensions != null) {
            long lost = extensions.workers().stream()
                    .mapToLong(SnapshotExtensions.WorkerRow::sequenceLost)
                    .sum();
            notes.addAll(LimitNotes.of(snapshot));
            note(notes, lost, "numbered records never arrived");
            long before = extensions.workers().stream()
                    .mapToLong(SnapshotExtensions.WorkerRow::sequenceUnknownStart)
                    .sum();
            note(
                    notes,
                    before,
                    "numbers are below the first that arrived of their worker: sent before the daemon subscribed, or lost");
            note(notes, extensions.slices().outside(), "records lie outside the time slices");
            extensions.outages().forEach(each -> notes.add("resumed after an outage " + OutageText.clause(each)));
            SelfCost self = extensions.self();
            if (self != null && self.ticksLengthened() > 0) {
                notes.add("snapshots cost too much for the interval asked for: it was lengthened, at the end to "
                        + Figures.duration(self.tickIntervalNanos()));
            }
            extensions.run().recomputed().forEach(what -> notes.add("computed again: " + Printable.escape(what, 500)));
            extensions.run().exposures().forEach(what -> notes.add(Printable.escape(what, 500)));
        }
        snapshot.metrics().forEach(metric -> {
            if (metric instanceof SeriesMetric series && series.detail() != null) {
                series(notes, series, series.detail(), snapshot.state().isTerminal());
            }
        });
        return notes;
    }

    private static void series(List<String> notes, SeriesMetric series, SeriesDetail detail, boolean terminal) {
        if (terminal && !detail.exact()) {
            notes.add(series.name() + ": percentiles are of its histogram, not of the values themselves");
        }
        note(
                notes,
                detail.negative(),
                "values of " + series.name() + " are negative: events out of order, or two clocks");
        note(
                notes,
                detail.clamped() - detail.negative(),
                "values of " + series.name() + " are beyond its histogram's range");
    }

    private static void note(List<String> notes, long count, String what) {
        if (count > 0) {
            notes.add(String.format(Locale.ROOT, "%,d %s", count, what));
        }
    }
}
