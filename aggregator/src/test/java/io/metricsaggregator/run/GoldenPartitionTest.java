package io.metricsaggregator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.fold.FoldOptions;
import io.metricsaggregator.fold.SampleKey;
import io.metricsaggregator.fold.SamplePartition;
import io.metricsaggregator.fold.StampBytes;
import io.metricsaggregator.parts.PartHeader;
import io.metricsaggregator.parts.RunPart;
import io.metricsaggregator.registry.RawBudget;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.Workers;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.transport.TransportStats;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Golden cases without texts to count, whose samples are folded in 1 to 16 partitions. */
class GoldenPartitionTest {
    /** Figures of conversations, which hang on the order between their samples, and are not folded in partitions. */
    private static final String ORDER_BETWEEN_SAMPLES = ".*_turn_ns|think_time_ns|conversation.*|turns_.*";

    private final Random random = new Random(seed());
    private final StampBytes stamps = new StampBytes();
    private final Map<SampleKey, byte[]> rows = new HashMap<>();

    private static long seed() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("GoldenPartitionTest seed: -Dtest.seed=" + seed);
        return seed;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "01_minimal",
                "02_streaming_chunks",
                "03_windows_in_flight",
                "04_duplicates_out_of_order",
                "06a_early_stopping_700",
                "06b_early_stopping_7000",
                "08a_malformed",
                "08b_poison",
                "09a_empty_run",
                "10b_total_beyond_int64"
            })
    void a_run_cut_at_random_has_the_bytes_of_the_run_folded_as_a_whole(String name) throws IOException {
        GoldenCase golden = new GoldenCase(name);
        MetricsSnapshot expected = GoldenFoldTest.fold(GoldenFoldTest.newRun(golden), golden.frames());
        for (int i = 0; i < 3; i++) {
            MetricsSnapshot sum = cut(golden, 1 + random.nextInt(16));
            assertThat(metrics(sum)).containsExactlyElementsOf(metrics(expected));
            assertThat(sum.extensions().slowest())
                    .isEqualTo(expected.extensions().slowest());
            assertThat(sum.extensions().errors())
                    .isEqualTo(expected.extensions().errors());
            assertThat(sum.extensions().workers())
                    .isEqualTo(expected.extensions().workers());
        }
    }

    private MetricsSnapshot cut(GoldenCase golden, int number) throws IOException {
        LiveRun run = GoldenFoldTest.newRun(golden);
        FoldOptions options = new FoldOptions(golden.streaming(), 1_000_000, Long.MAX_VALUE, 1);
        List<SamplePartition> partitions = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            partitions.add(new SamplePartition(options, () -> new Registry(3, 30, new RawBudget(Long.MAX_VALUE))));
        }
        PartHeader header = PartHeader.of(run.identity().info(1, List.of()), SessionState.LIVE, false);
        List<RunPart> parts = new ArrayList<>();
        rows.clear();
        run.fold.sendSamplesTo((event, stamp) -> {
            SampleKey key = SampleKey.of(event);
            SamplePartition partition = partitions.get(key.partition(number));
            byte[] row = partition.apply(rows.remove(key), stamps.write(event, stamp));
            if (row != null) {
                rows.put(key, row);
            }
            if (random.nextInt(200) == 0) {
                parts.add(partition.flush(header));
            }
        });
        golden.frames().forEach(frame -> GoldenFoldTest.feed(run, frame));
        run.end("test");
        MetricsSnapshot head = run.takeTerminal(1, new TransportStats(), () -> false);
        partitions.forEach(each -> parts.add(each.flush(header)));
        parts.add(run.part(head));
        Collections.shuffle(parts, random);
        return sum(parts).snapshot(Workers.NONE, () -> false);
    }

    private static RunPart sum(List<RunPart> parts) throws IOException {
        List<RunPart> read = new ArrayList<>();
        for (RunPart each : parts) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            each.write(bytes);
            read.add(RunPart.read(new ByteArrayInputStream(bytes.toByteArray()), new RawBudget(Long.MAX_VALUE)));
        }
        return RunPart.sum(read, new RawBudget(Long.MAX_VALUE));
    }

    private static List<String> metrics(MetricsSnapshot of) {
        List<Metric> kept = of.metrics().stream()
                .filter(each -> !each.name().matches(ORDER_BETWEEN_SAMPLES))
                .toList();
        MetricsSnapshot alone = new MetricsSnapshot(1, 1, of.state(), 0, kept, null);
        return new String(new JsonSnapshotCodec().encode(alone), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }
}
