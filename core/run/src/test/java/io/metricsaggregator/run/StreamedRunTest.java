package io.metricsaggregator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run whose frames a caller hands on one by one gives the figures of the daemon. */
class StreamedRunTest {
    private static final String ID = "00c0ffee00c0ffee";
    private static final long WALL = 1_700_000_000_000_000_000L;

    private static StreamedRun start(GoldenCase golden) throws IOException {
        RunConfig config = RunConfig.builder()
                .version("test")
                .streaming(golden.streaming() ? Streaming.ON : Streaming.OFF)
                .earlyStopping(golden.earlyStopping())
                .build();
        return StreamedRun.start(ID, WALL, config, RunResources.ofReplay(null, 1L << 30));
    }

    private static void feed(StreamedRun run, List<ByteBuffer> frames) {
        for (ByteBuffer each : frames) {
            byte[] frame = new byte[each.capacity()];
            each.duplicate().clear().get(frame);
            run.frame(frame, 1, WALL + 1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "01_minimal",
                "02_streaming_chunks",
                "03_windows_in_flight",
                "04_duplicates_out_of_order",
                "06b_early_stopping_7000",
                "08a_malformed",
                "09a_empty_run",
                "09b_never_started",
                "10b_total_beyond_int64"
            })
    void everyMetricEqualsTheReference(String name) throws IOException {
        GoldenCase golden = new GoldenCase(name);
        StreamedRun run = start(golden);
        feed(run, golden.frames());
        golden.assertMatches(run.complete(), "expected_final_snapshot.json", Set.of());
        assertThat(run.framesSkipped()).isZero();
    }

    @Test
    void snapshotsBeforeTheEndAreLiveAndNumbered() throws IOException {
        GoldenCase golden = new GoldenCase("02_streaming_chunks");
        StreamedRun run = start(golden);
        assertThat(run.hasStarted()).isFalse();
        List<ByteBuffer> frames = golden.frames();
        feed(run, frames.subList(0, frames.size() - 1));
        assertThat(run.hasStarted()).isTrue();
        MetricsSnapshot first = run.live();
        MetricsSnapshot second = run.live();
        golden.assertMatches(
                second,
                "expected_live_snapshot.json",
                Set.of("tracked_duration_ns", "legacy_loadgen_window_duration_ns"));
        assertThat(first.counter()).isEqualTo(1);
        assertThat(second.counter()).isEqualTo(2);
        assertThat(second.extensions().run().runId()).isEqualTo(ID);
        feed(run, frames.subList(frames.size() - 1, frames.size()));
        assertThat(run.isEnded()).isTrue();
        assertThat(run.complete().state()).isEqualTo(SessionState.COMPLETE);
    }

    @Test
    void aRunWhoseSessionDoesNotEndIsInterrupted() throws IOException {
        GoldenCase golden = new GoldenCase("01_minimal");
        StreamedRun run = start(golden);
        List<ByteBuffer> frames = golden.frames();
        feed(run, frames.subList(0, frames.size() - 1));
        assertThat(run.complete().state()).isEqualTo(SessionState.INTERRUPTED);
    }

    /** Threads that make blocks for values. */
    private static List<Thread> blockMakers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().equals("value-memory"))
                .toList();
    }

    @Test
    void aClosedRunMakesNoMoreBlocksForValues() throws Exception {
        GoldenCase golden = new GoldenCase("02_streaming_chunks");
        List<Thread> before = blockMakers();
        StreamedRun run = start(golden);
        // Values are kept on the heap until there are some thousands of a series: each chunk is received again and
        // again.
        for (ByteBuffer each : golden.frames()) {
            feed(run, Collections.nCopies(5000, each));
        }
        List<Thread> made = new ArrayList<>(blockMakers());
        made.removeAll(before);
        assertThat(made).hasSize(1);
        run.complete();
        run.close();
        made.get(0).join(10_000);
        assertThat(made.get(0).isAlive()).isFalse();
    }

    @Test
    void noBytesMakeARunThrow() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        GoldenCase golden = new GoldenCase("08a_malformed");
        StreamedRun run = start(golden);
        List<ByteBuffer> frames = golden.frames();
        for (int i = 0; i < 5000; i++) {
            ByteBuffer some = frames.get(random.nextInt(frames.size()));
            byte[] frame = new byte[random.nextInt(some.capacity() + 1)];
            some.duplicate().clear().get(frame);
            for (int damage = random.nextInt(4); damage > 0 && frame.length > 0; damage--) {
                frame[random.nextInt(frame.length)] = (byte) random.nextInt();
            }
            run.frame(frame, random.nextLong(), random.nextLong());
        }
        MetricsSnapshot last = run.complete();
        assertThat(last.counterValue("frames_received")).as("seed %d", seed).isEqualTo(5000);
        assertThat(run.framesSkipped()).as("seed %d", seed).isZero();
    }
}
