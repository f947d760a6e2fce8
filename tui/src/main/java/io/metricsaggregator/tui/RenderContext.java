package io.metricsaggregator.tui;

import io.metricsaggregator.report.Printable;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the panels draw from.
 *
 * @param history all that was seen
 * @param shown what is looked at
 * @param view what the viewer has chosen
 * @param nowNanos the time
 * @param unicode whether more than ASCII can be shown
 * @param baseline an earlier run; null for none
 * @param width columns
 * @param height lines
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

    MetricsSnapshot snapshot() {
        return shown.snapshot;
    }

    @Nullable
    SnapshotExtensions extensions() {
        return shown.snapshot.extensions();
    }

    /** The baseline, if the viewer wants it. */
    @Nullable
    MetricsSnapshot comparedWith() {
        return view.showsBaseline() ? baseline : null;
    }

    /** What happened in the sliding window; null while there is nothing to compare with. */
    History.@Nullable Span window() {
        return history.span(shown, view.windowSeconds());
    }

    /** The metrics that have values. */
    List<String> metrics() {
        return ViewState.METRICS.stream()
                .filter(name -> {
                    var series = snapshot().series(name);
                    return series != null && series.count() > 0;
                })
                .toList();
    }

    /** Text of others, made narrow: one column a character. */
    static String narrow(String text, int maxLength) {
        String safe = Printable.escape(text, Math.max(1, maxLength - 1)).replace('…', '~');
        StringBuilder narrow = new StringBuilder(safe.length());
        safe.codePoints().forEach(c -> narrow.append(c < 0x300 ? (char) c : '?'));
        return narrow.length() <= maxLength ? narrow.toString() : narrow.substring(0, maxLength);
    }

    /** A name for people. */
    static String title(String metric) {
        return switch (metric) {
            case "ttft_ns" -> "TTFT";
            case "sample_latency_ns" -> "latency";
            case "tpot_ns" -> "TPOT";
            case "chunk_delta_ns" -> "chunk gap";
            case "response_ttft_ns" -> "TTFT (sched)";
            case "response_latency_ns" -> "lat. (sched)";
            default -> metric;
        };
    }
}
