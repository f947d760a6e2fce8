package io.metricsaggregator.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A directory of journals: one folder for each run, in which a file {@code done} says that the run has a durable result. The
 * newest run without it is one whose process was killed.
 */
public final class JournalDirectory {
    private static final String DONE = "done";
    private static final FileAttribute<?> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path directory;

    private JournalDirectory(Path directory) {
        this.directory = directory;
    }

    /** The directory of that name, made if it is not there. */
    public static JournalDirectory open(Path wanted) throws IOException {
        Path directory = wanted.toAbsolutePath().normalize();
        if (!Files.exists(directory)) {
            Files.createDirectories(directory, PRIVATE);
        }
        if (!Files.isDirectory(directory)) {
            throw new IOException("journal " + wanted + " is not a directory");
        }
        int mode = (Integer) Files.getAttribute(directory, "unix:mode");
        if ((mode & 2) != 0) {
            throw new IOException("journal " + wanted + " is writable by everyone: chmod o-w it");
        }
        return new JournalDirectory(directory);
    }

    /**
     * The folder of a run.
     *
     * @param journal that folder, or a directory of journals, whose newest run is taken
     * @throws IOException if there is none
     */
    public static Path findRun(Path journal) throws IOException {
        return isRun(journal)
                ? journal
                : open(journal).newest().orElseThrow(() -> new IOException(journal + " holds no journal of a run"));
    }

    /** Whether a folder is that of a run, or holds folders of runs. */
    public static boolean holdsRun(Path folder) throws IOException {
        return isRun(folder) || new JournalDirectory(folder).newest().isPresent();
    }

    /** The folder to be locked. */
    public Path path() {
        return directory;
    }

    /** The run that was not finished, if there is one. */
    public Optional<Path> unfinished() throws IOException {
        List<Path> runs = runs();
        return runs.isEmpty() || isDone(runs.get(runs.size() - 1))
                ? Optional.empty()
                : Optional.of(runs.get(runs.size() - 1));
    }

    /** The newest run, finished or not. */
    public Optional<Path> newest() throws IOException {
        List<Path> runs = runs();
        return runs.isEmpty() ? Optional.empty() : Optional.of(runs.get(runs.size() - 1));
    }

    private List<Path> runs() throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(each -> each.getFileName().toString().startsWith("run-")
                            && Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS))
                    .sorted(Comparator.comparing(Path::getFileName))
                    .toList();
        }
    }

    private static boolean isDone(Path run) {
        return Files.exists(run.resolve(DONE), LinkOption.NOFOLLOW_LINKS);
    }

    /** Whether a folder holds a run's segments itself. */
    private static boolean isRun(Path folder) throws IOException {
        return Files.isDirectory(folder) && !Segments.list(folder).isEmpty();
    }

    /** A folder for a new run. Its name sorts behind those of earlier ones. */
    public Path create(String runId, long startedWallNanos) throws IOException {
        long after = newest().map(JournalDirectory::startedWallNanos).orElse(-1L);
        // The wall clock may have been set back since.
        long number = Math.max(startedWallNanos, after + 1);
        Path run = directory.resolve(String.format(Locale.ROOT, "run-%020d-%s", number, runId));
        Files.createDirectory(run, PRIVATE);
        sync(directory);
        return run;
    }

    private static long startedWallNanos(Path run) {
        String[] parts = run.getFileName().toString().split("-", 3);
        try {
            return Long.parseLong(parts[1]);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** Says that a run has its result: it is not resumed any more. */
    public static void finish(Path run) throws IOException {
        Path done = run.resolve(DONE);
        if (!Files.exists(done, LinkOption.NOFOLLOW_LINKS)) {
            Files.createFile(done, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            sync(run);
        }
    }

    private static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
