package io.metricsaggregator.report.dialect;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part {@code server_times} of the JSON report: where the time to first token went. */
final class JsonServerTimes {
    private static final double NANOS_PER_MILLI = 1e6;

    private JsonServerTimes() {}

    /** Adds the part if the run has server times. */
    static void put(Map<String, @Nullable Object> report, MetricsSnapshot snapshot) {
        ServerTimeFigures figures = snapshot.extensions().optional().serverTimes();
        if (figures == null) {
            return;
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("reported", figures.reported());
        tree.put("failed", figures.failed());
        tree.put("rejected", snapshot.counter(CounterName.SERVER_REJECTED));
        tree.put("negative", figures.negative());
        tree.put("transferred", figures.transferred());
        tree.put("kv_bytes", figures.kvBytes());
        tree.put("mean", composition(figures.mean()));
        tree.put("slowest", composition(figures.slowest()));
        report.put("server_times", tree);
    }

    private static @Nullable Map<String, @Nullable Object> composition(ServerTimeFigures.@Nullable Composition of) {
        if (of == null) {
            return null;
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("samples", of.samples());
        tree.put("ttft_ms", of.ttftNanos() / NANOS_PER_MILLI);
        for (ServerTimeFigures.Part part : ServerTimeFigures.Part.values()) {
            tree.put(part.key() + "_ms", of.nanos(part) / NANOS_PER_MILLI);
        }
        tree.put("limited_by", of.largest().key());
        return tree;
    }
}
