package io.metricsaggregator.telemetry.server;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One metric of a server, or some of its series.
 *
 * @param name the metric's name as exposed; of a histogram without {@code _bucket}, {@code _sum} and {@code _count}
 * @param scale factor from the exposed unit to the role's
 * @param label label that selects series; null for all
 * @param values values of the label
 * @param except whether the values are those that are left out
 * @param partLabel label whose values are the role's parts; null without
 * @param part the part that the whole metric is; null without
 */
record SeriesSource(
        String name,
        double scale,
        @Nullable String label,
        Set<String> values,
        boolean except,
        @Nullable String partLabel,
        @Nullable String part) {

    static SeriesSource of(String name) {
        return new SeriesSource(name, 1, null, Set.of(), false, null, null);
    }

    SeriesSource scaled(double factor) {
        return new SeriesSource(name, factor, label, values, except, partLabel, part);
    }

    SeriesSource where(String by, String... only) {
        return new SeriesSource(name, scale, by, Set.of(only), false, partLabel, part);
    }

    SeriesSource whereNot(String by, String... others) {
        return new SeriesSource(name, scale, by, Set.of(others), true, partLabel, part);
    }

    SeriesSource by(String labelOfParts) {
        return new SeriesSource(name, scale, label, values, except, labelOfParts, part);
    }

    SeriesSource as(String wholePart) {
        return new SeriesSource(name, scale, label, values, except, partLabel, wholePart);
    }

    /** Whether a series of this name, with these labels, is meant. */
    boolean selects(Map<String, String> labels) {
        return label == null || values.contains(labels.getOrDefault(label, "")) != except;
    }

    /** The part of a series; null if the role has no parts, or the label is missing. */
    @Nullable
    String partOf(Map<String, String> labels) {
        return part != null ? part : partLabel == null ? null : labels.get(partLabel);
    }
}
