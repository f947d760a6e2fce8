package io.metricsaggregator.cli.view;

import io.metricsaggregator.cli.console.OutputFile;
import io.metricsaggregator.cli.console.RunProgress;
import io.metricsaggregator.cli.console.Terminal;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.options.FailureOptions;
import io.metricsaggregator.publish.ExitStatus;
import io.metricsaggregator.report.HistoryView;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.runs.History;
import io.metricsaggregator.runs.HistoryCondition;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code history}: shows figures of runs over time and their changes of level, and judges the newest run by them. */
@Command(
        name = "history",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Show the figures of runs over time: their level, where it changed, and whether the newest run keeps it.",
            ""
        },
        footer = {"", "Example: metrics-aggregator history results --by model --fail-if 'ttft.p99 > history+3mad'"})
public final class HistoryCommand implements Callable<Integer> {
    private static final int RUNS_MAX = 10_000;
    private static final int DEPTH_MAX = 4;

    @Parameters(
            paramLabel = "PATH",
            arity = "1..*",
            description =
                    "final_snapshot.json of a run, or a directory; those in it and in its sub-directories, to a depth of 4, are read.")
    private List<Path> paths = List.of();

    @Option(
            names = "--by",
            paramLabel = "LABEL",
            split = ",",
            description =
                    "Labels of the runs, such as model,gpu, whose values separate them: each group has its own history. Default: one group.")
    private List<String> by = List.of();

    @Option(
            names = "--fail-if",
            paramLabel = "CONDITION",
            description =
                    "Exit with status 7 if the newest run of a group is beyond the level of those before it, such as"
                            + " 'ttft.p99 > history+3mad' (median and 3 median deviations) or 'requests_per_s < history-5%%'. Repeatable.")
    private List<String> conditions = List.of();

    @Option(
            names = "--full",
            description = "Show every figure, which json has anyway. Default: the main ones, and those that changed.")
    private boolean full;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "Output format: text; json; html, one file with a plot a figure. Default: ${DEFAULT-VALUE}.")
    private HistoryView format = HistoryView.TEXT;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Output file, which must not exist. Default: standard output.")
    private @Nullable Path output;

    @Mixin
    private ConditionAnswers answers = new ConditionAnswers();

    @Mixin
    private FailureOptions failures = new FailureOptions();

    @Override
    public Integer call() throws IOException {
        List<HistoryCondition> parsed =
                conditions.stream().map(HistoryCondition::parse).toList();
        Set<Path> files = new LinkedHashSet<>();
        for (Path path : paths) {
            files.addAll(find(path));
        }
        if (files.size() > RUNS_MAX) {
            throw new IllegalArgumentException("a history has at most 10,000 runs, not " + files.size());
        }
        History history = new History(by);
        RunProgress progress = RunProgress.onTerminal("read", files.size());
        for (Path file : files) {
            long written = Files.getLastModifiedTime(file).to(TimeUnit.NANOSECONDS);
            try {
                history.add(name(file), failures.stateIn(FinalSnapshotFile.read(file)), written);
            } catch (IOException e) {
                if (paths.contains(file)) {
                    throw e;
                }
                // One damaged file must not hide the others; the conditions do not pass over it.
                history.addUnreadable(name(file), String.valueOf(e.getMessage()), written);
            }
            progress.step();
        }
        progress.end("writing the history");
        String text = format.render(history, full, output == null ? Terminal.columns() : ReportFormat.UNLIMITED);
        if (output == null) {
            Terminal.print(text);
        } else {
            OutputFile.write(output, text, new ArrayList<>(files));
        }
        boolean failed = false;
        for (HistoryCondition condition : parsed) {
            for (HistoryCondition.Answer answer : condition.check(history)) {
                failed |= answers.fails(answer.group(), condition.text(), answer.state(), answer.evidence());
            }
        }
        return failed ? ExitStatus.CONDITION_HOLDS.code() : 0;
    }

    /** The final snapshots of a path. */
    private static List<Path> find(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        if (!Files.isDirectory(path)) {
            return List.of(path);
        }
        try (Stream<Path> inside = Files.walk(path, DEPTH_MAX)) {
            List<Path> found = inside.filter(each -> each.endsWith(FinalSnapshotFile.NAME))
                    .sorted()
                    .toList();
            if (found.isEmpty()) {
                throw new IllegalArgumentException(path + " holds no " + FinalSnapshotFile.NAME);
            }
            return found;
        }
    }

    /** The directory of a final snapshot, or the file where it has another name. */
    private static String name(Path file) {
        Path folder = file.getParent();
        return file.endsWith(FinalSnapshotFile.NAME) && folder != null ? folder.toString() : file.toString();
    }
}
