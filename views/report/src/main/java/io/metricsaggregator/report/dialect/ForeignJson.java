package io.metricsaggregator.report.dialect;

import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.codec.JsonTree;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shared parts of the JSON result files of other tools: units, rates and the notes on missing figures. */
final class ForeignJson {
    private static final double NANOS_PER_SECOND = 1e9;
    /** The key, not one of the tools' own, of the notes on missing figures. */
    private static final String NOTES = "metrics_aggregator_notes";

    private ForeignJson() {}

    static Instant instant(long nanos) {
        return EpochNanos.toInstant(nanos);
    }

    static String write(Map<String, @Nullable Object> tree, List<String> notes) {
        if (!notes.isEmpty()) {
            tree.put(NOTES, notes);
        }
        return new String(JsonTree.write(tree), StandardCharsets.UTF_8) + "\n";
    }

    static @Nullable Double seconds(@Nullable Long nanos) {
        return nanos == null ? null : (Double) (nanos / NANOS_PER_SECOND);
    }

    /** A number per second; null if either is unknown. */
    static @Nullable Double perSecond(@Nullable Number amount, @Nullable Double seconds) {
        return amount == null || seconds == null || seconds <= 0 ? null : (Double) (amount.doubleValue() / seconds);
    }

    /** A sum; null if either is unknown. */
    static @Nullable Double sum(@Nullable Number one, @Nullable Number other) {
        return one == null || other == null ? null : (Double) (one.doubleValue() + other.doubleValue());
    }
}
