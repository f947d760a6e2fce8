package io.metricsaggregator.web.model;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SuccessSeries;
import io.metricsaggregator.snapshot.percentile.Certainty;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The table of durations: percentiles of the last seconds beside those of the run. */
final class PercentileTable {
    private static final List<Percentile> NOW = List.of(Percentile.P50, Percentile.P90, Percentile.P99);
    private static final double[] NOW_PERCENTS =
            NOW.stream().mapToDouble(Percentile::percent).toArray();
    private static final List<Percentile> RUN =
            List.of(Percentile.P50, Percentile.P90, Percentile.P99, Percentile.P99_9);

    private PercentileTable() {}

    static Map<String, Object> of(MetricsSnapshot snapshot, RecentWindow recent) {
        TableTree table = new TableTree("durations", "Durations in ms: now and the run")
                .group("", 1)
                .group("now (" + recent.seconds() + " s)", NOW.size())
                .group("run", RUN.size())
                .text("Duration")
                .whenEmpty("No tracked sample has been measured yet.");
        NOW.forEach(each -> table.numbers(each.label()));
        RUN.forEach(each -> table.numbers(each.label()));
        Missing missing = new Missing();
        for (SeriesName name : RecentRun.SERIES) {
            Quantity quantity = Quantity.leading(name, snapshot);
            SuccessSeries durations = SuccessSeries.with(name);
            boolean repeats = durations != null && name == durations.all() && durations.isMixed(snapshot);
            SeriesMetric series = repeats ? null : quantity.measured(snapshot);
            if (series != null && series.count() > 0) {
                table.row(row(quantity.title(snapshot), series, recent.values(name), missing));
            }
        }
        if (missing.values > 0 && !snapshot.state().isTerminal()) {
            table.note(String.format(
                    Locale.ROOT, "? not certain yet: %s needs %,d more samples.", missing.which, missing.values));
        }
        return table.tree();
    }

    /** The percentile that needs the most samples to be certain. */
    private static final class Missing {
        private long values;
        private String which = "";

        void note(long missing, String name) {
            if (missing > values) {
                values = missing;
                which = name;
            }
        }
    }

    private static List<Object> row(String name, SeriesMetric series, ValueCounts now, Missing missing) {
        List<Object> cells = new ArrayList<>();
        cells.add(name);
        double[] found = now.percentiles(series, NOW_PERCENTS);
        for (int i = 0; i < NOW.size(); i++) {
            cells.add(cell(found == null ? null : (Double) found[i], NOW.get(i), now.total(), PercentileText.ESTIMATE));
        }
        for (Percentile each : RUN) {
            missing.note(Certainty.missing(each.percent(), series.count()), name + " " + each.label());
            cells.add(cell(
                    series.percentile(each), each, series.count(), series.isExact() ? "" : PercentileText.ESTIMATE));
        }
        return cells;
    }

    private static Object cell(@Nullable Double value, Percentile percentile, long count, String estimate) {
        return value == null
                ? "-"
                : Texts.cell(
                        estimate + PercentileText.of(value, percentile.percent(), count, Figures::millis),
                        Certainty.isCertain(percentile, count) ? "" : "dim");
    }
}
