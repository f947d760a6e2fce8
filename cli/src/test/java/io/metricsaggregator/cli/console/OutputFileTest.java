package io.metricsaggregator.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
    @TempDir
    private Path directory;

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(each -> !each.equals(directory))
                    .map(each -> directory.relativize(each).toString())
                    .sorted()
                    .toList();
        }
    }

    private static Map<Path, String> texts(Path... files) {
        Map<Path, String> texts = new LinkedHashMap<>();
        for (Path each : files) {
            texts.put(each, "text of " + each.getFileName());
        }
        return texts;
    }

    @Test
    void an_existing_file_is_not_replaced() throws IOException {
        Path file = Files.writeString(directory.resolve("a"), "kept");
        assertThatThrownBy(() -> OutputFile.write(file, "new", List.of()))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(file).hasContent("kept");
    }

    @Test
    void a_device_receives_what_is_written_and_an_error_names_it() throws IOException {
        OutputFile.write(Path.of("/dev/null"), "text", List.of());
        assertThatThrownBy(() -> OutputFile.write(Path.of("/dev/full"), "text", List.of()))
                .hasMessage("cannot write /dev/full: No space left on device");
    }

    @Test
    void a_missing_directory_is_named() {
        Path file = directory.resolve("none/a");
        assertThatThrownBy(() -> OutputFile.write(file, "text", List.of()))
                .hasMessage("cannot write " + file + ": the directory " + file.getParent()
                        + " does not exist. Create it first");
    }

    @Test
    void several_files_are_written_all_or_none() throws IOException {
        Path first = directory.resolve("a");
        Path second = directory.resolve("b");
        assertThatThrownBy(() -> OutputFile.writeAll(texts(first, directory.resolve("none/b")), List.of()))
                .hasMessageContaining("none/b");
        assertThat(files()).isEmpty();
        Files.writeString(second, "kept");
        assertThatThrownBy(() -> OutputFile.writeAll(texts(first, second), List.of()))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(files()).containsExactly("b");
        Files.delete(second);
        OutputFile.writeAll(texts(first, second), List.of());
        assertThat(files()).containsExactly("a", "b");
        assertThat(second).hasContent("text of b");
    }

    @Test
    void folders_made_for_files_are_removed_if_they_stay_empty() throws IOException {
        Path inner = directory.resolve("x/y/z");
        List<Path> created = OutputFile.folder(inner, List.of());
        assertThat(created).containsExactly(inner, directory.resolve("x/y"), directory.resolve("x"));
        Files.writeString(directory.resolve("x/other"), "");
        OutputFile.remove(created);
        assertThat(files()).containsExactly("x", "x/other");
        assertThat(OutputFile.folder(directory.resolve("x"), List.of())).isEmpty();
    }

    @Test
    void a_name_as_long_as_the_file_system_allows_can_be_written() throws IOException {
        Path file = directory.resolve("n".repeat(255));
        OutputFile.write(file, "text", List.of());
        assertThat(file).hasContent("text");
    }
}
