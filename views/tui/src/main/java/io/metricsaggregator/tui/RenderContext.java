package io.metricsaggregator.tui;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.report.text.SectionText;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The input of the panels for one rendering. Immutable, except for the history, which belongs to the loop's thread.
 *
 * @param history the snapshots received
 * @param shown the snapshot to render
 * @param view the viewer's choices
 * @param nowNanos the time on the clock of the loop
 * @param unicode whether the terminal shows more than ASCII
 * @param baseline an earlier run to compare with; null without one
 * @param width columns to fill
 * @param height lines to fill: those of the screen without header and footer
 */
record RenderContext(
        History history,
        History.Entry shown,
        ViewState view,
        long nowNanos,
        boolean unicode,
        @Nullable MetricsSnapshot baseline,
        int width,
        int height) {

    /** Longest line of a section in characters. */
    private static final int LINE_MAX = 600;

    private static final char ESTIMATE = '≈';

    /** The same for a part of the screen. */
    RenderContext sized(int columns, int lines) {
        return new RenderContext(history, shown, view, nowNanos, unicode, baseline, columns, lines);
    }

    /** Ends a line that is cut. */
    char cutMark() {
        return unicode ? '…' : '~';
    }

    MetricsSnapshot snapshot() {
        return shown.snapshot;
    }

    SnapshotExtensions extensions() {
        return shown.snapshot.extensions();
    }

    /** The baseline; null if there is none or the viewer hides it. */
    @Nullable
    MetricsSnapshot comparedWith() {
        return view.showsBaseline() ? baseline : null;
    }

    /** The change within the sliding window; null while there is only one snapshot. */
    History.@Nullable Span window() {
        return history.span(shown, view.windowSeconds());
    }

    /**
     * What "now" covers: the sliding window, or less while the screen has not received snapshots for that long.
     */
    String windowTitle() {
        History.Span window = window();
        int wanted = view.windowSeconds();
        if (window == null) {
            return "now";
        }
        long covered = Math.round(window.seconds());
        return covered >= wanted ? "now (" + wanted + " s)" : "now (" + covered + " of " + wanted + " s)";
    }

    /** The values that the screen shows of a series, by the rule of {@link Quantity#leading}; null without any. */
    @Nullable
    SeriesMetric series(SeriesName name) {
        return series(name, snapshot());
    }

    static @Nullable SeriesMetric series(SeriesName name, MetricsSnapshot snapshot) {
        return Quantity.leading(name, snapshot).measured(snapshot);
    }

    /** The title of what {@link #series(SeriesName)} returns. */
    String name(SeriesName metric) {
        return title(Quantity.leading(metric, snapshot()).series());
    }

    /** The series of {@link ViewState#METRICS} that have values. */
    List<SeriesName> metrics() {
        return ViewState.METRICS.stream().filter(name -> series(name) != null).toList();
    }

    /** A line of a report's section, at most {@value #LINE_MAX} columns, with the signs that the terminal shows. */
    String foreign(String line) {
        return narrow(unicode ? line : SectionText.ascii(line), LINE_MAX);
    }

    /** Foreign text with one column a character, in at most {@code maxLength} columns; {@code ~} ends a text that is cut. */
    static String narrow(String text, int maxLength) {
        String safe = Printable.escape(text, Math.max(1, maxLength)).replace('…', '~');
        StringBuilder narrow = new StringBuilder(safe.length());
        safe.codePoints().forEach(c -> narrow.append(c < 0x300 || c == ESTIMATE ? (char) c : '?'));
        return narrow.length() <= maxLength ? narrow.toString() : narrow.substring(0, Math.max(0, maxLength - 1)) + "~";
    }

    /** The title of one of {@link ViewState#METRICS} in 12 columns; any other series has its wire name. */
    static String title(SeriesName metric) {
        return switch (metric) {
            case SUCCEEDED_TTFT_NS -> "TTFT";
            case TTFO_NS -> "TTFO";
            case SUCCEEDED_SAMPLE_LATENCY_NS -> "latency";
            case TPOT_NS -> "TPOT";
            case CHUNK_DELTA_NS -> "chunk gap";
            case RESPONSE_TTFT_NS -> "TTFT (sched)";
            case FAILED_SAMPLE_LATENCY_NS -> "lat. (failed)";
            case TTFT_NS -> "TTFT (all)";
            case SAMPLE_LATENCY_NS -> "lat. (all)";
            case RESPONSE_LATENCY_NS -> "lat. (sched)";
            case TPOT_BY_OSL_NS,
                    SCHEDULE_SLIP_NS,
                    FAILED_TTFT_NS,
                    ISL,
                    OSL,
                    OSL_ALL,
                    OSL_ANSWER,
                    TTFT_FIRST_TURN_NS,
                    TTFT_LATER_TURN_NS,
                    CONVERSATION_DURATION_NS,
                    THINK_TIME_NS,
                    CONVERSATION_TURNS,
                    CONVERSATION_TOK_PER_S,
                    OSL_REASONING,
                    THINKING_NS,
                    ITL_EVEN_NS,
                    ITL_REQUEST_NS,
                    LATENCY_PER_TOKEN_NS,
                    USAGE_PROMPT_TOKENS,
                    USAGE_COMPLETION_TOKENS,
                    USAGE_CACHED_TOKENS,
                    USAGE_REASONING_TOKENS,
                    USAGE_TPOT_NS,
                    SERVER_QUEUE_NS,
                    SERVER_TTFT_NS,
                    OUTSIDE_TTFT_NS,
                    JOB_LATENCY_NS,
                    JOB_LLM_NS,
                    JOB_LLM_BUSY_NS,
                    JOB_CRITICAL_PATH_NS,
                    KV_TRANSFER_NS -> metric.wire();
        };
    }
}
