package io.metricsaggregator.flink.output;

import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.io.BufferedOutputStream;
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
        FileSystem files = file.getFileSystem();
        files.mkdirs(file.getParent());
        RecoverableFsDataOutputStream target = files.createRecoverableWriter().open(file);
        try {
            OutputStream out = new BufferedOutputStream(target, BUFFER_BYTES);
            content.write(out);
            out.flush();
            target.sync();
            target.closeForCommit().commit();
        } finally {
            // After the commit this does nothing; after an error it drops what was written.
            target.close();
        }
    }
}
