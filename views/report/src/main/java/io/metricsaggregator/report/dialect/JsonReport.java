package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.ImportedText;
import io.metricsaggregator.analysis.JournalText;
import io.metricsaggregator.analysis.Notes;
import io.metricsaggregator.analysis.OutageText;
import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.SampleCounts;
import io.metricsaggregator.analysis.Throughput;
import io.metricsaggregator.analysis.ThroughputWindow;
import io.metricsaggregator.analysis.UserRates;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.catalogue.Unit;
import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.event.FinishReason;
import io.metricsaggregator.snapshot.Certificate;
import io.metricsaggregator.snapshot.HistogramBucket;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.ClockOffset;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Outage;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SlowSample;
import io.metricsaggregator.snapshot.figures.Stall;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.percentile.Certainty;
import io.metricsaggregator.verdict.Finding;
import io.metricsaggregator.verdict.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON report of this project, by docs/report.schema.json: units in names and null for unmeasured values. {@link #SCHEMA_VERSION} rises when a
 * field changes its meaning.
 */
public final class JsonReport implements Dialect {
    public static final int SCHEMA_VERSION = 2;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    @Override
    public String render(Report report) {
        return new String(JsonTree.write(tree(report)), StandardCharsets.UTF_8) + "\n";
    }

    private static Map<String, @Nullable Object> tree(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        SnapshotExtensions extensions = snapshot.extensions();
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("schema_version", (long) SCHEMA_VERSION);
        tree.put("run", extensions.isNone() ? null : run(extensions.run()));
        tree.put("state", snapshot.state().wireName());
        tree.put("complete", report.complete());
        tree.put("verdict", verdict(Verdict.of(snapshot)));
        tree.put("samples", samples(report, extensions));
        tree.put("throughput", throughput(report));
        tree.put("goodput", extensions.isNone() ? null : goodput(report, extensions.goodput()));
        JsonUsage.put(tree, snapshot);
        JsonServerTimes.put(tree, snapshot);
        SteadyState steady = extensions.optional().steady();
        if (steady != null) {
            tree.put("steady", JsonSteady.of(steady, report));
        }
        Progress progress = extensions.optional().progress();
        if (progress != null) {
            tree.put(
                    "progress",
                    ReportFields.of(
                            "progress",
                            progress,
                            Progress::pass,
                            "stalls",
                            ReportFields.all("stall", progress.stalls(), Stall::pass)));
        }
        LabelBreakdown labels = extensions.optional().labels();
        if (labels != null) {
            tree.put("by_label", JsonLabels.of(labels));
        }
        Map<String, @Nullable Object> energy = JsonEnergy.of(report);
        if (energy != null) {
            tree.put("energy", energy);
        }
        putUsers(tree, report);
        JsonNodes.put(tree, snapshot);
        List<Object> series = new ArrayList<>();
        for (Quantity quantity : Quantity.of(snapshot)) {
            SeriesMetric metric = quantity.measured(snapshot);
            if (metric != null) {
                series.add(series(quantity, metric));
            }
        }
        tree.put("series", series);
        tree.put("finish_reasons", finishReasons(snapshot));
        tree.put("slowest", slowest(extensions));
        tree.put("errors", ReportFields.all("error", extensions.errors(), SnapshotExtensions.ErrorRow::pass));
        tree.put("workers", ReportFields.all("worker", extensions.workers(), SnapshotExtensions.WorkerRow::pass));
        tree.put("records", extensions.isNone() ? null : records(snapshot));
        tree.put("time_series", extensions.isNone() ? null : slices(extensions.slices()));
        tree.put("observations", extensions.telemetry().tree());
        tree.put("outages", outages(snapshot));
        tree.put("notes", Notes.of(report));
        return tree;
    }

    private static void putUsers(Map<String, @Nullable Object> tree, Report report) {
        UserRates rates = UserRates.of(report);
        if (!rates.isEmpty()) {
            tree.put("interactivity", rates.byName());
        }
        JsonConversations.put(tree, report);
    }

    private static Map<String, @Nullable Object> run(RunInfo run) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("id", run.runId());
        tree.put("aggregator_version", run.version());
        tree.put("started", run.hasDates() ? instant(run.startedWallNanos()) : null);
        tree.put("ended", run.hasDates() ? instant(run.wallNanos()) : null);
        tree.put("environment", run.environment());
        tree.put("settings", run.settings());
        tree.put("recomputed", run.recomputed());
        if (!run.labels().isEmpty()) {
            tree.put("labels", run.labels());
        }
        if (run.node() != null) {
            tree.put("node", run.node());
        }
        ClockOffset offset = run.clockOffset();
        if (offset != null) {
            tree.put("wall_offset_ns", offset.wallMinusMonotonicNanos());
            tree.put("wall_offset_uncertainty_ns", offset.uncertaintyNanos());
        }
        if (run.imported() != null) {
            tree.put("imported", run.imported().tree());
        }
        return tree;
    }

    private static List<Object> outages(MetricsSnapshot snapshot) {
        return OutageText.of(snapshot).stream()
                .map(each -> (Object) ReportFields.of(
                        "outage",
                        each,
                        Outage::pass,
                        "from",
                        instant(each.fromWallNanos()),
                        "to",
                        instant(each.toWallNanos()),
                        "duration_s",
                        each.nanos() / NANOS_PER_SECOND))
                .toList();
    }

    private static String instant(long nanos) {
        return EpochNanos.toInstant(nanos).toString();
    }

    private static Map<String, @Nullable Object> verdict(Verdict verdict) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("validity", lower(verdict.validity()));
        tree.put("limit", lower(verdict.limit()));
        List<Object> findings = new ArrayList<>();
        for (Finding each : verdict.findings()) {
            Map<String, @Nullable Object> finding = new LinkedHashMap<>();
            finding.put("weight", lower(each.weight()));
            finding.put("what", each.what());
            finding.put("evidence", each.evidence());
            findings.add(finding);
        }
        tree.put("findings", findings);
        return tree;
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(java.util.Locale.ROOT);
    }

    private static Map<String, @Nullable Object> samples(Report report, SnapshotExtensions extensions) {
        MetricsSnapshot snapshot = report.snapshot();
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("issued", report.known(CounterName.TRACKED_SAMPLES_ISSUED));
        tree.put("succeeded", SampleCounts.of(snapshot).succeeded());
        tree.put("completed", report.known(CounterName.TRACKED_SAMPLES_COMPLETED));
        tree.put("failed", SampleCounts.of(snapshot).failed());
        tree.put("errors", report.known(CounterName.TRACKED_SAMPLES_FAILED));
        tree.put("issued_with_warmup", report.known(CounterName.TOTAL_SAMPLES_ISSUED));
        tree.put("completed_with_warmup", report.known(CounterName.TOTAL_SAMPLES_COMPLETED));
        tree.put(
                "in_flight_at_end",
                extensions.isNone() ? null : extensions.inFlight().count());
        tree.put(
                "in_flight_peak",
                extensions.isNone() || !ImportedText.hasTimeline(snapshot)
                        ? null
                        : extensions.inFlight().peak());
        tree.put("texts_uncounted", snapshot.pendingTasks());
        return tree;
    }

    private static Map<String, @Nullable Object> throughput(Report report) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        Long window =
                report.throughput() == null ? null : (Long) report.throughput().nanos();
        tree.put("window", report.byLoadgenWindow() ? "loadgen" : "tracked");
        tree.put("window_stated", report.settings().window() != ThroughputWindow.UNSTATED);
        tree.put("window_s", window == null ? null : window / NANOS_PER_SECOND);
        tree.put("requests_per_s", report.requestsPerSecond());
        tree.put("output_tokens_per_s", report.tokensPerSecond());
        tree.put("reported_output_tokens_per_s", report.reportedTokensPerSecond());
        SeriesMetric input = report.snapshot().series(SeriesName.ISL);
        tree.put(
                "input_tokens_per_s",
                window == null || input == null || input.count() == 0
                        ? null
                        : (Double) (input.total().doubleValue() / (window / NANOS_PER_SECOND)));
        Throughput other = report.otherThroughput();
        tree.put("loadgen_window_s", other == null ? null : other.nanos() / NANOS_PER_SECOND);
        tree.put("loadgen_requests_per_s", other == null ? null : other.requestsPerSecond());
        tree.put("output_tokens_incomplete", report.tokensIncomplete());
        return tree;
    }

    private static @Nullable Map<String, @Nullable Object> goodput(Report report, @Nullable Goodput goodput) {
        if (goodput == null) {
            return null;
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("good_per_s", report.goodPerSecond());
        tree.put("judged", goodput.judged());
        tree.put("good", goodput.good());
        tree.put("good_share", goodput.share());
        tree.put("target_share", goodput.targetShare());
        tree.put("budget_left", goodput.budgetLeft());
        List<Object> limits = new ArrayList<>();
        for (Goodput.Constraint each : goodput.constraints()) {
            Map<String, @Nullable Object> limit = new LinkedHashMap<>();
            limit.put("name", each.name());
            limit.put("limit_ms", each.limitNanos() / 1e6);
            limit.put("met_share", goodput.share(each));
            limits.add(limit);
        }
        tree.put("limits", limits);
        if (goodput.classes() != null) {
            tree.put("classes", JsonLabels.classes(goodput.classes(), report));
        }
        return tree;
    }

    private static Map<String, @Nullable Object> series(Quantity quantity, SeriesMetric metric) {
        SeriesDetail detail = metric.detail();
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("name", quantity.key());
        tree.put("unit", quantity.unit());
        tree.put("count", metric.count());
        Double mean = metric.mean();
        tree.put("mean", mean == null ? null : quantity.shown(mean));
        tree.put("std_dev", metric.count() < 2 ? null : (Double) quantity.shown(Report.standardDeviation(metric)));
        tree.put("min", quantity.shown(metric.min().doubleValue()));
        tree.put("max", quantity.shown(metric.max().doubleValue()));
        tree.put("exact", metric.isExact());
        Map<String, @Nullable Object> percentiles = new LinkedHashMap<>();
        metric.shownPercentiles().forEach((name, value) -> percentiles.put(name, quantity.shown(value)));
        tree.put("percentiles", percentiles);
        tree.put(
                "uncertain",
                percentiles.keySet().stream()
                        .filter(each -> !Certainty.isCertain(Double.parseDouble(each), metric.count()))
                        .toList());
        Map<String, @Nullable Object> bounds = new LinkedHashMap<>();
        if (detail != null) {
            for (Map.Entry<String, Certificate> each : detail.certification().entrySet()) {
                Double bound = each.getValue().upperBound();
                bounds.put(each.getKey(), bound == null ? null : quantity.shown(bound));
            }
        }
        tree.put("upper_bounds_99", bounds);
        List<Object> histogram = new ArrayList<>();
        for (HistogramBucket bucket : metric.histogram()) {
            Map<String, @Nullable Object> each = new LinkedHashMap<>();
            each.put("from", quantity.shown(bucket.low()));
            each.put("to", quantity.shown(bucket.high()));
            each.put("count", bucket.count());
            histogram.add(each);
        }
        tree.put("histogram", histogram);
        return tree;
    }

    private static Map<String, @Nullable Object> finishReasons(MetricsSnapshot snapshot) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        for (FinishReason reason : FinishReason.values()) {
            tree.put(reason.wireName(), snapshot.counter(CounterName.ofFinishReason(reason)));
        }
        return tree;
    }

    private static List<Object> slowest(SnapshotExtensions extensions) {
        List<Object> rows = new ArrayList<>();
        if (extensions.isNone()) {
            return rows;
        }
        long start = extensions.slices().startNanos();
        for (SlowSample each : extensions.slowest()) {
            Map<String, @Nullable Object> tree = new LinkedHashMap<>();
            tree.put("by", each.by());
            tree.put("id", each.id());
            tree.put("worker", each.worker());
            tree.put("value_ms", each.nanos() / NANOS_PER_MILLI);
            tree.put("failed", each.failed());
            tree.put("issued_at_ms", millis(start, each.issuedNanos()));
            tree.put(
                    "issued_late_ms",
                    each.scheduledNanos() == null ? null : millis(each.scheduledNanos(), each.issuedNanos()));
            tree.put("first_chunk_ms", millis(each.issuedNanos(), each.firstNanos()));
            tree.put("last_chunk_ms", millis(each.issuedNanos(), each.lastNanos()));
            tree.put("completed_ms", millis(each.issuedNanos(), each.completedNanos()));
            if (each.traceId() != null) {
                tree.put("trace_id", each.traceId());
                tree.put("span_id", each.spanId());
            }
            rows.add(tree);
        }
        return rows;
    }

    /** Milliseconds from one time to another; null without the other. */
    private static @Nullable Double millis(long fromNanos, @Nullable Long toNanos) {
        return toNanos == null ? null : Figures.between(fromNanos, toNanos) / NANOS_PER_MILLI;
    }

    private static Map<String, @Nullable Object> records(MetricsSnapshot snapshot) {
        Ledger ledger = Ledger.of(snapshot);
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("received", ledger.received());
        tree.put("applied", ledger.applied());
        tree.put("malformed", ledger.malformed());
        tree.put("unknown", ledger.unknown());
        tree.put("duplicate", ledger.duplicate());
        tree.put("orphan", ledger.orphan());
        tree.put("late", ledger.late());
        tree.put("without_sample", ledger.anonymous());
        JournalText.of(snapshot).forEach(each -> tree.put(each.name().wire(), each.count()));
        return tree;
    }

    private static Map<String, @Nullable Object> slices(Slices slices) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("slice_s", slices.widthNanos() / NANOS_PER_SECOND);
        Map<String, @Nullable Object> columns = new LinkedHashMap<>();
        for (Slices.Column column : slices.columns()) {
            boolean nanos = Unit.isNanoseconds(column.name());
            List<@Nullable Object> values = new ArrayList<>();
            for (long value : column.values()) {
                values.add(value == Slices.NOT_MEASURED ? null : nanos ? (Object) (value / 1e6) : (Object) value);
            }
            columns.put(nanos ? column.name().replaceAll("_ns$", "_ms") : column.name(), values);
        }
        tree.put("columns", columns);
        return tree;
    }
}
