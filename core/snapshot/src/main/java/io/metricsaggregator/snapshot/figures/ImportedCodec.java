package io.metricsaggregator.snapshot.figures;

import static io.metricsaggregator.snapshot.fields.TreeValues.flag;
import static io.metricsaggregator.snapshot.fields.TreeValues.integer;
import static io.metricsaggregator.snapshot.fields.TreeValues.list;
import static io.metricsaggregator.snapshot.fields.TreeValues.map;
import static io.metricsaggregator.snapshot.fields.TreeValues.real;
import static io.metricsaggregator.snapshot.fields.TreeValues.text;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.TreeValues;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts {@link Imported} to and from a tree of maps and lists, the same in snapshots, journals and reports. Stateless. */
public final class ImportedCodec {
    private ImportedCodec() {}

    /** The tree of an import. */
    public static Map<String, @Nullable Object> of(Imported imported) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("format", imported.format());
        tree.put("tool", imported.tool());
        tree.put("tool_version", imported.toolVersion());
        tree.put("kind", imported.kind());
        List<Object> files = new ArrayList<>();
        for (Imported.ImportedFile file : imported.files()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("name", file.name());
            row.put("bytes", file.bytes());
            row.put("sha256", file.sha256());
            files.add(row);
        }
        tree.put("files", files);
        tree.put("part", imported.part());
        tree.put("requests", imported.requests());
        if (imported.interrupted() != null) {
            tree.put("interrupted", imported.interrupted());
        }
        tree.put("skipped", imported.skipped());
        tree.put("open", imported.open());
        tree.put("start_unknown", imported.startUnknown());
        tree.put("end_unknown", imported.endUnknown());
        tree.put("unknowable", imported.unknowable());
        tree.put("tool_figures", imported.toolFigures());
        List<Object> verify = new ArrayList<>();
        for (Imported.Verification each : imported.verify()) {
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            row.put("name", each.name());
            row.put("expected", each.expected());
            row.put("computed", each.computed());
            row.put("agrees", each.agrees());
            verify.add(row);
        }
        tree.put("verify", verify);
        return tree;
    }

    /**
     * Reads the tree of an import; keys of later versions are ignored.
     *
     * @throws MalformedMessageException if a value is missing or has another type; the message names the key
     */
    public static Imported read(@Nullable Object value) throws MalformedMessageException {
        Map<?, ?> tree = map("imported", value);
        List<Imported.ImportedFile> files = new ArrayList<>();
        for (Object element : list("imported.files", tree.get("files"))) {
            Map<?, ?> row = map("imported.files", element);
            files.add(new Imported.ImportedFile(
                    text("imported.files.name", row.get("name")),
                    integer("imported.files.bytes", row.get("bytes")),
                    text("imported.files.sha256", row.get("sha256"))));
        }
        List<Imported.Verification> verify = new ArrayList<>();
        for (Object element : list("imported.verify", tree.get("verify"))) {
            Map<?, ?> row = map("imported.verify", element);
            verify.add(new Imported.Verification(
                    text("imported.verify.name", row.get("name")),
                    real("imported.verify.expected", row.get("expected")),
                    row.get("computed") == null ? null : real("imported.verify.computed", row.get("computed")),
                    flag("imported.verify.agrees", row.get("agrees"))));
        }
        return new Imported(
                text("imported.format", tree.get("format")),
                text("imported.tool", tree.get("tool")),
                optionalText("imported.tool_version", tree.get("tool_version")),
                text("imported.kind", tree.get("kind")),
                files,
                optionalText("imported.part", tree.get("part")),
                integer("imported.requests", tree.get("requests")),
                optionalText("imported.interrupted", tree.get("interrupted")),
                counts(tree.get("skipped")),
                integer("imported.open", tree.get("open")),
                // Files of earlier versions do not have it.
                tree.get("start_unknown") == null ? 0 : integer("imported.start_unknown", tree.get("start_unknown")),
                integer("imported.end_unknown", tree.get("end_unknown")),
                reasons(tree.get("unknowable")),
                figures(tree.get("tool_figures")),
                verify);
    }

    private static @Nullable String optionalText(String field, @Nullable Object value)
            throws MalformedMessageException {
        return value == null ? null : text(field, value);
    }

    private static Map<String, Long> counts(@Nullable Object value) throws MalformedMessageException {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map("imported.skipped", value).entrySet()) {
            counts.put(text("imported.skipped", entry.getKey()), integer("imported.skipped", entry.getValue()));
        }
        return counts;
    }

    private static Map<String, String> reasons(@Nullable Object value) throws MalformedMessageException {
        Map<String, String> reasons = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map("imported.unknowable", value).entrySet()) {
            reasons.put(text("imported.unknowable", entry.getKey()), text("imported.unknowable", entry.getValue()));
        }
        return reasons;
    }

    private static Map<String, Object> figures(@Nullable Object value) throws MalformedMessageException {
        Map<String, Object> figures = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map("imported.tool_figures", value).entrySet()) {
            Object figure = entry.getValue();
            if (!(figure instanceof Long
                    || figure instanceof BigInteger
                    || figure instanceof Double
                    || figure instanceof Boolean
                    || figure instanceof String)) {
                throw TreeValues.wrong("imported.tool_figures", "numbers, strings and booleans", figure);
            }
            figures.put(text("imported.tool_figures", entry.getKey()), figure);
        }
        return figures;
    }
}
