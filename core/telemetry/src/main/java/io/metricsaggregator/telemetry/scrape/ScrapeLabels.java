package io.metricsaggregator.telemetry.scrape;

import io.metricsaggregator.event.frame.TelemetryRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the labels of scraped samples and merges them with those of the target. */
final class ScrapeLabels {
    private static final int LABELS_MAX = 64;
    private static final int VALUE_MAX_CHARS = 1024;
    private static final String EXPORTED = "exported_";

    private ScrapeLabels() {}

    /** The labels of a decoded map, without empty ones; null if the value is not a map of strings, has too many, or a name is too long. */
    static @Nullable Map<String, String> of(@Nullable Object value) {
        Map<String, String> labels = new TreeMap<>();
        if (value == null) {
            return labels;
        }
        if (!(value instanceof Map<?, ?> map) || map.size() > LABELS_MAX) {
            return null;
        }
        for (Map.Entry<?, ?> each : map.entrySet()) {
            if (!(each.getKey() instanceof String name)
                    || name.length() > TelemetryRecord.NAME_MAX_CHARS
                    || !(each.getValue() instanceof String text)) {
                return null;
            }
            // An empty label equals a missing one in Prometheus.
            if (!text.isEmpty()) {
                labels.put(name, text.length() > VALUE_MAX_CHARS ? text.substring(0, VALUE_MAX_CHARS) : text);
            }
        }
        return labels;
    }

    /**
     * Adds the target's labels to those of a sample. A label that both have keeps the sample's value as {@code exported_NAME}, with the prefix
     * repeated until the name is new, as in Prometheus without {@code honor_labels} (scrape/scrape.go, {@code resolveConflictingExposedLabels}).
     *
     * @param labels of the sample; modified by this method
     */
    static Map<String, String> merged(Map<String, String> labels, Map<String, String> target) {
        List<Map.Entry<String, String>> exposed = new ArrayList<>();
        target.forEach((name, value) -> {
            String own = labels.put(name, value);
            if (own != null) {
                exposed.add(Map.entry(name, own));
            }
        });
        // Shorter names first, as in Prometheus: the order decides which of two gets the shorter new name.
        exposed.sort(Comparator.comparingInt(each -> each.getKey().length()));
        for (Map.Entry<String, String> each : exposed) {
            String name = EXPORTED + each.getKey();
            while (labels.containsKey(name)) {
                name = EXPORTED + name;
            }
            labels.put(name, each.getValue());
        }
        return labels;
    }
}
