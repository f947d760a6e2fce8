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
    private static final String PREFIX = "metrics_aggregator_";
    private static final double SECONDS = 1e-9;
    private static final int WORKERS_MAX = 256;

    private final DistinctMetrics out = new DistinctMetrics();

    private SnapshotExport() {}

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
        SnapshotExport model = new SnapshotExport();
        model.state(snapshot == null ? SessionState.INITIALIZE : snapshot.state());
        if (snapshot != null) {
            model.metrics(snapshot);
            if (genAi) {
                GenAiExport.add(snapshot, model.out);
            }
            SnapshotExtensions extensions = snapshot.extensions();
            if (!extensions.isNone()) {
                model.extensions(extensions);
                NodeExport.add(extensions.optional().nodes(), PREFIX, model.out);
            }
        }
        return model.out.finish();
    }

    private void state(SessionState now) {
        for (SessionState each : SessionState.values()) {
            out.add(new Exported.Gauge(
                    PREFIX + "session_state",
                    "1 for the state the session is in",
                    Map.of("state", each.wireName()),
                    each == now ? 1 : 0));
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
        boolean nanos = Unit.isNanoseconds(counter.name());
        out.add(new Exported.Counter(
                name(counter.name()),
                help(counter),
                Map.of(),
                nanos ? counter.value() * SECONDS : (double) counter.value()));
    }

    /** The name of a counter. Receivers of OTLP move the word "total" to the end, where Prometheus' own format adds it anyway. */
    static String name(String counter) {
        String named = Unit.isNanoseconds(counter) ? seconds(counter) : counter;
        return PREFIX + named.replaceFirst("^total_", "");
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
                PREFIX + (nanos ? seconds(series.name()) : ConversationExport.name(series.name())),
                help(series),
                Map.of(),
                nanos ? "s" : ConversationExport.unit(series.name())));
    }

    private void extensions(SnapshotExtensions extensions) {
        inFlight(extensions.inFlight());
        Goodput goodput = extensions.goodput();
        if (goodput != null) {
            counter("goodput_judged", "samples judged by the objectives", Map.of(), (double) goodput.judged());
            counter("goodput_good", "samples that met every objective", Map.of(), (double) goodput.good());
            gauge("goodput_target_share", "the share of samples that is to be good", goodput.targetShare());
            for (Goodput.Constraint each : goodput.constraints()) {
                counter("goodput_met", "samples that met an objective", Map.of("objective", each.name()), (double)
                        each.met());
            }
        }
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
            ProgressExport.add(progress, PREFIX, out);
        }
        LabelBreakdown byLabel = extensions.optional().labels();
        if (byLabel != null) {
            LabelExport.add(byLabel, PREFIX, out);
        }
        energy(extensions.optional().energy());
        ConversationExport.add(extensions.optional(), PREFIX, out);
        for (SnapshotExtensions.ErrorRow row : extensions.errors()) {
            counter("errors", "errors by event and type", Map.of("event", row.event(), "type", row.type()), (double)
                    row.count());
        }
        List<SnapshotExtensions.WorkerRow> workers = extensions.workers();
        out.countLeftOut(Math.max(0, workers.size() - WORKERS_MAX));
        for (SnapshotExtensions.WorkerRow row : workers.subList(0, Math.min(WORKERS_MAX, workers.size()))) {
            Map<String, String> labels = Map.of("worker", row.worker());
            counter("worker_records", "records by worker", labels, (double) row.records());
            counter("worker_records_lost", "numbered records that never came, by worker", labels, (double)
                    row.sequenceLost());
        }
        TelemetryExport.add(extensions.telemetry(), out);
        SelfCost self = extensions.self();
        if (self != null) {
            counter("self_cpu_seconds", "CPU time of the daemon", Map.of(), self.cpuNanos() * SECONDS);
            gauge("self_resident_bytes", "resident memory of the daemon", (double) self.residentBytes());
            gauge(
                    "self_lag_p99_seconds",
                    "from receipt to application of a record, 99th percentile",
                    self.lagP99Nanos() * SECONDS);
            gauge("self_tick_interval_seconds", "time between snapshots", self.tickIntervalNanos() * SECONDS);
        }
    }

    private void inFlight(SnapshotExtensions.InFlight inFlight) {
        if (!inFlight.sentAfterwards()) {
            gauge("in_flight", "samples issued and not completed", (double) inFlight.count());
        }
        gauge("in_flight_peak", "the most samples in flight so far", (double) inFlight.peak());
        if (!inFlight.sentAfterwards()) {
            gauge(
                    "in_flight_oldest_seconds",
                    "how long the oldest sample in flight has waited",
                    inFlight.oldestAgeNanos() * SECONDS);
        }
    }

    private void steady(SteadyState steady) {
        for (String state : SteadyState.STATES) {
            out.add(new Exported.Gauge(
                    PREFIX + "steady_state",
                    "1 for the state that the run is in, 0 for the others",
                    Map.of("state", state),
                    steady.state().equals(state) ? 1 : 0));
        }
        gauge(
                "steady_for_seconds",
                "how long the present level has been held; 0 unless steady",
                steady.steadySeconds());
        SaturationMonitor saturation = steady.saturation();
        if (saturation != null) {
            gauge(
                    "saturation_alert",
                    "1 while samples in flight and times to first token grow together",
                    saturation.alert() ? 1 : 0);
        }
        gauge("steady_required_seconds", "how long a level must be held to be certified", steady.requiredSeconds());
    }

    private void usage(ReportedUsage usage) {
        counter("usage_reported", "completions that report their tokens", Map.of(), (double) usage.reported());
        usage.totals()
                .forEach((key, total) -> counter(
                        "usage_reported_tokens",
                        "sum of a count of the usage, failed samples included",
                        Map.of("kind", key.wireName()),
                        (double) total));
        Double hits = usage.cache().hitRatio();
        if (hits != null) {
            gauge("usage_cache_hit_ratio", "share of reported prompt tokens that came from the cache", hits);
        }
        Double acceptance = usage.speculation().acceptanceRatio();
        if (acceptance != null) {
            gauge("usage_acceptance_ratio", "accepted tokens per draft token of speculative decoding", acceptance);
        }
    }

    private void energy(@Nullable EnergyUse energy) {
        if (energy != null) {
            EnergyExport.add(energy, PREFIX, out);
        }
    }

    private void gauge(String name, String help, double value) {
        out.add(new Exported.Gauge(PREFIX + name, help, Map.of(), value));
    }

    private void counter(String name, String help, Map<String, String> labels, double value) {
        out.add(new Exported.Counter(PREFIX + name, help, labels, value));
    }
}
