package io.metricsaggregator.publish;

import io.metricsaggregator.parts.PartFormatException;
import io.metricsaggregator.parts.RunPart;
import io.metricsaggregator.registry.raw.SlabStore;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** Files that hold the part of a run. Used by one thread, which must not be interrupted while it writes. */
public final class PartFile {
    /** Bytes from which a part is recognised. */
    private static final int START_BYTES = 16;

    private PartFile() {}

    /**
     * Writes a part; when this returns, the file is whole and durable. An earlier file is replaced.
     *
     * @param mode permissions of the file
     * @throws IOException if the path names a directory, pipe or device
     * @throws AtomicFile.WriteException if it could not be written; an earlier file is then still there
     * @throws IllegalArgumentException if the path names no file
     */
    public static void write(RunPart part, Path file, Set<PosixFilePermission> mode) throws IOException {
        Path whole = file.toAbsolutePath();
        Path name = whole.getFileName();
        if (name == null) {
            throw new IllegalArgumentException("the part needs a file, but " + file + " is the root directory");
        }
        if (Files.exists(whole) && !Files.isRegularFile(whole)) {
            throw new IOException("cannot write " + file + ": it is not a regular file, and would be replaced by one");
        }
        new AtomicFile(Disk.real(mode), whole.resolveSibling(""), name.toString()).write(part::write);
    }

    /**
     * Reads a part.
     *
     * @param values keeps the values of its series
     * @throws PartFormatException if the file is no part, was altered or cut short, or is of another version
     * @throws IOException if the file cannot be read
     */
    public static RunPart read(Path file, SlabStore values) throws IOException {
        try (InputStream from = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            RunPart part = RunPart.read(from, values);
            if (from.read() >= 0) {
                throw new IOException("there are bytes behind the part");
            }
            return part;
        } catch (IOException e) {
            throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** Whether a file begins as a part does, of any version. */
    public static boolean isPart(Path file) throws IOException {
        try (InputStream from = Files.newInputStream(file)) {
            return RunPart.isPart(from.readNBytes(START_BYTES));
        }
    }
}
