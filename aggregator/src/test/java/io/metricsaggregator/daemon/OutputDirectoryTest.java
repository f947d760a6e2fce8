package io.metricsaggregator.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.transport.LockFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
            Path aside = directory.setAside();
            assertThat(base.resolve("final_snapshot.json")).doesNotExist();
            assertThat(aside).hasContent("old result").hasParent(base);
            assertThat(base.resolve(".ready")).doesNotExist();
            assertThat(base.resolve(".final_snapshot.json.0123456789abcdef.tmp"))
                    .doesNotExist();
            assertThat(base.resolve("notes.txt")).hasContent("mine");
            directory.markReady();
            directory.markReady();
            assertThat(base.resolve(".ready")).exists();
        }
    }

    private Path setAside(String content) throws IOException {
        Path last = Files.writeString(base.resolve("final_snapshot.json"), content);
        Files.setLastModifiedTime(last, FileTime.from(Instant.parse("2026-11-25T08:33:03Z")));
        try (OutputDirectory directory = OutputDirectory.open(base)) {
            return directory.setAside();
        }
    }

    private static String result(String runId) {
        return "{\"counter\": 1, \"timestamp_ns\": 2, \"state\": \"complete\", \"n_pending_tasks\": 0, \"metrics\": [],"
                + " \"run\": {\"run_id\": \"" + runId + "\"}}";
    }

    @Test
    void anEarlierResultIsNamedByTheIdOfItsOwnRunAndNeverReplacesAnother() throws IOException {
        assertThat(setAside(result("7c2b0011"))).isEqualTo(base.resolve("final_snapshot.json.stale-7c2b0011"));
        assertThat(setAside(result("7c2b0011"))).isEqualTo(base.resolve("final_snapshot.json.stale-7c2b0011.2"));
        assertThat(setAside(result("merged-3b97"))).isEqualTo(base.resolve("final_snapshot.json.stale-merged-3b97"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[1, 2", "{\"metrics\": []}", "id ../../x"})
    void anEarlierResultWithoutAnIdIsNamedByTheTimeOfItsLastChange(String content) throws IOException {
        assertThat(setAside(content.startsWith("id ") ? result(content.substring(3)) : content))
                .isEqualTo(base.resolve("final_snapshot.json.stale-2026-11-25T08-33-03Z"));
    }

    @Test
    void anEarlierResultGetsItsNameBackIfNoNewOneWasWritten() throws IOException {
        Path last = Files.writeString(base.resolve("final_snapshot.json"), "old result");
        try (OutputDirectory directory = OutputDirectory.open(base)) {
            directory.restore(directory.setAside());
            assertThat(last).hasContent("old result");
            Path aside = directory.setAside();
            Files.writeString(last, "new result");
            directory.restore(aside);
            assertThat(last).hasContent("new result");
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
