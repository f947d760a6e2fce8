package io.metricsaggregator.subscriber;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

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

    /**
     * Reads the file.
     *
     * @param path as for {@link #find}
     * @throws MalformedMessageException if it is not a snapshot; the message names the file and the cause
     */
    public static MetricsSnapshot read(Path path) throws IOException {
        Path file = find(path);
        byte[] bytes = Files.readAllBytes(file);
        try {
            return new JsonSnapshotCodec().decode(ByteBuffer.wrap(bytes));
        } catch (MalformedMessageException | IllegalArgumentException e) {
            throw new MalformedMessageException(file + " is not a final snapshot: " + e.getMessage());
        }
    }
}
