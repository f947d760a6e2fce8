package io.metricsaggregator.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.run.LiveRun;
import io.metricsaggregator.run.RunAssembler;
import io.metricsaggregator.run.RunJournal;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.transport.TransportStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FinishedRunTest {
    private static final RunConfig RUN = RunConfig.builder().version("test").build();

    @TempDir
    Path base;

    /** Leaves what a daemon has written when it is killed right after its file; returns the run's id. */
    private String killedAfterTheFile() throws IOException {
        LiveRun run = new RunAssembler(RUN, new RunResources(null, 1000, 1L << 20, null), System::nanoTime)
                .live(250_000_000, RunJournal.open(null, RUN));
        run.interrupt("the test ends it");
        MetricsSnapshot last = run.takeTerminal(System.nanoTime(), new TransportStats(), () -> true);
        Files.write(base.resolve("final_snapshot.json"), new JsonSnapshotCodec().encode(last));
        FinishedMarker.write(base, run.id());
        return run.id();
    }

    private @Nullable FinishedRun find(DaemonConfig.@Nullable Journal journal) throws IOException {
        return FinishedRun.find(base, new DaemonConfig.Output(base, null, DaemonConfig.Output.PRIVATE), journal);
    }

    @Test
    void a_run_that_the_journal_has_not_marked_as_done_is_resumed_and_not_served() throws IOException {
        String runId = killedAfterTheFile();
        DaemonConfig.Journal journal = new DaemonConfig.Journal(base.resolve("journal"), 0, 4096);
        Path run = JournalDirectory.open(journal.directory()).create(runId, 1);
        assertThat(find(journal)).isNull();
        JournalDirectory.finish(run);
        FinishedRun found = find(journal);
        assertThat(found).isNotNull();
        assertThat(found.last().extensions().run().runId()).isEqualTo(runId);
    }

    @Test
    void an_unfinished_run_of_another_id_does_not_keep_a_result_from_being_served() throws IOException {
        killedAfterTheFile();
        DaemonConfig.Journal journal = new DaemonConfig.Journal(base.resolve("journal"), 0, 4096);
        JournalDirectory.open(journal.directory()).create("0123456789abcdef", 1);
        assertThat(find(journal)).isNotNull();
    }

    @Test
    void without_a_journal_the_marker_and_the_file_decide() throws IOException {
        killedAfterTheFile();
        assertThat(find(null)).isNotNull();
        FinishedMarker.delete(base);
        assertThat(find(null)).isNull();
    }
}
