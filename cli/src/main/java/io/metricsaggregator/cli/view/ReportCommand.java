package io.metricsaggregator.cli.view;

import io.metricsaggregator.analysis.BenchmarkSettings;
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.ThroughputWindow;
import io.metricsaggregator.cli.console.OutputFile;
import io.metricsaggregator.cli.console.Terminal;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.options.EnergyOptions;
import io.metricsaggregator.options.FailureOptions;
import io.metricsaggregator.options.GoldenOptions;
import io.metricsaggregator.options.Messages;
import io.metricsaggregator.options.Needs;
import io.metricsaggregator.publish.ExitStatus;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.report.dialect.BenchmarkFolder;
import io.metricsaggregator.report.plot.PlotFiles;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.verdict.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code report}: renders a final snapshot. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {"Render a final snapshot, of this daemon or of MLCommons endpoints, as a report.", ""},
        footer = {"", "Example: metrics-aggregator report results --format html -o report.html"})
public final class ReportCommand implements Callable<Integer> {
    private static final String SUMMARY = "result_summary.json";
    private static final Map<String, ReportFormat> SAVED = new TreeMap<>(Map.of(
            SUMMARY,
            ReportFormat.SUMMARY,
            "report.txt",
            ReportFormat.MLCOMMONS,
            "report_full.txt",
            ReportFormat.FULL,
            "report.html",
            ReportFormat.HTML));

    private static final int LINE_MAX = 1000;

