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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FinishedRunTest {
    private static final RunConfig RUN = RunConfig.builder().version("test").build();

    @TempDir
    Path base;

    private DaemonConfig.Journal journal;

    @BeforeEach
    void configure() {
        journal = new DaemonConfig.Journal(base.resolve("journal"), 0, 4096);
    }

    /** Leaves what a daemon has written when it is killed right after its file; returns the folder of its run, null without a journal. */
    private @Nullable Path killedAfterTheFile(DaemonConfig.@Nullable Journal config) throws IOException {
        try (RunJournal journal = RunJournal.open(config, RUN)) {
            LiveRun run = start(journal);
            run.interrupt("the test ends it");
            MetricsSnapshot last = run.takeTerminal(System.nanoTime(), new TransportStats(), () -> true);
            Files.write(base.resolve("final_snapshot.json"), new JsonSnapshotCodec().encode(last));
            FinishedMarker.write(base, run.id());
            journal.leave();
            return journal.folder();
        }
    }

    private static LiveRun start(RunJournal journal) throws IOException {
        return new RunAssembler(RUN, new RunResources(null, 1000, 1L << 20, null), System::nanoTime)
                .live(250_000_000, journal);
    }

    private @Nullable FinishedRun find(DaemonConfig.@Nullable Journal config) throws IOException {
        return FinishedRun.find(base, new DaemonConfig.Output(base, null, DaemonConfig.Output.PRIVATE), config);
    }

    @Test
    void a_run_that_the_journal_has_not_marked_as_done_is_resumed_and_not_served() throws IOException {
        Path run = killedAfterTheFile(journal);
        assertThat(find(journal)).isNull();
        JournalDirectory.finish(run);
        FinishedRun found = find(journal);
        assertThat(found).isNotNull();
        assertThat(run.toString()).endsWith(found.last().extensions().run().runId());
    }

    @Test
    void such_a_run_is_recognised_in_a_folder_named_by_a_process_that_was_killed_at_once() throws IOException {
        Path run = killedAfterTheFile(journal);
        Files.move(run, run.resolveSibling("run-00000000000000000001-0123456789abcdef"));
        assertThat(find(journal)).isNull();
    }

    @Test
    void an_unfinished_run_of_another_id_does_not_keep_a_result_from_being_served() throws IOException {
        killedAfterTheFile(null);
        try (RunJournal other = RunJournal.open(journal, RUN)) {
            start(other);
            other.leave();
        }
        assertThat(find(journal)).isNotNull();
    }

    @Test
    void without_a_journal_the_marker_and_the_file_decide() throws IOException {
        killedAfterTheFile(null);
        assertThat(find(null)).isNotNull();
        FinishedMarker.delete(base);
        assertThat(find(null)).isNull();
    }
}
