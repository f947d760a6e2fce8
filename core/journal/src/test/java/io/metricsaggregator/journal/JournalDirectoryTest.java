package io.metricsaggregator.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalDirectoryTest {
    private static final Map<String, String> RUN = Map.of("run_id", "cafe", "streaming", "true");

    @TempDir
    private Path directory;

    @Test
    void aRunIsFoundByItsFolderOrAsTheNewestOfADirectory() throws IOException {
        JournalDirectory journals = JournalDirectory.open(directory.resolve("journals"));
        assertThat(JournalDirectory.holdsRun(journals.path())).isFalse();
        assertThatThrownBy(() -> JournalDirectory.findRun(journals.path())).hasMessageContaining("holds no journal");
        Path old = journals.create("old", 5);
        Path newest = journals.create("new", 9);
        Files.createFile(journals.path().resolve("run-is-no-folder"));
        new JournalWriter(old, RUN, 1, 0, 1 << 20, -1).close();
        Files.createFile(old.resolve("segment-1.journal"));
        Files.createDirectory(old.resolve("segment-00000009.journal"));
        assertThat(JournalDirectory.findRun(journals.path())).isEqualTo(newest);
        assertThat(JournalDirectory.findRun(old)).isEqualTo(old);
        assertThat(JournalDirectory.holdsRun(journals.path())).isTrue();
        assertThat(JournalDirectory.holdsRun(old)).isTrue();
        assertThat(JournalDirectory.holdsRun(newest)).isFalse();
        assertThat(Segments.list(old)).hasSize(1);
        assertThat(JournalReader.describe(old)).isEqualTo(RUN);
        assertThat(JournalReader.describe(newest)).isEmpty();
    }

    @Test
    void onlyTheNewestRunIsResumedAndOnlyIfItIsUnfinished() throws IOException {
        JournalDirectory journals = JournalDirectory.open(directory.resolve("journals"));
        assertThat(journals.unfinished()).isEmpty();
        Path first = journals.create("aaaa", 5);
        assertThat(journals.unfinished()).contains(first);
        JournalDirectory.finish(first);
        assertThat(journals.unfinished()).isEmpty();
        assertThat(journals.newest()).contains(first);
        Path second = journals.create("0000", 10);
        assertThat(journals.unfinished()).contains(second);
        Files.setPosixFilePermissions(journals.path(), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> JournalDirectory.open(journals.path())).hasMessageContaining("chmod o-w");
    }

    @Test
    void a_run_sorts_after_earlier_ones_although_the_wall_clock_was_set_back() throws IOException {
        JournalDirectory journals = JournalDirectory.open(directory.resolve("clock"));
        journals.create("first", 5_000);
        Path second = journals.create("second", 100);
        assertThat(journals.newest()).contains(second);
    }
}
