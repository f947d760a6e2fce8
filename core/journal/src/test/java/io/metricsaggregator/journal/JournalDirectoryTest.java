package io.metricsaggregator.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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

    @Test
    void a_journal_that_is_no_directory_is_refused_and_a_folder_without_runs_holds_none() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> JournalDirectory.open(file)).hasMessage("journal " + file + " is not a directory");
        assertThatThrownBy(() -> JournalDirectory.findRun(file)).hasMessageContaining("is not a directory");
        JournalDirectory journals = JournalDirectory.open(directory.resolve("journals"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(journals.path())))
                .isEqualTo("rwx------");
        Files.createDirectory(journals.path().resolve("other"));
        assertThat(journals.newest()).isEmpty();
        Files.createFile(journals.path().resolve("segment-00000001.journal"));
        assertThat(JournalDirectory.holdsRun(journals.path())).isTrue();
    }

    @Test
    void a_run_whose_folder_has_no_time_in_its_name_is_followed_by_one_that_has() throws IOException {
        JournalDirectory journals = JournalDirectory.open(directory.resolve("journals"));
        Files.createDirectory(journals.path().resolve("run--x"));
        Path next = journals.create("next", 0);
        assertThat(next.getFileName()).hasToString("run-00000000000000000000-next");
        assertThat(journals.create("again", 0).getFileName()).hasToString("run-00000000000000000001-again");
    }

    @Test
    void a_run_can_be_finished_twice_and_is_removed_with_its_segments_alone() throws IOException {
        JournalDirectory journals = JournalDirectory.open(directory.resolve("journals"));
        Path run = journals.create("run", 5);
        new JournalWriter(run, RUN, 1, 0, 1 << 20, -1).close();
        JournalDirectory.finish(run);
        JournalDirectory.finish(run);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(run.resolve("done"))))
                .isEqualTo("rw-------");
        assertThatThrownBy(() -> JournalDirectory.remove(run)).isInstanceOf(DirectoryNotEmptyException.class);
        Files.delete(run.resolve("done"));
        JournalDirectory.remove(run);
        assertThat(journals.path()).isEmptyDirectory();
    }

    @Test
    void segments_are_fsynced_although_one_of_them_cannot_be_and_the_first_failure_is_reported() throws IOException {
        JournalDirectory journals = JournalDirectory.open(directory.resolve("journals"));
        Path run = journals.create("run", 5);
        JournalDirectory.sync(run);
        new JournalWriter(run, RUN, 1, 0, 1 << 20, -1).close();
        JournalDirectory.sync(run);
        assertThatThrownBy(() -> JournalDirectory.sync(directory.resolve("missing")))
                .isInstanceOf(NoSuchFileException.class);
        // The folders of this file system cannot be fsynced.
        assertThatThrownBy(() -> JournalDirectory.sync(Path.of("/proc/self"))).isInstanceOf(IOException.class);
    }

    /** In a zip file no directory can be fsynced, so that each attempt is an error. */
    @Test
    void the_folder_of_a_new_or_an_empty_directory_is_fsynced_and_that_of_a_filled_one_or_a_file_is_not()
            throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(
                directory.resolve("files.zip"), Map.of("create", "true", "enablePosixFileAttributes", "true"))) {
            Path root = zip.getPath("/");
            assertThatThrownBy(() -> DurableDirectory.create(root))
                    .as("an empty one")
                    .hasMessageStartingWith("the entries of / cannot be fsynced: ");
            Path file = Files.createFile(root.resolve("file"));
            assertThat(DurableDirectory.create(root)).isEmpty();
            assertThat(DurableDirectory.create(file)).isEmpty();
            Path run = root.resolve("run");
            assertThatThrownBy(() -> DurableDirectory.create(run))
                    .as("a new one")
                    .hasMessageStartingWith("the entries of / cannot be fsynced: ");
            assertThat(run).isEmptyDirectory();
            assertThatThrownBy(() -> JournalDirectory.finish(run)).isInstanceOf(IOException.class);
            assertThat(run.resolve("done")).exists();
            assertThat(DurableDirectory.create(run)).isEmpty();
        }
    }

    @Test
    void missing_parents_are_created_and_named_the_innermost_first() throws IOException {
        Path inner = directory.resolve("a/b/c");
        assertThat(DurableDirectory.create(inner)).containsExactly(inner, inner.getParent(), directory.resolve("a"));
        assertThat(DurableDirectory.create(inner)).isEmpty();
        assertThat(DurableDirectory.create(Path.of("/"))).isEmpty();
        assertThat(DurableDirectory.holder(inner)).isEqualTo(inner.getParent());
        assertThat(DurableDirectory.holder(Path.of("/"))).isEqualTo(Path.of("/"));
        Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> DurableDirectory.create(file.resolve("inner"))).isInstanceOf(IOException.class);
        assertThat(RunFiles.isSegment(Segments.name(12))).isTrue();
        assertThat(RunFiles.isSegment("segment-1.journal")).isFalse();
        assertThat(RunFiles.local(inner).name()).isEqualTo(inner.toString());
    }
}
