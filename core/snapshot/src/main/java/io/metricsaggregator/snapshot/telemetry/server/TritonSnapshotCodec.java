package io.metricsaggregator.snapshot.telemetry.server;

import static io.metricsaggregator.snapshot.fields.TreeFields.finite;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.TreeFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps {@link TritonSnapshot} to and from its fields of the tree {@code observations.scrape}. Large parts of the tree are views. */
public final class TritonSnapshotCodec {
    private static final String REQUESTS = "requests_total_by_model";

    private TritonSnapshotCodec() {}

    /** Adds the fields to the tree of the scrapes. */
    public static void put(TritonSnapshot triton, Map<String, @Nullable Object> tree) {
        TritonSnapshot.LastWindow last = triton.last();
        if (last != null) {
            Map<String, @Nullable Object> window = ScrapeWindowCodec.of(last.window());
            window.put("end_ms", last.endMillis());
            if (last.modelsNotShown() > 0) {
                window.put("models_not_shown", last.modelsNotShown());
            }
            if (last.gpusNotShown() > 0) {
                window.put("gpus_not_shown", last.gpusNotShown());
            }
            tree.put("last_window", window);
        }
        tree.put(REQUESTS, LazyTree.map(triton.requestsByModel(), (model, requests) -> finite(requests)));
        if (triton.withoutIdleModels()) {
            tree.put("windows_without_idle_models", true);
        }
        Map<String, ScrapeWindow> windows = triton.windows();
        if (windows != null) {
            tree.put("windows", LazyTree.map(windows, (second, window) -> ScrapeWindowCodec.of(window)));
        }
        TritonSnapshot.Notebook notebook = triton.notebook();
        if (notebook != null) {
            tree.put("compat", notebook(notebook));
        }
    }

    /** The fields in the tree of the scrapes; null if it has none. */
    public static @Nullable TritonSnapshot read(TreeFields fields) throws MalformedMessageException {
        if (!fields.has(REQUESTS)) {
            return null;
        }
        TreeFields last = fields.map("last_window");
        return new TritonSnapshot(
                fields.has("last_window")
                        ? new TritonSnapshot.LastWindow(
                                ScrapeWindowCodec.read(last),
                                last.integer("end_ms"),
                                last.integer("models_not_shown"),
                                last.integer("gpus_not_shown"))
                        : null,
                fields.byName(REQUESTS, TritonSnapshotCodec::readFinite),
                fields.flag("windows_without_idle_models"),
                fields.has("windows") ? fields.byName("windows", ScrapeWindowCodec::read) : null,
                fields.has("compat") ? readNotebook(fields.map("compat")) : null);
    }

    private static Double readFinite(String path, @Nullable Object value) throws MalformedMessageException {
        Double number = TreeFields.real(path, value);
        return number == null ? Double.NaN : number;
    }

    private static Map<String, @Nullable Object> notebook(TritonSnapshot.Notebook notebook) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("promql_semantics", notebook.promql());
        Map<String, TritonSnapshot.Answer> answers = notebook.answers();
        if (answers != null) {
            tree.put("promql", LazyTree.map(answers, (name, answer) -> answer(answer)));
        }
        tree.put("notebook", frame(notebook.frame()));
        return tree;
    }

    private static TritonSnapshot.Notebook readNotebook(TreeFields fields) throws MalformedMessageException {
        return new TritonSnapshot.Notebook(
                fields.integer("promql_semantics"),
                fields.has("promql") ? fields.byName("promql", TritonSnapshotCodec::readAnswer) : null,
                readFrame(fields.map("notebook")));
    }

    private static Map<String, @Nullable Object> answer(TritonSnapshot.Answer answer) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("query", answer.query());
        tree.put("result", LazyTree.list(answer.result(), series -> {
            Map<String, @Nullable Object> one = new LinkedHashMap<>();
            one.put("labels", series.labels());
            one.put("values", LazyTree.list(series.values(), point -> List.of(point.second(), word(point.value()))));
            return one;
        }));
        return tree;
    }

    private static TritonSnapshot.Answer readAnswer(String path, @Nullable Object value)
            throws MalformedMessageException {
        TreeFields fields = TreeFields.of(path, value);
        return new TritonSnapshot.Answer(fields.text("query"), fields.list("result", (within, element) -> {
            TreeFields series = TreeFields.of(within, element);
            return new TritonSnapshot.AnswerSeries(
                    series.byName("labels", TreeFields::text), series.list("values", TritonSnapshotCodec::readPoint));
        }));
    }

    private static TritonSnapshot.Point readPoint(String path, @Nullable Object value)
            throws MalformedMessageException {
        if (value instanceof List<?> pair && pair.size() == 2) {
            return new TritonSnapshot.Point(TreeFields.integer(path, pair.get(0)), readWord(path, pair.get(1)));
        }
        throw new MalformedMessageException(path + " should be pairs of [second, value]");
    }

    private static Map<String, @Nullable Object> frame(TritonSnapshot.Frame frame) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("columns", frame.columns());
        Map<String, Map<String, Double>> rows = frame.rows();
        if (rows != null) {
            tree.put("rows", LazyTree.map(rows, (second, row) -> LazyTree.map(row, (column, value) -> word(value))));
        }
        tree.put("concurrency", spread(frame.concurrency()));
        tree.put("consistency", spread(frame.consistency()));
        tree.put("error", frame.error());
        if (frame.windowsSkipped() > 0) {
            tree.put("windows_skipped", frame.windowsSkipped());
        }
        if (frame.answersLeftOut() > 0) {
            tree.put("answers_left_out", frame.answersLeftOut());
        }
        return tree;
    }

    private static TritonSnapshot.Frame readFrame(TreeFields fields) throws MalformedMessageException {
        return new TritonSnapshot.Frame(
                fields.texts("columns"),
                fields.has("rows")
                        ? fields.byName(
                                "rows", (path, row) -> TreeFields.of(path, row).byName(TritonSnapshotCodec::readWord))
                        : null,
                readSpread(fields, "concurrency"),
                readSpread(fields, "consistency"),
                fields.textOrNull("error"),
                fields.integer("windows_skipped"),
                fields.integer("answers_left_out"));
    }

    private static @Nullable Map<String, @Nullable Object> spread(TritonSnapshot.@Nullable Spread spread) {
        if (spread == null) {
            return null;
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("mean", finite(spread.mean()));
        tree.put("max", finite(spread.max()));
        tree.put("min", finite(spread.min()));
        tree.put("std_population", finite(spread.deviation()));
        return tree;
    }

    private static TritonSnapshot.@Nullable Spread readSpread(TreeFields fields, String name)
            throws MalformedMessageException {
        TreeFields spread = fields.map(name);
        return fields.has(name)
                ? new TritonSnapshot.Spread(
                        spread.real("mean"), spread.real("max"), spread.real("min"), spread.real("std_population"))
                : null;
    }

    /** JSON has no number for NaN and infinity: they are written as text. */
    private static Object word(double value) {
        return Double.isFinite(value) ? (Object) value : Double.toString(value);
    }

    private static double readWord(String path, @Nullable Object value) throws MalformedMessageException {
        if (value instanceof String word) {
            return switch (word) {
                case "NaN" -> Double.NaN;
                case "Infinity" -> Double.POSITIVE_INFINITY;
                case "-Infinity" -> Double.NEGATIVE_INFINITY;
                default -> throw new MalformedMessageException(path + " should be a number, is \"" + word + "\"");
            };
        }
        Double number = TreeFields.real(path, value);
        if (number == null) {
            throw new MalformedMessageException(path + " should be a number, is nil");
        }
        return number;
    }
}
