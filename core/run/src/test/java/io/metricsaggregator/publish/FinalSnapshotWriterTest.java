package io.metricsaggregator.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FinalSnapshotWriterTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int CALLS = 8;
    private static final Path DIRECTORY = Path.of("/results");
    private static final Path FALLBACK = Path.of("/fallback");
    private static final MetricsSnapshot SNAPSHOT =
            new MetricsSnapshot(1, 2, SessionState.COMPLETE, 0, List.of(), SnapshotExtensions.NONE);

    private static @Nullable Path write(ScriptedDisk disk, @Nullable Path fallback) {
        FinalSnapshotWriter writer = new FinalSnapshotWriter(disk, DIRECTORY, fallback, () -> {});
        writer.start(SNAPSHOT);
        return writer.await(10 * SECOND);
    }

    @Test
    void aWorkingDiskReceivesTheCompleteSnapshot() {
        ScriptedDisk disk = new ScriptedDisk();
        Path file = write(disk, null);
        assertThat(file).isEqualTo(DIRECTORY.resolve("final_snapshot.json"));
        assertThat(disk.files.get(file)).isEqualTo(new JsonSnapshotCodec().encode(SNAPSHOT));
    }

    @Test
    void aFailureOfAnyCallIsRetriedWithANewFile() {
        for (int call = 0; call < CALLS; call++) {
            ScriptedDisk disk = new ScriptedDisk().failingAt(call, 1);
            assertThat(write(disk, null)).as("call %d", call).isNotNull();
            long creates = disk.calls.stream().filter("create"::equals).count();
            assertThat(creates)
                    .as("files created: a retry never reuses the file")
                    .isEqualTo(2);
        }
    }

    @Test
    void withAnUnwritableDirectoryTheFallbackIsUsed() {
        ScriptedDisk disk = new ScriptedDisk().failingAt(0, 2);
        assertThat(write(disk, FALLBACK)).isEqualTo(FALLBACK.resolve("final_snapshot.json"));
    }

    @Test
    void ifEveryAttemptFailsNothingIsReportedDurable() {
        for (int call = 0; call < CALLS; call++) {
            ScriptedDisk disk = new ScriptedDisk().failingAt(call, Integer.MAX_VALUE);
            assertThat(write(disk, FALLBACK)).as("call %d", call).isNull();
            assertThat(disk.calls.stream().filter("create"::equals))
                    .as("files created: less detail is tried only where there is no room")
                    .hasSize(3);
        }
    }

    private static MetricsSnapshot withKeys(Supplier<Object> value) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("overall", Map.of("n", 1L));
        operation.put("by_key", LazyTree.map(Map.of("key", 1), (key, one) -> value.get()));
        return new MetricsSnapshot(
                1,
                2,
                SessionState.COMPLETE,
                0,
                List.of(),
                SnapshotExtensions.of(
                                new RunInfo(2, "r", "v", 1, 2, List.of(), List.of(), Map.of(), Map.of()),
                                new SnapshotExtensions.InFlight(0, 0, 0, 0, 0),
                                new Slices(0, 1, 0, List.of()))
                        .telemetry(TelemetrySnapshots.of(Map.of("operation", operation)))
                        .build());
    }

    @Test
    void withTooLittleHeapASmallerSnapshotListsWhatItOmits() throws Exception {
        ScriptedDisk disk = new ScriptedDisk();
        AtomicInteger freed = new AtomicInteger();
        FinalSnapshotWriter writer = new FinalSnapshotWriter(disk, DIRECTORY, null, freed::incrementAndGet);
        writer.start(withKeys(() -> {
            throw new OutOfMemoryError("scripted");
        }));
        Path file = writer.await(10 * SECOND);
        assertThat(disk.files).containsOnlyKeys(file);
        MetricsSnapshot read = new JsonSnapshotCodec().decode(ByteBuffer.wrap(disk.files.get(file)));
        assertThat(read.extensions().completeness().leftOut()).containsExactly("observations.operation.by_key");
        assertThat(read.state()).isEqualTo(SessionState.COMPLETE);
        assertThat(freed.get()).as("memory was freed before the second try").isEqualTo(1);
    }

    @Test
    void aFullDiskReceivesASmallerSnapshot() throws Exception {
        ScriptedDisk disk = new ScriptedDisk().withRoomFor(50_000);
        FinalSnapshotWriter writer = new FinalSnapshotWriter(disk, DIRECTORY, null, () -> {});
        writer.start(withKeys(() -> Map.of("of_a_newer_daemon", "x".repeat(100_000))));
        Path file = writer.await(10 * SECOND);
        MetricsSnapshot read = new JsonSnapshotCodec().decode(ByteBuffer.wrap(disk.files.get(file)));
        assertThat(read.extensions().completeness().leftOut()).containsExactly("observations.operation.by_key");
    }

    @Test
    void beyondTheDeadlineALargeSnapshotIsReducedAndASmallOneIsComplete() throws Exception {
        for (boolean large : new boolean[] {true, false}) {
            ScriptedDisk disk = new ScriptedDisk();
            FinalSnapshotWriter writer = new FinalSnapshotWriter(disk, DIRECTORY, null, () -> {});
            String value = "x".repeat(large ? 1_000_000 : 10);
            writer.start(withKeys(() -> Map.of("of_a_newer_daemon", value)), () -> true);
            Path file = writer.await(10 * SECOND);
            MetricsSnapshot read = new JsonSnapshotCodec().decode(ByteBuffer.wrap(disk.files.get(file)));
            assertThat(read.extensions().completeness().leftOut().isEmpty()).isEqualTo(!large);
        }
    }

    private static MetricsSnapshot withCounters(int counters) {
        List<Metric> metrics = new ArrayList<>();
        for (int i = 0; i < counters; i++) {
            metrics.add(new CounterMetric("counter_" + i, i));
        }
        return new MetricsSnapshot(
                1,
                2,
                SessionState.COMPLETE,
                0,
                metrics,
                withKeys(() -> Map.of()).extensions());
    }

    @Test
    void figuresAreWrittenWholeHoweverLargeAndLate() throws Exception {
        ScriptedDisk disk = new ScriptedDisk();
        AtomicInteger asked = new AtomicInteger();
        FinalSnapshotWriter writer = new FinalSnapshotWriter(disk, DIRECTORY, null, () -> {});
        writer.start(withCounters(10_000), () -> asked.incrementAndGet() > 0);
        Path file = writer.await(10 * SECOND);
        MetricsSnapshot read = new JsonSnapshotCodec().decode(ByteBuffer.wrap(disk.files.get(file)));
        assertThat(read.extensions().completeness().leftOut()).contains("slices", "observations");
        assertThat(read.metrics()).hasSize(10_000);
        assertThat(asked.get()).as("once for each detail above figures").isEqualTo(3);
    }

    @Test
    void aSnapshotInTimeIsWholeAndAsksForTheTimeOnceIn64KiB() {
        ScriptedDisk disk = new ScriptedDisk();
        AtomicInteger asked = new AtomicInteger();
        FinalSnapshotWriter writer = new FinalSnapshotWriter(disk, DIRECTORY, null, () -> {});
        writer.start(withCounters(10_000), () -> asked.incrementAndGet() < 0);
        byte[] written = disk.files.get(writer.await(10 * SECOND));
        assertThat(written).isEqualTo(new JsonSnapshotCodec().encode(withCounters(10_000)));
        assertThat(asked.get()).isBetween(1, written.length >>> 16);
        FinalSnapshotWriter unlimited = new FinalSnapshotWriter(new ScriptedDisk(), DIRECTORY, null, () -> {
            throw new IllegalStateException("not encoded");
        });
        unlimited.start(withCounters(10_000));
        assertThat(unlimited.await(10 * SECOND)).isNotNull();
    }

    @Test
    void theTimeIsAskedForWhenExactly64KiBHavePassedAndEverythingBeforeIsPassedOn() throws Exception {
        for (boolean single : new boolean[] {true, false}) {
            ByteArrayOutputStream passed = new ByteArrayOutputStream();
            HurriedStream stream = new HurriedStream(passed, () -> true);
            stream.write(new byte[(64 << 10) - 2]);
            stream.write(1);
            assertThatThrownBy(() -> {
                        if (single) {
                            stream.write(2);
                        } else {
                            stream.write(new byte[] {2});
                        }
                    })
                    .isInstanceOf(HurriedStream.OutOfTime.class);
            assertThat(passed.size()).isEqualTo((64 << 10) - 1);
        }
    }

    @Test
    void aDiskWithoutRoomForFiguresHasNoFile() {
        ScriptedDisk disk = new ScriptedDisk().withRoomFor(10);
        FinalSnapshotWriter writer = new FinalSnapshotWriter(disk, DIRECTORY, FALLBACK, () -> {});
        writer.start(withCounters(10));
        assertThat(writer.await(10 * SECOND)).isNull();
        assertThat(disk.calls.stream().filter("create"::equals))
                .as("each of four details three times")
                .hasSize(12);
        assertThat(disk.files).isEmpty();
    }

    @Test
    void aWriteThatStillRunsOrThatNothingSavesHasNoFileYetAndTheCallerGoesOn() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        FinalSnapshotWriter writer = new FinalSnapshotWriter(new ScriptedDisk(), DIRECTORY, null, () -> {
            throw new IllegalStateException("scripted");
        });
        Thread[] thread = new Thread[1];
        writer.start(withKeys(() -> {
            thread[0] = Thread.currentThread();
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            throw new OutOfMemoryError("scripted");
        }));
        assertThat(writer.await(SECOND / 1000)).isNull();
        Thread.currentThread().interrupt();
        assertThat(writer.await(SECOND / 1000)).isNull();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(writer.isDone()).isFalse();
        go.countDown();
        assertThat(writer.await(10 * SECOND)).isNull();
        assertThat(writer.isDone()).isTrue();
        assertThat(thread[0].getName()).isEqualTo("disk");
        assertThat(thread[0].isDaemon()).isTrue();
    }

    @Test
    void theLastResortIsAWholeLineOnStandardOutput() throws Exception {
        ByteArrayOutputStream stdout = new ByteArrayOutputStream();
        assertThat(SnapshotOnOutput.start(SNAPSHOT, stdout).await(10 * SECOND)).isTrue();
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        expected.write(new JsonSnapshotCodec().encode(SNAPSHOT));
        expected.write('\n');
        assertThat(stdout.toByteArray()).isEqualTo(expected.toByteArray());
    }

    @Test
    void standardOutputThatFailsOrIsNotReadIsNotTakenForWritten() throws Exception {
        assertThat(SnapshotOnOutput.start(SNAPSHOT, OutputStream.nullOutputStream())
                        .await(10 * SECOND))
                .isTrue();
        OutputStream closed = OutputStream.nullOutputStream();
        closed.close();
        assertThat(SnapshotOnOutput.start(SNAPSHOT, closed).await(10 * SECOND)).isFalse();
        PipedInputStream nobodyReads = new PipedInputStream(1);
        BlockingQueue<Thread> writers = new LinkedBlockingQueue<>();
        SnapshotOnOutput blocked = SnapshotOnOutput.start(SNAPSHOT, new PipedOutputStream(nobodyReads) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                writers.add(Thread.currentThread());
                super.write(bytes, offset, length);
            }
        });
        assertThat(blocked.await(SECOND / 1000)).isFalse();
        Thread.currentThread().interrupt();
        assertThat(blocked.await(10 * SECOND)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        Thread writer = Objects.requireNonNull(writers.poll(10, TimeUnit.SECONDS));
        assertThat(writer.getName()).isEqualTo("stdout");
        assertThat(writer.isDaemon()).isTrue();
        nobodyReads.close();
        assertThat(blocked.await(10 * SECOND)).isFalse();
    }

    @Test
    void theStatusesOfTheProcessAreThoseThatScriptsCheck() {
        assertThat(Arrays.stream(ExitStatus.values()).map(each -> each + " " + each.code()))
                .containsExactly(
                        "DURABLE 0",
                        "USAGE 2",
                        "OUT_OF_MEMORY 3",
                        "UNAVAILABLE 4",
                        "NOT_DURABLE 5",
                        "NOT_CLEAN 6",
                        "CONDITION_HOLDS 7",
                        "INVALID_RUN 8",
                        "CASE_FAILED 8",
                        "NO_DATA 11",
                        "ENDPOINT_STALLED 12",
                        "INTERNAL 70");
    }

    @Test
    void anInterruptedWaiterStillReceivesTheResult() {
        Thread.currentThread().interrupt();
        try {
            assertThat(write(new ScriptedDisk(), null)).isNotNull();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void onlyTheFileOfAKilledProcessIsALeftover() {
        assertThat(FinalSnapshotWriter.isLeftover(".final_snapshot.json.0123456789abcdef.tmp"))
                .isTrue();
        assertThat(FinalSnapshotWriter.isLeftover("final_snapshot.json")).isFalse();
    }

    @Test
    void theResultIsAvailableOnceTheWriteIsDone() {
        FinalSnapshotWriter writer = new FinalSnapshotWriter(new ScriptedDisk(), DIRECTORY, null, () -> {});
        writer.start(SNAPSHOT);
        assertThat(writer.await(10 * SECOND)).isNotNull();
        assertThat(writer.isDone()).isTrue();
    }

    @Test
    void theCallerDoesNotWaitForASlowDisk() {
        FinalSnapshotWriter writer = new FinalSnapshotWriter(new ScriptedDisk(), DIRECTORY, null, () -> {});
        assertThat(writer.await(SECOND)).isNull();
        assertThat(writer.isDone()).isFalse();
    }
}
