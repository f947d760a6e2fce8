package io.metricsaggregator.cli;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.daemon.ExitStatus;
import io.metricsaggregator.daemon.SnapshotFile;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.run.JournalMerge;
import io.metricsaggregator.runs.SnapshotMerge;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code merge}: merges the runs of several daemons into one. */
@Command(
        name = "merge",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Merge runs that several daemons measured at the same time. Counts, sums and extremes stay exact."
                    + " Percentiles are exact when journals are merged; those of final snapshots come from merged histograms and"
                    + " are marked as such.",
            ""
        },
        footer = {
            "",
            "Example: metrics-aggregator merge node1/results node2/results --output-dir merged",
            "",
            "Runs that were not measured at the same time are merged with a warning: their rates are averaged, not"
                    + " added."
        })
final class MergeCommand implements Callable<Integer> {
    private static final int WARNING_MAX = 1000;

    @Parameters(
            paramLabel = "PATH",
            arity = "1..*",
            description = "final_snapshot.json of each run or its directory, or the journal of each run.")
    private List<Path> paths = List.of();

    @Option(
            names = "--output-dir",
            paramLabel = "DIR",
            description =
                    "Directory for the merged final_snapshot.json. An earlier one in it is renamed. Default: print the report"
                            + " only.")
    private @Nullable Path outputDirectory;

    @Override
    public Integer call() throws IOException {
        MetricsSnapshot merged = MergeInputs.areJournals(paths) ? ofJournals() : ofSnapshots();
        Terminal.print(ReportFormat.TEXT.render(Report.of(merged), Terminal.isUtf8()));
        if (outputDirectory == null) {
            return 0;
        }
        Path written = SnapshotFile.write(merged, outputDirectory);
        if (written == null) {
            return ExitStatus.NOT_DURABLE.code();
        }
        Terminal.print(written + "\n");
        return 0;
    }

    private MetricsSnapshot ofSnapshots() throws IOException {
        List<MetricsSnapshot> parts = new ArrayList<>();
        for (Path path : paths) {
            parts.add(FinalSnapshotFile.read(path));
        }
        return merge(parts);
    }

    private static MetricsSnapshot merge(List<MetricsSnapshot> parts) {
        SnapshotMerge.Merged merged = SnapshotMerge.of(parts);
        merged.warnings()
                .forEach(each ->
                        System.err.println("metrics-aggregator: warning: " + Printable.escape(each, WARNING_MAX)));
        return merged.snapshot();
    }

    /** Merges the snapshots of the journals, then replaces their series by those computed from all values. */
    private MetricsSnapshot ofJournals() throws IOException {
        JournalMerge.Merged merged =
                JournalMerge.merge(paths, Runtime.getRuntime().maxMemory(), Version.text());
        MetricsSnapshot whole = merge(merged.parts());
        Map<String, SeriesMetric> exact = merged.series();
        List<Metric> metrics = whole.metrics().stream()
                .map(metric -> exact.containsKey(metric.name()) ? (Metric) exact.get(metric.name()) : metric)
                .toList();
        return new MetricsSnapshot(
                whole.counter(),
                whole.timestampNanos(),
                whole.state(),
                whole.pendingTasks(),
                metrics,
                whole.extensions());
    }
}
