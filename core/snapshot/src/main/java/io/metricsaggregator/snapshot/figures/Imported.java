package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.JsonWriter;
import io.metricsaggregator.snapshot.fields.TreeReader;
import io.metricsaggregator.snapshot.fields.TreeValues;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where the data of an imported run comes from, and what its files cannot say. Immutable.
 *
 * @param format name of the file format, such as {@code vllm}
 * @param tool the tool that wrote the files
 * @param toolVersion its version; null if the files do not name it
 * @param kind {@code C}: issue, every chunk and end of each request; {@code T}: no times of chunks but the first; {@code D}: durations
 *     without issue times, so the run has no rates, requests in flight, slices and durations; {@code A}: figures of the whole run
 * @param files the files read
 * @param part which run of a file with several; null for the only one
 * @param requests requests taken over
 * @param interrupted why the tool stopped before its end; null if it did not, or the files do not tell
 * @param skipped damaged or unusable records by reason
 * @param open requests that the tool cancelled: they have no end
 * @param startUnknown failed requests whose time of issue the files do not have, and so no other time: they are counted, and no duration,
 *     window or number of samples in flight includes them
 * @param endUnknown failed requests whose time of failure the files do not have: they have no end either
 * @param unknowable why a series or field is missing, by its name
 * @param toolFigures figures of the tool as they stand in the files, by their names there: numbers, strings, booleans
 * @param verify the tool's figures beside the same figures recomputed from its requests
 */
