package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the map that {@link SnapshotExtensions} are written as. It is made only when it is written: an encoder that has the bytes of
 * an equal source copies those.
 *
 * @param key the key in the map
 * @param source immutable; equal sources have equal trees
 * @param body writes key and value
 */
record ExtensionPart(String key, Object source, Fields.Body body) {

    private static ExtensionPart of(String key, Object source, Supplier<@Nullable Object> tree) {
        return new ExtensionPart(key, source, fields -> fields.derived(key, tree.get()));
    }

    private static <T> ExtensionPart of(String key, T source, Fields.Shape<T> shape, T blank) {
        return new ExtensionPart(key, source, fields -> fields.maybe(key, source, shape, blank));
    }

    private static <T> ExtensionPart of(String key, List<T> source, Fields.Shape<T> shape, T blank) {
        return new ExtensionPart(key, source, fields -> fields.list(key, source, shape, blank));
    }

    /** A value that is its own tree. */
    private static ExtensionPart plain(String key, Object value) {
        return of(key, value, () -> value);
    }

    /** Writes these entries into the present map. */
    static void pass(Fields fields, List<ExtensionPart> parts) throws MalformedMessageException {
        for (ExtensionPart each : parts) {
            each.body.pass(fields);
        }
    }

    /** The entries of extensions, in the order in which they are written. */
    static List<ExtensionPart> of(SnapshotExtensions extensions) {
        List<ExtensionPart> parts = new ArrayList<>(32);
        parts.add(of("run", extensions.run(), RunInfo::pass, RunInfo.BLANK));
        SnapshotExtensions.InFlight inFlight = extensions.inFlight();
        parts.add(of("in_flight", inFlight, SnapshotExtensions.InFlight::pass, SnapshotExtensions.InFlight.BLANK));
        List<Rate> rates = extensions.rates();
        parts.add(new ExtensionPart(
                "rates", rates, fields -> fields.derivedMap("rates", inner -> Rate.pass(inner, rates))));
        List<SnapshotExtensions.WorkerRow> workers = extensions.workers();
        parts.add(of("workers", workers, SnapshotExtensions.WorkerRow::pass, SnapshotExtensions.WorkerRow.BLANK));
        List<SnapshotExtensions.ErrorRow> errors = extensions.errors();
        parts.add(of("errors", errors, SnapshotExtensions.ErrorRow::pass, SnapshotExtensions.ErrorRow.BLANK));
        List<SnapshotExtensions.MalformedRow> malformed = extensions.malformed();
        parts.add(of("malformed", malformed, () -> malformed(malformed)));
        Slices slices = extensions.slices();
        parts.add(of("slices", slices, Slices::pass, Slices.BLANK));
        if (!extensions.slowest().isEmpty()) {
            List<SlowSample> slowest = extensions.slowest();
            parts.add(new ExtensionPart(
                    "slowest", slowest, fields -> fields.record("slowest", slowest, SlowSample::passAll, List.of())));
        }
        Goodput goodput = extensions.goodput();
        if (goodput != null) {
            parts.add(of("goodput", goodput, Goodput::pass, Goodput.BLANK));
        }
        if (!extensions.telemetry().isEmpty()) {
            parts.add(of(
                    "observations",
                    extensions.telemetry(),
                    () -> extensions.telemetry().tree()));
        }
        SelfCost self = extensions.self();
        if (self != null) {
            parts.add(of("self", self, SelfCost::pass, SelfCost.BLANK));
        }
        SessionInfo session = extensions.session();
        if (session != null) {
            parts.add(of("session", session, SessionInfo::pass, SessionInfo.BLANK));
        }
        if (!extensions.outages().isEmpty()) {
            parts.add(of("outages", extensions.outages(), Outage::pass, Outage.BLANK));
        }
        addOptional(parts, extensions.optional());
        Completeness completeness = extensions.completeness();
        if (!completeness.limits().isEmpty()) {
            parts.add(plain("limits", completeness.limits()));
        }
        if (!completeness.leftOut().isEmpty()) {
            parts.add(plain("left_out", completeness.leftOut()));
        }
        return parts;
    }

    private static void addOptional(List<ExtensionPart> parts, OptionalFigures figures) {
        ReportedUsage usage = figures.usage();
        if (usage != null) {
            parts.add(of("usage", usage, ReportedUsage::pass, ReportedUsage.BLANK));
        }
        SteadyState steady = figures.steady();
        if (steady != null) {
            parts.add(of("steady", steady, SteadyState::pass, SteadyState.BLANK));
        }
        LabelBreakdown labels = figures.labels();
        if (labels != null) {
            parts.add(of("by_label", labels, LabelBreakdown::pass, LabelBreakdown.BLANK));
        }
        EnergyUse energy = figures.energy();
        if (energy != null) {
            parts.add(of("energy", energy, EnergyUse::pass, EnergyUse.BLANK));
        }
        Conversations conversations = figures.conversations();
        if (conversations != null) {
            parts.add(of("conversations", conversations, Conversations::pass, Conversations.BLANK));
        }
        Interactivity interactivity = figures.interactivity();
        if (interactivity != null) {
            parts.add(of("interactivity", interactivity, Interactivity::pass, Interactivity.BLANK));
        }
        Progress progress = figures.progress();
        if (progress != null) {
            parts.add(of("progress", progress, Progress::pass, Progress.BLANK));
        }
        Nodes nodes = figures.nodes();
        if (nodes != null) {
            parts.add(of("nodes", nodes.rows(), NodeRow::pass, NodeRow.BLANK));
            if (nodes.expected() != null) {
                parts.add(plain("nodes_expected", nodes.expected()));
            }
            if (nodes.lingerSeconds() != null) {
                parts.add(plain("nodes_linger_s", nodes.lingerSeconds()));
            }
            parts.add(plain("nodes_repeated", nodes.repeated()));
            parts.add(plain("nodes_discarded", nodes.discarded()));
        }
    }

    private static Map<String, @Nullable Object> malformed(List<SnapshotExtensions.MalformedRow> rows) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        for (SnapshotExtensions.MalformedRow row : rows) {
            tree.put(row.reason(), row.count());
        }
        return tree;
    }
}
