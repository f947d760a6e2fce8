package io.metricsaggregator.cli;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.daemon.ExitStatus;
import io.metricsaggregator.daemon.JournalMerge;
import io.metricsaggregator.daemon.JournalReplay;
import io.metricsaggregator.report.ReportFormat;
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

/** Runs of several nodes as one. */
@Command(
        name = "merge",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Merges runs that several daemons measured at the same time. Counts, sums and extremes stay exact; percentiles of"
                    + " final snapshots are those of the merged histograms, and marked as such; of journals they are exact. Runs"
                    + " that did not measure at the same time are merged with a warning: their rates are averaged, not added.",
            ""
        })
final class MergeCommand implements Callable<Integer> {
    private static final int WARNING_MAX = 1000;

    @Parameters(
            paramLabel = "PATH",
            arity = "1..*",
            description =
                    "Of each run its final_snapshot.json, or the directory it is in; or the journals of all of them.")
    private List<Path> paths = List.of();

    @Option(
            names = "--output-dir",
            paramLabel = "DIR",
            description = "Write the merged final_snapshot.json into DIR; what is there is put aside.")
    private @Nullable Path outputDirectory;

    @Override
    public Integer call() throws IOException {
        MetricsSnapshot merged = MergeInputs.areJournals(paths) ? ofJournals() : ofSnapshots();
        Terminal.print(ReportFormat.TEXT.render(Report.of(merged), Terminal.isUtf8()));
        if (outputDirectory == null) {
            return 0;
        }
        Path written = JournalReplay.write(merged, outputDirectory);
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

    /** Everything but the series as of snapshots; the series of the values themselves. */
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
