package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.fields.TreeValues.integer;
import static io.metricsaggregator.snapshot.fields.TreeValues.list;
import static io.metricsaggregator.snapshot.fields.TreeValues.map;
import static io.metricsaggregator.snapshot.fields.TreeValues.real;
import static io.metricsaggregator.snapshot.fields.TreeValues.text;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.TreeReader;
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
                from.section("run", RunInfoCodec::read),
                from.section("in_flight", SnapshotExtensionsCodec::readInFlight),
                from.section("rates", SnapshotExtensionsCodec::readRates),
                from.section(
                        "workers",
                        tree -> TreeReader.readList(
                                "workers",
                                tree,
                                SnapshotExtensions.WorkerRow::pass,
                                SnapshotExtensions.WorkerRow.BLANK)),
                from.section("errors", SnapshotExtensionsCodec::readErrors),
                from.section("malformed", SnapshotExtensionsCodec::readMalformed),
                from.section("slices", SlicesCodec::read),
                from.section("slowest", SlowSampleCodec::read),
                from.section("goodput", orNull("goodput", GoodputCodec::read)),
                from.section("observations", SnapshotExtensionsCodec::telemetry),
                from.section("self", orNull("self", SelfCost::pass, SelfCost.BLANK)),
                from.section("session", orNull("session", SessionInfoCodec::read)),
                from.section("outages", OutageCodec::read),
                new OptionalFigures(
                        from.section("usage", orNull("usage", ReportedUsageCodec::read)),
                        from.section("steady", orNull("steady", SteadyStateCodec::read)),
                        from.section("by_label", orNull("by_label", LabelBreakdown::pass, LabelBreakdown.BLANK)),
                        from.section("energy", orNull("energy", EnergyUseCodec::read)),
                        from.section(
                                "conversations", orNull("conversations", Conversations::pass, Conversations.BLANK)),
                        from.section("interactivity", orNull("interactivity", InteractivityCodec::read)),
                        from.section("progress", orNull("progress", ProgressCodec::read)),
                        NodesCodec.read(from)),
                new Completeness(
                        from.section("limits", SnapshotExtensionsCodec::readLimits),
                        from.section("left_out", tree -> RunInfoCodec.texts("left_out", tree))));
    }

    /** Reads a map. */
    private interface MapDecoder<T> {
        T read(Map<?, ?> tree) throws MalformedMessageException;
    }

    /** The decoder of a section that may be absent. */
    @SuppressWarnings("NullAway") // It does not infer that the type argument is nullable.
    private static <T> Sections.Decoder<@Nullable T> orNull(String field, MapDecoder<T> decoder) {
        return tree -> tree == null ? null : decoder.read(map(field, tree));
    }

    @SuppressWarnings("NullAway") // It does not infer that the type argument is nullable.
    private static <T> Sections.Decoder<@Nullable T> orNull(String field, Fields.Shape<T> shape, T blank) {
        return tree -> TreeReader.readMaybe(field, tree, shape, blank);
    }

    private static List<Rate> readRates(@Nullable Object value) throws MalformedMessageException {
        List<Rate> rates = new ArrayList<>();
        for (Map.Entry<?, ?> entry : map("rates", value).entrySet()) {
            rates.add(readRate(text("rates", entry.getKey()), map("rates", entry.getValue())));
        }
        return rates;
    }

    private static List<SnapshotExtensions.ErrorRow> readErrors(@Nullable Object value)
            throws MalformedMessageException {
        List<SnapshotExtensions.ErrorRow> errors = new ArrayList<>();
        for (Object element : list("errors", value)) {
            errors.add(readError(map("errors", element)));
        }
        return errors;
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

    static Map<String, @Nullable Object> inFlight(SnapshotExtensions.InFlight inFlight) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("count", inFlight.count());
        tree.put("tracked", inFlight.tracked());
        tree.put("failed", inFlight.failed());
        tree.put("peak", inFlight.peak());
        tree.put("oldest_age_ns", inFlight.oldestAgeNanos());
        if (inFlight.sentAfterwards()) {
            tree.put("sent_afterwards", true);
        }
        return tree;
    }

    private static SnapshotExtensions.InFlight readInFlight(@Nullable Object value) throws MalformedMessageException {
        Map<?, ?> tree = map("in_flight", value);
        return new SnapshotExtensions.InFlight(
                integer("in_flight.count", tree.get("count")),
                integer("in_flight.tracked", tree.get("tracked")),
                integer("in_flight.failed", tree.get("failed")),
                integer("in_flight.peak", tree.get("peak")),
                integer("in_flight.oldest_age_ns", tree.get("oldest_age_ns")),
                Boolean.TRUE.equals(tree.get("sent_afterwards")));
    }

    static Map<String, @Nullable Object> rate(Rate rate) {
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

    private static Rate readRate(String window, Map<?, ?> tree) throws MalformedMessageException {
        int seconds;
        try {
            seconds = Integer.parseInt(window);
        } catch (NumberFormatException e) {
            throw new MalformedMessageException("rates has a window that is not a number of seconds");
        }
        return new Rate(
                seconds,
                real("covered_s", tree.get("covered_s")),
                real("records_per_s", tree.get("records_per_s")),
                real("issued_per_s", tree.get("issued_per_s")),
                real("completed_per_s", tree.get("completed_per_s")),
                real("failed_per_s", tree.get("failed_per_s")),
                real("bytes_per_s", tree.get("bytes_per_s")),
                tree.get("good_per_s") == null ? 0 : real("good_per_s", tree.get("good_per_s")));
    }

    static Map<String, @Nullable Object> error(SnapshotExtensions.ErrorRow row) {
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
}
