package io.metricsaggregator.cli.view;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.cli.console.OutputFile;
import io.metricsaggregator.cli.console.Terminal;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.options.FailureOptions;
import io.metricsaggregator.options.Needs;
import io.metricsaggregator.options.SloConverter;
import io.metricsaggregator.publish.ExitStatus;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.report.sweep.SweepFormat;
import io.metricsaggregator.sweep.PointFigure;
import io.metricsaggregator.sweep.Requirement;
import io.metricsaggregator.sweep.RunReader;
import io.metricsaggregator.sweep.Sweep;
import io.metricsaggregator.sweep.SweepCondition;
import io.metricsaggregator.sweep.SweepOptions;
import io.metricsaggregator.sweep.SweepRun;
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

/** The command {@code sweep}: draws runs at several concurrencies as a curve with its Pareto front, and evaluates conditions for CI. */
@Command(
        name = "sweep",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Draw runs at several concurrencies as points of a curve: Pareto front, knee, saturation, largest concurrency within"
                    + " limits, and the checks of MLPerf Endpoints.",
            ""
        },
        footer = {
            "",
            "Example: metrics-aggregator sweep results/c* --require 'ttft_p90_ms<=500,tps_per_user>=30' --format html -o sweep.html",
            "",
            "The concurrency of a run is that of --point, else its label concurrency (run --label concurrency=64), else its mean"
                    + " of samples in flight, marked as derived. Figures are those of the steady window where it is certified, else"
                    + " of the whole run. Figures of points: system_tps, tps_per_gpu, total_tps, total_tps_per_gpu, tps_per_user,"
                    + " tps_per_user_median, e2e_interactivity, ttft_p90_ms, tpot_p90_ms, latency_p50_ms, latency_p99_ms, qps,"
                    + " goodput_per_s, good_share, error_share, j_per_output_token, usd_per_million_output_tokens."
        })
public final class SweepCommand implements Callable<Integer> {
    /** The samples that figures of points cover. */
    enum BasisChoice {
        AUTO,
        RUN
    }

    private static final int LINE_MAX = 1000;

    @Parameters(
            paramLabel = "PATH",
            arity = "0..*",
            description =
                    "final_snapshot.json of each run, its directory, its journal, or a directory whose sub-directories are runs.")
    private List<Path> paths = List.of();

    @Option(
            names = "--point",
            paramLabel = "N=PATH",
            description =
                    "Run at concurrency N, whatever its labels say; offline=PATH for the Offline point, at which all queries are"
                            + " available at once. Repeatable.")
    private List<String> points = List.of();

    @Option(
            names = "--by",
            paramLabel = "LABEL",
            description = "Draw a curve for each value of a label of the runs, such as engine. Default: one curve.")
    private @Nullable String by;

    @Option(
            names = "--gpus",
            paramLabel = "N",
            description = "Number of GPUs of runs without label gpus, for the figures per GPU.")
    private @Nullable Double gpus;

    @Option(
            names = "--basis",
            paramLabel = "BASIS",
            defaultValue = "auto",
            description =
                    "Samples that figures cover. auto: those of the steady window where it is certified, else all; run: all"
                            + " tracked samples. Default: ${DEFAULT-VALUE}.")
    private BasisChoice basis = BasisChoice.AUTO;

    @Option(
            names = "--x",
            paramLabel = "FIGURE",
            defaultValue = "tps_per_user",
            description =
                    "Horizontal axis of the front; e2e_interactivity for agentic loads. Default: ${DEFAULT-VALUE}.")
    private String x = "tps_per_user";

    @Option(
            names = "--y",
            paramLabel = "FIGURE",
            defaultValue = "system_tps",
            description = "Vertical axis of the front, such as tps_per_gpu. Default: ${DEFAULT-VALUE}.")
    private String y = "system_tps";

    @Option(
            names = "--include-questionable",
            description =
                    "Put points on the front whose verdict is invalid, whose run is not complete or whose requests fail. Default: draw them as rings"
                            + " off the front.")
    private boolean includeUnsound;

    @Option(
            names = "--require",
            paramLabel = "LIMITS",
            description =
                    "Find the largest concurrency that meets all limits, such as 'ttft_p90_ms<=500,tps_per_user>=30'.")
    private @Nullable String limits;

