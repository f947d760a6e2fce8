package io.metricsaggregator.cli;

import io.metricsaggregator.daemon.JournalExport;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The events of a journal, for other tools. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {"Writes what a run received, from its journal (see run --journal), for other tools.", ""})
final class ExportCommand implements Callable<Integer> {
    private static final int BUFFER_BYTES = 1 << 16;

    @Parameters(
            paramLabel = "DIR",
            description = "The directory of a journal, whose newest run is taken, or the folder of a run in it.")
    private @Nullable Path journal;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "jsonl",
            description =
                    "jsonl: a JSON object for each record; csv: a row for each sample, times in nanoseconds of the"
                            + " producer's clock. Default: ${DEFAULT-VALUE}.")
    private JournalExport.Format format = JournalExport.Format.JSONL;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write it to FILE, which must not exist, rather than to standard output.")
    private @Nullable Path output;

    @Override
    public Integer call() throws IOException {
        if (journal == null) {
            throw new IllegalArgumentException("DIR is missing");
        }
        if (!Files.isDirectory(journal)) {
            throw new IOException(journal + " is not the directory of a journal");
        }
        if (output == null) {
            OutputStream out = new BufferedOutputStream(System.out, BUFFER_BYTES);
            export(journal, out);
            out.flush();
        } else {
            try (OutputStream file = new BufferedOutputStream(
                    Files.newOutputStream(output, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    BUFFER_BYTES)) {
                export(journal, file);
            }
        }
        return 0;
    }

    private void export(Path from, OutputStream to) throws IOException {
        System.err.printf("%,d records%n", JournalExport.write(from, format, to));
    }
}
