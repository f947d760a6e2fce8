package io.metricsaggregator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotCodec;
import io.metricsaggregator.tokens.ChatFormat;
import io.metricsaggregator.tokens.HuggingFaceTokenCounter;
import io.metricsaggregator.tokens.TokenizerFile;
import io.metricsaggregator.transport.TransportStats;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The golden cases in this process without sockets: the same frames pass through ingest, fold and registry. */
class GoldenFoldTest {
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
                "09a_empty_run",
                "09b_never_started",
                "10a_hdr_bounds",
                "10b_total_beyond_int64"
            })
    void everyMetricEqualsTheReference(String name) throws IOException {
        GoldenCase golden = new GoldenCase(name);
        golden.assertMatches(fold(golden, golden.frames()), "expected_final_snapshot.json", Set.of());
    }

    @Test
    void withoutAChatTemplateCountsEqualTheReferenceAndAreMarkedApproximate() throws IOException {
        GoldenCase golden = new GoldenCase("05c_tokens_template_missing");
        MetricsSnapshot last = fold(golden, golden.frames());
        golden.assertMatches(last, "expected_final_snapshot.json", Set.of());
        // 8 of the 48 prompts have their own template; 60 outputs have reasoning or tool calls.
        assertThat(last.counterValue("texts_approximate")).isEqualTo(100);
    }

    @Test
    void recordsThatHangTheReferenceCountAsFailed() throws IOException {
        GoldenCase golden = new GoldenCase("08b_poison");
        MetricsSnapshot last = fold(golden, golden.frames());
        golden.assertMatches(last, "expected_final_snapshot.json", Set.of("total_samples_failed"));
        assertThat(last.counterValue("records_malformed")).isPositive();
        assertThat(last.counterValue("total_samples_failed")).isEqualTo(last.counterValue("records_malformed"));
    }

    @Test
    void theMalformedRecordsOfTheGoldenCaseAreAllCounted() throws IOException {
        GoldenCase golden = new GoldenCase("08a_malformed");
        MetricsSnapshot last = fold(golden, golden.frames());
        assertThat(last.counterValue("records_malformed")).isEqualTo(39);
        assertThat(last.counterValue("records_unknown")).isEqualTo(5);
        assertThat(last.counterValue("batches_malformed")).isEqualTo(7);
        assertThat(last.counterValue("frames_empty")).isEqualTo(7);
        assertThat(last.extensions().malformed().stream()
                        .mapToLong(row -> row.count())
                        .sum())
                .isEqualTo(39);
    }

    @ParameterizedTest
    @ValueSource(strings = {"02_streaming_chunks", "03_windows_in_flight", "10a_hdr_bounds"})
    void liveMetricsEqualTheReferenceExceptForWindowsThatAreKeptCurrent(String name) throws IOException {
        GoldenCase golden = new GoldenCase(name);
        List<ByteBuffer> frames = golden.frames();
        // Texts are counted only at the end, because the live progress of counting is not deterministic.
        LiveRun run = newRun(golden, 0);
        frames.subList(0, frames.size() - 1).forEach(frame -> feed(run, frame));
        run.enterLive();
        MetricsSnapshot live = live(run);
        Set<String> except =
                new java.util.HashSet<>(Set.of("tracked_duration_ns", "legacy_loadgen_window_duration_ns"));
        if (name.startsWith("10a")) {
            except.add("isl");
        }
        golden.assertMatches(live, "expected_live_snapshot.json", except);
        feed(run, frames.get(frames.size() - 1));
        run.end("test");
        MetricsSnapshot last = run.takeTerminal(1, new TransportStats(), () -> false);
        for (String current : List.of("tracked_duration_ns", "legacy_loadgen_window_duration_ns")) {
            assertThat(live.counterValue(current)).isEqualTo(last.counterValue(current));
        }
    }

    @Test
    void beyondTheDeadlinePercentilesComeFromTheHistogramAndAreMarked() throws IOException {
        GoldenCase golden = new GoldenCase("02_streaming_chunks");
        LiveRun run = newRun(golden);
        golden.frames().forEach(frame -> feed(run, frame));
        run.interrupt("test");
        MetricsSnapshot last = run.takeTerminal(1, new TransportStats(), () -> true);
        assertThat(last.series("sample_latency_ns").detail().exact()).isFalse();
        assertThat(last.series("sample_latency_ns").percentile("99.9")).isGreaterThan(295_935_791.0);
    }

    private static MetricsSnapshot fold(GoldenCase golden, List<ByteBuffer> frames) throws IOException {
        return fold(newRun(golden), frames);
    }

    static MetricsSnapshot fold(LiveRun run, List<ByteBuffer> frames) {
        for (ByteBuffer frame : frames) {
            feed(run, frame);
            assertThat(Ledger.of(live(run)).balanced()).isTrue();
        }
        assertThat(run.isEnded()).isTrue();
        countTexts(run);
        run.end("test");
        return run.takeTerminal(1, new TransportStats(), () -> false);
    }

    private static void countTexts(LiveRun run) {
        long start = System.nanoTime();
        run.texts.drain();
        while (run.texts.isWaiting()) {
            assertThat(System.nanoTime() - start).isLessThan(30_000_000_000L);
            LockSupport.parkNanos(100_000);
            run.exchangeTexts();
        }
    }

    static void feed(LiveRun run, ByteBuffer frame) {
        run.ingest().onFrame(frame, 0, frame.capacity());
        run.ingest().onBurstEnd();
    }

    /** Builds a snapshot like a tick, and encodes and decodes it. */
    private static MetricsSnapshot live(LiveRun run) {
        var draft = run.take(1, new TransportStats());
        MetricsSnapshot rendered = new MetricsSnapshot(
                draft.counter(),
                draft.timestampNanos(),
                draft.state(),
                draft.pendingTasks(),
                draft.metrics().render(),
                draft.extensions());
        try {
            return new MsgpackSnapshotCodec().decode(ByteBuffer.wrap(new MsgpackSnapshotCodec().encode(rendered)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static LiveRun newRun(GoldenCase golden) throws IOException {
        return newRun(golden, 1);
    }

    private static LiveRun newRun(GoldenCase golden, int tokenizerWorkers) throws IOException {
        TestTokenizer tokenizer = TestTokenizer.of(golden, tokenizerWorkers);
        RunConfig config = RunConfig.builder()
                .version("test")
                .streaming(golden.streaming() ? Streaming.ON : Streaming.OFF)
                .earlyStopping(golden.earlyStopping())
                .tokenizer(tokenizer.settings())
                .build();
        RunResources resources = new RunResources(tokenizer.tokens(), 1_000_000, 1L << 30, null);
        return new RunAssembler(config, resources, () -> 1).live(250_000_000L, new NoJournal());
    }

    /** The tokenizer of a golden case; both components are null without one. */
    private record TestTokenizer(RunConfig.@Nullable Tokenizer settings, RunResources.@Nullable Tokens tokens) {
        static TestTokenizer of(GoldenCase golden, int workers) throws IOException {
            Path tokenizer = golden.tokenizer();
            if (tokenizer == null) {
                return new TestTokenizer(null, null);
            }
            Path file = TokenizerFile.find(tokenizer.toString());
            ChatFormat chat = ChatFormat.beside(file);
            return new TestTokenizer(
                    new RunConfig.Tokenizer(
                            "golden", chat.source(), chat.version().toString()),
                    new RunResources.Tokens(HuggingFaceTokenCounter.open(file), chat, workers, 1L << 30));
        }
    }
}
