package io.metricsaggregator.options;

import io.metricsaggregator.fold.series.Streaming;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which samples a run tracks, and whether it reports the series of streamed answers. */
@OptionGroup.In(OptionGroup.METRICS)
public final class TrackingOptions {
    /** The samples that are tracked: those that the events of the session select, or all. */
    enum Track {
        EVENTS,
        ALL
    }

    @Option(
            names = "--streaming",
            description =
                    "Always report time to first token and time between chunks, even if no chunk arrives. Default: from the"
                            + " first chunk of a tracked sample on.")
    private boolean streaming;

    @Option(
            names = "--no-streaming",
            description =
                    "Never report time to first token and time between chunks. Default with --socket-dir, as in MLCommons"
                            + " endpoints.")
    private boolean noStreaming;

    @Option(
            names = "--track",
            paramLabel = "SAMPLES",
            defaultValue = "events",
            description = "Samples to measure. events: samples issued between session.start_performance_tracking and"
                    + " session.stop_performance_tracking; all: every sample from the first record on, even if session.started"
                    + " was missed. Default: ${DEFAULT-VALUE}.")
    private Track track = Track.EVENTS;

    /**
     * Whether the series of streamed answers are reported.
     *
     * @param fallback applies if neither flag is given
     */
    public Streaming streaming(Streaming fallback) {
        Streaming forced = forced(streaming, noStreaming);
        return forced == null ? fallback : forced;
    }

    /**
     * The setting that one of the two flags forces; null if neither is given.
     *
     * @throws IllegalArgumentException if both are given
     */
    static @Nullable Streaming forced(boolean streaming, boolean noStreaming) {
        if (streaming && noStreaming) {
            throw new IllegalArgumentException("--streaming and --no-streaming exclude each other: give one of them");
        }
        return streaming ? Streaming.ON : noStreaming ? Streaming.OFF : null;
    }

    /** Whether every sample is tracked, regardless of the events of the session. */
    public boolean tracksAll() {
        return track == Track.ALL;
    }
}
