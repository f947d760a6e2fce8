package io.metricsaggregator.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.journal.JournalWriter;
import io.metricsaggregator.parts.RunPart;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.run.JournalReplay;
import io.metricsaggregator.steady.DiagnosticsText;
import io.metricsaggregator.steady.SuperPassDiagnostics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts of runs, steady-state diagnostics, and what errors of files say. */
class ResultFilesTest {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");
    private static final SuperPassDiagnostics DIAGNOSTICS =
            new SuperPassDiagnostics(List.of(), 10, SuperPassDiagnostics.AUTO, 600);

    @TempDir
    private Path directory;

    private RunPart part() throws IOException {
        Path run = Files.createDirectory(directory.resolve("run-1-cafe"));
        Map<String, String> description =
                new HashMap<>(RunConfigCodec.encode(RunConfig.builder().build()));
        description.put("run_id", "cafe");
        description.put("started_wall_ns", "1000");
        new JournalWriter(run, description, 1, 0, 1 << 20, -1).close();
        JournalReplay replay = JournalReplay.open(run);
        try (JournalReplay.Result result = replay.replay(replay.recorded(), RunResources.ofReplay(null, 1 << 28))) {
            return result.part();
        }
    }

    private static byte[] bytes(RunPart part) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        part.write(bytes);
        return bytes.toByteArray();
    }

    @Test
    void a_part_is_read_back_from_its_file_which_only_its_owner_reads() throws IOException {
        Path file = directory.resolve("run.part");
        Files.writeString(file, "of an earlier run");
        assertThat(PartFile.isPart(file)).isFalse();
        RunPart part = part();
        PartFile.write(part, file, PRIVATE);
        assertThat(file).hasBinaryContent(bytes(part));
        Path other = directory.resolve("other.part");
        PartFile.write(part, other, PRIVATE);
        assertThat(other).hasBinaryContent(bytes(part));
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PRIVATE);
        assertThat(PartFile.isPart(file)).isTrue();
        assertThat(bytes(PartFile.read(file, new RawBudget(Long.MAX_VALUE)))).isEqualTo(bytes(part));
        Files.write(file, new byte[1], StandardOpenOption.APPEND);
        assertThatThrownBy(() -> PartFile.read(file, new RawBudget(Long.MAX_VALUE)))
                .hasMessage("cannot read " + file + ": there are bytes behind the part");
    }

    @Test
    void a_part_replaces_no_directory_and_needs_a_name() throws IOException {
        RunPart part = part();
        assertThatThrownBy(() -> PartFile.write(part, directory, PRIVATE))
                .hasMessage("cannot write " + directory + ": it is not a regular file, and would be replaced by one");
        assertThatThrownBy(() -> PartFile.write(part, Path.of("/"), PRIVATE))
                .hasMessage("the part needs a file, but / is the root directory");
    }

    @Test
    void the_diagnostics_are_two_files_that_a_run_without_them_removes() throws IOException {
        new SteadyStateFiles(DIAGNOSTICS).update(directory, PRIVATE);
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        JsonTree.write(DIAGNOSTICS.tree(), json);
        assertThat(directory.resolve("steady_state.json")).hasBinaryContent(json.toByteArray());
        assertThat(directory.resolve("steady_state.txt")).hasContent(DiagnosticsText.of(DIAGNOSTICS.tree()));
        assertThat(Files.getPosixFilePermissions(directory.resolve("steady_state.txt")))
                .isEqualTo(PRIVATE);
        new SteadyStateFiles(null).update(directory, PRIVATE);
        assertThat(directory).isEmptyDirectory();
        SteadyStateFiles.remove(directory);
    }

    @Test
    void diagnostics_that_cannot_be_written_as_a_whole_leave_none() throws IOException {
        // The first file can be written, the second cannot.
        Path blocked = Files.createDirectory(directory.resolve("steady_state.txt"));
        Path inside = Files.createFile(blocked.resolve("inside"));
        new SteadyStateFiles(DIAGNOSTICS).update(directory, PRIVATE);
        assertThat(directory.toFile().list()).containsExactly("steady_state.txt");
        assertThat(inside).exists();
    }

    @Test
    void only_files_of_a_killed_process_are_leftovers_of_the_diagnostics() {
        assertThat(SteadyStateFiles.isLeftover(".steady_state.json.0123456789abcdef.tmp"))
                .isTrue();
        assertThat(SteadyStateFiles.isLeftover(".steady_state.txt.0123456789abcdef.tmp"))
                .isTrue();
        assertThat(SteadyStateFiles.isLeftover("steady_state.txt")).isFalse();
    }

    @Test
    void errors_that_the_jdk_names_by_a_path_say_what_is_wrong_with_it() {
        assertThat(FileErrors.words(new IOException("connection reset"))).isEqualTo("connection reset");
        assertThat(FileErrors.words(new IOException())).isEqualTo("no details available");
        assertThat(FileErrors.words(new IOException(" "))).isEqualTo("no details available");
        assertThat(FileErrors.words(new NoSuchFileException("/a"))).isEqualTo("/a does not exist");
        assertThat(FileErrors.words(new AccessDeniedException("/a"))).isEqualTo("/a: permission denied");
        assertThat(FileErrors.words(new FileAlreadyExistsException("/a")))
                .isEqualTo("/a exists already, and is not overwritten");
        assertThat(FileErrors.words(new NotDirectoryException("/a"))).isEqualTo("/a is not a directory");
        assertThat(FileErrors.words(new DirectoryNotEmptyException("/a"))).isEqualTo("/a is not empty");
        assertThat(FileErrors.words(new FileSystemException("/a"))).isEqualTo("/a cannot be used");
        assertThat(FileErrors.words(new FileSystemException("/a", null, "Too many links")))
                .isEqualTo("/a: Too many links");
    }
}
