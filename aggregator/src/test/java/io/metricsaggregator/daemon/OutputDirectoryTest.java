package io.metricsaggregator.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.transport.LockFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputDirectoryTest {
    @TempDir
    Path base;

    @Test
    void itIsCreatedForItsOwnerOnly() throws IOException {
        Path wanted = base.resolve("a").resolve("b");
        OutputDirectory.open(wanted).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(wanted)))
                .isEqualTo("rwx------");
        try (var left = Files.list(wanted)) {
            assertThat(left).containsExactly(wanted.resolve(".metrics-aggregator.lock"));
        }
    }

    @Test
    void resultsOfAnEarlierRunAreRenamedAndTemporaryFilesOfAKilledOneDeleted() throws IOException {
        Files.writeString(base.resolve("final_snapshot.json"), "old result");
        Files.writeString(base.resolve(".ready"), "");
        Files.writeString(base.resolve(".final_snapshot.json.0123456789abcdef.tmp"), "torn");
        Files.writeString(base.resolve("notes.txt"), "mine");
        try (OutputDirectory directory = OutputDirectory.open(base)) {
            directory.setAside("1234");
            assertThat(base.resolve("final_snapshot.json")).doesNotExist();
            assertThat(base.resolve("final_snapshot.json.stale-1234")).hasContent("old result");
            assertThat(base.resolve(".ready")).doesNotExist();
            assertThat(base.resolve(".final_snapshot.json.0123456789abcdef.tmp"))
                    .doesNotExist();
            assertThat(base.resolve("notes.txt")).hasContent("mine");
            directory.markReady();
            directory.markReady();
            assertThat(base.resolve(".ready")).exists();
        }
    }

    @Test
    void twoRunsCannotShareADirectory() throws IOException {
        OutputDirectory first = OutputDirectory.open(base);
        assertThatThrownBy(() -> OutputDirectory.open(base))
                .isInstanceOf(LockFile.HeldException.class)
                .hasMessageContaining("pid " + ProcessHandle.current().pid());
        first.close();
        OutputDirectory.open(base).close();
    }

    @Test
    void aWorldWritableDirectoryIsRejectedUnlessItIsSticky() throws IOException {
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> OutputDirectory.open(base))
                .isInstanceOf(OutputDirectory.UnsafeException.class)
                .hasMessageContaining(base.toString());
        Files.setAttribute(base, "unix:mode", 01777);
        OutputDirectory.open(base).close();
    }

    @Test
    void aFileAtThePathIsNamedInTheError() throws IOException {
        Path file = Files.writeString(base.resolve("file"), "");
        assertThatThrownBy(() -> OutputDirectory.open(file)).hasMessageContaining("is not a directory");
    }
}
