package io.metricsaggregator.cli.view;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.cli.console.OutputFile;
import io.metricsaggregator.cli.console.Terminal;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.publish.ExitStatus;
import io.metricsaggregator.report.dialect.BenchmarkFolder;
import io.metricsaggregator.report.submission.Finding;
import io.metricsaggregator.report.submission.MeasuredPoint;
import io.metricsaggregator.report.submission.Submission;
import io.metricsaggregator.report.submission.SubmissionCheck;
import io.metricsaggregator.report.submission.SubmissionFiles;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.sweep.RunReader;
import io.metricsaggregator.sweep.SweepRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code submission}: writes the submission of MLPerf Endpoints from measured points, or checks one. */
@Command(
        name = "submission",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Write the submission tree of MLPerf Endpoints from runs at several concurrencies, or check one by the rules of"
                    + " MLCommons' checker.",
            ""
        },
        footer = {
            "",
            "Example: metrics-aggregator submission results/c* -o tree --system system_desc.json --power system_power.json"
                    + " --disclosure disclosure.yaml",
            "",
            "Fields that no run knows stay TODO. --check lists them, and exits with status 8 while the checker would refuse"
                    + " the tree. It does not know what changes with each round: accepted models, seed sets, drafters, accuracy"
                    + " targets, smallest counts of queries; nor does it judge the parallelism."
        })
public final class SubmissionCommand implements Callable<Integer> {
    private static final int LINE_MAX = 1000;

    @Parameters(
            paramLabel = "POINT",
            arity = "0..*",
            description =
                    "final_snapshot.json of a run, its directory, or a directory whose sub-directories are runs. The concurrency is"
                            + " the run's label concurrency.")
    private List<Path> paths = List.of();

