package io.metricsaggregator.report;

import io.metricsaggregator.analysis.ContractRun;
import io.metricsaggregator.analysis.ExampleFleet;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.ViewContract;
import io.metricsaggregator.analysis.ViewContract.Medium;
import io.metricsaggregator.analysis.ViewContract.Scope;
import io.metricsaggregator.report.plot.PlotFiles;
import io.metricsaggregator.report.sweep.SweepFormat;
import io.metricsaggregator.runs.Comparison;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.sweep.RunReader;
import io.metricsaggregator.sweep.Sweep;
import io.metricsaggregator.sweep.SweepOptions;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reports, comparisons, sweeps and fleets keep the contract of views. */
class ReportContractTest {
    private static final List<Integer> WIDTHS = List.of(80, 120, 200);

    private static Medium medium(ReportFormat format) {
        return switch (format) {
            case TEXT, FULL, HGRM, HLOG, MLCOMMONS -> Medium.TEXT;
            case HTML -> Medium.HTML;
            case MD -> Medium.MARKDOWN;
            case CSV, SLICES, SERIES, AIPERFCSV -> Medium.CSV;
            case JSON, SUMMARY, POWER, VLLM, AIPERF, LLMD, TOKEN_ACCOUNTING -> Medium.JSON;
            case JUNIT -> Medium.XML;
        };
    }

    private static Scope scope(ReportFormat format, ContractRun run) {
        return switch (format) {
            case TEXT, FULL, HTML, MD, CSV, JSON -> run == ContractRun.NOTHING ? Scope.VERDICT : Scope.WHOLE;
            case JUNIT -> Scope.VERDICT;
            default -> Scope.PART;
        };
    }

    @ParameterizedTest
    @EnumSource(ContractRun.class)
    void reports(ContractRun run) {
        Report report = Report.of(run.snapshot());
        for (ReportFormat each : ReportFormat.values()) {
            for (int width : each == ReportFormat.TEXT ? WIDTHS : List.of(ReportFormat.UNLIMITED)) {
                ViewContract.check(
                        run,
                        each.name(),
                        medium(each),
                        scope(each, run),
                        width,
                        () -> each.render(report, true, width));
            }
        }
        PlotFiles.svg(report)
                .forEach((name, plot) -> ViewContract.check(run, name, Medium.XML, Scope.PART, 0, () -> plot));
    }

    @ParameterizedTest
    @EnumSource(ContractRun.class)
    void reportsOfAFleet(ContractRun run) {
        MetricsSnapshot fleet = ExampleFleet.with(run.snapshot(), ExampleFleet.large(20));
        for (ReportFormat each : List.of(ReportFormat.TEXT, ReportFormat.FULL, ReportFormat.MD, ReportFormat.HTML)) {
            ViewContract.check(
                    run,
                    "fleet as " + each,
                    medium(each),
                    Scope.PART,
                    ReportFormat.UNLIMITED,
                    () -> each.render(Report.of(fleet), true));
        }
    }

    @ParameterizedTest
    @EnumSource(ContractRun.class)
    void comparisons(ContractRun run) {
        for (ContractRun baseline : List.of(ContractRun.EMPTY, ContractRun.RUNNING, ContractRun.CUT)) {
            Comparison comparison =
                    Comparison.of(ContractRun.hostile(20), baseline.snapshot(), run.name(), run.snapshot());
            for (ComparisonView view : ComparisonView.values()) {
                for (int width : view == ComparisonView.TEXT ? WIDTHS : List.of(0)) {
                    Medium medium = switch (view) {
                        case TEXT -> Medium.TEXT;
                        case MD -> Medium.MARKDOWN;
                        case HTML -> Medium.HTML;
                    };
                    ViewContract.check(
                            run,
                            "comparison with " + baseline + " as " + view,
                            medium,
                            Scope.VERDICT,
                            width,
                            () -> view.render(List.of(comparison), true, width));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ContractRun.class)
    void sweeps(ContractRun run) {
        RunReader reader = new RunReader(null, null, false, null);
        Sweep sweep = Sweep.of(
                List.of(
                        reader.read(ContractRun.hostile(20), run.snapshot(), "8"),
                        reader.read("again", run.snapshot(), "16"),
                        reader.read("other", ContractRun.RUNNING.snapshot(), "32")),
                SweepOptions.DEFAULT);
        for (SweepFormat format : SweepFormat.values()) {
            for (int width : format == SweepFormat.TEXT ? WIDTHS : List.of(0)) {
                Medium medium = switch (format) {
                    case TEXT -> Medium.TEXT;
                    case MD -> Medium.MARKDOWN;
                    case HTML -> Medium.HTML;
                    case CSV -> Medium.CSV;
                    case JSON -> Medium.JSON;
                };
                ViewContract.check(
                        run,
                        "sweep as " + format,
                        medium,
                        Scope.VERDICT,
                        width,
                        () -> format.render(sweep, true, width));
            }
        }
    }
}
