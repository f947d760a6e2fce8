package io.metricsaggregator.cli.files;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.cli.console.RunProgress;
import io.metricsaggregator.cli.console.Terminal;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.daemon.SnapshotFile;
import io.metricsaggregator.publish.ExitStatus;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.run.RunMerge;
import io.metricsaggregator.runs.SnapshotMerge;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
                    + " Percentiles are exact when journals or parts of runs are merged; those of final snapshots come from"
                    + " merged histograms and are marked as such.",
            ""
        },
        footer = {
            "",
            "Example: metrics-aggregator merge node1/results node2/results --output-dir merged",
            "Example: metrics-aggregator merge node1.part node2.part --output-dir merged",
            "",
            "Runs that were not measured at the same time are merged with a warning: their rates are averaged, not"
                    + " added."
        })
public final class MergeCommand implements Callable<Integer> {
    private static final int WARNING_MAX = 1000;
    /** Values take at most this part of the memory outside the heap, which is bounded as the heap is. */
    private static final int VALUES_SHARE = 2;

    @Parameters(
            paramLabel = "PATH",
            arity = "1..*",
            description =
                    "final_snapshot.json of each run or its directory; or the journal of each run, or its part (see replay"
                            + " --part).")
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
        MetricsSnapshot merged = MergeInputs.haveValues(paths) ? ofValues() : ofSnapshots();
        Terminal.print(ReportFormat.TEXT.render(Report.of(merged), Terminal.isUtf8(), Terminal.columns()));
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
        RunProgress progress = RunProgress.onTerminal("read", paths.size());
        for (Path path : paths) {
            parts.add(FinalSnapshotFile.read(path));
            progress.step();
        }
        progress.end("merging");
        return merge(parts, paths.stream().map(Path::toString).toList());
    }

    private static MetricsSnapshot merge(List<MetricsSnapshot> parts, List<String> sources) {
        SnapshotMerge.Merged merged = SnapshotMerge.of(parts, sources);
        merged.warnings()
                .forEach(each ->
                        System.err.println("metrics-aggregator: warning: " + Printable.escape(each, WARNING_MAX)));
        return merged.snapshot();
    }

    /** Merges the snapshots of the runs, then replaces their series by those computed from all values. */
    private MetricsSnapshot ofValues() throws IOException {
        RunMerge runs = RunMerge.of(
                paths,
                Runtime.getRuntime().maxMemory() / VALUES_SHARE,
                Path.of(System.getProperty("java.io.tmpdir")),
                Version.text());
        return runs.complete(merge(runs.snapshots(), List.of()));
    }
}
