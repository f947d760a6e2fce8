package io.metricsaggregator.cli;

import io.metricsaggregator.samples.JournalExport;
import io.metricsaggregator.tokens.TextLengths;
import io.metricsaggregator.tokens.TransformersVersion;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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
                    "jsonl: a JSON object for each record of any kind, with NaN and infinities as strings, and a malformed"
                            + " record as malformed_base64; csv: a row for each sample, times in nanoseconds of the"
                            + " producer's clock; sqlite: a database of both. Default: ${DEFAULT-VALUE}.")
    private JournalExport.Format format = JournalExport.Format.JSONL;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write it to FILE, which must not exist, rather than to standard output.")
    private @Nullable Path output;

    @Option(
            names = "--tokenizer",
            paramLabel = "PATH",
            description =
                    "Count the tokens of prompts and outputs with this tokenizer.json, or the folder or model it is"
                            + " of, for the columns isl, osl and tpot_ns. Without it, only prompts that came with token ids have a length.")
    private @Nullable String tokenizer;

    @Override
    public Integer call() throws IOException {
        if (journal == null) {
            throw new IllegalArgumentException("DIR is missing");
        }
        if (!Files.isDirectory(journal)) {
            throw new IOException(journal + " is not the directory of a journal");
        }
        TextLengths lengths = lengths();
        if (format == JournalExport.Format.SQLITE) {
            database(journal, lengths);
        } else if (output == null) {
            OutputStream out = new BufferedOutputStream(Terminal.output(), BUFFER_BYTES);
            export(journal, lengths, out);
            out.flush();
        } else {
            try (OutputStream file =
                    new BufferedOutputStream(OutputFile.create(output, segments(journal)), BUFFER_BYTES)) {
                export(journal, lengths, file);
            }
        }
        return 0;
    }

    /** The files that the journal consists of. */
    private static List<Path> segments(Path journal) throws IOException {
        try (Stream<Path> files = Files.walk(journal, 2)) {
            return files.filter(file -> file.getFileName().toString().endsWith(".journal"))
                    .toList();
        }
    }

    private @Nullable TextLengths lengths() {
        if (tokenizer == null) {
            return null;
        }
        TokenizerOption.Loaded loaded = TokenizerOption.load(tokenizer, TransformersVersion.DEFAULT);
        return new TextLengths(loaded.counter(), loaded.chat());
    }

    private void database(Path from, @Nullable TextLengths lengths) throws IOException {
        if (output == null) {
            throw new IllegalArgumentException("--format sqlite needs -o FILE");
        }
        // Nothing that is there is written over, and nothing that is not whole is left.
        OutputFile.create(output, segments(from)).close();
        boolean whole = false;
        try {
            say(JournalExport.writeDatabase(from, lengths, output));
            whole = true;
        } finally {
            if (!whole) {
                Files.deleteIfExists(output);
            }
        }
    }

    private void export(Path from, @Nullable TextLengths lengths, OutputStream to) throws IOException {
        say(JournalExport.write(from, format, lengths, to));
    }

    private static void say(long records) {
        System.err.printf("%,d records%n", records);
    }
}
