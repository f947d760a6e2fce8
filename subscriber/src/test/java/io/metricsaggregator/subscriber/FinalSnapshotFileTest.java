package io.metricsaggregator.subscriber;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FinalSnapshotFileTest {
    @TempDir
    private Path directory;

    private void earlier(String id, long seconds) throws IOException {
        Path file = Files.writeString(directory.resolve("final_snapshot.json.stale-" + id), "");
        Files.setLastModifiedTime(file, FileTime.fromMillis(seconds * 1000));
    }

    @Test
    void without_a_result_the_error_names_the_newest_earlier_one() throws IOException {
        assertThatThrownBy(() -> FinalSnapshotFile.read(directory))
                .hasMessage(directory + "/final_snapshot.json does not exist");
        earlier("aa", 3);
        earlier("cc", 9);
        earlier("bb", 6);
        for (Path path : new Path[] {directory, directory.resolve("final_snapshot.json")}) {
            assertThatThrownBy(() -> FinalSnapshotFile.read(path))
                    .hasMessage(directory + "/final_snapshot.json does not exist; the newest earlier result is "
                            + directory + "/final_snapshot.json.stale-cc");
        }
    }

    @Test
    void a_journal_is_named_with_the_command_that_reads_it() throws IOException {
        Path run = Files.createDirectory(directory.resolve("run-1-aa"));
        assertThatThrownBy(() -> FinalSnapshotFile.read(directory)).hasMessageContaining("does not exist");
        Files.createFile(run.resolve("segment-00000001.journal"));
        for (Path journal : new Path[] {directory, run}) {
            assertThatThrownBy(() -> FinalSnapshotFile.read(journal))
                    .hasMessage(journal + " is a journal: metrics-aggregator replay " + journal);
        }
    }
}
