package io.metricsaggregator.flink.journal;

import io.metricsaggregator.journal.RunFiles;
import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.jspecify.annotations.Nullable;

/** The files of a run in a file system of Flink, as they were when they were listed. Used by one thread. */
public final class StoredRun implements RunFiles {
    private static final int BUFFER_BYTES = 256 << 10;
    private static final int TEXT_MAX_BYTES = 1 << 20;

    private final Path folder;
    private final FileSystem files;
    private final List<FileStatus> listed;

    private StoredRun(Path folder, FileSystem files, List<FileStatus> listed) {
        this.folder = folder;
        this.files = files;
        this.listed = listed;
    }

    /**
     * Lists the files of a run.
     *
     * @param folder holds the segments
     * @throws IOException if it cannot be listed
     */
    public static StoredRun list(Path folder) throws IOException {
        FileSystem files = folder.getFileSystem();
        return new StoredRun(folder, files, entries(files, folder));
    }

    /** The entries of a folder in the order of their names. */
    static List<FileStatus> entries(FileSystem files, Path folder) throws IOException {
        FileStatus[] entries = files.listStatus(folder);
        if (entries == null) {
            throw new FileNotFoundException(folder + " does not exist");
        }
        List<FileStatus> sorted = new ArrayList<>(List.of(entries));
        sorted.sort(Comparator.comparing(each -> each.getPath().getName()));
        return sorted;
    }

    static boolean isSegment(FileStatus entry) {
        return !entry.isDir() && RunFiles.isSegment(entry.getPath().getName());
    }

    @Override
    public String name() {
        return folder.toString();
    }

    /** Size of all segments, in bytes. */
    long bytes() {
        return listed.stream()
                .filter(StoredRun::isSegment)
                .mapToLong(FileStatus::getLen)
                .sum();
    }

    @Override
    public List<Segment> segments() {
        return listed.stream()
                .filter(StoredRun::isSegment)
                .map(each -> (Segment) new StoredSegment(each))
                .toList();
    }

    @Override
    public @Nullable String text(String file) throws IOException {
        for (FileStatus each : listed) {
            if (!each.isDir() && each.getPath().getName().equals(file)) {
                try (InputStream in = files.open(each.getPath())) {
                    return new String(in.readNBytes(TEXT_MAX_BYTES), StandardCharsets.UTF_8);
                }
            }
        }
        return null;
    }

    private final class StoredSegment implements Segment {
        private final FileStatus status;

        StoredSegment(FileStatus status) {
            this.status = status;
        }

        @Override
        public String name() {
            return status.getPath().getName();
        }

        @Override
        public Content open() throws IOException {
            InputStream in = new BufferedInputStream(files.open(status.getPath()), BUFFER_BYTES);
            return new Content(new StreamChannel(in), status.getLen());
        }
    }

    /** A stream read as a channel, into buffers that have an array. */
    private static final class StreamChannel implements ReadableByteChannel {
        private final InputStream in;
        private boolean closed;

        StreamChannel(InputStream in) {
            this.in = in;
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            int read = in.read(into.array(), into.arrayOffset() + into.position(), into.remaining());
            if (read > 0) {
                into.position(into.position() + read);
            }
            return read;
        }

        @Override
        public boolean isOpen() {
            return !closed;
        }

        @Override
        public void close() throws IOException {
            closed = true;
            in.close();
        }
    }
}
