package io.metricsaggregator.snapshot.telemetry.server;

import java.util.List;
import java.util.Map;
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

    /**
     * The newest window.
     *
     * @param endMillis its end, since 1970
     * @param modelsNotShown models left out of a live snapshot
     * @param gpusNotShown GPUs left out of a live snapshot
     */
    public record LastWindow(ScrapeWindow window, long endMillis, long modelsNotShown, long gpusNotShown) {}

    /**
     * The notebook's queries as Prometheus would answer them, and the table it makes of the answers.
     *
     * @param promql semantics of the queries: 2 or 3
     * @param answers by query; null in a live snapshot
     * @param frame its table
     */
    public record Notebook(long promql, @Nullable Map<String, Answer> answers, Frame frame) {}

    /**
     * The answer to a range query.
     *
     * @param query its text
     * @param result one series per label set
     */
    public record Answer(String query, List<AnswerSeries> result) {}

    /** One series of an answer, ordered by time. */
    public record AnswerSeries(Map<String, String> labels, List<Point> values) {}

    /**
     * A value at a time.
     *
     * @param second since 1970
     * @param value may be NaN or infinite
     */
    public record Point(long second, double value) {}

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
            @Nullable Double deviation) {}
}
