package io.metricsaggregator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FinalSnapshotWriterTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int CALLS = 8;
    private static final Path DIRECTORY = Path.of("/results");
    private static final Path FALLBACK = Path.of("/fallback");
    private static final MetricsSnapshot SNAPSHOT =
            new MetricsSnapshot(1, 2, SessionState.COMPLETE, 0, List.of(), null);

    private static @Nullable Path write(ScriptedDisk disk, @Nullable Path fallback) {
        FinalSnapshotWriter writer = new FinalSnapshotWriter(disk, DIRECTORY, fallback);
        writer.start(SNAPSHOT);
        return writer.await(10 * SECOND);
    }

    @Test
    void aDiskThatWorksHasTheWholeSnapshot() {
        ScriptedDisk disk = new ScriptedDisk();
        Path file = write(disk, null);
        assertThat(file).isEqualTo(DIRECTORY.resolve("final_snapshot.json"));
        assertThat(disk.files.get(file)).isEqualTo(new JsonSnapshotCodec().encode(SNAPSHOT));
    }

    @Test
    void oneFailureOfAnyCallIsMadeGoodWithANewFile() {
        for (int call = 0; call < CALLS; call++) {
            ScriptedDisk disk = new ScriptedDisk().failingAt(call, 1);
            assertThat(write(disk, null)).as("call %d", call).isNotNull();
            long creates = disk.calls.stream().filter("create"::equals).count();
            assertThat(creates).as("never the same file again").isEqualTo(2);
        }
    }

    @Test
    void aDirectoryThatCannotBeWrittenToSendsItToTheFallback() {
        ScriptedDisk disk = new ScriptedDisk().failingAt(0, 2);
        assertThat(write(disk, FALLBACK)).isEqualTo(FALLBACK.resolve("final_snapshot.json"));
    }

    @Test
    void whenAllFailsNothingIsCalledDurable() {
        for (int call = 0; call < CALLS; call++) {
            ScriptedDisk disk = new ScriptedDisk().failingAt(call, Integer.MAX_VALUE);
            assertThat(write(disk, FALLBACK)).as("call %d", call).isNull();
        }
    }

    @Test
    void oneWhoIsInterruptedStillHearsThatItIsDurable() {
        Thread.currentThread().interrupt();
        try {
            assertThat(write(new ScriptedDisk(), null)).isNotNull();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void onlyAFileThatAKilledProcessLeftIsALeftover() {
        assertThat(FinalSnapshotWriter.isLeftover(".final_snapshot.json.0123456789abcdef.tmp"))
                .isTrue();
        assertThat(FinalSnapshotWriter.isLeftover("final_snapshot.json")).isFalse();
    }

    @Test
    void whoAsksHearsThatItIsDoneOnceItIs() {
        FinalSnapshotWriter writer = new FinalSnapshotWriter(new ScriptedDisk(), DIRECTORY, null);
        writer.start(SNAPSHOT);
        assertThat(writer.await(10 * SECOND)).isNotNull();
        assertThat(writer.isDone()).isTrue();
    }

    @Test
    void aDiskThatTakesTooLongIsNotWaitedFor() {
        FinalSnapshotWriter writer = new FinalSnapshotWriter(new ScriptedDisk(), DIRECTORY, null);
        assertThat(writer.await(SECOND)).isNull();
        assertThat(writer.isDone()).isFalse();
    }
}
