package io.metricsaggregator.report.dialect;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part {@code server_times} of the JSON report: where the time to first token went. */
final class JsonServerTimes {
    private JsonServerTimes() {}

    /** Adds the part if the run has server times. */
    static void put(Map<String, @Nullable Object> report, MetricsSnapshot snapshot) {
        ServerTimeFigures figures = snapshot.extensions().optional().serverTimes();
        if (figures == null) {
            return;
        }
        report.put(
                "server_times",
                ReportFields.of(
                        "server_times",
                        figures,
                        ServerTimeFigures::pass,
                        "rejected",
                        snapshot.counter(CounterName.SERVER_REJECTED),
                        "mean",
                        composition(figures.mean()),
                        "slowest",
                        composition(figures.slowest())));
    }

    private static @Nullable Map<String, @Nullable Object> composition(ServerTimeFigures.@Nullable Composition of) {
        return of == null ? null : ReportFields.of("parts", of, ServerTimeFigures.Composition::pass);
    }
}
