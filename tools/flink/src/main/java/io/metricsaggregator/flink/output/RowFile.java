package io.metricsaggregator.flink.output;

import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.journal.RunFiles;
import io.metricsaggregator.journal.RunOrigin;
import io.metricsaggregator.parquet.SampleFileHeader;
import io.metricsaggregator.parquet.SampleParquetWriter;
import io.metricsaggregator.parquet.SamplePartition;
import io.metricsaggregator.samples.JournalExport;
import io.metricsaggregator.samples.SampleFrames;
import io.metricsaggregator.samples.SampleRun;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.flink.core.fs.Path;

/**
 * The rows of one run's samples as a Parquet file, the same bytes as {@code export --format parquet} writes. The name of the file follows from
 * the run, so that a run which is read again replaces its rows and no row is there twice. Stateless.
 */
public final class RowFile {
    private static final String PART = "part-0.parquet";

    private RowFile() {}

    /**
     * Writes {@code run=ID/node=NAME/part-0.parquet}.
     *
     * @param run is read once more
     * @param version version of this program
     * @param folder folder of the rows of all runs
     * @return the number of rows
     * @throws IOException if the run cannot be read or the file not be written
     */
    public static long write(RunFiles run, String version, Path folder) throws IOException {
        Map<String, String> description = JournalReader.describe(run);
        RunOrigin origin = RunOrigin.of(description);
        Path file = new Path(folder, SamplePartition.path(origin.runId(), origin.node()) + "/" + PART);
        long[] rows = new long[1];
        ResultFile.write(file, out -> {
            try (SampleParquetWriter writer =
                    SampleParquetWriter.create(out, SampleFileHeader.ofRun(version, description))) {
                JournalExport.writeSamples(run, null, writer::write);
                rows[0] = writer.rows();
            }
        });
        return rows[0];
    }

    /** Rows of a run that is folded at the same time, or whose frames lie elsewhere than in a journal. Used by one thread. */
    public static final class Draft implements Closeable {
        private final RunOrigin origin;
        private final ResultFile.Draft file;
        private final SampleParquetWriter writer;
        private final SampleFrames frames;

        private Draft(RunOrigin origin, ResultFile.Draft file, SampleParquetWriter writer, SampleFrames frames) {
            this.origin = origin;
            this.file = file;
            this.writer = writer;
            this.frames = frames;
        }

        /**
         * Starts the file of a run at the place that {@link RowFile#write} gives it.
         *
         * @param description what a journal of the run would say of it
         * @param folder folder of the rows of all runs
         */
        public static Draft of(Map<String, String> description, Path folder) throws IOException {
            RunOrigin origin = RunOrigin.of(description);
            ResultFile.Draft file = new ResultFile.Draft(
                    new Path(folder, SamplePartition.path(origin.runId(), origin.node()) + "/" + PART));
            String version = description.getOrDefault("version", "");
            SampleParquetWriter writer =
                    SampleParquetWriter.create(file.out(), SampleFileHeader.ofRun(version, description));
            return new Draft(origin, file, writer, new SampleFrames(SampleRun.of(description), writer::write, null));
        }

        /**
         * Applies the records of a frame.
         *
         * @param nanos monotonic time of its receipt
         */
        public void frame(byte[] frame, long nanos) throws IOException {
            frames.received(nanos, origin);
            frames.frame(ByteBuffer.wrap(frame), 0, frame.length);
        }

        /** Adds the rows of samples that never completed, and puts the file at its place. */
        public void commit() throws IOException {
            frames.end();
            writer.close();
            file.commit();
        }

        /** Drops what was written; does nothing after {@link #commit}. */
        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
