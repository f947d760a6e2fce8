package io.metricsaggregator.export;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.catalogue.Unit;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.SuccessSeries;
import io.metricsaggregator.snapshot.figures.EnergyUse;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import io.metricsaggregator.snapshot.figures.SaturationMonitor;
import io.metricsaggregator.snapshot.figures.SelfCost;
import io.metricsaggregator.snapshot.figures.SteadyState;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts a snapshot to exported metrics: counters, series and extensions. All exporters use it. */
final class SnapshotExport implements Metric.Visitor<RuntimeException> {
    private static final double SECONDS = 1e-9;
    private static final int WORKERS_MAX = 256;

    private final DistinctMetrics out = new DistinctMetrics();
    private final @Nullable MetricsSnapshot snapshot;

    private SnapshotExport(@Nullable MetricsSnapshot snapshot) {
        this.snapshot = snapshot;
    }

    /** As {@link #of(MetricsSnapshot, boolean)}, under our own names alone. */
    static ExportModel of(@Nullable MetricsSnapshot snapshot) {
        return of(snapshot, false);
    }

    /**
     * Converts a snapshot.
     *
     * @param snapshot null before the first one: the result then holds the session state {@code INITIALIZE} only
     * @param genAi whether the names of {@link GenAiExport} stand beside ours
     */
    static ExportModel of(@Nullable MetricsSnapshot snapshot, boolean genAi) {
        SnapshotExport model = new SnapshotExport(snapshot);
        model.state(snapshot == null ? SessionState.INITIALIZE : snapshot.state());
        if (snapshot != null) {
            model.metrics(snapshot);
            if (genAi) {
                GenAiExport.add(snapshot, model.out);
            }
            SnapshotExtensions extensions = snapshot.extensions();
            if (!extensions.isNone()) {
                model.extensions(extensions);
                NodeExport.add(extensions.optional().nodes(), model.out);
            }
        }
        return model.out.finish();
    }

    private void state(SessionState now) {
        for (SessionState each : SessionState.values()) {
            out.gauge(
                    "session_state",
                    "1 for the state the session is in",
                    Map.of("state", each.wireName()),
                    each == now ? 1 : 0);
        }
    }

    private void metrics(MetricsSnapshot snapshot) {
        for (Metric metric : snapshot.metrics()) {
            metric.accept(this);
        }
        SeriesName succeeded = SuccessSeries.LATENCY.succeeded();
        SeriesMetric latency = SuccessSeries.LATENCY.of(snapshot);
        if (latency != null && snapshot.series(succeeded) == null) {
            // From the first sample on, so that a rate over it is right when the first one fails. The time to first
            // token cannot be: before a failure it has
            // the samples in flight, too.
            series(latency.named(succeeded.wire()));
        }
    }

    @Override
    public void counter(CounterMetric counter) {
        String name = name(counter.name());
        double value = Unit.isNanoseconds(counter.name()) ? counter.value() * SECONDS : (double) counter.value();
        out.add(
                CounterMetric.mayFall(counter.name())
                        ? new Exported.Gauge(name, help(counter), Map.of(), value)
                        : new Exported.Counter(name, help(counter), Map.of(), value));
    }

    /** The name of a counter. Receivers of OTLP move the word "total" to the end, where Prometheus' own format adds it anyway. */
    static String name(String counter) {
        String named = Unit.isNanoseconds(counter) ? seconds(counter) : counter;
        return DistinctMetrics.PREFIX + named.replaceFirst("^total_", "");
    }

    private static String help(CounterMetric counter) {
        CounterName known = CounterName.ofWire(counter.name());
        return known == null ? "counter " + counter.name() + " of the snapshot" : known.meaning();
    }

    private static String help(SeriesMetric series) {
        SeriesName known = SeriesName.ofWire(series.name());
        return known == null ? "series " + series.name() + " of the snapshot" : known.meaning();
    }

    private static String seconds(String name) {
        return Unit.withoutSuffix(name) + "_seconds";
    }

    @Override
    public void series(SeriesMetric series) {
        boolean nanos = Unit.isNanoseconds(series.name());
        out.add(Exported.Distribution.of(
                series,
                DistinctMetrics.PREFIX + (nanos ? seconds(series.name()) : ConversationExport.name(series.name())),
                help(series),
                Map.of(),
                nanos ? "s" : ConversationExport.unit(series.name()),
                SlowExemplars.of(snapshot, series.name())));
    }

