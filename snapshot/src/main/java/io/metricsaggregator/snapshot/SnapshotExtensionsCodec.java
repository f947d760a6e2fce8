package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.SnapshotCodec.integer;
import static io.metricsaggregator.snapshot.SnapshotCodec.list;
import static io.metricsaggregator.snapshot.SnapshotCodec.map;
import static io.metricsaggregator.snapshot.SnapshotCodec.real;
import static io.metricsaggregator.snapshot.SnapshotCodec.text;

import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts {@link SnapshotExtensions} to and from a tree of maps and lists, the same for msgpack and JSON. */
final class SnapshotExtensionsCodec {
    private SnapshotExtensionsCodec() {}

    static Map<String, @Nullable Object> of(SnapshotExtensions extensions) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("run", run(extensions.run()));
        tree.put("in_flight", inFlight(extensions.inFlight()));
        Map<String, @Nullable Object> rates = new LinkedHashMap<>();
        for (SnapshotExtensions.Rate rate : extensions.rates()) {
            rates.put(Integer.toString(rate.windowSeconds()), rate(rate));
        }
        tree.put("rates", rates);
        tree.put(
                "workers",
                extensions.workers().stream()
                        .map(SnapshotExtensionsCodec::worker)
                        .toList());
        tree.put(
                "errors",
                extensions.errors().stream().map(SnapshotExtensionsCodec::error).toList());
        Map<String, @Nullable Object> malformed = new LinkedHashMap<>();
        for (SnapshotExtensions.MalformedRow row : extensions.malformed()) {
            malformed.put(row.reason(), row.count());
        }
        tree.put("malformed", malformed);
        tree.put("slices", slices(extensions.slices()));
        if (!extensions.slowest().isEmpty()) {
            tree.put("slowest", SlowSampleCodec.of(extensions.slowest()));
        }
        if (extensions.goodput() != null) {
            tree.put("goodput", GoodputCodec.of(extensions.goodput()));
        }
        if (!extensions.telemetry().isEmpty()) {
            tree.put("observations", extensions.telemetry().tree());
        }
        if (extensions.self() != null) {
            tree.put("self", SelfCostCodec.of(extensions.self()));
        }
        if (extensions.session() != null) {
            tree.put("session", SessionInfoCodec.of(extensions.session()));
        }
        if (!extensions.outages().isEmpty()) {
            tree.put("outages", OutageCodec.of(extensions.outages()));
        }
        putOptional(tree, extensions.optional());
        Completeness completeness = extensions.completeness();
        if (!completeness.limits().isEmpty()) {
            tree.put("limits", completeness.limits());
        }
        if (!completeness.leftOut().isEmpty()) {
            tree.put("left_out", completeness.leftOut());
        }
        return tree;
    }

    private static void putOptional(Map<String, @Nullable Object> tree, OptionalFigures figures) {
        ReportedUsage usage = figures.usage();
        if (usage != null) {
            tree.put("usage", ReportedUsageCodec.of(usage));
        }
        SteadyState steady = figures.steady();
        if (steady != null) {
            tree.put("steady", SteadyStateCodec.of(steady));
        }
        LabelBreakdown labels = figures.labels();
        if (labels != null) {
            tree.put("by_label", LabelBreakdownCodec.of(labels));
        }
        EnergyUse energy = figures.energy();
        if (energy != null) {
            tree.put("energy", EnergyUseCodec.of(energy));
        }
        Conversations conversations = figures.conversations();
        if (conversations != null) {
            tree.put("conversations", ConversationsCodec.of(conversations));
        }
        Interactivity interactivity = figures.interactivity();
        if (interactivity != null) {
            tree.put("interactivity", InteractivityCodec.of(interactivity));
        }
        Progress progress = figures.progress();
        if (progress != null) {
            tree.put("progress", ProgressCodec.of(progress));
        }
        NodesCodec.put(tree, figures.nodes());
    }

    static SnapshotExtensions read(@Nullable Object value) throws MalformedMessageException {
        Map<?, ?> tree = map("additions", value);
        List<SnapshotExtensions.Rate> rates = new ArrayList<>();
        for (Map.Entry<?, ?> entry : map("rates", tree.get("rates")).entrySet()) {
            rates.add(readRate(text("rates", entry.getKey()), map("rates", entry.getValue())));
        }
        List<SnapshotExtensions.WorkerRow> workers = new ArrayList<>();
        for (Object element : list("workers", tree.get("workers"))) {
            workers.add(readWorker(map("workers", element)));
        }
        List<SnapshotExtensions.ErrorRow> errors = new ArrayList<>();
        for (Object element : list("errors", tree.get("errors"))) {
            errors.add(readError(map("errors", element)));
        }
        List<SnapshotExtensions.MalformedRow> malformed = new ArrayList<>();
        for (Map.Entry<?, ?> entry : map("malformed", tree.get("malformed")).entrySet()) {
            malformed.add(new SnapshotExtensions.MalformedRow(
                    text("malformed", entry.getKey()), integer("malformed", entry.getValue())));
        }
        return new SnapshotExtensions(
                readRun(map("run", tree.get("run"))),
                readInFlight(map("in_flight", tree.get("in_flight"))),
                rates,
                workers,
                errors,
                malformed,
                readSlices(map("slices", tree.get("slices"))),
                SlowSampleCodec.read(tree.get("slowest")),
                tree.get("goodput") == null ? null : GoodputCodec.read(map("goodput", tree.get("goodput"))),
                telemetry(tree.get("observations")),
                tree.get("self") == null ? null : SelfCostCodec.read(map("self", tree.get("self"))),
                tree.get("session") == null ? null : SessionInfoCodec.read(map("session", tree.get("session"))),
                OutageCodec.read(tree.get("outages")),
                optional(tree),
                completeness(tree));
    }

    private static OptionalFigures optional(Map<?, ?> tree) throws MalformedMessageException {
        return new OptionalFigures(
                tree.get("usage") == null ? null : ReportedUsageCodec.read(map("usage", tree.get("usage"))),
                tree.get("steady") == null ? null : SteadyStateCodec.read(map("steady", tree.get("steady"))),
                tree.get("by_label") == null ? null : LabelBreakdownCodec.read(map("by_label", tree.get("by_label"))),
                tree.get("energy") == null ? null : EnergyUseCodec.read(map("energy", tree.get("energy"))),
                tree.get("conversations") == null
                        ? null
                        : ConversationsCodec.read(map("conversations", tree.get("conversations"))),
                tree.get("interactivity") == null
                        ? null
                        : InteractivityCodec.read(map("interactivity", tree.get("interactivity"))),
                tree.get("progress") == null ? null : ProgressCodec.read(map("progress", tree.get("progress"))),
                NodesCodec.read(tree));
    }

    private static Completeness completeness(Map<?, ?> tree) throws MalformedMessageException {
        Map<String, Long> limits = new LinkedHashMap<>();
        Object given = tree.get("limits");
        for (Map.Entry<?, ?> entry : (given == null ? Map.of() : map("limits", given)).entrySet()) {
            limits.put(text("limits", entry.getKey()), integer("limits", entry.getValue()));
        }
        return new Completeness(limits, texts("left_out", tree.get("left_out")));
    }

    private static TelemetrySnapshots telemetry(@Nullable Object value) throws MalformedMessageException {
        Map<String, Object> kinds = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : (value == null ? Map.of() : map("observations", value)).entrySet()) {
            kinds.put(text("observations", entry.getKey()), map("observations", entry.getValue()));
        }
        return TelemetrySnapshots.read("observations", kinds);
    }

    private static Map<String, @Nullable Object> run(SnapshotExtensions.RunInfo run) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("schema_version", (long) run.schemaVersion());
        tree.put("run_id", run.runId());
        tree.put("version", run.version());
        tree.put("started_wall_ns", run.startedWallNanos());
        tree.put("wall_ns", run.wallNanos());
        tree.put("wall_time", EpochNanos.toInstant(run.wallNanos()).toString());
        tree.put("exposures", run.exposures());
        if (!run.recomputed().isEmpty()) {
            tree.put("recomputed", run.recomputed());
        }
        tree.put("environment", run.environment());
        tree.put("settings", run.settings());
        if (run.imported() != null) {
            tree.put("imported", ImportedCodec.of(run.imported()));
        }
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
        return tree;
    }

    private static SnapshotExtensions.RunInfo readRun(Map<?, ?> tree) throws MalformedMessageException {
        return new SnapshotExtensions.RunInfo(
                (int) integer("schema_version", tree.get("schema_version")),
                text("run_id", tree.get("run_id")),
                text("version", tree.get("version")),
                integer("started_wall_ns", tree.get("started_wall_ns")),
                integer("wall_ns", tree.get("wall_ns")),
                texts("exposures", tree.get("exposures")),
                texts("recomputed", tree.get("recomputed")),
                named("environment", tree.get("environment")),
                named("settings", tree.get("settings")),
                tree.get("imported") == null ? null : ImportedCodec.read(tree.get("imported")),
                named("labels", tree.get("labels")),
                tree.get("node") == null ? null : text("node", tree.get("node")),
                clockOffset(tree));
    }

    private static @Nullable ClockOffset clockOffset(Map<?, ?> tree) throws MalformedMessageException {
        if (tree.get("wall_offset_ns") == null) {
            return null;
        }
        long uncertainty = integer("wall_offset_uncertainty_ns", tree.get("wall_offset_uncertainty_ns"));
        if (uncertainty < 0) {
            throw new MalformedMessageException("wall_offset_uncertainty_ns is negative: " + uncertainty);
        }
        return new ClockOffset(integer("wall_offset_ns", tree.get("wall_offset_ns")), uncertainty);
    }

    private static Map<String, String> named(String field, @Nullable Object value) throws MalformedMessageException {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : (value == null ? Map.of() : map(field, value)).entrySet()) {
            texts.put(text(field, entry.getKey()), text(field, entry.getValue()));
        }
        return texts;
    }

    private static List<String> texts(String field, @Nullable Object listed) throws MalformedMessageException {
        List<String> texts = new ArrayList<>();
        for (Object element : listed == null ? List.of() : list(field, listed)) {
            texts.add(text(field, element));
        }
        return texts;
    }

    private static Map<String, @Nullable Object> inFlight(SnapshotExtensions.InFlight inFlight) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("count", inFlight.count());
        tree.put("tracked", inFlight.tracked());
        tree.put("failed", inFlight.failed());
        tree.put("peak", inFlight.peak());
        tree.put("oldest_age_ns", inFlight.oldestAgeNanos());
        return tree;
    }

    private static SnapshotExtensions.InFlight readInFlight(Map<?, ?> tree) throws MalformedMessageException {
        return new SnapshotExtensions.InFlight(
                integer("in_flight.count", tree.get("count")),
                integer("in_flight.tracked", tree.get("tracked")),
                integer("in_flight.failed", tree.get("failed")),
                integer("in_flight.peak", tree.get("peak")),
                integer("in_flight.oldest_age_ns", tree.get("oldest_age_ns")));
    }

    private static Map<String, @Nullable Object> rate(SnapshotExtensions.Rate rate) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("covered_s", rate.coveredSeconds());
        tree.put("records_per_s", rate.recordsPerSecond());
        tree.put("issued_per_s", rate.issuedPerSecond());
        tree.put("completed_per_s", rate.completedPerSecond());
        tree.put("failed_per_s", rate.failedPerSecond());
        tree.put("bytes_per_s", rate.bytesPerSecond());
        tree.put("good_per_s", rate.goodPerSecond());
        return tree;
    }

    private static SnapshotExtensions.Rate readRate(String window, Map<?, ?> tree) throws MalformedMessageException {
        int seconds;
        try {
            seconds = Integer.parseInt(window);
        } catch (NumberFormatException e) {
            throw new MalformedMessageException("rates has a window that is not a number of seconds");
        }
        return new SnapshotExtensions.Rate(
                seconds,
                real("covered_s", tree.get("covered_s")),
                real("records_per_s", tree.get("records_per_s")),
                real("issued_per_s", tree.get("issued_per_s")),
                real("completed_per_s", tree.get("completed_per_s")),
                real("failed_per_s", tree.get("failed_per_s")),
                real("bytes_per_s", tree.get("bytes_per_s")),
                tree.get("good_per_s") == null ? 0 : real("good_per_s", tree.get("good_per_s")));
    }

    private static Map<String, @Nullable Object> worker(SnapshotExtensions.WorkerRow row) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("worker", row.worker());
        tree.put("records", row.records());
        tree.put("issued", row.issued());
        tree.put("completed", row.completed());
        tree.put("failed", row.failed());
        tree.put("seq_gaps", row.sequenceGaps());
        tree.put("seq_lost", row.sequenceLost());
        tree.put("seq_repeated", row.sequenceRepeated());
        tree.put("seq_unknown_start", row.sequenceUnknownStart());
        tree.put("seq_restarts", row.sequenceRestarts());
        return tree;
    }

    private static SnapshotExtensions.WorkerRow readWorker(Map<?, ?> tree) throws MalformedMessageException {
        return new SnapshotExtensions.WorkerRow(
                text("worker", tree.get("worker")),
                integer("workers.records", tree.get("records")),
                integer("workers.issued", tree.get("issued")),
                integer("workers.completed", tree.get("completed")),
                integer("workers.failed", tree.get("failed")),
                integer("workers.seq_gaps", tree.get("seq_gaps")),
                integer("workers.seq_lost", tree.get("seq_lost")),
                integer("workers.seq_repeated", tree.get("seq_repeated")),
                later("workers.seq_unknown_start", tree.get("seq_unknown_start")),
                later("workers.seq_restarts", tree.get("seq_restarts")));
    }

    /** Reads a count that older daemons do not send: 0 if it is missing. */
    private static long later(String field, @Nullable Object value) throws MalformedMessageException {
        return value == null ? 0 : integer(field, value);
    }

    private static Map<String, @Nullable Object> error(SnapshotExtensions.ErrorRow row) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("event", row.event());
        tree.put("type", row.type());
        tree.put("count", row.count());
        tree.put("message", row.message());
        tree.put("first_ns", row.firstNanos());
        tree.put("last_ns", row.lastNanos());
        return tree;
    }

    private static SnapshotExtensions.ErrorRow readError(Map<?, ?> tree) throws MalformedMessageException {
        return new SnapshotExtensions.ErrorRow(
                text("errors.event", tree.get("event")),
                text("errors.type", tree.get("type")),
                integer("errors.count", tree.get("count")),
                text("errors.message", tree.get("message")),
                integer("errors.first_ns", tree.get("first_ns")),
                integer("errors.last_ns", tree.get("last_ns")));
    }

    private static Map<String, @Nullable Object> slices(Slices slices) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("start_ns", slices.startNanos());
        tree.put("width_ns", slices.widthNanos());
        tree.put("outside", slices.outside());
        Map<String, @Nullable Object> columns = new LinkedHashMap<>();
        for (Slices.Column column : slices.columns()) {
            List<@Nullable Object> values = new ArrayList<>(column.values().length);
            for (long value : column.values()) {
                values.add(value == Slices.NOT_MEASURED ? null : value);
            }
            columns.put(column.name(), values);
        }
        tree.put("columns", columns);
        return tree;
    }

    private static Slices readSlices(Map<?, ?> tree) throws MalformedMessageException {
        List<Slices.Column> columns = new ArrayList<>();
        for (Map.Entry<?, ?> entry : map("slices.columns", tree.get("columns")).entrySet()) {
            String name = text("slices.columns", entry.getKey());
            List<?> list = list(name, entry.getValue());
            long[] values = new long[list.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = list.get(i) == null ? Slices.NOT_MEASURED : integer(name, list.get(i));
            }
            if (!columns.isEmpty() && values.length != columns.get(0).values().length) {
                throw new MalformedMessageException("slices.columns." + name + " holds " + values.length + " slices, "
                        + columns.get(0).name() + " holds " + columns.get(0).values().length);
            }
            columns.add(new Slices.Column(name, values));
        }
        return new Slices(
                integer("slices.start_ns", tree.get("start_ns")),
                integer("slices.width_ns", tree.get("width_ns")),
                integer("slices.outside", tree.get("outside")),
                columns);
    }
}
