package io.metricsaggregator.tui;

import io.metricsaggregator.catalogue.SeriesName;
import java.util.List;

/** The viewer's choices: panel, metric, window, hold and scroll position. Belongs to the loop's thread. */
public final class ViewState {
    /** The panels of the screen, each with a digit as its key. */
    public enum Preset {
        OVERVIEW("overview", "state, rates, percentiles, telemetry in short"),
        LATENCY("latency", "percentiles, histogram, heat map, slowest samples"),
        THROUGHPUT("throughput", "rates over time, lengths, finish reasons, labels"),
        ERRORS("errors", "all kinds of errors with their first message; also e"),
        WORKERS("workers", "records and samples of each worker"),
        SERVERS("servers", "servers, GPUs, nodes, transfers, operations, own metrics"),
        RAW("raw", "every counter and series"),
        DAEMON("daemon", "what the daemon itself costs"),
        NODES("nodes", "state, age, counts and clock of each node of a fleet");

        private final String title;
        private final String content;

        Preset(String title, String content) {
            this.title = title;
            this.content = content;
        }

        String title() {
            return title;
        }

        /** What the page shows, in a few words. */
        String content() {
            return content;
        }
    }

    /** The series that the screen lists and can show in detail, in the order of the screen. */
    static final List<SeriesName> METRICS = List.of(
            SeriesName.SUCCEEDED_TTFT_NS,
            SeriesName.TTFO_NS,
            SeriesName.SUCCEEDED_SAMPLE_LATENCY_NS,
            SeriesName.TPOT_NS,
            SeriesName.CHUNK_DELTA_NS,
            SeriesName.RESPONSE_TTFT_NS,
            SeriesName.RESPONSE_LATENCY_NS,
            SeriesName.FAILED_SAMPLE_LATENCY_NS);

    private static final int[] WINDOWS_SECONDS = {10, 60, 1};

    private Preset preset = Preset.OVERVIEW;
    private int window;
    private int metric;
    private int scroll;
    private boolean help;
    private boolean baseline = true;
    /** Number of snapshots behind the newest; negative while the screen is not held. */
    private long heldNanos = Long.MIN_VALUE;

    private String message = "";

    Preset preset() {
        return preset;
    }

    void preset(Preset chosen) {
        preset = chosen;
        scroll = 0;
        help = false;
    }

    void nextPreset() {
        preset(Preset.values()[(preset.ordinal() + 1) % Preset.values().length]);
    }

    /** The length of the sliding window in seconds. */
    int windowSeconds() {
        return WINDOWS_SECONDS[window];
    }

    void nextWindow() {
        window = (window + 1) % WINDOWS_SECONDS.length;
    }

    /**
     * The series shown in detail.
     *
     * @param present the series that have values; if empty, the first of {@link #METRICS} is shown
     */
    SeriesName metric(List<SeriesName> present) {
        return present.isEmpty() ? METRICS.get(0) : present.get(metric % present.size());
    }

    void nextMetric() {
        metric++;
    }

    int scroll() {
        return scroll;
    }

    void scroll(int lines) {
        scroll = Math.max(0, scroll + lines);
    }

    /** Ends the scrolling at a line, so that the key for the way back works at once. */
    void scrollAtMost(int line) {
        scroll = Math.max(0, Math.min(scroll, line));
    }

    boolean showsHelp() {
        return help;
    }

    void toggleHelp() {
        help = !help;
        scroll = 0;
    }

    boolean showsBaseline() {
        return baseline;
    }

    void toggleBaseline() {
        baseline = !baseline;
    }

    boolean isPaused() {
        return heldNanos != Long.MIN_VALUE;
    }

    /** The time of the held snapshot on the clock of the loop. */
    long heldNanos() {
        return heldNanos;
    }

    void hold(long nanos) {
        heldNanos = nanos;
    }

    void release() {
        heldNanos = Long.MIN_VALUE;
    }

    String message() {
        return message;
    }

    void message(String text) {
        message = text;
    }
}
