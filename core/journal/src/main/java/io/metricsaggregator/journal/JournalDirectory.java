package io.metricsaggregator.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A directory with one folder for each run. A file {@code done} in it marks a run whose result is durable; the newest run without it
 * was interrupted and can be resumed.
 */
public final class JournalDirectory {
    private static final String DONE = "done";
    private static final FileAttribute<?> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path directory;

    private JournalDirectory(Path directory) {
        this.directory = directory;
    }

    /**
     * Opens a directory, creating it durably if missing.
     *
     * @throws IOException if it is not a directory or everyone can write to it
     */
    public static JournalDirectory open(Path wanted) throws IOException {
        Path directory = wanted.toAbsolutePath().normalize();
        DurableDirectory.create(directory, PRIVATE);
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
     * Finds the folder of a run.
     *
     * @param journal the folder of a run, or a directory of journals, whose newest run is returned
     * @throws IOException if it holds no run
     */
    public static Path findRun(Path journal) throws IOException {
        return isRun(journal)
                ? journal
                : open(journal).newest().orElseThrow(() -> new IOException(journal + " holds no journal of a run"));
    }

    /** Whether {@code folder} is the folder of a run or holds one. */
    public static boolean holdsRun(Path folder) throws IOException {
        return isRun(folder) || new JournalDirectory(folder).newest().isPresent();
    }

    /** The directory's absolute path, which the daemon locks. */
    public Path path() {
        return directory;
    }

    /**
     * The newest run, if it was not finished. If it was, its mark is durable on return: a process that was killed may have left it in the page cache only.
     *
     * @throws IOException if the directory cannot be read or the mark not be fsynced
     */
    public Optional<Path> unfinished() throws IOException {
        Optional<Path> newest = newest();
        if (newest.isPresent() && isDone(newest.get())) {
            DurableDirectory.sync(newest.get());
            return Optional.empty();
        }
        return newest;
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

    /** Whether a folder holds segments. */
    private static boolean isRun(Path folder) throws IOException {
        return Files.isDirectory(folder) && !Segments.list(folder).isEmpty();
    }

    /** Creates the folder of a new run, with a name that sorts after earlier ones. */
    public Path create(String runId, long startedWallNanos) throws IOException {
        long after = newest().map(JournalDirectory::startedWallNanos).orElse(-1L);
        // The wall clock may have been set back since the last run.
        long number = Math.max(startedWallNanos, after + 1);
        Path run = directory.resolve(String.format(Locale.ROOT, "run-%020d-%s", number, runId));
        Files.createDirectory(run, PRIVATE);
        DurableDirectory.sync(directory);
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

    /** Removes the folder of a run with its segments. */
    public static void remove(Path run) throws IOException {
        for (Path each : Segments.list(run)) {
            Files.delete(each);
        }
        Files.delete(run);
    }

    /** Marks a run as finished, so that it is not resumed. */
    public static void finish(Path run) throws IOException {
        Path done = run.resolve(DONE);
        if (!Files.exists(done, LinkOption.NOFOLLOW_LINKS)) {
            Files.createFile(done, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            DurableDirectory.sync(run);
        }
    }

    /**
     * Fsyncs the segments of a run, their entries in its folder, and the folder's own entry. A killed process may have left them in the page
     * cache only, and its successor writes new segments.
     *
     * @throws IOException if one cannot be opened or fsynced; the others are then fsynced nonetheless
     */
    public static void sync(Path run) throws IOException {
        IOException failure = null;
        List<Path> all = new ArrayList<>(Segments.list(run));
        all.add(run);
        all.add(DurableDirectory.holder(run));
        for (Path each : all) {
            try {
                DurableDirectory.sync(each);
            } catch (IOException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
