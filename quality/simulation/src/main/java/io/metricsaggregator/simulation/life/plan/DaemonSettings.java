package io.metricsaggregator.simulation.life.plan;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.tokens.ChatFormat;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the daemon of a life is started.
 *
 * @param syncNanos as of {@code --journal-sync}: negative for none, 0 for each burst
 * @param segmentBytes as of {@code --journal-segment}
 * @param packed whether the journal is packed; if not, as one of whose frames packing saved little
 * @param stays whether the daemon serves its result until SIGTERM ({@code --after-end stay})
 * @param counters threads that count tokens during the run, as of {@code --tokenizer-workers}; negative if the producers send no texts
 * @param textBytes as of {@code --max-text-memory}
 * @param valuesBytes as of {@code --max-values-memory}, with a folder for the values beyond it; negative for memory enough, and no folder
 */
public record DaemonSettings(
        long syncNanos,
        long segmentBytes,
        boolean packed,
        boolean stays,
        int counters,
        long textBytes,
        long valuesBytes) {
    /** Where the daemon receives. */
    public static final int INPUT_PORT = 1;
    /** Where the daemon publishes. */
    public static final int OUTPUT_PORT = 2;

    static final String SPILL_FOLDER = "spill";

    private static final long ENOUGH_BYTES = 1L << 26;
    private static final String TOKENIZER = "/words/tokenizer.json";

    /** Whether the producers send texts, whose words are counted as tokens. */
    public boolean countsTexts() {
        return counters >= 0;
    }

    /**
     * The counter of words.
     *
     * @param disk where a chat template would be; there is none
     * @return null if no texts are counted
     */
    private RunResources.@Nullable Tokens tokens(FileSystem disk) {
        if (!countsTexts()) {
            return null;
        }
        try {
            ChatFormat chat = ChatFormat.beside(disk.getPath(TOKENIZER));
            return new RunResources.Tokens(new Words(), chat, counters, textBytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether values are spilled to a file. */
    public boolean spills() {
        return valuesBytes >= 0;
    }

    /** The resources of a replay of the daemon's run. */
    public RunResources ofReplay(FileSystem disk) {
        RunResources replay = RunResources.ofReplay(tokens(disk), spills() ? valuesBytes : ENOUGH_BYTES);
        return spills() ? replay.spilling(disk.getPath("/" + SPILL_FOLDER)) : replay;
    }

    /** The configuration of a daemon with these folders. */
    public DaemonConfig config(FileSystem disk, String output, String journal) {
        RunConfig run = RunConfig.builder()
                .version("simulated")
                .node("n1")
                .tokenizer(countsTexts() ? new RunConfig.Tokenizer(TOKENIZER, "none", "5.0.0") : null)
                .build();
        Path out = disk.getPath(output);
        DaemonConfig.Lifecycle lifecycle = DaemonConfig.Lifecycle.DEFAULT;
        if (stays) {
            lifecycle = new DaemonConfig.Lifecycle(false, false, false, false, 0, DaemonConfig.AfterEnd.STAY, 0);
        }
        return DaemonConfig.builder(
                        run,
                        new RunResources(
                                tokens(disk),
                                100_000,
                                spills() ? valuesBytes : ENOUGH_BYTES,
                                spills() ? disk.getPath("/" + SPILL_FOLDER) : null),
                        new DaemonConfig.Endpoints(
                                List.of(Endpoint.parse("tcp://127.0.0.1:" + INPUT_PORT, true)),
                                List.of(Endpoint.parse("tcp://127.0.0.1:" + OUTPUT_PORT, true)),
                                null,
                                TransportOptions.defaults()),
                        new DaemonConfig.Output(out, null, DaemonConfig.Output.PRIVATE))
                .journal(new DaemonConfig.Journal(disk.getPath(journal), syncNanos, segmentBytes))
                .lifecycle(lifecycle)
                .build();
    }
}
