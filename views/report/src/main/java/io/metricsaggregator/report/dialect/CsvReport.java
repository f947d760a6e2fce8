package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.EnergyFigure;
import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.SampleCounts;
import io.metricsaggregator.analysis.StallText;
import io.metricsaggregator.analysis.UserRates;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.codec.CsvRow;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.percentile.Certainty;
import io.metricsaggregator.verdict.Verdict;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One row with a column for each figure, its unit in its name: the run, its samples, rates and stalls, in the same columns for every run, then each quantity
 * that was measured. Full precision; empty cells for unmeasured values. The columns {@code estimated} and {@code uncertain} name those whose values have
 * these marks in other views.
 */
public final class CsvReport implements Dialect {
    private final Map<String, @Nullable Object> cells = new LinkedHashMap<>();
    private final List<String> estimated = new ArrayList<>();
    private final List<String> uncertain = new ArrayList<>();

    @Override
    public String render(Report report) {
        CsvReport row = new CsvReport();
        MetricsSnapshot snapshot = report.snapshot();
        row.run(snapshot);
        row.counts(snapshot);
        row.rates(report);
        row.stalls(StallText.of(snapshot));
        for (Quantity quantity : Quantity.of(snapshot)) {
            SeriesMetric metric = quantity.measured(snapshot);
            if (metric != null) {
                row.quantity(quantity, metric);
            }
        }
        row.cells.put("estimated", String.join(" ", row.estimated));
        row.cells.put("uncertain", String.join(" ", row.uncertain));
        CsvRow values = new CsvRow();
        row.cells.values().forEach(each -> {
            if (each instanceof String text) {
                values.name(text);
            } else {
                values.value(each instanceof Double number ? plain(number) : each);
            }
        });
        return new CsvRow().names(row.cells.keySet()).toString() + values;
    }

    /** What tells the rows of several runs apart; labels as {@code name=value} with semicolons between. */
    private void run(MetricsSnapshot snapshot) {
        RunInfo run = snapshot.extensions().run();
        cells.put("run_id", run.runId());
        cells.put(
                "labels",
                run.labels().entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .collect(Collectors.joining(";")));
        cells.put("state", snapshot.state().wireName());
        cells.put("verdict", Verdict.of(snapshot).validity().name().toLowerCase(Locale.ROOT));
    }

    private void counts(MetricsSnapshot snapshot) {
        SampleCounts counts = SampleCounts.of(snapshot);
        cells.put("samples_issued", counts.issued());
        cells.put("samples_succeeded", counts.succeeded());
        cells.put("samples_failed", counts.failed());
        cells.put("samples_in_flight", counts.inFlight());
    }

    private void rates(Report report) {
        cells.put("requests_per_s", report.requestsPerSecond());
        cells.put(
                "loadgen_requests_per_s",
                report.otherThroughput() == null
                        ? null
                        : (Double) report.otherThroughput().requestsPerSecond());
        cells.put("output_tokens_per_s", report.tokensPerSecond());
        cells.put("reported_output_tokens_per_s", report.reportedTokensPerSecond());
        cells.put("good_requests_per_s", report.goodPerSecond());
        Goodput goodput = report.snapshot().extensions().goodput();
        cells.put("good_share", goodput == null ? null : goodput.share());
        UserRates.of(report).byName().forEach((name, value) -> {
            cells.put(name, value);
            UserRates.Source source = value == null ? null : UserRates.source(report.snapshot(), name);
            if (source != null) {
                marks(name, source.series(), source.percentile().percent());
            }
        });
        for (EnergyFigure each : EnergyFigure.values()) {
            cells.put(each.key(), each.of(report));
        }
    }

    private void stalls(@Nullable Progress progress) {
        cells.put("stalls", progress == null ? null : (Long) progress.endpointStalls());
        cells.put("stalled_s", progress == null ? null : (Double) (progress.stalledNanos() / 1e9));
        cells.put("longest_stall_s", progress == null ? null : (Double) (progress.longestIdleNanos() / 1e9));
    }

    private void quantity(Quantity quantity, SeriesMetric metric) {
        String unit = "_" + quantity.unit().replace("/", "_per_");
        String name = quantity.key() + "_";
        Double mean = metric.mean();
        cells.put(name + "count", metric.count());
        cells.put(name + "mean" + unit, mean == null ? null : (Double) quantity.shown(mean));
        cells.put(
                name + "std_dev" + unit,
                metric.count() < 2 ? null : (Double) quantity.shown(Report.standardDeviation(metric)));
        cells.put(name + "min" + unit, quantity.shown(metric.min().doubleValue()));
        metric.shownPercentiles().entrySet().stream()
                .sorted(Comparator.comparingDouble(each -> Double.parseDouble(each.getKey())))
                .forEach(each -> {
                    String column = name + Percentile.label(each.getKey()) + unit;
                    cells.put(column, quantity.shown(each.getValue()));
                    marks(column, metric, Double.parseDouble(each.getKey()));
                });
        cells.put(name + "max" + unit, quantity.shown(metric.max().doubleValue()));
    }

    private void marks(String column, SeriesMetric metric, double percent) {
        if (!metric.isExact()) {
            estimated.add(column);
        }
        if (!Certainty.isCertain(percent, metric.count())) {
            uncertain.add(column);
        }
    }

    /** Without an exponent, which spreadsheets read in different ways. */
    private static String plain(double value) {
        return Double.isFinite(value) ? new BigDecimal(Double.toString(value)).toPlainString() : "";
    }

    @Override
    public @Nullable String missing(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        return report.requestsPerSecond() == null
                        && Quantity.of(snapshot).stream().allMatch(each -> each.measured(snapshot) == null)
                ? "no value was measured"
                : null;
    }
}
