package io.metricsaggregator.web.model;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.ThroughputWindow;
import io.metricsaggregator.analysis.fleet.FleetWait;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.report.section.Summary;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.SelfCost;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The two documents of the page, as trees for JSON: the present figures, which the page gets with every tick, and the history, which it gets
 * once a second. Pure functions of a snapshot and of what {@link RecentRun} remembers. All texts are printable; numbers in texts are
 * formatted as on the screen and in reports.
 */
public final class PageModel {
    private static final long DEFAULT_INTERVAL_MILLIS = 250;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private PageModel() {}

    /** The present figures before the first snapshot. */
    public static Map<String, Object> waiting() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put(
                "run", Map.of("id", "", "state", "WAITING", "terminal", false, "interval_ms", DEFAULT_INTERVAL_MILLIS));
        tree.put("tiles", List.of());
        tree.put(
                "notes",
                List.of(Notes.note(
                        "", "Waiting for the first snapshot: the daemon publishes it when the session starts.")));
        tree.put("tables", List.of());
        return tree;
    }

    /** The present figures: identity and state, tiles, notes and tables; those of now are of {@code seconds}, one of the windows. */
    public static Map<String, Object> now(MetricsSnapshot snapshot, RecentRun run, int seconds) {
        RecentWindow recent = run.last(seconds);
        Report report = Report.of(snapshot, ThroughputWindow.TRACKED);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("run", run(snapshot));
        tree.put("tiles", Tiles.of(report, recent));
        tree.put("notes", Notes.of(snapshot));
        tree.put("tables", tables(snapshot, recent));
        return tree;
    }

    private static List<Map<String, Object>> tables(MetricsSnapshot snapshot, RecentWindow recent) {
        List<Map<String, Object>> tables = new ArrayList<>(List.of(
                PercentileTable.of(snapshot, recent),
                CountTables.samples(snapshot),
                CountTables.errors(snapshot, recent),
                CountTables.workers(snapshot, recent),
                CountTables.daemon(snapshot)));
        Map<String, Object> nodes = NodeTable.of(snapshot);
        if (nodes != null) {
            tables.add(nodes);
        }
        return tables;
    }

    private static Map<String, Object> run(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        SelfCost self = extensions.self();
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("id", Texts.of(extensions.run().runId(), 64));
        run.put("title", Summary.title(snapshot));
        run.put("version", Texts.of(extensions.run().version(), 64));
        run.put("state", FleetWait.state(snapshot));
        run.put("terminal", snapshot.state().isTerminal());
        run.put("snapshot", snapshot.counter());
        run.put("elapsed", Figures.duration(snapshot.counter(CounterName.TOTAL_DURATION_NS)));
        run.put(
                "interval_ms",
                self == null || self.tickIntervalNanos() <= 0
                        ? DEFAULT_INTERVAL_MILLIS
                        : Math.max(1, self.tickIntervalNanos() / NANOS_PER_MILLI));
        return run;
    }

    /** The history: plots over time, heat maps, and the sections of the report. */
    public static Map<String, Object> history(MetricsSnapshot snapshot, RecentRun recent) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("terminal", snapshot.state().isTerminal());
        tree.put("charts", Charts.of(snapshot));
        tree.put("heat", HeatMaps.of(snapshot, recent));
        tree.put("sections", SectionTrees.of(snapshot));
        return tree;
    }
}