public record Imported(
        String format,
        String tool,
        @Nullable String toolVersion,
        String kind,
        List<ImportedFile> files,
        @Nullable String part,
        long requests,
        @Nullable String interrupted,
        Map<String, Long> skipped,
        long open,
        long startUnknown,
        long endUnknown,
        Map<String, String> unknowable,
        Map<String, Object> toolFigures,
        List<Verification> verify) {
    /** Value of {@code kind} for durations without issue times. */
    public static final String DURATIONS = "D";
    /** Value of {@code kind} for figures of the whole run. */
    public static final String AGGREGATES = "A";

    /**
     * A file that was read.
     *
     * @param name without its folder
     * @param bytes its size as it is on disk
     * @param sha256 64 hexadecimal digits
     */
    public record ImportedFile(String name, long bytes, String sha256) {
        private static ImportedFile pass(Fields f, ImportedFile v) throws MalformedMessageException {
            return new ImportedFile(
                    f.text("name", v.name()), f.count("bytes", v.bytes()), f.text("sha256", v.sha256()));
        }
    }

    /**
     * A figure of the tool and the same figure recomputed from its requests.
     *
     * @param name name of the figure in the file
     * @param expected its value there
     * @param computed the recomputed value; null if no request has the values it needs
     * @param agrees whether they differ by no more than the tolerance of the format
     */
    public record Verification(
            String name, double expected, @Nullable Double computed, boolean agrees) {
        private static Verification pass(Fields f, Verification v) throws MalformedMessageException {
            return new Verification(
                    f.text("name", v.name()),
                    f.real("expected", v.expected()),
                    f.maybeReal("computed", v.computed()),
                    f.flag("agrees", v.agrees()));
        }
    }

    /** What a reader starts from. */
    public static final Imported BLANK =
            new Imported("", "", null, "", List.of(), null, 0, null, Map.of(), 0, 0, 0, Map.of(), Map.of(), List.of());

    private static final ImportedFile NO_FILE = new ImportedFile("", 0, "");
    private static final Verification NO_FIGURE = new Verification("", 0, null, false);

    /** The declaration of the fields. */
    @SuppressWarnings("NullAway") // anything() may hold nil; requireFigures refuses it
    public static Imported pass(Fields f, Imported v) throws MalformedMessageException {
        return new Imported(
                f.text("format", v.format()),
                f.text("tool", v.tool()),
                f.maybeText("tool_version", v.toolVersion()),
                f.text("kind", v.kind()),
                f.list("files", v.files(), ImportedFile::pass, NO_FILE),
                f.maybeText("part", v.part()),
                f.count("requests", v.requests()),
                f.absentText("interrupted", v.interrupted()),
                f.counts("skipped", v.skipped()),
                f.count("open", v.open()),
                f.laterCount("start_unknown", v.startUnknown()),
                f.count("end_unknown", v.endUnknown()),
                f.textMap("unknowable", v.unknowable()),
                requireFigures(f.anything("tool_figures", new LinkedHashMap<>(v.toolFigures()))),
                f.list("verify", v.verify(), Verification::pass, NO_FIGURE));
    }

    /** This as JSON on one line, in UTF-8. */
    public byte[] json() {
        return JsonWriter.line(this, Imported::pass);
    }

    /** This as the tree of its JSON. */
    public Map<String, @Nullable Object> tree() {
        return JsonWriter.tree(this, Imported::pass);
    }

    /**
     * Reads what {@link #json} wrote; keys of later versions are ignored.
     *
     * @throws MalformedMessageException if a value is missing or has another type; the message names the key
     */
    public static Imported ofJson(byte[] json) throws MalformedMessageException {
        return TreeReader.read("imported", JsonTree.read(json), Imported::pass, BLANK);
    }

    private static Map<String, Object> requireFigures(Map<String, @Nullable Object> tree)
            throws MalformedMessageException {
        Map<String, Object> figures = new LinkedHashMap<>();
        for (Map.Entry<String, @Nullable Object> each : tree.entrySet()) {
            Object figure = each.getValue();
            if (!(figure instanceof Number || figure instanceof Boolean || figure instanceof String)) {
                throw TreeValues.wrong("imported.tool_figures", "numbers, strings and booleans", figure);
            }
            figures.put(each.getKey(), figure);
        }
        return figures;
    }

    public Imported {
        files = List.copyOf(files);
        skipped = Collections.unmodifiableMap(new LinkedHashMap<>(skipped));
        unknowable = Collections.unmodifiableMap(new LinkedHashMap<>(unknowable));
        toolFigures = Collections.unmodifiableMap(new LinkedHashMap<>(toolFigures));
        verify = List.copyOf(verify);
    }

    /** Whether the requests have issue times, so that there are rates, slices and durations. */
    public boolean hasTimeline() {
        return !kind.equals(DURATIONS) && !kind.equals(AGGREGATES);
    }

    /**
     * The import of two runs of the same format that are merged. What is unknown in one is unknown in both; figures of the tool belong to one
     * run and are left out.
     */
    public Imported and(Imported other) {
        List<ImportedFile> both = new ArrayList<>(files);
        both.addAll(other.files);
        Map<String, Long> all = new LinkedHashMap<>(skipped);
        other.skipped.forEach((reason, count) -> all.merge(reason, count, Long::sum));
        Map<String, String> unknown = new LinkedHashMap<>(unknowable);
        unknown.putAll(other.unknowable);
        return new Imported(
                format,
                tool,
                Objects.equals(toolVersion, other.toolVersion) ? toolVersion : null,
                poorer(other),
                both,
                null,
                requests + other.requests,
                interrupted == null ? other.interrupted : interrupted,
                all,
                open + other.open,
                startUnknown + other.startUnknown,
                endUnknown + other.endUnknown,
                unknown,
                Map.of(),
                List.of());
    }

    /** The kind that says less of each request: C, T, D, A in this order. */
    private String poorer(Imported other) {
        String order = "CTDA";
        return order.indexOf(kind) >= order.indexOf(other.kind) ? kind : other.kind;
    }

    /** Sum of all skipped records. */
    public long skippedTotal() {
        return skipped.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Number of figures of the tool that the requests do not yield. */
    public long disagreements() {
        return verify.stream().filter(each -> !each.agrees()).count();
    }
}