    @Option(
            names = "--point",
            paramLabel = "N=PATH",
            description =
                    "Run at concurrency N, whatever its labels say; offline=PATH for the Offline point. Repeatable.")
    private List<String> points = List.of();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            description = "Directory of the submission, created if missing. No file in it is overwritten.")
    private @Nullable Path output;

    @Option(
            names = "--org",
            paramLabel = "NAME",
            description = "Organization: the tree is DIR/NAME/pending-submission-id. Default: DIR itself.")
    private @Nullable String organization;

    @Option(
            names = "--system",
            paramLabel = "FILE",
            description = "system_desc.json, for all points. Default: a form to fill in.")
    private @Nullable Path system;

    @Option(
            names = "--power",
            paramLabel = "FILE",
            description =
                    "system_power.json of Appendix E, from which kW and tokens/s per kW are computed. Default: a form to fill in.")
    private @Nullable Path power;

    @Option(
            names = "--disclosure",
            paramLabel = "FILE",
            description =
                    "YAML with fields of point.yaml for all points, such as division or seed_set; those below points.N are of the"
                            + " point at concurrency N.")
    private @Nullable Path disclosure;

    @Option(
            names = "--model",
            paramLabel = "NAME",
            description =
                    "Benchmark model, such as llama3_1-8b. Default: model_name of --disclosure, else of config.yaml.")
    private @Nullable String model;

    @Option(
            names = "--implementation",
            paramLabel = "NAME",
            defaultValue = "implementation",
            description = "Directory below src. Default: ${DEFAULT-VALUE}.")
    private String implementation = "implementation";

    @Option(names = "--check", paramLabel = "DIR", description = "Check the submission in DIR instead of writing one.")
    private @Nullable Path check;

    @Option(names = "--strict", description = "With --check: refuse warnings, too.")
    private boolean strict;

    @Override
    public Integer call() throws IOException {
        if (check != null) {
            if (output != null || !paths.isEmpty() || !points.isEmpty()) {
                throw new IllegalArgumentException("--check takes no POINT and no --output");
            }
            return checked(check);
        }
        if (output == null || (paths.isEmpty() && points.isEmpty())) {
            throw new IllegalArgumentException("give POINT and --output DIR, or --check DIR");
        }
        List<Path> sources = new ArrayList<>();
        List<MeasuredPoint> measured = new ArrayList<>();
        for (Path path : paths) {
            for (Path each : SweepInputs.expand(path)) {
                measured.add(point(each, null, sources));
            }
        }
        for (String text : points) {
            int equals = text.indexOf('=');
            if (equals < 1 || equals + 1 == text.length()) {
                throw new IllegalArgumentException(
                        "--point '" + text + "' is not CONCURRENCY=PATH, such as 64=results/c64");
            }
            measured.add(point(Path.of(text.substring(equals + 1)), text.substring(0, equals), sources));
        }
        Submission submission = Submission.of(
                new Submission.Statements(
                        system == null ? null : SubmissionFiles.read(system),
                        power == null ? null : SubmissionFiles.read(power),
                        disclosure == null ? Map.of() : SubmissionFiles.read(disclosure),
                        model,
                        implementation),
                measured);
        Path tree = organization == null
                ? output
                : output.resolve(Submission.slug(organization)).resolve("pending-submission-id");
        write(tree, submission.files(), sources);
        print("Wrote " + submission.files().size() + " files of " + measured.size() + " points to " + tree);
        submission.notes().forEach(each -> print("note: " + each));
        List<Finding> findings = SubmissionCheck.of(tree);
        print(findings.stream().filter(Finding::refused).count() + " findings would refuse it; show them with --check "
                + tree + ". To fill in:");
        findings.stream().filter(each -> each.rule().equals("todo")).forEach(each -> print("  " + each.message()));
        return 0;
    }

    private static MeasuredPoint point(Path path, @Nullable String stated, List<Path> sources) throws IOException {
        Path file = FinalSnapshotFile.find(path);
        MetricsSnapshot snapshot = FinalSnapshotFile.read(file);
        SweepRun.Placement place = new RunReader(null, null, true, null)
                .read(path.toString(), snapshot, stated)
                .placement();
        Report report = Report.of(snapshot, BenchmarkFolder.settings(file));
        Double concurrency = place.concurrency();
        if (!place.offline() && (place.derived() || concurrency == null || concurrency != Math.rint(concurrency))) {
            throw new IllegalArgumentException(
                    "the concurrency of " + path + " is not stated as a whole number: give --point" + " N=" + path);
        }
        Long size = place.datasetSize();
        long queries = size == null ? report.issued() : size;
        sources.add(file);
        Path run = BenchmarkFolder.of(file);
        return new MeasuredPoint(
                path.toString(),
                place.offline() || concurrency == null ? queries : concurrency.longValue(),
                place.offline(),
                report,
                text(run.resolve("config.yaml"), sources),
                Files.exists(run.resolve("accuracy_results.json"))
                        ? text(run.resolve("accuracy_results.json"), sources)
                        : text(run.resolve("accuracy").resolve("accuracy_results.json"), sources));
    }

    /** The text of a file that the tools read as a mapping; null if there is no such file. */
    private static @Nullable String text(Path file, List<Path> sources) throws IOException {
        if (!Files.isRegularFile(file)) {
            return null;
        }
        SubmissionFiles.read(file);
        sources.add(file);
        return Files.readString(file);
    }

    private static void write(Path tree, Map<String, String> files, List<Path> sources) throws IOException {
        Map<Path, String> texts = new LinkedHashMap<>();
        files.forEach((name, text) -> texts.put(tree.resolve(name), text));
        // Another curve of the same submission shares these with the first.
        texts.keySet().removeIf(each -> each.endsWith("README.md") && Files.exists(each));
        List<Path> created = new ArrayList<>();
        boolean complete = false;
        try {
            for (Path file : texts.keySet()) {
                Path folder = file.getParent();
                if (folder != null) {
                    created.addAll(0, OutputFile.folder(folder, sources));
                }
            }
            OutputFile.writeAll(texts, sources);
            complete = true;
        } finally {
            if (!complete) {
                OutputFile.remove(created);
            }
        }
    }

    private int checked(Path directory) throws IOException {
        List<Finding> findings = SubmissionCheck.of(directory);
        long refused =
                findings.stream().filter(each -> strict || each.refused()).count();
        for (Finding each : findings) {
            print((each.refused() ? "error " : "warning ") + each.rule() + " " + each.where() + ": " + each.message());
        }
        print(
                refused == 0
                        ? "No rule that is checked here refuses " + directory
                        : refused + " findings would refuse " + directory);
        return refused == 0 ? 0 : ExitStatus.CASE_FAILED.code();
    }

    private static void print(String line) {
        Terminal.print(Printable.escape(line, LINE_MAX) + "\n");
    }
}
