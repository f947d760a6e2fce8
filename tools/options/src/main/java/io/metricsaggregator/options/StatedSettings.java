package io.metricsaggregator.options;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Settings that a user states of a run which has ended. */
final class StatedSettings {
    private StatedSettings() {}

    /** The snapshot with more or other settings of its run, which follow from its own; {@code what} begins the error without any. */
    static MetricsSnapshot in(MetricsSnapshot snapshot, String what, UnaryOperator<Map<String, String>> stated) {
        SnapshotExtensions extensions = snapshot.extensions();
        if (extensions.isNone()) {
            throw new IllegalArgumentException(what + " a snapshot of this daemon");
        }
        Map<String, String> settings = new LinkedHashMap<>(extensions.run().settings());
        settings.putAll(stated.apply(settings));
        return new MetricsSnapshot(
                snapshot.counter(),
                snapshot.timestampNanos(),
                snapshot.state(),
                snapshot.pendingTasks(),
                snapshot.metrics(),
                extensions.withRun(extensions.run().withSettings(settings)));
    }
}
