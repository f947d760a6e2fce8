package io.metricsaggregator.analysis;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.SelfCost;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The notes of a report: each reason why its figures differ from those of a complete run without losses, one line each. */
public final class Notes {
    private record CounterNote(CounterName counter, String what) {}

    private static final List<CounterNote> COUNTERS = List.of(
            new CounterNote(CounterName.RECORDS_MALFORMED, "records were malformed"),
            new CounterNote(CounterName.RECORDS_UNKNOWN, "records were of an unknown type"),
            new CounterNote(CounterName.BATCHES_MALFORMED, "malformed batches were discarded"),
            new CounterNote(CounterName.FRAMES_TRUNCATED, "connections ended in the middle of a frame"),
            new CounterNote(CounterName.PROTOCOL_ERRORS, "connections were closed after a protocol error"),
            new CounterNote(
                    CounterName.INFLIGHT_EVICTED, "samples in flight were evicted: --max-in-flight was reached"),
            new CounterNote(CounterName.PROMETHEUS_FAILURES, "requests for /metrics failed in the daemon"),
            new CounterNote(CounterName.OTLP_FAILURES, "pushes over OTLP failed"),
            new CounterNote(CounterName.COLLECTOR_FAILURES, "rounds of --host or --scrape failed in the daemon"),
            new CounterNote(CounterName.EXPORT_LABEL_CONFLICTS, "label sets collided in /metrics or OTLP"),
            new CounterNote(CounterName.EXPORT_METRICS_LEFT_OUT, "values were omitted from /metrics or OTLP"));

    /** Longest text of a recomputation or an exposure, in characters. */
    private static final int TEXT_MAX = 500;

    private static final String TOKEN_TIMES =
            "inter-token latency is \"between chunks\" in vLLM, \"between tokens\" in SGLang, \"between tokens, by sample\" in AIPerf and"
                    + " GuideLLM; TPOT is \"time per output token\" in MLCommons endpoints, \"TPOT by output length\" in SGLang, \"between"
                    + " tokens, by sample\" in vLLM; see the table in docs/metrics.md";

    private Notes() {}

    /** The notes of a report, the state of the run first; empty for a complete run without losses. */
    public static List<String> of(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        List<String> notes = new ArrayList<>();
        if (snapshot.state() == SessionState.INTERRUPTED) {
            notes.add("the run was interrupted: the figures cover the records received until then");
        } else if (!snapshot.state().isTerminal()) {
            notes.add("the run is still in progress: this is a live snapshot");
        }
        note(notes, snapshot.pendingTasks(), "texts were not counted: the drain ended early");
        COUNTERS.forEach(each -> note(notes, snapshot.counter(each.counter()), each.what()));
        if (ReportedTokens.areTheSource(snapshot)) {
            notes.add("input and output tokens and the time per token (~) are as servers report them: --token-source"
                    + " usage");
        }
        if (snapshot.series(SeriesName.ITL_EVEN_NS) != null || snapshot.series(SeriesName.ITL_REQUEST_NS) != null) {
            notes.add(TOKEN_TIMES);
        }
        SnapshotExtensions extensions = snapshot.extensions();
        if (!extensions.isNone()) {
            notes.addAll(LimitNotes.of(snapshot));
            notes.addAll(ImportedText.notes(snapshot));
            extensions(notes, extensions);
        }
        for (SeriesMetric series : snapshot.series()) {
            if (series.detail() != null) {
                series(notes, series, series.detail(), snapshot.state().isTerminal());
            }
        }
        return notes;
    }

    private static void extensions(List<String> notes, SnapshotExtensions extensions) {
        long lost = 0;
        long beforeFirst = 0;
        for (SnapshotExtensions.WorkerRow worker : extensions.workers()) {
            lost += worker.sequenceLost();
            beforeFirst += worker.sequenceUnknownStart();
        }
        note(notes, lost, "numbered records never arrived");
        note(
                notes,
                beforeFirst,
                "numbered records preceded the first that arrived from their worker: sent before the daemon"
                        + " subscribed, or lost");
        note(notes, extensions.slices().outside(), "records are outside the time slices");
        if (!extensions.outages().isEmpty()) {
            notes.add("resumed after an outage " + String.join("; ", OutageText.clauses(extensions.outages())));
        }
        if (extensions.run().wallNanos() < extensions.run().startedWallNanos()) {
            notes.add(
                    "the wall clock was set back during the run: its end is before its start; durations and rates are those of"
                            + " a clock that does not jump");
        }
        SelfCost self = extensions.self();
        if (self != null && self.ticksLengthened() > 0) {
            notes.add("snapshots took too long for the publish interval; it was lengthened, finally to "
                    + Figures.duration(self.tickIntervalNanos()));
        }
        extensions.run().recomputed().forEach(what -> notes.add("recomputed: " + Printable.escape(what, TEXT_MAX)));
        extensions.run().exposures().forEach(what -> notes.add(Printable.escape(what, TEXT_MAX)));
    }

    private static void series(List<String> notes, SeriesMetric series, SeriesDetail detail, boolean terminal) {
        if (terminal && !detail.exact()) {
            notes.add(series.name() + ": percentiles come from its histogram, not from the values themselves");
        }
    }

    private static void note(List<String> notes, long count, String what) {
        if (count > 0) {
            notes.add(String.format(Locale.ROOT, "%,d %s", count, what));
        }
    }
}
