package io.metricsaggregator.report.html;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.report.markup.Markup;
import io.metricsaggregator.report.section.Section;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The table of durations and lengths. Each row has the unit in which its median has digits before the point, if only one. */
final class HtmlQuantities {
    private static final List<Percentile> PERCENTILES =
            List.of(Percentile.P50, Percentile.P90, Percentile.P95, Percentile.P99, Percentile.P99_9);

    private final MetricsSnapshot snapshot;
    private final List<List<String>> rows = new ArrayList<>();
    private final List<Section.Column> columns = new ArrayList<>();
    private boolean uncertain;
    private boolean approximate;

    private HtmlQuantities(MetricsSnapshot snapshot) {
        this.snapshot = snapshot;
    }

    /** Appends the section; nothing without a measured quantity. */
    static void render(Report report, PageBody body) {
        HtmlQuantities table = new HtmlQuantities(report.snapshot());
        table.fill();
        if (table.rows.isEmpty()) {
            return;
        }
        Markup out = body.section("Durations and lengths");
        HtmlTable.render(out, new Section.Table(table.columns, table.rows));
        if (table.uncertain) {
            out.element("p", PercentileText.UNCERTAIN_LEGEND, "class", "small");
        }
        if (table.approximate) {
            out.element("p", PercentileText.ESTIMATE_LEGEND, "class", "small");
        }
        body.end();
    }

    private void fill() {
        columns.add(new Section.Column("quantity", Section.Align.LEFT));
        columns.add(new Section.Column("unit", Section.Align.LEFT));
        for (String each : List.of("count", "mean", "std", "min")) {
            columns.add(new Section.Column(each, Section.Align.RIGHT));
        }
        PERCENTILES.forEach(each -> columns.add(new Section.Column(each.label(), Section.Align.RIGHT)));
        columns.add(new Section.Column("max", Section.Align.RIGHT));
        for (Quantity quantity : Quantity.of(snapshot)) {
            SeriesMetric metric = quantity.measured(snapshot);
            if (metric != null) {
                row(quantity, metric);
            }
        }
    }

    /** The unit of a row, and how many of the series' units it is. */
    private record RowUnit(String name, double size) {
        static RowUnit of(Quantity quantity, SeriesMetric metric) {
            if (!quantity.isDuration()) {
                return new RowUnit(quantity.unit(), 1);
            }
            Double median = metric.percentile(Percentile.P50);
            Double middle = median == null ? metric.mean() : median;
            double nanos = middle == null ? 1e6 : middle;
            return nanos >= 1e5 ? new RowUnit("ms", 1e6) : nanos >= 100 ? new RowUnit("µs", 1e3) : new RowUnit("ns", 1);
        }

        String number(Quantity quantity, double value) {
            return quantity.isDuration() ? Figures.millis(value / size * 1e6) : Figures.moment(value);
        }
    }

    private void row(Quantity quantity, SeriesMetric metric) {
        approximate |= !metric.isExact();
        RowUnit unit = RowUnit.of(quantity, metric);
        List<String> row = new ArrayList<>();
        row.add(PercentileText.estimate(metric) + quantity.title(snapshot));
        row.add(unit.name());
        row.add(String.format(Locale.ROOT, "%,d", metric.count()));
        Double mean = metric.mean();
        row.add(mean == null ? "-" : unit.number(quantity, mean));
        row.add(metric.count() < 2 ? "-" : unit.number(quantity, Report.standardDeviation(metric)));
        row.add(unit.number(quantity, metric.min().doubleValue()));
        for (Percentile each : PERCENTILES) {
            uncertain |= !metric.isCertain(each);
            row.add(PercentileText.of(metric, each, value -> unit.number(quantity, value)));
        }
        row.add(unit.number(quantity, metric.max().doubleValue()));
        rows.add(row);
    }
}
