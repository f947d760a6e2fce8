package io.metricsaggregator.export;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.SuccessSeries;
import io.metricsaggregator.snapshot.figures.SlowSample;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The exemplars of the series of latencies and of times to first token: the slowest samples whose request was of a trace. */
final class SlowExemplars {
    private static final double NANOS_PER_SECOND = 1e9;

    private SlowExemplars() {}

    /**
     * The exemplars of a series.
     *
     * @param snapshot null before the first one
     * @param series its name in the snapshot
     * @return the slowest first; empty for a series of anything else
     */
    static List<Exported.Exemplar> of(@Nullable MetricsSnapshot snapshot, String series) {
        SeriesName name = SeriesName.ofWire(series);
        SuccessSeries durations = name == null ? null : durations(name);
        if (durations == null || snapshot == null || snapshot.extensions().isNone()) {
            return List.of();
        }
        String by = durations == SuccessSeries.TTFT ? SlowSample.TTFT : SlowSample.LATENCY;
        return snapshot.extensions().slowest().stream()
                // A node of a fleet may send any text, and Prometheus refuses a whole page for an exemplar that is too
                // long.
                .filter(each -> TraceId.isValid(each.traceId()) && SpanId.isValid(each.spanId()))
                .filter(each -> each.by().equals(by))
                .filter(each -> name == durations.all() || each.failed() == (name == durations.failed()))
                .map(each -> exemplar(snapshot, each))
                .toList();
    }

    private static @Nullable SuccessSeries durations(SeriesName series) {
        for (SuccessSeries each : SuccessSeries.values()) {
            if (each.all() == series || each.succeeded() == series || each.failed() == series) {
                return each;
            }
        }
        return null;
    }

    private static Exported.Exemplar exemplar(MetricsSnapshot snapshot, SlowSample sample) {
        SnapshotExtensions extensions = snapshot.extensions();
        // Producers elsewhere have another clock, so that the time of the snapshot bounds it.
        long ago = Math.max(0, snapshot.timestampNanos() - sample.completedNanos());
        long wall = extensions.run().wallNanos();
        return new Exported.Exemplar(
                sample.nanos() / NANOS_PER_SECOND,
                String.valueOf(sample.traceId()),
                String.valueOf(sample.spanId()),
                Math.max(wall - ago, extensions.run().startedWallNanos()));
    }
}
