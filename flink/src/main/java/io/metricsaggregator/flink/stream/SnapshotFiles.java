package io.metricsaggregator.flink.stream;

import io.metricsaggregator.flink.output.ResultFile;
import java.io.IOException;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.fs.Path;

/**
 * Writes the snapshots of runs into a folder each: {@value #LIVE} while the run lasts, replaced each time, and the terminal one in its place. A snapshot
 * written again after a failure replaces the same file. Its writer belongs to the thread of its task.
 */
public final class SnapshotFiles implements Sink<RunSnapshot> {
    /** File name of the newest snapshot of a run that lasts. */
    static final String LIVE = "live_snapshot.json";

    private static final long serialVersionUID = 1;

    private final String output;

    /** Files below a folder, given as a URI. */
    public SnapshotFiles(String output) {
        this.output = output;
    }

    @Override
    public SinkWriter<RunSnapshot> createWriter(WriterInitContext context) {
        return new Writer(output);
    }

    private static final class Writer implements SinkWriter<RunSnapshot> {
        private final Path output;

        Writer(String output) {
            this.output = new Path(output);
        }

        @Override
        public void write(RunSnapshot snapshot, Context context) throws IOException {
            Path folder = new Path(output, snapshot.run());
            Path live = new Path(folder, LIVE);
            Path file = snapshot.terminal() ? new Path(folder, ResultFile.SNAPSHOT) : live;
            ResultFile.write(file, out -> out.write(snapshot.json()));
            if (snapshot.terminal() && live.getFileSystem().exists(live)) {
                live.getFileSystem().delete(live, false);
            }
        }

        @Override
        public void flush(boolean endOfInput) {
            // Each file is whole when written.
        }

        @Override
        public void close() {
            // Nothing is kept open.
        }
    }
}
