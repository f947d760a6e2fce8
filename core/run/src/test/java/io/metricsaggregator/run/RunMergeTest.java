package io.metricsaggregator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.journal.JournalWriter;
import io.metricsaggregator.publish.PartFile;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two recorded runs, merged from their journals, from their parts, and from one of each. */
class RunMergeTest {
    @TempDir
    private Path directory;

    private Path journal(String id, String goldenCase) throws IOException {
        Path run = Files.createDirectory(directory.resolve("run-1-" + id));
        RunConfig config =
                RunConfig.builder().version("test").streaming(Streaming.ON).build();
        Map<String, String> description = new LinkedHashMap<>(RunConfigCodec.encode(config));
        description.put("run_id", id);
        description.put("started_wall_ns", "1000");
        description.put("environment.os", "test");
        description.put("node", "node-" + id);
        try (JournalWriter writer = new JournalWriter(run, description, 1, 0, 1 << 26, -1)) {
            int at = 0;
            for (ByteBuffer frame : new GoldenCase(goldenCase).frames()) {
                writer.frame(frame, 0, frame.capacity(), at);
                writer.endBurst(at++);
            }
        }
        return run;
    }

    private Path part(Path journal) throws IOException {
        JournalReplay replay = JournalReplay.open(journal);
        Path file = directory.resolve(journal.getFileName() + ".part");
        RunConfig config = replay.recorded().toBuilder().version("test").build();
        try (JournalReplay.Result result = replay.replay(config, RunResources.ofReplay(null, 1 << 28))) {
            PartFile.write(result.part(), file, DaemonConfig.Output.PRIVATE);
            assertThat(json(result.part().snapshot(new ParallelWorkers(), () -> false)))
                    .isEqualTo(json(result.snapshot()));
        }
        return file;
    }

    private List<String> merged(Path... inputs) throws IOException {
        RunMerge merge = RunMerge.of(List.of(inputs), 1 << 28, directory, "test");
        List<String> texts = new ArrayList<>();
        merge.snapshots().forEach(each -> texts.addAll(json(each).lines().toList()));
        // The series and slices of the sum replace those of whatever snapshot they are put into.
        texts.addAll(json(merge.complete(merge.snapshots().get(0))).lines().toList());
        return texts;
    }

    private static String json(MetricsSnapshot snapshot) {
        return new String(new JsonSnapshotCodec().encode(snapshot), StandardCharsets.UTF_8);
    }

    @Test
    void parts_and_journals_of_the_same_runs_are_merged_to_the_same_bytes() throws IOException {
        Path first = journal("a", "02_streaming_chunks");
        Path second = journal("b", "03_windows_in_flight");
        List<String> expected = merged(first, second);
        Path firstPart = part(first);
        Path secondPart = part(second);
        assertThat(RunMerge.isPart(firstPart)).isTrue();
        assertThat(merged(firstPart, secondPart)).containsExactlyElementsOf(expected);
        assertThat(merged(firstPart, second)).containsExactlyElementsOf(expected);
        RunMerge merge = RunMerge.of(List.of(firstPart, secondPart), 1 << 28, directory, "test");
        List<MetricsSnapshot> each = merge.snapshots();
        MetricsSnapshot whole = merge.complete(each.get(0));
        assertThat(whole.series("sample_latency_ns").detail().exact()).isTrue();
        assertThat(whole.series("sample_latency_ns").count())
                .isEqualTo(each.get(0).series("sample_latency_ns").count()
                        + each.get(1).series("sample_latency_ns").count())
                .isPositive();
        SnapshotExtensions extensions = each.get(0).extensions();
        assertThat(extensions.run().node()).isEqualTo("node-a");
    }

    @Test
    void a_file_that_is_cut_short_or_has_more_behind_its_end_is_refused_by_its_name() throws IOException {
        Path file = part(journal("a", "01_minimal"));
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length - 3));
        assertThatThrownBy(() -> merged(file)).hasMessageContaining(file + ": the part ends within chunk");
        Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length + 1));
        assertThatThrownBy(() -> merged(file)).hasMessageContaining("there are bytes behind the part");
    }
}
