package io.metricsaggregator.cli;

import io.metricsaggregator.runs.Comparison;
import io.metricsaggregator.runs.ComparisonView;
import io.metricsaggregator.runs.Condition;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs beside each other. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Compares runs with the first one: what differs, how sure that is, and what else changed. With --fail-if its exit"
                    + " status is 7 if a condition holds, for CI.",
            ""
        })
final class CompareCommand implements Callable<Integer> {
    /** A condition of --fail-if holds. */
    private static final int CONDITION_HOLDS = 7;

    @Parameters(
            paramLabel = "FILE",
            arity = "2..*",
            description = "final_snapshot.json of each run, or its directory; the first is the baseline.")
    private List<Path> files = List.of();

    @Option(
            names = "--fail-if",
            paramLabel = "CONDITION",
            description =
                    "Such as 'ttft.p99 > +5%%' or 'requests_per_s < -3%%': exit with 7 if a run differs so much from the"
                            + " baseline, and that is not chance where it can be told. May be repeated.")
    private List<String> conditions = List.of();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text, md for a pull request, or html. Default: ${DEFAULT-VALUE}.")
    private ComparisonView format = ComparisonView.TEXT;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write it to FILE, which must not exist, rather than to standard output.")
    private @Nullable Path output;

    @Override
    public Integer call() throws IOException {
        List<Condition> parsed = conditions.stream().map(Condition::parse).toList();
        MetricsSnapshot baseline = FinalSnapshotFile.read(files.get(0));
        List<Comparison> comparisons = new ArrayList<>();
        for (Path file : files.subList(1, files.size())) {
            comparisons.add(
                    Comparison.of(files.get(0).toString(), baseline, file.toString(), FinalSnapshotFile.read(file)));
        }
        String text = format.render(comparisons);
        if (output == null) {
            Terminal.print(text);
        } else {
            Files.writeString(output, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        }
        int status = 0;
        for (Comparison comparison : comparisons) {
            for (Condition condition : parsed) {
                if (condition.holds(comparison)) {
                    System.err.println("metrics-aggregator: " + comparison.other() + ": " + condition);
                    status = CONDITION_HOLDS;
                }
            }
        }
        return status;
    }
}