    @Option(
            names = "--slo",
            paramLabel = "LIMITS",
            converter = SloConverter.class,
            description =
                    "Latency objectives to judge samples by instead of those of the runs, such as ttft=500ms,share=95%%; see run --slo."
                            + " One limit is counted from the histograms of final snapshots, several need journals.")
    private @Nullable Slo objectives;

    @Option(
            names = "--slo-key",
            paramLabel = "KEY",
            description =
                    "Label of samples whose values are the classes of --slo, such as priority; see run --slo-key.")
    private @Nullable String classKey;

    @Option(
            names = "--strict",
            description =
                    "Refuse runs that differ in settings, environment, labels or basis. Default: list the differences.")
    private boolean strict;

    @Needs("--fail-if")
    @Option(
            names = "--base",
            paramLabel = "PATH",
            description = "Run of the sweep that conditions compare with; in the forms of PATH. Repeatable.")
    private List<Path> base = List.of();

    @Option(
            names = "--fail-if",
            paramLabel = "CONDITION",
            description =
                    "Exit with status 7 if a figure of the sweep is beyond a number or the figure of --base, such as"
                            + " 'front.auc < base*0.97' or 'required.concurrency < 64'. Figures: front.auc, front.points,"
                            + " knee.concurrency, knee.x, knee.y, saturation.concurrency, goodput.concurrency, goodput.per_s,"
                            + " required.concurrency. Repeatable.")
    private List<String> conditions = List.of();

    @Option(
            names = "--full",
            description =
                    "Print every figure of each point and every rule of MLPerf Endpoints, which formats other than text have anyway.")
    private boolean full;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description =
                    "Output format: text; html, one file with plots; csv, a row per point; md for a pull request; json for"
                            + " programs. Default: ${DEFAULT-VALUE}.")
    private SweepFormat format = SweepFormat.TEXT;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Output file, which must not exist. Default: standard output.")
    private @Nullable Path output;

    @Mixin
    private FailureOptions failures = new FailureOptions();

    @Override
    public Integer call() throws IOException {
        if (paths.isEmpty() && points.isEmpty()) {
            throw new IllegalArgumentException("PATH or --point N=PATH is missing: a sweep needs runs");
        }
        if (gpus != null && !(gpus > 0 && gpus < 1e9)) {
            throw new IllegalArgumentException("--gpus " + gpus + " is not a number above 0");
        }
        List<SweepCondition> parsed =
                conditions.stream().map(SweepCondition::parse).toList();
        SweepOptions options = new SweepOptions(
                PointFigure.of(x),
                PointFigure.of(y),
                includeUnsound,
                limits == null ? null : Requirement.parse(limits));
        SweepInputs inputs = new SweepInputs(
                new RunReader(by, gpus, basis == BasisChoice.RUN, null),
                SloConverter.keyed(objectives, classKey),
                failures::stateIn);
        List<SweepRun> runs = new ArrayList<>(inputs.read(paths));
        runs.addAll(inputs.points(points));
        Sweep sweep = Sweep.of(runs, options);
        if (strict && !sweep.differences().isEmpty()) {
            throw new IllegalArgumentException(
                    "--strict: the runs differ in " + String.join("; ", sweep.differences()));
        }
        Sweep baseline = base.isEmpty() ? null : Sweep.of(inputs.read(base), options);
        String text = format.render(sweep, full, output == null ? Terminal.columns() : ReportFormat.UNLIMITED);
        if (output == null) {
            Terminal.print(text);
        } else {
            OutputFile.write(output, text, inputs.sources());
        }
        boolean failed = false;
        for (SweepCondition condition : parsed) {
            for (SweepCondition.Answer answer : condition.check(sweep, baseline)) {
                failed |= answer.holds();
                report(condition, answer);
            }
        }
        return failed ? ExitStatus.CONDITION_HOLDS.code() : 0;
    }

    private static void report(SweepCondition condition, SweepCondition.Answer answer) {
        if (answer.holds()) {
            System.err.println("metrics-aggregator: "
                    + Printable.escape(
                            (answer.curve().isEmpty() ? "" : answer.curve() + ": ") + condition + " holds: "
                                    + answer.evidence(),
                            LINE_MAX));
        }
    }
}
