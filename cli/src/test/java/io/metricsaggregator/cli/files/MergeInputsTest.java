package io.metricsaggregator.cli.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check that the inputs of a merge are of one kind. */
class MergeInputsTest {
    @TempDir
    private Path directory;

    private Path snapshot(String name) throws IOException {
        Path run = Files.createDirectories(directory.resolve(name));
        Files.writeString(run.resolve("final_snapshot.json"), "{}");
        return run;
    }

    private Path journal(String name) throws IOException {
        Path run = Files.createDirectories(directory.resolve(name).resolve("run-1-a"));
        Files.writeString(run.resolve("segment-00000001.journal"), "");
        return directory.resolve(name);
    }

    @Test
    void journals_and_final_snapshots_are_distinguished() throws IOException {
        assertThat(MergeInputs.haveValues(List.of(snapshot("a"), snapshot("b").resolve("final_snapshot.json"))))
                .isFalse();
        assertThat(MergeInputs.haveValues(List.of(journal("c"), journal("d").resolve("run-1-a"))))
                .isTrue();
        // The report folder of MLCommons endpoints.
        assertThat(MergeInputs.haveValues(List.of(snapshot("e/metrics").getParent())))
                .isFalse();
        // A directory that holds both counts as whatever the other inputs are.
        snapshot("d");
        assertThat(MergeInputs.haveValues(List.of(directory.resolve("c"), directory.resolve("d"))))
                .isTrue();
        assertThat(MergeInputs.haveValues(List.of(directory.resolve("a"), directory.resolve("d"))))
                .isFalse();
    }

    @Test
    void mixed_inputs_are_rejected_with_the_content_of_each_path_and_the_remedy() throws IOException {
        Path run = snapshot("a");
        Path journal = journal("b");
        assertThatThrownBy(() -> MergeInputs.haveValues(List.of(run, journal)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("found a final snapshot in " + run + ", a journal in " + journal)
                .hasMessageContaining("replay JOURNAL --output-dir DIR");
        Path empty = Files.createDirectory(directory.resolve("empty"));
        assertThatThrownBy(() -> MergeInputs.haveValues(List.of(run, empty)))
                .hasMessageContaining("neither a final snapshot nor a journal nor a part of a run in " + empty);
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> MergeInputs.haveValues(List.of(missing, run)))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessage(missing.toString());
    }
}
