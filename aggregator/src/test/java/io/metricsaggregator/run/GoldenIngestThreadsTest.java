package io.metricsaggregator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.LabelBreakdown;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The golden cases with several ingest threads: the last snapshot is that of one thread, and every snapshot before it is a consistent cut. */
class GoldenIngestThreadsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "01_minimal",
                "02_streaming_chunks",
                "03_windows_in_flight",
                "04_duplicates_out_of_order",
                "05a_tokens_text",
                "05b_tokens_chat_template",
                "05d_no_tokenizer_token_ids",
                "06a_early_stopping_700",
                "06b_early_stopping_7000",
                "07_odd_encodings",
                "08a_malformed",
                "08b_poison",
                "09a_empty_run",
                "09b_never_started",
                "10a_hdr_bounds",
                "10b_total_beyond_int64"
            })
    void any_number_of_ingest_threads_gives_the_snapshot_of_one(String name) throws IOException {
        GoldenCase golden = new GoldenCase(name);
        MetricsSnapshot one = GoldenFoldTest.fold(GoldenFoldTest.newRun(golden, 1, 1), golden.frames());
        for (int threads : new int[] {2, 4, 8}) {
            LiveRun run = GoldenFoldTest.newRun(golden, 1, threads);
            MetricsSnapshot several = GoldenFoldTest.fold(run, golden.frames());
            assertThat(differences(json(one, one), json(several, one)))
                    .as("%d threads", threads)
                    .isEmpty();
            if (!name.equals("08b_poison")) {
                golden.assertMatches(several, "expected_final_snapshot.json", Set.of());
            }
        }
    }

    /** The first lines that differ, each with its number. */
    private static List<String> differences(String one, String several) {
        List<String> expected = one.lines().toList();
        List<String> actual = several.lines().toList();
        return IntStream.range(0, Math.max(expected.size(), actual.size()))
                .filter(i -> i >= expected.size()
                        || i >= actual.size()
                        || !expected.get(i).equals(actual.get(i)))
                .limit(10)
                .mapToObj(i -> i + ": " + (i < expected.size() ? expected.get(i) : "") + " | "
                        + (i < actual.size() ? actual.get(i) : ""))
                .toList();
    }

    /** A snapshot with the identity of another, and without what differs from process to process. */
    private static String json(MetricsSnapshot of, MetricsSnapshot identity) {
        SnapshotExtensions extensions = of.extensions();
        OptionalFigures optional = extensions.optional();
        SnapshotExtensions comparable = new SnapshotExtensions(
                identity.extensions().run(),
                extensions.inFlight(),
                List.of(),
                extensions.workers(),
                extensions.errors(),
                extensions.malformed(),
                extensions.slices(),
                extensions.slowest(),
                extensions.goodput(),
                extensions.telemetry(),
                null,
                extensions.session(),
                extensions.outages(),
                optional.withLabels(withoutWaits(optional.labels())),
                extensions.completeness());
        List<Metric> metrics = of.metrics().stream()
                .filter(each -> !each.name().startsWith("ingest_wait"))
                .toList();
        MetricsSnapshot figures =
                new MetricsSnapshot(of.counter(), 1, of.state(), of.pendingTasks(), metrics, comparable);
        return new String(new JsonSnapshotCodec().encode(figures), StandardCharsets.UTF_8);
    }

    /** Labels without waits, which several threads do not report. */
    private static @Nullable LabelBreakdown withoutWaits(@Nullable LabelBreakdown of) {
        return of == null
                ? null
                : new LabelBreakdown(of.keys().stream()
                        .map(key -> new LabelBreakdown.Key(
                                key.name(),
                                key.values().stream()
                                        .map(GoldenIngestThreadsTest::withoutWaits)
                                        .toList()))
                        .toList());
    }

    private static LabelBreakdown.Value withoutWaits(LabelBreakdown.Value of) {
        return new LabelBreakdown.Value(
                of.value(),
                of.issued(),
                of.completed(),
                of.failed(),
                of.inFlight(),
                of.inputTokens(),
                of.outputTokens(),
                of.latency(),
                of.firstToken(),
                of.timePerToken(),
                of.good(),
                null);
    }
}
