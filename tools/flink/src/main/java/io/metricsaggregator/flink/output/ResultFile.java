package io.metricsaggregator.flink.output;

import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.RecoverableFsDataOutputStream;

/**
 * Writes a file that is either whole or not there: beside its place and renamed, or as an upload that is completed at the end, as the
 * file system has it. A file that is there is replaced, so that a task which runs again writes the same result again. Stateless.
 */
public final class ResultFile {
    /** File name of a run's terminal snapshot, as the daemon writes it. */
    public static final String SNAPSHOT = "final_snapshot.json";

    /** File name of a run as a value, to be merged with others by {@code merge}. */
    public static final String PART = "run.part";

    /** Folder of the merged run, beside those of the runs. */
    public static final String MERGED = "merged";

    private static final int BUFFER_BYTES = 64 << 10;

    /** Writes the content of a file. */
    public interface Content {
        /** Writes all bytes; the stream is buffered, and is closed by the caller. */
        void write(OutputStream out) throws IOException;
    }

    private ResultFile() {}

    /** Writes {@value #SNAPSHOT} into a folder, which is created if missing; the bytes are those that the daemon writes. */
    public static void write(MetricsSnapshot snapshot, Path folder) throws IOException {
        write(new Path(folder, SNAPSHOT), out -> new JsonSnapshotCodec().write(snapshot, out));
    }

    /**
     * Writes a file.
     *
     * @param file its folder is created if missing
     * @throws IOException if it cannot be written; nothing is then at its place but what was there before
     */
    public static void write(Path file, Content content) throws IOException {
        try (Draft draft = new Draft(file)) {
            content.write(draft.out());
            draft.commit();
        }
    }

    /** A file that is being written and not at its place yet. Used by one thread. */
    public static final class Draft implements Closeable {
        private final RecoverableFsDataOutputStream target;
        private final OutputStream out;

        /**
         * Starts a file.
         *
         * @param file its folder is created if missing
         */
        public Draft(Path file) throws IOException {
            FileSystem files = file.getFileSystem();
            files.mkdirs(file.getParent());
            target = files.createRecoverableWriter().open(file);
            out = new BufferedOutputStream(target, BUFFER_BYTES);
        }

        /** Takes the bytes of the file; buffered, and not to be closed. */
        public OutputStream out() {
            return out;
        }

        /** Puts the file at its place. */
        public void commit() throws IOException {
            out.flush();
            target.sync();
            target.closeForCommit().commit();
        }

        /** Drops what was written; does nothing after {@link #commit}. */
        @Override
        public void close() throws IOException {
            target.close();
        }
    }
}
