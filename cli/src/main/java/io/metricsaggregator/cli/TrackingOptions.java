package io.metricsaggregator.cli;

import io.metricsaggregator.fold.Streaming;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which samples a run tracks, and which series it has of them. */
final class TrackingOptions {
    /** What makes a sample a tracked one. */
    enum Track {
        EVENTS,
        ALL
    }

    @Option(
            names = "--streaming",
            description =
                    "Have time to first token and between chunks even if no chunk comes. Default: these series appear"
                            + " with the first chunk of a tracked sample.")
    private boolean streaming;

    @Option(
            names = "--no-streaming",
            description = "Leave these series out even if chunks come. The default with --socket-dir, as MLCommons"
                    + " endpoints has it.")
    private boolean noStreaming;

    @Option(
            names = "--track",
            paramLabel = "SAMPLES",
            defaultValue = "events",
            description = "events: samples issued between session.start_performance_tracking and"
                    + " session.stop_performance_tracking; all: every sample from the first record on, also if"
                    + " session.started was missed. Default: ${DEFAULT-VALUE}.")
    private Track track = Track.EVENTS;

    /**
     * Whether there are series of streamed answers.
     *
     * @param otherwise if neither flag is given
     */
    Streaming streaming(Streaming otherwise) {
        Streaming forced = forced(streaming, noStreaming);
        return forced == null ? otherwise : forced;
    }

    /** What two flags force; null if neither is given. */
    static @Nullable Streaming forced(boolean streaming, boolean noStreaming) {
        if (streaming && noStreaming) {
            throw new IllegalArgumentException("--streaming and --no-streaming contradict each other");
        }
        return streaming ? Streaming.ON : noStreaming ? Streaming.OFF : null;
    }

    boolean tracksAll() {
        return track == Track.ALL;
    }
}
