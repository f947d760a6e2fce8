package io.metricsaggregator.cli.files;

import io.metricsaggregator.cli.console.DurableFile;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.journal.RunOrigin;
import io.metricsaggregator.parquet.SampleFileHeader;
import io.metricsaggregator.parquet.SampleParquetWriter;
import io.metricsaggregator.parquet.SamplePartition;
import io.metricsaggregator.samples.JournalExport;
import io.metricsaggregator.tokens.TextLengths;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Exports the samples of one run as {@code run=ID/node=NAME/part-0.parquet} in a directory. Only {@code export} loads it. */
final class ParquetExport {
    private static final String PART = "part-0.parquet";
    private static final int BUFFER_BYTES = 1 << 16;

    private ParquetExport() {}

    /**
     * What an export wrote.
     *
     * @param records records of the journal
     * @param samples rows of the file
     */
    record Written(Path file, long records, long samples) {}

    /**
     * Writes the file of a run, whole or not at all.
     *
     * @param run the folder of the run
     * @param lengths counts the tokens of texts; null for none
     * @param sources the files of the journal: only users who can read them can read the file
     * @param directory created if missing; can hold the files of other runs
     */
    static Written write(Path run, @Nullable TextLengths lengths, List<Path> sources, Path directory)
            throws IOException {
        Map<String, String> description = JournalReader.describe(run);
        RunOrigin origin = RunOrigin.of(description);
        SampleFileHeader facts = SampleFileHeader.ofRun(Version.text(), description);
        Path file = directory
                .resolve(SamplePartition.path(origin.runId(), origin.node()))
                .resolve(PART);
        try (DurableFile whole = DurableFile.create(file, directory, sources)) {
            long records;
            long samples;
            try (OutputStream out = new BufferedOutputStream(whole.stream(), BUFFER_BYTES);
                    SampleParquetWriter rows = SampleParquetWriter.create(out, facts)) {
                records = JournalExport.writeSamples(run, lengths, rows::write);
                samples = rows.rows();
            }
            whole.commit();
            return new Written(file, records, samples);
        }
    }
}
