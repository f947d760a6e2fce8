package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.fields.TreeValues.integer;
import static io.metricsaggregator.snapshot.fields.TreeValues.list;
import static io.metricsaggregator.snapshot.fields.TreeValues.map;
import static io.metricsaggregator.snapshot.fields.TreeValues.real;
import static io.metricsaggregator.snapshot.fields.TreeValues.text;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.TreeReader;
import io.metricsaggregator.snapshot.fields.TreeValues;
import io.metricsaggregator.snapshot.figures.Completeness;
import io.metricsaggregator.snapshot.figures.Conversations;
import io.metricsaggregator.snapshot.figures.EnergyUse;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.Interactivity;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Outage;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.Rate;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import io.metricsaggregator.snapshot.figures.SelfCost;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SlowSample;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts {@link SnapshotExtensions} to and from a tree of maps and lists, the same for msgpack and JSON. */
final class SnapshotExtensionsCodec {
    private SnapshotExtensionsCodec() {}

    static SnapshotExtensions read(@Nullable Object value) throws MalformedMessageException {
        return read(new TreeSections(map("additions", value)));
    }

    /** Reads the extensions section by section. */
    static SnapshotExtensions read(Sections from) throws MalformedMessageException {
        return new SnapshotExtensions(
                required(from, "run", RunInfo::pass, RunInfo.BLANK),
                required(from, "in_flight", SnapshotExtensions.InFlight::pass, SnapshotExtensions.InFlight.BLANK),
                required(from, "rates", Rate::pass, List.of()),
                from.list("workers", SnapshotExtensions.WorkerRow::pass, SnapshotExtensions.WorkerRow.BLANK),
                from.list("errors", SnapshotExtensions.ErrorRow::pass, SnapshotExtensions.ErrorRow.BLANK),
                from.section("malformed", SnapshotExtensionsCodec::readMalformed),
                required(from, "slices", Slices::pass, Slices.BLANK),
                slowest(from),
                from.record("goodput", Goodput::pass, Goodput.BLANK),
                from.section("observations", SnapshotExtensionsCodec::telemetry),
                from.record("self", SelfCost::pass, SelfCost.BLANK),
                from.record("session", SessionInfo::pass, SessionInfo.BLANK),
                from.section("outages", SnapshotExtensionsCodec::readOutages),
                new OptionalFigures(
                        from.record("usage", ReportedUsage::pass, ReportedUsage.BLANK),
                        from.record("steady", SteadyState::pass, SteadyState.BLANK),
                        from.record("by_label", LabelBreakdown::pass, LabelBreakdown.BLANK),
                        from.record("energy", EnergyUse::pass, EnergyUse.BLANK),
                        from.record("conversations", Conversations::pass, Conversations.BLANK),
                        from.record("interactivity", Interactivity::pass, Interactivity.BLANK),
                        from.record("progress", Progress::pass, Progress.BLANK),
                        nodes(from)),
                new Completeness(
                        from.section("limits", SnapshotExtensionsCodec::readLimits),
                        from.section("left_out", SnapshotExtensionsCodec::leftOut)));
    }

    private static <T> T required(Sections from, String key, Fields.Shape<T> shape, T blank)
            throws MalformedMessageException {
        T value = from.record(key, shape, blank);
        if (value == null) {
            throw TreeValues.wrong(key, "a map", null);
        }
        return value;
    }

    private static List<SlowSample> slowest(Sections from) throws MalformedMessageException {
        List<SlowSample> slowest = from.record("slowest", SlowSample::passAll, List.of());
        return slowest == null ? List.of() : slowest;
    }

    private static List<String> leftOut(@Nullable Object value) throws MalformedMessageException {
        List<String> sections = new ArrayList<>();
        for (Object each : value == null ? List.of() : list("left_out", value)) {
            sections.add(text("left_out", each));
        }
        return sections;
    }

    private static List<Outage> readOutages(@Nullable Object tree) throws MalformedMessageException {
        return tree == null ? List.of() : TreeReader.readList("outages", tree, Outage::pass, Outage.BLANK);
    }

    private static List<SnapshotExtensions.MalformedRow> readMalformed(@Nullable Object value)
            throws MalformedMessageException {
        List<SnapshotExtensions.MalformedRow> malformed = new ArrayList<>();
        for (Map.Entry<?, ?> entry : map("malformed", value).entrySet()) {
            malformed.add(new SnapshotExtensions.MalformedRow(
                    text("malformed", entry.getKey()), integer("malformed", entry.getValue())));
        }
        return malformed;
    }

    private static Map<String, Long> readLimits(@Nullable Object value) throws MalformedMessageException {
        Map<String, Long> limits = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : (value == null ? Map.of() : map("limits", value)).entrySet()) {
            limits.put(text("limits", entry.getKey()), integer("limits", entry.getValue()));
        }
        return limits;
    }

    private static TelemetrySnapshots telemetry(@Nullable Object value) throws MalformedMessageException {
        Map<String, Object> kinds = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : (value == null ? Map.of() : map("observations", value)).entrySet()) {
            kinds.put(text("observations", entry.getKey()), map("observations", entry.getValue()));
        }
        return TelemetrySnapshots.read("observations", kinds);
    }

    /** The rows and the counts beside them; null for the snapshot of a single daemon. */
    @SuppressWarnings("NullAway") // It does not infer that the type argument is nullable.
    private static @Nullable Nodes nodes(Sections from) throws MalformedMessageException {
        List<NodeRow> rows = from.section("nodes", SnapshotExtensionsCodec::rows);
        return rows == null
                ? null
                : new Nodes(
                        rows,
                        from.section(
                                "nodes_expected",
                                expected -> expected == null ? null : (Long) integer("nodes_expected", expected)),
                        from.section(
                                "nodes_linger_s",
                                linger -> linger == null ? null : (Double) real("nodes_linger_s", linger)),
                        from.section("nodes_repeated", repeated -> later("nodes_repeated", repeated)),
                        from.section("nodes_discarded", discarded -> later("nodes_discarded", discarded)));
    }

    private static @Nullable List<NodeRow> rows(@Nullable Object value) throws MalformedMessageException {
        if (value == null) {
            return null;
        }
        return TreeReader.readList("nodes", value, NodeRow::pass, NodeRow.BLANK);
    }

    private static long later(String field, @Nullable Object value) throws MalformedMessageException {
        return value == null ? 0 : integer(field, value);
    }
}
