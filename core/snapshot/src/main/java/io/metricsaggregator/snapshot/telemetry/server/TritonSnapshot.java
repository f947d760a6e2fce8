package io.metricsaggregator.snapshot.telemetry.server;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.Forms;
import io.metricsaggregator.snapshot.fields.TreeValues;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Windows of Triton's models and DCGM's GPUs, and the notebook of triton_multiuser_benchmarks beside them. Maps may be views that compute a window when it is read, so they are
 * not copied.
 *
 * @param last the newest window that is complete as far as the snapshot's time goes; null before the first window
 * @param requestsByModel requests over all windows, by model and version; the first 256 in a live snapshot
 * @param withoutIdleModels whether windows list only the models that were measured in them, because windows × models would be too large
 * @param windows by the second since 1970 at which they end; null in a live snapshot
 * @param notebook what Prometheus and the notebook make of the same samples; null if it was left out
 */
public record TritonSnapshot(
        @Nullable LastWindow last,
        Map<String, Double> requestsByModel,
        boolean withoutIdleModels,
        @Nullable Map<String, ScrapeWindow> windows,
        @Nullable Notebook notebook) {
    /** The key that is there whenever any field is. */
    public static final String REQUESTS = "requests_total_by_model";

    /** Without windows. */
    public static final TritonSnapshot BLANK = new TritonSnapshot(null, Map.of(), false, null, null);

    private static final Fields.Form<Map<String, Double>> BY_MODEL = Forms.map(Forms.of(
            Forms.REAL::tree, (path, tree) -> tree == null ? (Double) Double.NaN : Forms.NUMBER.read(path, tree)));

    /** Passes over its fields in the map of the scrapes. */
    public static TritonSnapshot pass(Fields f, TritonSnapshot v) throws MalformedMessageException {
        return new TritonSnapshot(
                f.absent("last_window", v.last, LastWindow::pass, LastWindow.BLANK),
                f.form(REQUESTS, v.requestsByModel, BY_MODEL),
                f.absentFlag("windows_without_idle_models", v.withoutIdleModels),
                f.absentForm("windows", v.windows, ScrapeWindow.BY_SECOND),
                f.absent("compat", v.notebook, Notebook::pass, Notebook.BLANK));
    }

    /**
     * The newest window.
     *
     * @param endMillis its end, since 1970
     * @param modelsNotShown models left out of a live snapshot
     * @param gpusNotShown GPUs left out of a live snapshot
     */
    public record LastWindow(ScrapeWindow window, long endMillis, long modelsNotShown, long gpusNotShown) {
        static final LastWindow BLANK = new LastWindow(ScrapeWindow.BLANK, 0, 0, 0);

        static LastWindow pass(Fields f, LastWindow v) throws MalformedMessageException {
            return new LastWindow(
                    ScrapeWindow.pass(f, v.window),
                    f.laterCount("end_ms", v.endMillis),
                    f.rareCount("models_not_shown", v.modelsNotShown),
                    f.rareCount("gpus_not_shown", v.gpusNotShown));
        }
    }

    /**
     * The notebook's queries as Prometheus would answer them, and the table it makes of the answers.
     *
     * @param promql semantics of the queries: 2 or 3
     * @param answers by query; null in a live snapshot
     * @param frame its table
     */
    public record Notebook(long promql, @Nullable Map<String, Answer> answers, Frame frame) {
        static final Notebook BLANK = new Notebook(0, null, Frame.BLANK);

        static Notebook pass(Fields f, Notebook v) throws MalformedMessageException {
            return new Notebook(
                    f.laterCount("promql_semantics", v.promql),
                    f.absentForm("promql", v.answers, Answer.BY_NAME),
                    f.laterRecord("notebook", v.frame, Frame::pass, Frame.BLANK));
        }
    }

    /**
     * The answer to a range query.
     *
     * @param query its text
     * @param result one series per label set
     */
    public record Answer(String query, List<AnswerSeries> result) {
        static final Fields.Form<Map<String, Answer>> BY_NAME = Forms.map(Answer::pass, new Answer("", List.of()));

        static Answer pass(Fields f, Answer v) throws MalformedMessageException {
            return new Answer(
                    f.laterText("query", v.query),
                    f.laterList("result", v.result, AnswerSeries::pass, AnswerSeries.BLANK));
        }
    }

    /** One series of an answer, ordered by time. */
    public record AnswerSeries(Map<String, String> labels, List<Point> values) {
        static final AnswerSeries BLANK = new AnswerSeries(Map.of(), List.of());
        private static final Fields.Form<List<Point>> POINTS = Forms.list(Forms.of(Point::tree, Point::read));

        static AnswerSeries pass(Fields f, AnswerSeries v) throws MalformedMessageException {
            return new AnswerSeries(f.textMap("labels", v.labels), f.form("values", v.values, POINTS));
        }
    }

    /**
     * A value at a time.
     *
     * @param second since 1970
     * @param value may be NaN or infinite
     */
    public record Point(long second, double value) {
        private Object tree() {
            return List.of(second, Objects.requireNonNull(Forms.ANY_NUMBER.tree(value)));
        }

        private static Point read(String path, @Nullable Object tree) throws MalformedMessageException {
            if (tree instanceof List<?> pair && pair.size() == 2) {
                return new Point(TreeValues.integer(path, pair.get(0)), Forms.anyNumber(path, pair.get(1)));
            }
            throw new MalformedMessageException(path + " should be pairs of [second, value]");
        }
    }

    /**
     * The notebook's table, which joins the answers by time.
     *
     * @param columns names of its columns, sorted
     * @param rows by the second since 1970: values by column, possibly NaN or infinite; null in a live snapshot
     * @param concurrency instances summed over models ÷ instances; null without a row
     * @param consistency rates summed over models ÷ rate; null without a row
     * @param error the Python error with which the notebook would end; null for none
     * @param windowsSkipped windows whose queries were not asked, because a metric has too many series
     * @param answersLeftOut values for which there was no memory
     */
    public record Frame(
            List<String> columns,
            @Nullable Map<String, Map<String, Double>> rows,
            @Nullable Spread concurrency,
            @Nullable Spread consistency,
            @Nullable String error,
            long windowsSkipped,
            long answersLeftOut) {

        static final Frame BLANK = new Frame(List.of(), null, null, null, null, 0, 0);
        private static final Fields.Form<Map<String, Map<String, Double>>> ROWS =
                Forms.map(Forms.map(Forms.ANY_NUMBER));

        static Frame pass(Fields f, Frame v) throws MalformedMessageException {
            return new Frame(
                    f.texts("columns", v.columns),
                    f.absentForm("rows", v.rows, ROWS),
                    f.maybe("concurrency", v.concurrency, Spread::pass, Spread.BLANK),
                    f.maybe("consistency", v.consistency, Spread::pass, Spread.BLANK),
                    f.maybeText("error", v.error),
                    f.rareCount("windows_skipped", v.windowsSkipped),
                    f.rareCount("answers_left_out", v.answersLeftOut));
        }

        /** The same without rows, as a live snapshot shows it. */
        public Frame withoutRows() {
            return new Frame(columns, null, concurrency, consistency, error, windowsSkipped, answersLeftOut);
        }
    }

    /** Mean, extremes and population standard deviation; null where the result is not finite. */
    public record Spread(
            @Nullable Double mean,
            @Nullable Double max,
            @Nullable Double min,
            @Nullable Double deviation) {
        static final Spread BLANK = new Spread(null, null, null, null);

        static Spread pass(Fields f, Spread v) throws MalformedMessageException {
            return new Spread(
                    f.maybeReal("mean", v.mean),
                    f.maybeReal("max", v.max),
                    f.maybeReal("min", v.min),
                    f.maybeReal("std_population", v.deviation));
        }
    }
}
