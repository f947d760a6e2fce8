package io.metricsaggregator.cli.view;

import io.metricsaggregator.cli.console.OutputFile;
import io.metricsaggregator.cli.console.RunProgress;
import io.metricsaggregator.cli.console.Terminal;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.options.FailureOptions;
import io.metricsaggregator.publish.ExitStatus;
import io.metricsaggregator.report.ComparisonView;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.runs.Comparison;
import io.metricsaggregator.runs.Condition;
import io.metricsaggregator.runs.ConditionParser;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code compare}: compares runs with a baseline, and evaluates conditions for CI. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Compare runs with a baseline: verdicts, differences with their confidence, and what else changed.",
            ""
        },
        footer = {"", "Example: metrics-aggregator compare before after --fail-if 'ttft.p99 > +5%%'"})
public final class CompareCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "FILE",
            arity = "2..*",
            description = "final_snapshot.json of each run, or its directory. The first is the baseline.")
    private List<Path> files = List.of();

    @Option(
            names = "--fail-if",
            paramLabel = "CONDITION",
            description =
                    "Exit with status 7 if a run differs from the baseline by more than a limit, such as 'ttft.p99 > +5%%' or"
                            + " 'requests_per_s < -3%%', or if the verdict of either run is bad: verdict=invalid, or verdict=questionable"
                            + " for both kinds; or if either run has no steady window: steady=no, or steady=uncertified. Figures of"
                            + " the steady windows: 'steady.ttft.p99 > +5%%'. Repeatable.")
    private List<String> conditions = List.of();

    @Option(
            names = "--full",
            description =
                    "Print every figure, which formats other than text have anyway. Default: what people ask for first, and what a test"
                            + " found better or worse.")
    private boolean full;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "Output format: text, md for a pull request, or html. Default: ${DEFAULT-VALUE}.")
    private ComparisonView format = ComparisonView.TEXT;

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
        List<Condition> parsed = conditions.stream().map(ConditionParser::parse).toList();
        MetricsSnapshot baseline = failures.stateIn(FinalSnapshotFile.read(files.get(0)));
        List<Comparison> comparisons = new ArrayList<>();
        RunProgress progress = RunProgress.onTerminal("compared", files.size() - 1);
        for (Path file : files.subList(1, files.size())) {
            comparisons.add(Comparison.of(
                    files.get(0).toString(),
                    baseline,
                    file.toString(),
                    failures.stateIn(FinalSnapshotFile.read(file))));
            progress.step();
        }
        progress.end("writing the comparison");
        String text = format.render(comparisons, full, output == null ? Terminal.columns() : ReportFormat.UNLIMITED);
        if (output == null) {
            Terminal.print(text);
        } else {
            OutputFile.write(
                    output, text, files.stream().map(FinalSnapshotFile::find).toList());
        }
        boolean failed = false;
        for (Comparison comparison : comparisons) {
            for (Condition condition : parsed) {
                Condition.Answer answer = condition.check(comparison);
                failed |= answers.fails(comparison.other(), condition.toString(), answer.state(), answer.evidence());
            }
        }
        return failed ? ExitStatus.CONDITION_HOLDS.code() : 0;
    }
}
