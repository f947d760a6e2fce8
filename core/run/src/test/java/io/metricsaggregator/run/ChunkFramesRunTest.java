package io.metricsaggregator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.journal.JournalWriter;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chunks in frames give every figure that the same chunks as single records give. */
class ChunkFramesRunTest {
    private static final String ID = "00c0ffee00c0ffee";
    private static final int STEPS = 400;
    /** What differs because there are other frames. */
    private static final Pattern OF_FRAMES = Pattern.compile("frames_received|frame_bytes_received|batches_received"
            + "|chunk_frames_received|chunks_received|chunk_handles_unknown|journal_frames_recovered");
    /** When a replay began. */
    private static final Pattern OF_REPLAY = Pattern.compile(" *\"wall_(ns|time)\".*");

    private final long seed = new Random().nextLong();

    @TempDir
    private Path directory;

    private TimeCut cut = TimeCut.NONE;

    private RunConfig config() {
        return RunConfig.builder()
                .version("test")
                .cut(cut)
                .streaming(Streaming.ON)
                .objectives(new Slo(200_000_000L, 10_000_000L, 2_000_000_000L, 0.9))
                .build();
    }

    private interface Frames {
        List<byte[]> of(ChunkTraffic.Burst burst);
    }

    private MetricsSnapshot streamed(List<ChunkTraffic.Burst> bursts, Frames frames) throws IOException {
        try (StreamedRun run = StreamedRun.start(ID, 1, config(), RunResources.ofReplay(null, 1L << 30))) {
            bursts.forEach(burst -> frames.of(burst).forEach(each -> run.frame(each, burst.nanos(), burst.nanos())));
            assertThat(run.framesSkipped()).isZero();
            return run.complete();
        }
    }

    private Path journal(String name, List<ChunkTraffic.Burst> bursts, Frames frames) throws IOException {
        Path run = Files.createDirectories(directory.resolve(name).resolve("run-1-" + ID));
        Map<String, String> description = new LinkedHashMap<>(RunConfigCodec.encode(config()));
        description.put("run_id", ID);
        description.put("started_wall_ns", "1000");
        description.put("environment.os", "test");
        description.put("node", "node");
        try (JournalWriter writer = new JournalWriter(run, description, 1, 0, 1 << 26, -1)) {
            for (ChunkTraffic.Burst burst : bursts) {
                for (byte[] frame : frames.of(burst)) {
                    writer.frame(ByteBuffer.wrap(frame), 0, frame.length, burst.nanos());
                }
                writer.endBurst(burst.nanos());
            }
        }
        return run;
    }

    private static MetricsSnapshot replayed(Path journal) throws IOException {
        JournalReplay replay = JournalReplay.open(journal);
        try (JournalReplay.Result result = replay.replay(replay.recorded(), RunResources.ofReplay(null, 1 << 28))) {
            return result.snapshot();
        }
    }

    /** Every line, without counters of frames and what only says when a replay began. */
    private static List<String> leaves(MetricsSnapshot snapshot) {
        MetricsSnapshot others = new MetricsSnapshot(
                snapshot.counter(),
                snapshot.timestampNanos(),
                snapshot.state(),
                snapshot.pendingTasks(),
                snapshot.metrics().stream()
                        .filter(each -> !OF_FRAMES.matcher(each.name()).matches())
                        .toList(),
                snapshot.extensions());
        return new String(new JsonSnapshotCodec().encode(others), StandardCharsets.UTF_8)
                .lines()
                .filter(each -> !OF_REPLAY.matcher(each).matches())
                .toList();
    }

    /** The lines that differ, at most ten. */
    private static List<String> differences(MetricsSnapshot frames, MetricsSnapshot singles) {
        List<String> a = leaves(frames);
        List<String> b = leaves(singles);
        return IntStream.range(0, Math.max(a.size(), b.size()))
                .filter(i -> i >= a.size() || i >= b.size() || !a.get(i).equals(b.get(i)))
                .limit(10)
                .mapToObj(i -> i + ": " + (i < a.size() ? a.get(i) : "") + " for " + (i < b.size() ? b.get(i) : ""))
                .toList();
    }

    private static long counter(MetricsSnapshot snapshot, String name) {
        return snapshot.metrics().stream()
                .filter(each -> each.name().equals(name))
                .mapToLong(each -> ((CounterMetric) each).value())
                .findFirst()
                .orElse(0);
    }

    @Test
    void a_stream_with_frames_of_chunks_has_the_figures_of_single_records() throws IOException {
        for (int i = 0; i < 10; i++) {
            cut = i < 7 ? TimeCut.NONE : new TimeCut(0, 10_000_000_000L, 40_000_000_000L);
            List<ChunkTraffic.Burst> bursts = ChunkTraffic.of(seed + i, STEPS);
            MetricsSnapshot singles = streamed(bursts, ChunkTraffic.Burst::singles);
            MetricsSnapshot frames = streamed(bursts, ChunkTraffic.Burst::frames);
            assertThat(differences(frames, singles)).as("seed %d", seed + i).isEmpty();
            Random random = new Random(seed + i);
            for (int j = 0; j < 10; j++) {
                // Ends with a frame whose last chunk is not its newest in some of them.
                int size = bursts.size() / 2 + random.nextInt(bursts.size() / 2 - 1);
                List<ChunkTraffic.Burst> part = bursts.subList(0, size);
                assertThat(differences(
                                streamed(part, ChunkTraffic.Burst::frames),
                                streamed(part, ChunkTraffic.Burst::singles)))
                        .as("interrupted after %d, seed %d", size, seed + i)
                        .isEmpty();
            }
            assertThat(counter(frames, "chunks_received")).isGreaterThan(STEPS);
            assertThat(counter(frames, "chunk_handles_unknown")).isPositive();
            assertThat(counter(frames, "chunk_frames_malformed")).isZero();
            assertThat(counter(frames, "chunk_handles_rejected")).isZero();
        }
    }

    @Test
    void replayed_and_merged_journals_have_them_too() throws IOException {
        List<ChunkTraffic.Burst> first = ChunkTraffic.of(seed, STEPS);
        List<ChunkTraffic.Burst> second = ChunkTraffic.of(seed + 1, STEPS);
        Path singles = journal("a", first, ChunkTraffic.Burst::singles);
        Path frames = journal("b", first, ChunkTraffic.Burst::frames);
        assertThat(differences(replayed(frames), replayed(singles)))
                .as("seed %d", seed)
                .isEmpty();
        Path moreSingles = journal("c", second, ChunkTraffic.Burst::singles);
        Path moreFrames = journal("d", second, ChunkTraffic.Burst::frames);
        assertThat(differences(merged(frames, moreFrames), merged(singles, moreSingles)))
                .as("seed %d", seed)
                .isEmpty();
    }

    private MetricsSnapshot merged(Path... journals) throws IOException {
        RunMerge merge = RunMerge.of(Stream.of(journals).toList(), 1 << 28, directory, "test");
        return merge.complete(merge.snapshots().get(0));
    }
}
