package io.metricsaggregator.snapshot.telemetry;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.Forms;
import io.metricsaggregator.snapshot.fields.TreeValues;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All telemetry of a snapshot: a record for each kind that has any. It is written as it was read: unknown kinds, and unknown keys of known ones,
 * keep their place. Immutable, as long as the maps it was given do not change.
 */
public final class TelemetrySnapshots {
    /** A snapshot without telemetry. */
    public static final TelemetrySnapshots NONE = new TelemetrySnapshots(Map.of(), Map.of());

    /** Its form in a snapshot. */
    public static final Fields.Form<TelemetrySnapshots> FORM = Forms.of(TelemetrySnapshots::tree, (path, tree) -> {
        Map<String, Object> kinds = new LinkedHashMap<>();
        for (Map.Entry<?, ?> each : TreeValues.map(path, tree).entrySet()) {
            kinds.put(TreeValues.text(path, each.getKey()), TreeValues.map(path, each.getValue()));
        }
        return read(path, kinds);
    });

    private final Map<String, Object> tree;
    /** Records that were given or read with the maps; the others are read each time they are asked for. */
    private final Map<TelemetryKind, TelemetrySnapshot> read;

    private TelemetrySnapshots(Map<String, ?> tree, Map<TelemetryKind, TelemetrySnapshot> read) {
        this.tree = Collections.unmodifiableMap(new LinkedHashMap<>(tree));
        this.read = read;
    }

    /**
     * The telemetry that these maps describe, by kind. The maps are not copied, must not change, and may be views: records are read from them
     * each time they are asked for.
     *
     * @param tree the state of each kind, by {@link TelemetryKind#key()}; other keys are kept
     */
    public static TelemetrySnapshots of(Map<String, ?> tree) {
        return tree.isEmpty() ? NONE : new TelemetrySnapshots(tree, Map.of());
    }

    /**
     * The telemetry of these records, in their order. Their trees are made here; large parts of a tree are views of its record.
     *
     * @param snapshots at most one of each kind
     */
    public static TelemetrySnapshots of(List<TelemetrySnapshot> snapshots) {
        Map<String, Object> tree = new LinkedHashMap<>();
        Map<TelemetryKind, TelemetrySnapshot> records = new EnumMap<>(TelemetryKind.class);
        for (TelemetrySnapshot snapshot : snapshots) {
            tree.put(snapshot.kind().key(), snapshot.tree());
            records.put(snapshot.kind(), snapshot);
        }
        return snapshots.isEmpty() ? NONE : new TelemetrySnapshots(tree, records);
    }

    /**
     * The telemetry of a decoded snapshot. Records of known kinds are read once, here.
     *
     * @param path names the map in errors
     * @param tree the state of each kind, by key; untrusted
     * @throws MalformedMessageException if a field of a known kind has another type than it should; the message names the field
     */
    public static TelemetrySnapshots read(String path, Map<String, ?> tree) throws MalformedMessageException {
        Map<TelemetryKind, TelemetrySnapshot> read = new EnumMap<>(TelemetryKind.class);
        for (TelemetryKind kind : TelemetryKind.values()) {
            Object known = tree.get(kind.key());
            if (known != null) {
                read.put(kind, kind.read(path + "." + kind.key(), known));
            }
        }
        return tree.isEmpty() ? NONE : new TelemetrySnapshots(tree, read);
    }

    /** Whether no kind, known or unknown, has any. */
    public boolean isEmpty() {
        return tree.isEmpty();
    }

    /** The state of every kind by its key, unknown kinds included, in the order in which it is written. */
    public Map<String, Object> tree() {
        return tree;
    }

    /** The map of a kind, as it is written; empty if the snapshot has none. */
    public Map<?, ?> tree(TelemetryKind kind) {
        return tree.get(kind.key()) instanceof Map<?, ?> known ? known : Map.of();
    }

    /** The state of a kind; null if the snapshot has none. */
    public @Nullable TelemetrySnapshot get(TelemetryKind kind) {
        TelemetrySnapshot known = read.get(kind);
        Object from = tree.get(kind.key());
        if (known != null || from == null) {
            return known;
        }
        try {
            return kind.read(kind.key(), from);
        } catch (MalformedMessageException e) {
            throw new IllegalStateException(
                    "A fold and the codec of " + kind.key() + " disagree: " + e.getMessage(), e);
        }
    }

    /** KV-cache transfers; null if there were none. */
    public @Nullable TransferSnapshot transfer() {
        return (TransferSnapshot) get(TelemetryKind.TRANSFER);
    }

    /** Resources of nodes; null if no node reported. */
    public @Nullable ResourceSnapshot resource() {
        return (ResourceSnapshot) get(TelemetryKind.RESOURCE);
    }

    /** Keyed operations; null if there were none. */
    public @Nullable OperationSnapshot operation() {
        return (OperationSnapshot) get(TelemetryKind.OPERATION);
    }

    /** Scraped series; null if no target was scraped. */
    public @Nullable ScrapeSnapshot scrape() {
        return (ScrapeSnapshot) get(TelemetryKind.SCRAPE);
    }

    /** Custom metrics; null if there were none. */
    public @Nullable MetricSnapshot metric() {
        return (MetricSnapshot) get(TelemetryKind.METRIC);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TelemetrySnapshots snapshots && tree.equals(snapshots.tree);
    }

    @Override
    public int hashCode() {
        return tree.hashCode();
    }

    @Override
    public String toString() {
        return tree.toString();
    }
}
