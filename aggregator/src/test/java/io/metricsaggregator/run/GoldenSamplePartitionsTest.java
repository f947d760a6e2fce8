package io.metricsaggregator.run;

import io.metricsaggregator.fold.FoldOptions;
import io.metricsaggregator.fold.SampleKey;
import io.metricsaggregator.fold.SamplePartition;
import io.metricsaggregator.fold.StampBytes;
import io.metricsaggregator.parts.RunPart;
import io.metricsaggregator.registry.RawBudget;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.Workers;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.transport.TransportStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Golden cases, with the samples folded in partitions: every metric is that of the reference, but for counted texts. */
class GoldenSamplePartitionsTest {
    private static final int PARTITIONS = 5;
    private static final int FLUSHED_AFTER = 97;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "01_minimal",
                "02_streaming_chunks",
                "03_windows_in_flight",
                "04_duplicates_out_of_order",
                "05d_no_tokenizer_token_ids",
                "06a_early_stopping_700",
                "06b_early_stopping_7000",
                "07_odd_encodings",
                "08a_malformed",
                "09a_empty_run",
                "10b_total_beyond_int64"
            })
    void every_metric_equals_the_reference(String name) throws IOException {
        GoldenCase golden = new GoldenCase(name);
        LiveRun head = GoldenFoldTest.newRun(golden);
        List<SamplePartition> partitions = partitions(golden);
        Map<SampleKey, byte[]> rows = new HashMap<>();
        List<byte[]> events = new ArrayList<>();
        List<SampleKey> keys = new ArrayList<>();
        StampBytes stamps = new StampBytes();
        head.fold.sendSamplesTo((event, stamp) -> {
            keys.add(SampleKey.of(event));
            events.add(stamps.write(event, stamp));
        });
        golden.frames().forEach(frame -> {
            head.ingest().onFrame(frame, 0, frame.capacity());
            head.ingest().onBurstEnd();
        });
        head.end("test");
        RunPart whole = head.part(head.takeTerminal(1, new TransportStats(), () -> false));
        List<RunPart> parts = new ArrayList<>(List.of(whole));
        for (int i = 0; i < events.size(); i++) {
            SamplePartition partition = partitions.get(keys.get(i).partition(PARTITIONS));
            rows.put(keys.get(i), partition.apply(rows.get(keys.get(i)), events.get(i)));
            if (i % FLUSHED_AFTER == 0 && parts.size() < 50) {
                parts.add(partition.flush(whole.header()));
            }
        }
        partitions.forEach(each -> parts.add(each.flush(whole.header())));
        MetricsSnapshot sum = RunPart.sum(parts, new RawBudget(Long.MAX_VALUE)).snapshot(Workers.NONE, () -> false);
        // Partitions count no texts.
        golden.assertMatches(
                sum, "expected_final_snapshot.json", golden.tokenizer() == null ? Set.of() : Set.of("isl", "osl", "tpot_ns"));
    }

    private static List<SamplePartition> partitions(GoldenCase golden) throws IOException {
        FoldOptions options = new FoldOptions(golden.streaming(), 1, 1, 1);
        List<SamplePartition> partitions = new ArrayList<>();
        for (int i = 0; i < PARTITIONS; i++) {
            partitions.add(new SamplePartition(
                    options, () -> new Registry(3, 30, new RawBudget(Long.MAX_VALUE))));
        }
        return partitions;
    }
}
