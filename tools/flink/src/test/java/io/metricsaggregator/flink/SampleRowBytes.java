package io.metricsaggregator.flink;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.parquet.SampleFileHeader;
import io.metricsaggregator.parquet.SampleParquetWriter;
import io.metricsaggregator.samples.JournalExport;
import io.metricsaggregator.samples.SampleColumn;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The file of rows that a job writes of a run without a journal, from the rows of a journal with the same frames. */
final class SampleRowBytes {
    private static final List<String> COLUMNS =
            SampleColumn.ALL.stream().map(SampleColumn::name).toList();

    private SampleRowBytes() {}

    /**
     * The file.
     *
     * @param journal has the same frames, and the settings that decide which samples are good
     * @param config that of the run
     * @param id id of the run
     * @param startedWallNanos start of the run
     */
    static byte[] of(Path journal, RunConfig config, String id, long startedWallNanos) throws IOException {
        Map<String, String> description = new TreeMap<>(RunConfigCodec.encode(config));
        description.put("run_id", id);
        description.put("started_wall_ns", Long.toString(startedWallNanos));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (SampleParquetWriter writer =
                SampleParquetWriter.create(bytes, SampleFileHeader.ofRun(config.version(), description))) {
            JournalExport.writeSamples(journal, null, row -> {
                row[COLUMNS.indexOf("run_id")] = id;
                row[COLUMNS.indexOf("node")] = null;
                row[COLUMNS.indexOf("wall_offset_ns")] = null;
                writer.write(row);
            });
        }
        return bytes.toByteArray();
    }
}
