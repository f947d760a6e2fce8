package io.metricsaggregator.flink.stream;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.journal.RunFiles;
import io.metricsaggregator.run.JournalReplay;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The frames of a journal as a stream has them, and its replay in the form in which it can be compared with the result of a stream. */
public final class RunFrames {
    private static final long WALL_NANOS = 1_790_000_000_000_000_000L;
    /** Parts of a snapshot that say when and where it was computed. */
    private static final Set<String> OF_THE_COMPUTATION = Set.of("counter", "timestamp_ns", "self", "rates", "run");

    private RunFrames() {}

    /** Reads the frames of a journal. */
    public static List<RunFrame> of(String run, Path journal) throws IOException {
        List<RunFrame> frames = new ArrayList<>();
        new JournalReader().read(RunFiles.local(journal), new JournalReader.Visitor() {
            private long nanos;

            @Override
            public void burst(long at) {
                nanos = at;
            }

            @Override
            public void frame(ByteBuffer buffer, int start, int length) {
                byte[] bytes = new byte[length];
                buffer.get(start, bytes);
                frames.add(new RunFrame(run, 0, frames.size(), nanos, WALL_NANOS + nanos, bytes));
            }
        });
        return frames;
    }

    /** The terminal snapshot that a replay computes with a configuration, in comparable form. */
    public static Map<String, Object> replayed(Path journal, RunConfig config) throws IOException {
        return replayed(journal, config, 1L << 30);
    }

    /** As {@link #replayed(Path, RunConfig)}, with memory for the values of series; 0 for percentiles of histograms. */
    public static Map<String, Object> replayed(Path journal, RunConfig config, long valuesMaxBytes) throws IOException {
        JournalReplay replay = JournalReplay.open(journal);
        return comparable(
                new JsonSnapshotCodec().encode(replay.compute(config, RunResources.ofReplay(null, valuesMaxBytes))));
    }

    /** A snapshot without what says when and where it was computed, with its metrics by name. */
    public static Map<String, Object> comparable(byte[] json) throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        JsonTree.read(json).forEach((key, value) -> {
            if (!OF_THE_COMPUTATION.contains(key) && value != null) {
                all.put(key, value);
            }
        });
        Map<String, Object> metrics = new TreeMap<>();
        for (Object each : (List<?>) all.get("metrics")) {
            Map<?, ?> metric = (Map<?, ?>) each;
            String name = (String) metric.get("name");
            if (!name.startsWith("journal_")) {
                metrics.put(name, metric.toString());
            }
        }
        all.put("metrics", metrics);
        return all;
    }
}
