package io.metricsaggregator.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {
    private static final byte[] BYTES = "the new content".getBytes(StandardCharsets.UTF_8);
    private static final AtomicFile.Content CONTENT = to -> to.write(BYTES);
    private static final byte[] OLD = "old".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path directory;

    private AtomicFile on(Disk disk) {
        return new AtomicFile(disk, directory, "result.json");
    }

    private AtomicFile real(String mode) {
        return AtomicFile.of(directory, "result.json", PosixFilePermissions.fromString(mode));
    }

    @Test
    void theStepsHaveTheOrderThatSurvivesAPowerFailure() throws IOException {
        ScriptedDisk disk = new ScriptedDisk();
        on(disk).write(CONTENT);
        assertThat(disk.calls)
                .containsExactly("create", "write", "size", "fsync", "close", "rename", "fsync directory", "read");
    }

    @Test
    void aFailureNamesItsStepAndLeavesTheOldFileOrTheCompleteNewOne() {
        String[] steps = {"CREATE", "WRITE", "CHECK_SIZE", "SYNC", "CLOSE", "RENAME", "SYNC_DIRECTORY", "READ_BACK"};
        for (int call = 0; call < steps.length; call++) {
            ScriptedDisk disk = new ScriptedDisk().failingAt(call, 1);
            Path target = directory.resolve("result.json");
            disk.files.put(target, OLD);
            AtomicFile.WriteException failure =
                    catchThrowableOfType(AtomicFile.WriteException.class, () -> on(disk).write(CONTENT));
            assertThat(failure.step()).isEqualTo(AtomicFile.Step.valueOf(steps[call]));
            assertThat(failure).hasMessageContaining(steps[call]).hasMessageContaining("result.json");
            assertThat(disk.files).containsOnlyKeys(target);
            assertThat(disk.files.get(target)).isEqualTo(call < 6 ? OLD : BYTES);
        }
    }

    @Test
    void temporaryNamesAreUniqueAndExistingFilesAreKept() throws IOException {
        List<Path> names = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            ScriptedDisk disk = new ScriptedDisk();
            on(new Disk() {
                        @Override
                        public File create(Path path) throws IOException {
                            names.add(path);
                            return disk.create(path);
                        }

                        @Override
                        public void rename(Path from, Path to) throws IOException {
                            disk.rename(from, to);
                        }

                        @Override
                        public void forceDirectory(Path folder) throws IOException {
                            disk.forceDirectory(folder);
                        }

                        @Override
                        public InputStream open(Path path) throws IOException {
                            return disk.open(path);
                        }

                        @Override
                        public void deleteIfExists(Path path) throws IOException {
                            disk.deleteIfExists(path);
                        }
                    })
                    .write(CONTENT);
        }
        assertThat(names).hasSize(2).doesNotHaveDuplicates();
        ScriptedDisk taken = new ScriptedDisk().havingEveryName(OLD);
        assertThatThrownBy(() -> on(taken).write(CONTENT)).hasMessageContaining("CREATE");
        assertThat(taken.files.values()).containsExactly(OLD);
    }

    @Test
    void shortWritesAreContinued() throws IOException {
        ScriptedDisk disk = new ScriptedDisk().writingAtMost(7);
        on(disk).write(CONTENT);
        assertThat(disk.files.get(directory.resolve("result.json"))).isEqualTo(BYTES);
        assertThatThrownBy(() -> on(new ScriptedDisk().writingAtMost(0)).write(CONTENT))
                .hasMessageContaining("WRITE")
                .hasMessageContaining("the file takes no more");
    }

    @Test
    void aFileLargerThanTheBufferIsWrittenInPiecesAndVerified() throws IOException {
        // The buffer of 64 KiB fills up with the array in the first case, with a single byte in the second.
        for (int first : new int[] {0, 1}) {
            ScriptedDisk disk = new ScriptedDisk();
            AtomicFile.Content content = to -> {
                to.write(new byte[first]);
                for (int i = 0; i < 50_000; i++) {
                    to.write(BYTES, 1, 14);
                    to.write(i);
                    to.write(-i);
                }
            };
            on(disk).write(content);
            ByteArrayOutputStream expected = new ByteArrayOutputStream();
            content.writeTo(expected);
            assertThat(disk.files.get(directory.resolve("result.json"))).isEqualTo(expected.toByteArray());
            assertThat(disk.calls.stream().filter("write"::equals)).hasSize(13);
        }
    }

    @Test
    void corruptedReadBackIsDetected() {
        assertThatThrownBy(() -> on(new ScriptedDisk().readingBack(new byte[BYTES.length]))
                        .write(CONTENT))
                .hasMessageContaining("READ_BACK")
                .hasMessageContaining("it does not read back as it was written");
        // The CRC-32C of these four bytes is that of no byte.
        byte[] sameSum = {(byte) 171, (byte) 155, (byte) 224, (byte) 155};
        assertThatThrownBy(() -> on(new ScriptedDisk().readingBack(sameSum)).write(to -> {}))
                .hasMessageContaining("READ_BACK");
    }

    @Test
    void anErrorThatTheJdkNamesByItsPathAloneSaysWhatToDo() {
        Path missing = directory.resolve("missing");
        String path = missing.resolve(".result.json.tmp").toString();
        assertThatThrownBy(() -> new AtomicFile(
                                new ScriptedDisk().failingAt(0, new NoSuchFileException(path)), missing, "result.json")
                        .write(CONTENT))
                .hasMessage("step CREATE of writing " + missing.resolve("result.json") + " failed: the directory "
                        + missing + " does not exist; make it, or name another one with --fallback-dir");
        assertThatThrownBy(() -> on(new ScriptedDisk().failingAt(0, new AccessDeniedException(path)))
                        .write(CONTENT))
                .hasMessageContaining("permission denied in " + directory + "; permit this user to write there");
        // The directory is there: the file was removed from it before the rename.
        assertThatThrownBy(() -> on(new ScriptedDisk().failingAt(5, new NoSuchFileException(path)))
                        .write(CONTENT))
                .hasMessageEndingWith("failed: " + path);
    }

    @Test
    void aFailureThatTheContentWrapsIsOneOfTheWriteToo() {
        ScriptedDisk disk = new ScriptedDisk();
        IOException cause = new IOException("no space left on device");
        assertThatThrownBy(() -> on(disk).write(to -> {
                    throw new UncheckedIOException(cause);
                }))
                .hasMessageContaining("WRITE")
                .hasCause(cause);
        assertThat(disk.files).isEmpty();
    }

    @Test
    void aTemporaryFileThatCannotBeRemovedIsNamedBesideTheFailure() {
        IOException cause = new IOException("the file system is read-only");
        ScriptedDisk disk = new ScriptedDisk().failingAt(2, 1).failingToDelete(cause);
        assertThatThrownBy(() -> on(disk).write(CONTENT))
                .hasMessageContaining("CHECK_SIZE")
                .hasSuppressedException(cause);
    }

    @Test
    void aFailureToProduceTheContentLeavesOnlyTheOldFile() {
        ScriptedDisk disk = new ScriptedDisk();
        Path target = directory.resolve("result.json");
        disk.files.put(target, OLD);
        for (Throwable cause : List.of(new OutOfMemoryError("scripted"), new IllegalStateException("scripted"))) {
            assertThatThrownBy(() -> on(disk).write(to -> {
                        to.write(BYTES);
                        if (cause instanceof Error error) {
                            throw error;
                        }
                        throw (RuntimeException) cause;
                    }))
                    .isSameAs(cause);
            assertThat(disk.files).containsOnlyKeys(target);
            assertThat(disk.files.get(target)).isEqualTo(OLD);
        }
    }

    @Test
    void aWriteThatIsReportedButIncompleteIsDetected() {
        ScriptedDisk disk = new ScriptedDisk().losingHalf();
        assertThatThrownBy(() -> on(disk).write(CONTENT))
                .hasMessageContaining("CHECK_SIZE")
                .hasMessageContaining("7 of 15");
        assertThat(disk.files).isEmpty();
    }

    @Test
    void theFileHasItsModeWhateverItReplacesAndNoTemporaryFileRemains() throws IOException {
        Files.write(directory.resolve("result.json"), OLD);
        for (String mode : new String[] {"rw-------", "rw-r-----", "rw-rw-rw-"}) {
            real(mode).write(CONTENT);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("result.json"))))
                    .isEqualTo(mode);
        }
        assertThat(directory.resolve("result.json")).hasBinaryContent(BYTES);
        try (var entries = Files.list(directory)) {
            assertThat(entries).hasSize(1);
        }
    }

    @Test
    void aClosedFileTakesNoMore() throws IOException {
        Disk.File file =
                Disk.real(PosixFilePermissions.fromString("rw-------")).create(directory.resolve("result.json"));
        file.close();
        assertThatThrownBy(() -> file.write(ByteBuffer.wrap(BYTES))).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void aSymbolicLinkAtTheNameIsReplacedAndNotFollowed() throws IOException {
        Path victim = Files.write(directory.resolve("victim"), OLD);
        Path link = Files.createSymbolicLink(directory.resolve("result.json"), victim);
        real("rw-------").write(CONTENT);
        assertThat(victim).hasBinaryContent(OLD);
        assertThat(Files.isRegularFile(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
        Files.delete(link);
        Files.createLink(link, victim);
        real("rw-------").write(CONTENT);
        assertThat(victim).hasBinaryContent(OLD);
        Files.delete(link);
        Files.createSymbolicLink(link, directory.resolve("dangling"));
        real("rw-------").write(CONTENT);
        assertThat(directory.resolve("dangling")).doesNotExist();
    }

    @Test
    void aDirectoryAtTheNameFailsWithTheStepNamed() throws IOException {
        Files.createDirectory(directory.resolve("result.json"));
        Files.writeString(directory.resolve("result.json").resolve("inside"), "x");
        assertThatThrownBy(() -> real("rw-------").write(CONTENT)).hasMessageContaining("RENAME");
        try (var entries = Files.list(directory)) {
            assertThat(entries).hasSize(1);
        }
    }

    @Test
    void onlyOwnTemporaryNamesCountAsLeftovers() {
        assertThat(AtomicFile.leftovers("result.json")
                        .matcher(".result.json.0123456789abcdef.tmp")
                        .matches())
                .isTrue();
        for (String other : Set.of(
                "result.json",
                ".result.json.tmp",
                ".result.json.0123456789abcdeg.tmp",
                ".other.0123456789abcdef.tmp")) {
            assertThat(AtomicFile.leftovers("result.json").matcher(other).matches())
                    .isFalse();
        }
    }
}
