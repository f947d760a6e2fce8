package io.metricsaggregator.flink.stream;

import io.metricsaggregator.flink.output.ResultFile;
import java.io.IOException;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * Writes the snapshots of runs into a folder each: {@value #LIVE} while the run lasts, replaced each time, and the terminal one in its place. A snapshot
 * written again after a failure replaces the same file. Its writer belongs to the thread of its task.
 */
public final class SnapshotFiles implements Sink<RunSnapshot> {
    /** File name of the newest snapshot of a run that lasts. */
    static final String LIVE = "live_snapshot.json";

    private static final long serialVersionUID = 1;

    private final String output;
    private final boolean live;

    /** Files of all snapshots below a folder, given as a URI. */
    public SnapshotFiles(String output) {
        this(output, true);
    }

    private SnapshotFiles(String output, boolean live) {
        this.output = output;
        this.live = live;
    }

    /**
     * Writes the snapshots of a stream.
     *
     * @param output folder of the files, as a URI
     * @param live whether those of runs that last are written, too
     */
    public static void add(DataStream<RunSnapshot> snapshots, String output, boolean live) {
        snapshots.sinkTo(new SnapshotFiles(output, live)).name("snapshots").uid("snapshots");
    }

    @Override
    public SinkWriter<RunSnapshot> createWriter(WriterInitContext context) {
        return new Writer(output, live);
    }

    private static final class Writer implements SinkWriter<RunSnapshot> {
        private final Path output;
        private final boolean live;

        Writer(String output, boolean live) {
            this.output = new Path(output);
            this.live = live;
        }

        @Override
        public void write(RunSnapshot snapshot, Context context) throws IOException {
            if (!snapshot.terminal() && !live) {
                return;
            }
            Path folder = new Path(output, snapshot.run());
            Path newest = new Path(folder, LIVE);
            Path file = snapshot.terminal() ? new Path(folder, ResultFile.SNAPSHOT) : newest;
            ResultFile.write(file, out -> out.write(snapshot.json()));
            if (snapshot.terminal() && newest.getFileSystem().exists(newest)) {
                newest.getFileSystem().delete(newest, false);
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
