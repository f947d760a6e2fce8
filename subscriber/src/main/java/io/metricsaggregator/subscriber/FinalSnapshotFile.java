package io.metricsaggregator.subscriber;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds and reads {@code final_snapshot.json}. The daemon writes it atomically, so it can be read at any time. */
public final class FinalSnapshotFile {
    /** The file's name in the output directory. */
    public static final String NAME = "final_snapshot.json";

    private FinalSnapshotFile() {}

    /**
     * Finds the file.
     *
     * @param path the file, the directory it is in, or the report folder of MLCommons endpoints, which keeps it in {@code metrics}
     * @return the path of the file, whether or not it exists
     */
    public static Path find(Path path) {
        if (!Files.isDirectory(path)) {
            return path;
        }
        Path nested = path.resolve("metrics").resolve(NAME);
        return !Files.exists(path.resolve(NAME)) && Files.exists(nested) ? nested : path.resolve(NAME);
    }

    private static FileNotFoundException missing(Path file) throws IOException {
        Path directory = file.getParent();
        if (file.endsWith(NAME) && directory != null && Files.isDirectory(directory)) {
            if (isJournal(directory)) {
                return new FileNotFoundException(directory + " is a journal: metrics-aggregator replay " + directory);
            }
            Path earlier = newestEarlier(directory);
            if (earlier != null) {
                return new FileNotFoundException(file + " does not exist; the newest earlier result is " + earlier);
            }
        }
        return new FileNotFoundException(file + " does not exist");
    }

    /** Whether a directory is one of {@code run --journal}, or the folder of a run in it. */
    private static boolean isJournal(Path directory) throws IOException {
        try (DirectoryStream<Path> runs = Files.newDirectoryStream(directory, "{run-*,segment-*.journal}")) {
            for (Path each : runs) {
                if (!Files.isDirectory(each)) {
                    return true;
                }
                try (DirectoryStream<Path> segments = Files.newDirectoryStream(each, "segment-*.journal")) {
                    if (segments.iterator().hasNext()) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** The result of an earlier run that a later start renamed, the one changed last; null if there is none. */
    private static @Nullable Path newestEarlier(Path directory) throws IOException {
        Path newest = null;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, NAME + ".stale-*")) {
            for (Path each : files) {
                if (newest == null
                        || Files.getLastModifiedTime(each).compareTo(Files.getLastModifiedTime(newest)) > 0) {
                    newest = each;
                }
            }
        }
        return newest;
    }

    /**
     * Reads the file.
     *
     * @param path as for {@link #find}
     * @throws MalformedMessageException if it is not a snapshot; the message names the file and the cause
     * @throws FileNotFoundException if there is none; the message names what the directory holds instead, if that helps
     */
    public static MetricsSnapshot read(Path path) throws IOException {
        Path file = find(path);
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw missing(file);
        }
        try {
            return new JsonSnapshotCodec().decode(ByteBuffer.wrap(bytes));
        } catch (MalformedMessageException | IllegalArgumentException e) {
            throw new MalformedMessageException(file + " is not a final snapshot: " + e.getMessage());
        }
    }
}