    @Parameters(paramLabel = "FILE", description = "final_snapshot.json, or its directory.")
    private @Nullable Path file;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description =
                    "Report format. text: the answer in some lines; full: a page with every table; html: one file with plots; md: for a pull request; csv: one row,"
                            + " a unit a column; slices: CSV over time; json: for programs, see docs/report.schema.json; hgrm, hlog: for"
                            + " HdrHistogram's tools; summary, mlcommons: result_summary.json and report.txt of MLCommons endpoints;"
                            + " power: power.json of MLCommons endpoints;"
                            + " vllm: the result file of vllm bench; aiperf, aiperfcsv: AIPerf's exports; llmd: Benchmark Report 0.2.1 of llm-d; token_accounting: tokens"
                            + " as counted and as servers reported them, as JSON; junit: JUnit XML for CI. Default:"
                            + " ${DEFAULT-VALUE}.")
    private ReportFormat format = ReportFormat.TEXT;

    @Option(names = "--full", description = "Every table as text: short for --format full.")
    private boolean full;

    private enum Window {
        AUTO,
        LOADGEN,
        NATIVE
    }

    @Option(
            names = "--throughput-window",
            paramLabel = "WINDOW",
            defaultValue = "auto",
            description =
                    "Time window of the throughput. loadgen: from the first issue to the completion of the last issued sample"
                            + " (MLPerf LoadGen); native: the tracked windows; auto: as config.yaml in the report folder of MLCommons"
                            + " endpoints says, otherwise both. Default: ${DEFAULT-VALUE}.")
    private Window window = Window.AUTO;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Output file, which must not exist. Default: standard output.")
    private @Nullable Path output;

    @Option(
            names = "--save",
            description =
                    "Write result_summary.json and report.txt (both in the format of MLCommons endpoints), report_full.txt"
                            + " (full) and report.html beside FILE. None of them may exist.")
    private boolean save;

    /** Where the files of {@code --save} go. */
    enum Layout {
        FLAT,
        ENDPOINTS
    }

    @Needs("--save")
    @Option(
            names = "--layout",
            paramLabel = "LAYOUT",
            defaultValue = "flat",
            description =
                    "Where --save writes. flat: all files beside FILE. endpoints: the run folder that MLCommons' submission tool takes:"
                            + " performance/result_summary.json, the other files in the folder itself, which is that of FILE or the one"
                            + " above if FILE lies in metrics. Default: ${DEFAULT-VALUE}.")
    private Layout layout = Layout.FLAT;

    @Option(
            names = "--plots",
            paramLabel = "DIR",
            description =
                    "Directory to write each plot into as SVG, created if missing. Existing files are not overwritten.")
    private @Nullable Path plots;

    @Option(
            names = "--strict-verdict",
            description = "Exit with status 8 if the verdict is INVALID, after the report is written.")
    private boolean strictVerdict;

    @Option(
            names = "--ascii",
            description = "Draw with ASCII characters only. Default on a terminal that is not UTF-8.")
    private boolean ascii;

    @Mixin
    private EnergyOptions energy = new EnergyOptions();

    @Mixin
    private FailureOptions failures = new FailureOptions();

    @Mixin
    private GoldenOptions golden = new GoldenOptions();

    @Override
    public Integer call() throws IOException {
        if (file == null) {
            throw new IllegalArgumentException("FILE is missing");
        }
        if (full && format != ReportFormat.TEXT && format != ReportFormat.FULL) {
            throw new IllegalArgumentException("--full is text: give it without --format");
        }
        format = full ? ReportFormat.FULL : format;
        if (layout == Layout.ENDPOINTS && !save) {
            throw new IllegalArgumentException("--layout endpoints needs --save");
        }
        if ((save && (output != null || plots != null)) || (output != null && plots != null)) {
            throw new IllegalArgumentException("--save, --plots and --output exclude each other: give one of them");
        }
        Path snapshot = FinalSnapshotFile.find(file);
        Report report = Report.of(
                golden.stateIn(failures.stateIn(energy.stateIn(FinalSnapshotFile.read(snapshot)))), settings(snapshot));
        int status = write(snapshot, report);
        int verdict = strictVerdict ? status(Verdict.of(report.snapshot())) : 0;
        return verdict == 0 ? status : verdict;
    }

    /** Reports on standard error why the run is invalid, because the report may be a file or a format without verdicts. */
    private static int status(Verdict verdict) {
        if (verdict.validity() != Verdict.Validity.INVALID) {
            return 0;
        }
        System.err.println("metrics-aggregator: "
                + Printable.escape(
                        "the run is INVALID"
                                + verdict.worst().map(each -> ": " + each).orElse(""),
                        LINE_MAX));
        return ExitStatus.INVALID_RUN.code();
    }

    private int write(Path snapshot, Report report) throws IOException {
        if (save) {
            return saveBeside(snapshot.toAbsolutePath(), report);
        }
        if (plots != null) {
            return savePlots(plots, report, snapshot);
        }
        String text = format.render(
                report,
                !ascii && (output != null || Terminal.isUtf8()),
                output == null && format == ReportFormat.TEXT ? Terminal.columns() : ReportFormat.UNLIMITED);
        if (output == null) {
            Terminal.print(text);
        } else {
            OutputFile.write(output, text, List.of(snapshot));
        }
        format.notes(report)
                .forEach(note -> System.err.println("metrics-aggregator: note: omitted or approximate: " + note));
        return noData("--format " + format.name().toLowerCase(Locale.ROOT), format.missing(report));
    }

    private BenchmarkSettings settings(Path snapshot) {
        BenchmarkSettings found = BenchmarkSettings.NONE;
        try {
            found = BenchmarkFolder.settings(snapshot);
        } catch (IOException e) {
            System.err.println("metrics-aggregator: warning: settings of the benchmark ignored: " + Messages.of(e));
        }
        return switch (window) {
            case AUTO -> found;
            case LOADGEN -> found.withWindow(ThroughputWindow.LOADGEN);
            case NATIVE -> found.withWindow(ThroughputWindow.TRACKED);
        };
    }

    private static int savePlots(Path folder, Report report, Path source) throws IOException {
        Map<Path, String> plots = new LinkedHashMap<>();
        PlotFiles.svg(report).forEach((name, plot) -> plots.put(folder.resolve(name), plot));
        save(plots, source);
        return noData("--plots", plots.isEmpty() ? "no plot has data" : null);
    }

    /** Reports that the output holds nothing of the run; returns the exit status. */
    private static int noData(String option, @Nullable String reason) {
        if (reason == null) {
            return 0;
        }
        System.err.println("metrics-aggregator: note: " + option + " has no data: " + reason);
        return ExitStatus.NO_DATA.code();
    }

    private int saveBeside(Path snapshot, Report report) throws IOException {
        Map<Path, String> files = new LinkedHashMap<>();
        SAVED.forEach((name, each) -> files.put(place(snapshot, name), each.render(report, !ascii)));
        return save(files, snapshot);
    }

    /** Writes all files or none, in folders that are created if missing, and prints their paths. */
    private static int save(Map<Path, String> files, Path source) throws IOException {
        List<Path> created = new ArrayList<>();
        boolean complete = false;
        try {
            for (Path file : files.keySet()) {
                Path folder = file.getParent();
                if (folder != null) {
                    created.addAll(0, OutputFile.folder(folder, List.of(source)));
                }
            }
            OutputFile.writeAll(files, List.of(source));
            complete = true;
        } finally {
            if (!complete) {
                OutputFile.remove(created);
            }
        }
        files.keySet().forEach(each -> Terminal.print(each + "\n"));
        return 0;
    }

    private Path place(Path snapshot, String name) {
        Path folder = snapshot.getParent();
        if (layout == Layout.FLAT || folder == null) {
            return snapshot.resolveSibling(name);
        }
        Path above = folder.getParent();
        Path run = above != null && folder.endsWith("metrics") ? above : folder;
        return name.equals(SUMMARY) ? run.resolve("performance").resolve(name) : run.resolve(name);
    }
}
