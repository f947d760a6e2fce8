package io.metricsaggregator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
