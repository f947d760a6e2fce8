package io.metricsaggregator.web.model;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The heat maps of the page, with the labels of their rows, a legend of their shades and a sentence that stands for each. */
final class HeatMaps {
    private HeatMaps() {}

    static Map<String, Object> of(MetricsSnapshot snapshot, RecentRun recent) {
        List<Map<String, Object>> maps = new ArrayList<>();
        for (SeriesName name : RecentRun.MAPPED) {
            HeatMap map = recent.map(name);
            Map<String, Object> tree = map == null ? null : map.tree();
            if (tree != null) {
                maps.add(described(
                        Quantity.leading(name, snapshot),
                        snapshot,
                        tree,
                        recent.last(RecentRun.WINDOWS.get(0)).values(name)));
            }
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("maps", maps);
        tree.put("shades", shades());
        return tree;
    }

    private static Map<String, Object> described(
            Quantity quantity, MetricsSnapshot snapshot, Map<String, Object> map, ValueCounts now) {
        boolean over = snapshot.state().isTerminal();
        SeriesMetric series = quantity.measured(snapshot);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("id", quantity.key());
        tree.put("title", quantity.title(snapshot));
        tree.putAll(map);
        List<String> labels = new ArrayList<>();
        for (Object edge : (List<?>) map.getOrDefault("edges_ns", List.of())) {
            labels.add(Figures.duration(((Long) edge).doubleValue()));
        }
        tree.put("labels", labels);
        double[] found = series == null ? null : now.percentiles(series, 50, 99, 100);
        tree.put(
                "summary",
                found == null
                        ? "No value in the last " + RecentRun.WINDOWS.get(0) + " s."
                        : (over ? "At the end" : "Now") + ": half of the values up to " + Figures.duration(found[0])
                                + ", 99% up to " + Figures.duration(found[1]) + ", all up to "
                                + Figures.duration(found[2])
                                + ".");
        return tree;
    }

    /** What the shades stand for, from the first on. */
    private static List<String> shades() {
        List<String> texts = new ArrayList<>();
        int low = 0;
        for (double share : HeatMap.SHADES) {
            int high = (int) Math.round(100 * share);
            texts.add(low == 0 ? "up to " + high + "%" : low + " to " + high + "%");
            low = high;
        }
        texts.add("over " + low + "%");
        return texts;
    }
}
