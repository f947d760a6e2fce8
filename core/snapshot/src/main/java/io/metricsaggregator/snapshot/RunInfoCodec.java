package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.fields.TreeValues.integer;
import static io.metricsaggregator.snapshot.fields.TreeValues.list;
import static io.metricsaggregator.snapshot.fields.TreeValues.map;
import static io.metricsaggregator.snapshot.fields.TreeValues.text;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.figures.ClockOffset;
import io.metricsaggregator.snapshot.figures.ImportedCodec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a {@link SnapshotExtensions.RunInfo} from a map; {@link ExtensionPart} writes it. */
final class RunInfoCodec {
    private RunInfoCodec() {}

    static SnapshotExtensions.RunInfo read(@Nullable Object value) throws MalformedMessageException {
        Map<?, ?> tree = map("run", value);
        return new SnapshotExtensions.RunInfo(
                (int) integer("schema_version", tree.get("schema_version")),
                text("run_id", tree.get("run_id")),
                text("version", tree.get("version")),
                date("started_wall_ns", tree),
                date("wall_ns", tree),
                texts("exposures", tree.get("exposures")),
                texts("recomputed", tree.get("recomputed")),
                named("environment", tree.get("environment")),
                named("settings", tree.get("settings")),
                tree.get("imported") == null ? null : ImportedCodec.read(tree.get("imported")),
                named("labels", tree.get("labels")),
                tree.get("node") == null ? null : text("node", tree.get("node")),
                clockOffset(tree));
    }

    /** A time since 1970; 0 where it is null, unknown. */
    private static long date(String field, Map<?, ?> tree) throws MalformedMessageException {
        return tree.containsKey(field) && tree.get(field) == null ? 0 : integer(field, tree.get(field));
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

    /** Reads a list of texts; empty if there is none. */
    static List<String> texts(String field, @Nullable Object listed) throws MalformedMessageException {
        List<String> texts = new ArrayList<>();
        for (Object element : listed == null ? List.of() : list(field, listed)) {
            texts.add(text(field, element));
        }
        return texts;
    }
}