    private void extensions(SnapshotExtensions extensions) {
        inFlight(extensions.inFlight());
        goodput(extensions.goodput());
        SteadyState steady = extensions.optional().steady();
        if (steady != null) {
            steady(steady);
        }
        ReportedUsage usage = extensions.optional().usage();
        if (usage != null) {
            usage(usage);
        }
        Progress progress = extensions.optional().progress();
        if (progress != null) {
            ProgressExport.add(progress, out);
        }
        LabelBreakdown byLabel = extensions.optional().labels();
        if (byLabel != null) {
            LabelExport.add(byLabel, out);
        }
        EnergyUse energy = extensions.optional().energy();
        if (energy != null) {
            EnergyExport.add(energy, out);
        }
        ConversationExport.add(extensions.optional(), out);
        for (SnapshotExtensions.ErrorRow row : extensions.errors()) {
            out.counter(
                    "errors",
                    "errors by event and type",
                    Map.of("event", row.event(), "type", row.type()),
                    row.count());
        }
        List<SnapshotExtensions.WorkerRow> workers = extensions.workers();
        out.countLeftOut(Math.max(0, workers.size() - WORKERS_MAX));
        for (SnapshotExtensions.WorkerRow row : workers.subList(0, Math.min(WORKERS_MAX, workers.size()))) {
            Map<String, String> labels = Map.of("worker", row.worker());
            out.counter("worker_records", "records by worker", labels, row.records());
            out.counter(
                    "worker_records_lost", "numbered records that never came, by worker", labels, row.sequenceLost());
        }
        TelemetryExport.add(extensions.telemetry(), out);
        SelfCost self = extensions.self();
        if (self != null) {
            out.counter("self_cpu_seconds", "CPU time of the daemon", Map.of(), self.cpuNanos() * SECONDS);
            out.gauge("self_resident_bytes", "resident memory of the daemon", Map.of(), self.residentBytes());
            out.gauge(
                    "self_lag_p99_seconds",
                    "from receipt to application of a record, 99th percentile",
                    Map.of(),
                    self.lagP99Nanos() * SECONDS);
            out.gauge(
                    "self_tick_interval_seconds",
                    "time between snapshots",
                    Map.of(),
                    self.tickIntervalNanos() * SECONDS);
        }
    }

    private void goodput(@Nullable Goodput goodput) {
        if (goodput != null) {
            out.counter("goodput_judged", "samples judged by the objectives", Map.of(), goodput.judged());
            out.counter("goodput_good", "samples that met every objective", Map.of(), goodput.good());
            out.gauge(
                    "goodput_target_share", "the share of samples that is to be good", Map.of(), goodput.targetShare());
            for (Goodput.Constraint each : goodput.constraints()) {
                out.counter(
                        "goodput_met", "samples that met an objective", Map.of("objective", each.name()), each.met());
            }
        }
    }

    private void inFlight(SnapshotExtensions.InFlight inFlight) {
        if (!inFlight.sentAfterwards()) {
            out.gauge("in_flight", "samples issued and not completed", Map.of(), inFlight.count());
        }
        out.gauge("in_flight_peak", "the most samples in flight so far", Map.of(), inFlight.peak());
        if (!inFlight.sentAfterwards()) {
            out.gauge(
                    "in_flight_oldest_seconds",
                    "how long the oldest sample in flight has waited",
                    Map.of(),
                    inFlight.oldestAgeNanos() * SECONDS);
        }
    }

    private void steady(SteadyState steady) {
        for (String state : SteadyState.STATES) {
            out.gauge(
                    "steady_state",
                    "1 for the state that the run is in, 0 for the others",
                    Map.of("state", state),
                    steady.state().equals(state) ? 1 : 0);
        }
        out.gauge(
                "steady_for_seconds",
                "how long the present level has been held; 0 unless steady",
                Map.of(),
                steady.steadySeconds());
        SaturationMonitor saturation = steady.saturation();
        if (saturation != null) {
            out.gauge(
                    "saturation_alert",
                    "1 while samples in flight and times to first token grow together",
                    Map.of(),
                    saturation.alert() ? 1 : 0);
        }
        out.gauge(
                "steady_required_seconds",
                "how long a level must be held to be certified",
                Map.of(),
                steady.requiredSeconds());
    }

    private void usage(ReportedUsage usage) {
        out.counter("usage_reported", "completions that report their tokens", Map.of(), usage.reported());
        usage.totals()
                .forEach((key, total) -> out.counter(
                        "usage_reported_tokens",
                        "sum of a count of the usage, failed samples included",
                        Map.of("kind", key.wireName()),
                        total));
        out.gauge(
                "usage_cache_hit_ratio",
                "share of reported prompt tokens that came from the cache",
                Map.of(),
                usage.cache().hitRatio());
        out.gauge(
                "usage_acceptance_ratio",
                "accepted tokens per draft token of speculative decoding",
                Map.of(),
                usage.speculation().acceptanceRatio());
    }
}
