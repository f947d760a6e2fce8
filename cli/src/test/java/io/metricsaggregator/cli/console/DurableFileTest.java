package io.metricsaggregator.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableFileTest {
    @TempDir
    private Path directory;

    private Path top;
    private Path file;
    private Path source;

    @BeforeEach
    void sources() throws IOException {
        top = directory.resolve("top");
        file = top.resolve("a/b/part-0.bin");
        source = Files.createFile(
                directory.resolve("source"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    private DurableFile start() throws IOException {
        return DurableFile.create(file, top, List.of(source));
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.list(file.getParent())) {
            return all.map(each -> each.getFileName().toString()).toList();
        }
    }

    @Test
    void a_file_has_its_name_only_after_the_commit() throws IOException {
        try (DurableFile whole = start()) {
            whole.stream().write(7);
            whole.stream().close();
            assertThat(files()).hasSize(1).allMatch(name -> name.matches("\\.part-0\\.bin\\..*\\.tmp"));
            whole.commit();
            assertThat(files()).containsExactly("part-0.bin");
        }
        assertThat(Files.readAllBytes(file)).containsExactly(7);
    }

    @Test
    void a_file_that_is_not_committed_is_deleted_with_the_folders_made_for_it() throws IOException {
        Files.createDirectories(top.resolve("a"));
        try (DurableFile whole = start()) {
            whole.stream().write(7);
        }
        assertThat(top.resolve("a")).isEmptyDirectory();
    }

    @Test
    void an_existing_file_is_not_replaced() throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "kept");
        assertThatThrownBy(this::start).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(files()).containsExactly("part-0.bin");
    }

    @Test
    void a_file_that_appears_meanwhile_is_not_replaced() throws IOException {
        try (DurableFile whole = start()) {
            whole.stream().close();
            Files.writeString(file, "kept");
            assertThatThrownBy(whole::commit).isInstanceOf(FileAlreadyExistsException.class);
        }
        assertThat(files()).containsExactly("part-0.bin");
        assertThat(Files.readString(file)).isEqualTo("kept");
    }

    @Test
    void only_readers_of_the_sources_can_read_the_file_and_its_folders() throws IOException {
        try (DurableFile whole = start()) {
            whole.stream().close();
            whole.commit();
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(top.resolve("a"))))
                .isEqualTo("rwx------");
    }
}
