package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.EnergyFigure;
import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.SampleCounts;
import io.metricsaggregator.analysis.StallText;
import io.metricsaggregator.analysis.UserRates;
import io.metricsaggregator.codec.CsvRow;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.verdict.Verdict;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One row per quantity at full precision; empty cells for unmeasured values. */
public final class CsvReport implements Dialect {
    /** Cells of a row that are names: the metric and its unit. */
    private static final int NAMES = 2;

    @Override
    public String render(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        List<String> percentiles = Quantity.of(snapshot).stream()
                .map(each -> each.measured(snapshot))
                .filter(Objects::nonNull)
                .flatMap(metric -> metric.percentiles().keySet().stream())
                .distinct()
                .sorted(Comparator.comparingDouble(Double::parseDouble))
                .toList();
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("metric", "unit", "count", "mean", "std_dev", "min"));
        percentiles.forEach(each -> head.add("p" + each));
        head.add("max");
        counts(rows, snapshot, head.size());
        rows.add(single("requests", "1/s", report.requestsPerSecond(), head.size()));
        if (report.otherThroughput() != null) {
            rows.add(single(
                    "requests_loadgen_window", "1/s", report.otherThroughput().requestsPerSecond(), head.size()));
        }
        rows.add(single("output_tokens", "1/s", report.tokensPerSecond(), head.size()));
        rows.add(single("good_requests", "1/s", report.goodPerSecond(), head.size()));
        UserRates.of(report).byName().forEach((name, value) -> {
            if (value != null) {
                rows.add(single(name, "tok/s", value, head.size()));
            }
        });
        for (EnergyFigure each : EnergyFigure.values()) {
            Double value = each.of(report);
            if (value != null) {
                rows.add(single(each.key(), each.unit(), value, head.size()));
            }
        }
        Progress progress = StallText.of(snapshot);
        if (progress != null && progress.endpointStalls() > 0) {
            rows.add(stalls(progress, head.size()));
        }
        for (Quantity quantity : Quantity.of(snapshot)) {
            SeriesMetric metric = quantity.measured(snapshot);
            if (metric != null) {
                rows.add(row(quantity, metric, percentiles));
            }
        }
        List<String> run = run(snapshot);
        StringBuilder out = new StringBuilder()
                .append(new CsvRow().names(head).names(List.of("run_id", "state", "verdict", "labels")));
        for (List<String> row : rows) {
            out.append(new CsvRow()
                    .names(row.subList(0, NAMES))
                    .values(row.subList(NAMES, row.size()))
                    .names(run));
        }
        return out.toString();
    }

    /** What tells the rows of several runs apart: id, state, verdict, and labels as {@code name=value} with semicolons between. */
    private static List<String> run(MetricsSnapshot snapshot) {
        RunInfo run = snapshot.extensions().run();
        return List.of(
                run.runId(),
                snapshot.state().wireName(),
                Verdict.of(snapshot).validity().name(),
                run.labels().entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .collect(Collectors.joining(";")));
    }

    /** Numbers of samples, where a row of a series has its number of values. */
    private static void counts(List<List<String>> rows, MetricsSnapshot snapshot, int width) {
        SampleCounts counts = SampleCounts.of(snapshot);
        Map<String, @Nullable Long> numbers = new LinkedHashMap<>();
        numbers.put("samples_issued", counts.issued());
        numbers.put("samples_succeeded", counts.succeeded());
        numbers.put("samples_failed", counts.failed());
        numbers.put("samples_in_flight", counts.inFlight());
        numbers.forEach((name, number) -> {
            List<String> row = single(name, "samples", null, width);
            row.set(NAMES, number == null ? "" : number.toString());
            rows.add(row);
        });
    }

    private static List<String> single(String name, String unit, @Nullable Double value, int width) {
        List<String> row = new ArrayList<>(List.of(name, unit, "", value == null ? "" : plain(value)));
        while (row.size() < width) {
            row.add("");
        }
        return row;
    }

    /** Without an exponent, which spreadsheets read in different ways. */
    private static String plain(double value) {
        return Double.isFinite(value) ? new BigDecimal(Double.toString(value)).toPlainString() : "";
    }

    private static List<String> stalls(Progress progress, int width) {
        List<String> row = single("stalled", "s", progress.stalledNanos() / 1e9 / progress.endpointStalls(), width);
        row.set(NAMES, Long.toString(progress.endpointStalls()));
        row.set(width - 1, Double.toString(progress.longestIdleNanos() / 1e9));
        return row;
    }

    private static List<String> row(Quantity quantity, SeriesMetric metric, List<String> percentiles) {
        List<String> row = new ArrayList<>(List.of(quantity.key(), quantity.unit(), Long.toString(metric.count())));
        Double mean = metric.mean();
        row.add(mean == null ? "" : number(quantity, mean));
        row.add(metric.count() < 2 ? "" : number(quantity, Report.standardDeviation(metric)));
        row.add(number(quantity, metric.min().doubleValue()));
        for (String each : percentiles) {
            Double value = metric.percentile(each);
            row.add(value == null ? "" : number(quantity, value));
        }
        row.add(number(quantity, metric.max().doubleValue()));
        return row;
    }

    private static String number(Quantity quantity, double value) {
        return Double.isNaN(value) ? "" : plain(quantity.shown(value));
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
