package io.metricsaggregator.flink.output;

import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.journal.RunFiles;
import io.metricsaggregator.journal.RunOrigin;
import io.metricsaggregator.parquet.SampleFileFacts;
import io.metricsaggregator.parquet.SampleParquetWriter;
import io.metricsaggregator.parquet.SamplePartition;
import io.metricsaggregator.samples.JournalExport;
import java.io.IOException;
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
                    SampleParquetWriter.create(out, SampleFileFacts.ofRun(version, description))) {
                JournalExport.writeSamples(run, null, writer::write);
                rows[0] = writer.rows();
            }
        });
        return rows[0];
    }
}
