package io.metricsaggregator.web.model;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.Certificate;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The table of durations: percentiles of the last seconds beside those of the run. */
final class PercentileTable {
    private static final List<Percentile> NOW = List.of(Percentile.P50, Percentile.P90, Percentile.P99);
    private static final List<Percentile> RUN =
            List.of(Percentile.P50, Percentile.P90, Percentile.P99, Percentile.P99_9);

    private PercentileTable() {}

    static Map<String, Object> of(MetricsSnapshot snapshot, RecentRun recent) {
        TableTree table = new TableTree("durations", "Durations in ms: now and the run")
                .group("", 1)
                .group("now (" + RecentRun.WINDOW_SECONDS + " s)", NOW.size())
                .group("run", RUN.size())
                .text("Duration")
                .whenEmpty("No tracked sample has been measured yet.");
        NOW.forEach(each -> table.numbers(each.label()));
        RUN.forEach(each -> table.numbers(each.label()));
        Missing missing = new Missing();
        for (SeriesName name : RecentRun.SERIES) {
            SeriesMetric series = snapshot.series(name);
            if (series != null && series.count() > 0) {
                table.row(row(name, series, recent.values(name), missing));
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

    private static List<Object> row(SeriesName name, SeriesMetric series, ValueCounts now, Missing missing) {
        List<Object> cells = new ArrayList<>();
        cells.add(name.title());
        for (Percentile each : NOW) {
            Long value = now.percentile(each.percent());
            cells.add(value == null ? "-" : Figures.millis((double) value));
        }
        SeriesDetail detail = series.detail();
        for (Percentile each : RUN) {
            Double value = series.percentile(each);
            Certificate certificate =
                    detail == null ? null : detail.certification().get(each.key());
            boolean uncertain = certificate != null && !certificate.certified();
            if (certificate != null && uncertain) {
                missing.note(certificate.valuesMissing(), name.title() + " " + each.label());
            }
            cells.add(
                    value == null
                            ? "-"
                            : Texts.cell(Figures.millis(value) + (uncertain ? "?" : ""), uncertain ? "dim" : ""));
        }
        return cells;
    }
}
