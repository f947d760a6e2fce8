package io.metricsaggregator.cli.files;

import io.metricsaggregator.cli.console.DurableFile;
import io.metricsaggregator.cli.console.OutputFile;
import io.metricsaggregator.cli.console.Terminal;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.options.TokenizerOption;
import io.metricsaggregator.publish.ExitStatus;
import io.metricsaggregator.samples.JournalExport;
import io.metricsaggregator.tokens.TextLengths;
import io.metricsaggregator.tokens.TransformersVersion;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code export}: converts the records of a journal for other tools. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Export the records of a run from its journal (see run --journal) as JSON lines, CSV, SQLite, Parquet or a"
                    + " trace for Perfetto.",
            ""
        },
        footer = {
            "",
            "Examples: metrics-aggregator export journal --format csv -o samples.csv",
            "          metrics-aggregator export journal --format parquet -o rows",
            "          metrics-aggregator export journal --format perfetto -o run.json.gz"
        })
public final class ExportCommand implements Callable<Integer> {
    private static final int BUFFER_BYTES = 1 << 16;

    @Parameters(
            paramLabel = "DIR",
            description = "Directory of a journal, whose newest run is exported, or the directory of one run in it.")
    private @Nullable Path journal;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "jsonl",
            description =
                    "Output format. jsonl: a JSON object per record, with NaN and infinities as strings, and malformed records"
                            + " as malformed_base64; csv: a row per sample, times in nanoseconds of the producer's clock; token_accounting: a JSON object per sample,"
                            + " its tokens as counted with --tokenizer and as the server reported them; sqlite: a"
                            + " database of both; parquet: a row per sample in DIR/run=ID/node=NAME/part-0.parquet;"
                            + " perfetto: requests as slices of time and observations as counters, for ui.perfetto.dev and"
                            + " chrome://tracing, compressed if PATH ends in .gz. Default:"
                            + " ${DEFAULT-VALUE}.")
    private JournalExport.Format format = JournalExport.Format.JSONL;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "PATH",
            description =
                    "Output file, which must not exist; the directory with the files of runs for parquet, created if missing. Default:"
                            + " standard output; sqlite and parquet need a path.")
    private @Nullable Path output;

    @Option(names = "--chunks", description = "With --format perfetto, show each chunk as an instant.")
    private boolean chunks;

    @Option(
            names = "--tokenizer",
            paramLabel = "PATH",
            description =
                    "Tokenizer to fill the columns isl, osl and tpot_ns with: a tokenizer.json, its directory, or the name of a"
                            + " model in the local hub cache. Default: none; only prompts that arrived with token ids have a length.")
    private @Nullable String tokenizer;

    @Override
    public Integer call() throws IOException {
        if (journal == null) {
            throw new IllegalArgumentException("DIR is missing");
        }
        if (chunks && format != JournalExport.Format.PERFETTO) {
            throw new IllegalArgumentException("--chunks needs --format perfetto");
        }
        if (!Files.isDirectory(journal)) {
            throw new IOException(journal + " is not the directory of a journal; give the DIR of run --journal");
        }
        TextLengths lengths = lengths();
        boolean any = switch (format) {
            case SQLITE -> database(journal, lengths);
            case PARQUET -> parquet(journal, lengths);
            case PERFETTO -> trace(journal);
            case JSONL, CSV, TOKEN_ACCOUNTING -> text(journal, lengths);
        };
        if (any) {
            return 0;
        }
        System.err.println("metrics-aggregator: note: --format "
                + format.name().toLowerCase(Locale.ROOT)
                + (format == JournalExport.Format.JSONL || format == JournalExport.Format.SQLITE
                        ? " has no data: the journal has no record"
                        : " has no data: the journal has no sample"));
        return ExitStatus.NO_DATA.code();
    }

    /** Writes lines; returns whether any of them is of a record or a sample. */
    private boolean text(Path from, @Nullable TextLengths lengths) throws IOException {
        if (output == null) {
            return text(from, lengths, Terminal.output());
        }
        try (OutputFile file = OutputFile.create(output, segments(from))) {
            boolean any = text(from, lengths, file.stream());
            file.commit();
            return any;
        }
    }

    private boolean text(Path from, @Nullable TextLengths lengths, OutputStream to) throws IOException {
        LineCounter lines = new LineCounter(to);
        OutputStream out = new BufferedOutputStream(lines, BUFFER_BYTES);
        long records = JournalExport.write(from, format, lengths, out);
        out.flush();
        printCount(records);
        return lines.count > (format == JournalExport.Format.CSV ? 1 : 0);
    }

    private boolean trace(Path from) throws IOException {
        if (output == null) {
            return trace(from, Terminal.output());
        }
        try (OutputFile file = OutputFile.create(output, segments(from))) {
            boolean any;
            if (output.toString().endsWith(".gz")) {
                GZIPOutputStream compressed = new GZIPOutputStream(file.stream(), BUFFER_BYTES);
                any = trace(from, compressed);
                compressed.finish();
            } else {
                any = trace(from, file.stream());
            }
            file.commit();
            return any;
        }
    }

    private boolean trace(Path from, OutputStream to) throws IOException {
        OutputStream out = new BufferedOutputStream(to, BUFFER_BYTES);
        JournalExport.Trace trace = JournalExport.writeTrace(from, chunks, out);
        out.flush();
        printCount(trace.records());
        if (trace.shown() < trace.requests()) {
            System.err.printf(
                    "metrics-aggregator: note: the trace shows %,d of %,d requests, evenly chosen; a viewer could not open them all%n",
                    trace.shown(), trace.requests());
        }
        return trace.requests() > 0;
    }

    /** Counts the lines that pass. */
    private static final class LineCounter extends FilterOutputStream {
        private long count;

        LineCounter(OutputStream to) {
            super(to);
        }

        @Override
        public void write(byte[] bytes, int start, int length) throws IOException {
            for (int i = start; i < start + length; i++) {
                count += bytes[i] == '\n' ? 1 : 0;
            }
            out.write(bytes, start, length);
        }
    }

    /** The segment files of the journal. */
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

    private boolean database(Path from, @Nullable TextLengths lengths) throws IOException {
        if (output == null) {
            throw new IllegalArgumentException("--format sqlite cannot write to standard output: give -o FILE");
        }
        try (DurableFile file = DurableFile.create(output, OutputFile.permissions(segments(from)))) {
            long records = JournalExport.writeDatabase(from, lengths, file.temporary(), output);
            file.commit();
            printCount(records);
            return records > 0;
        }
    }

    private boolean parquet(Path from, @Nullable TextLengths lengths) throws IOException {
        if (output == null) {
            throw new IllegalArgumentException("--format parquet cannot write to standard output: give -o DIR");
        }
        Path run = JournalDirectory.findRun(from);
        ParquetExport.Written written = ParquetExport.write(run, lengths, segments(run), output);
        System.err.printf(
                "exported %,d samples of %,d records to %s%n", written.samples(), written.records(), written.file());
        return written.samples() > 0;
    }

    private static void printCount(long records) {
        System.err.printf("exported %,d records%n", records);
    }
}
