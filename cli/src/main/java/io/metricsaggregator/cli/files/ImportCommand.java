package io.metricsaggregator.cli.files;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.format.FormatHints;
import io.metricsaggregator.imports.format.Formats;
import io.metricsaggregator.imports.journal.ImportedPart;
import io.metricsaggregator.imports.journal.Importer;
import io.metricsaggregator.options.FailureOptions;
import io.metricsaggregator.options.OptionGroup;
import io.metricsaggregator.publish.ExitStatus;
import io.metricsaggregator.snapshot.figures.Imported;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code import}: turns result files of other load generators into a journal, a final snapshot, or both. */
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Import result files of other load generators as a run: into a journal that replay, report, compare and merge"
                    + " read, into a final snapshot, or both.",
            ""
        },
        footer = {
            "",
            "Example: metrics-aggregator import auto profile_export.jsonl --output-dir results",
            "",
            "Every import recomputes the tool's own figures from the requests and names those that differ. What a file"
                    + " cannot say stays unknown, with the reason."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:imported",
            "2:wrong usage; no format recognises the file; it holds several runs and --part is missing; nothing can be imported",
            "3:out of memory; nothing is written",
            "4:a file cannot be read or written; nothing is written",
            "5:the final snapshot is not durable",
            "6:--strict: a record was skipped"
        })
public final class ImportCommand implements Callable<Integer> {
    private static final int TEXT_MAX = 200;

    /** What happens to warm-up requests. */
    enum Warmup {
        UNTRACKED,
        DROP,
        KEEP
    }

    /** Which end of a request counts. */
    enum End {
        HEADLINE,
        STREAM
    }

    /** Whether texts are kept. */
    enum Text {
        KEEP,
        DROP
    }

    @Parameters(
            index = "0",
            paramLabel = "FORMAT",
            completionCandidates = FormatNames.class,
            description = "Format of the files, one of ${COMPLETION-CANDIDATES}; auto recognises it by the start of the"
                    + " first file.")
    private @Nullable String format;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "FILE",
            description = "Files of one import, read in this order; gzip is recognised. -: standard input.")
    private List<String> files = List.of();

    @OptionGroup.In(OptionGroup.OUTPUT)
    @Option(
            names = "--journal",
            paramLabel = "DIR",
            description = "Directory of journals to add the finished run to, created if missing. See replay.")
    private @Nullable Path journal;

    @OptionGroup.In(OptionGroup.OUTPUT)
    @Option(
            names = "--output-dir",
            paramLabel = "DIR",
            description =
                    "Directory to write the final_snapshot.json of the run into, created if missing. With --part all, a"
                            + " directory part-N in it for each run.")
    private @Nullable Path outputDirectory;

    @OptionGroup.In(OptionGroup.OUTPUT)
    @Option(
            names = "--summary",
            description =
                    "Import the tool's figures of the whole run: from a file that holds no requests, or for vllm and sglang from"
                            + " any. Write them with --output-dir.")
    private boolean summary;

    @OptionGroup.In(OptionGroup.OUTPUT)
    @Option(names = "--print", description = "Print the report of the run.")
    private boolean print;

    @Option(
            names = "--part",
            paramLabel = "N",
            description =
                    "Run to import from a file that holds several, from 1; all: each as a run of its own. Default: the only"
                            + " one; with several, list them and exit with 2.")
    private @Nullable String part;

    @Option(
            names = "--warmup",
            paramLabel = "HOW",
            defaultValue = "untracked",
            description =
                    "Requests that the tool leaves out as warm-up. untracked: in the run, but in no series; drop: left out;"
                            + " keep: as any other. Default: ${DEFAULT-VALUE}.")
    private Warmup warmup = Warmup.UNTRACKED;

    @Option(
            names = "--end",
            paramLabel = "END",
            defaultValue = "headline",
            description =
                    "End of a request where a file has two. headline: where the tool's own latency ends; stream: the end of the"
                            + " response stream. Default: ${DEFAULT-VALUE}.")
    private End end = End.HEADLINE;

    @Option(
            names = "--text",
            paramLabel = "HOW",
            defaultValue = "keep",
            description =
                    "Prompts and answers. keep: write them to the journal; drop: leave them out. Default: ${DEFAULT-VALUE}.")
    private Text text = Text.KEEP;

    @Option(
            names = "--inputs",
            paramLabel = "FILE",
            description = "File of prompts that belongs to the results, such as AIPerf's inputs.json. Default: none.")
    private @Nullable Path inputs;

    @Option(
            names = "--tokenizer",
            paramLabel = "PATH",
            description =
                    "Tokenizer that counts the texts of the file: a tokenizer.json, its directory, or the name of a model in the"
                            + " local hub cache. Default: none; only the tool's own token counts are known.")
    private @Nullable String tokenizer;

    @Option(
            names = "--node",
            paramLabel = "NAME",
            description = "Host that the tool ran on, for the run's environment. Default: unknown.")
    private @Nullable String node;

    @Option(names = "--strict", description = "Exit with 6 if a record was skipped.")
    private boolean strict;

    @Mixin
    private FailureOptions failures = new FailureOptions();

    @Mixin
    private ImportFormatOptions formatOptions = new ImportFormatOptions();

    private @Nullable ImportSource reading;
    private boolean isQuiet;

    /** The names of all formats, for help and completion. */
    static final class FormatNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.concat(Stream.of("auto"), Formats.ALL.stream().map(ImportFormat::name))
                    .iterator();
        }
    }

    @Override
    public Integer call() throws IOException {
        ImportTarget target = new ImportTarget(journal, outputDirectory, summary, print, tokenizer, node, failures);
        target.require();
        if (isQuiet) {
            target.quiet();
        }
        if (inputs != null && !Files.isReadable(inputs)) {
            throw new NoSuchFileException(inputs.toString());
        }
        List<ImportSource> sources = new ArrayList<>();
        boolean imported = false;
        try {
            for (String file : files) {
                sources.add(open(file));
            }
            int status = run(sources, target);
            imported = status == 0 || status == ExitStatus.NOT_CLEAN.code();
            return status;
        } catch (OutOfMemoryError e) {
            ImportSource source = reading;
            System.err.println("metrics-aggregator: out of memory (heap of "
                    + (Runtime.getRuntime().maxMemory() >> 20) + " MiB) "
                    + (source == null ? "while the run was written" : "in " + source.name() + ", line " + source.line())
                    + ": set a larger heap, such as METRICS_AGGREGATOR_JAVA_OPTS=-Xmx8g");
            return ExitStatus.OUT_OF_MEMORY.code();
        } finally {
            if (!imported) {
                target.undo();
            }
            for (ImportSource source : sources) {
                source.close();
            }
        }
    }

    /** An import that prints nothing; {@code summary} as the option. */
    static ImportCommand quiet(List<Path> files, Path directory, boolean summary) {
        ImportCommand command = new ImportCommand();
        command.files = files.stream().map(Path::toString).toList();
        command.outputDirectory = directory;
        command.summary = summary;
        command.isQuiet = true;
        return command;
    }

    private static ImportSource open(String file) throws IOException {
        if (file.equals("-")) {
            return ImportSource.of("-", System.in);
        }
        Path path = Path.of(file);
        if (!Files.exists(path)) {
            throw new NoSuchFileException(file);
        }
        if (Files.isDirectory(path)) {
            throw new IOException(file + " is a directory: name the files in it");
        }
        return ImportSource.open(path);
    }

    private int run(List<ImportSource> sources, ImportTarget target) throws IOException {
        for (ImportSource source : sources) {
            if (source.foreign() != null) {
                throw new IllegalArgumentException(source.name() + " " + source.foreign());
            }
        }
        ImportFormat chosen = format(sources.get(0));
        ImportProgress progress = new ImportProgress(sources);
        try (ImportTarget.Folder scratch = target.scratch();
                Importer importer = new Importer(chosen, options(), scratch.path(), progress::tick)) {
            for (ImportSource source : sources) {
                reading = source;
                importer.read(source);
            }
            reading = null;
            List<ImportedPart> parts = importer.finish();
            progress.end();
            requireOne(chosen, importer, parts, sources);
            long skipped = 0;
            int status = 0;
            for (ImportedPart each : parts) {
                Imported imported = importer.describe(each);
                skipped += imported.skippedTotal();
                status = Math.max(status, target.write(each, imported, parts.size() > 1, scratch.path()));
            }
            return status == 0 && strict && skipped > 0 ? ExitStatus.NOT_CLEAN.code() : status;
        }
    }

    private ImportFormat format(ImportSource first) {
        if (format == null || format.equals("auto")) {
            ImportFormat recognised = Formats.recognising(first.head());
            if (recognised == null) {
                String hint = FormatHints.of(first.head());
                throw new IllegalArgumentException("no format recognises " + first.name()
                        + (hint == null ? "; the formats are " + names() : ": it " + hint + cut(first)));
            }
            return recognised;
        }
        ImportFormat named = Formats.named(format.toLowerCase(Locale.ROOT));
        if (named == null) {
            throw new IllegalArgumentException("'" + format + "' is not a format; the formats are auto, " + names());
        }
        return named;
    }

    private static String cut(ImportSource source) {
        return source.isCompressed() && source.head().text().isEmpty()
                ? " after decompression: the gzip file was cut"
                : "";
    }

    private static String names() {
        return Formats.ALL.stream().map(ImportFormat::name).collect(Collectors.joining(", "));
    }

    private ImportOptions options() {
        Map<String, String> settings = new TreeMap<>(formatOptions.values());
        if (summary) {
            settings.put(ImportOptions.SUMMARY, "true");
        }
        return new ImportOptions(
                partNumber(),
                ImportOptions.Warmup.valueOf(warmup.name()),
                ImportOptions.End.valueOf(end.name()),
                text == Text.KEEP,
                inputs,
                settings);
    }

    private int partNumber() {
        if (part == null) {
            return ImportOptions.ANY_PART;
        }
        if (part.equals("all")) {
            return ImportOptions.ALL_PARTS;
        }
        try {
            int number = Integer.parseInt(part);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IllegalArgumentException("--part '" + part + "' is neither all nor a number from 1");
    }

    /** What a file is that a chosen format cannot read, after a semicolon; empty if nothing is known of any. */
    private static String hints(List<ImportSource> sources) {
        return sources.stream()
                .filter(each -> FormatHints.of(each.head()) != null)
                .map(each -> "; " + each.name() + " " + FormatHints.of(each.head()) + cut(each))
                .collect(Collectors.joining());
    }

    private void requireOne(
            ImportFormat chosen, Importer importer, List<ImportedPart> parts, List<ImportSource> sources) {
        List<String> labels = importer.labels();
        if (labels.size() > 1 && part == null) {
            StringBuilder list = new StringBuilder();
            for (int i = 0; i < labels.size(); i++) {
                list.append(i == 0 ? "" : "; ")
                        .append(i + 1)
                        .append(": ")
                        .append(Printable.escape(labels.get(i), TEXT_MAX));
            }
            throw new IllegalArgumentException("the file holds " + labels.size()
                    + " runs: choose one with --part N, or --part all. They are " + list);
        }
        if (!parts.isEmpty()) {
            return;
        }
        if (part != null && !labels.isEmpty()) {
            throw new IllegalArgumentException(
                    "--part " + part + " holds nothing to import; the file has " + labels.size() + " parts");
        }
        Map<String, Long> skipped = importer.skipped();
        throw new IllegalArgumentException("nothing in " + files + " can be imported as " + chosen.name()
                + (skipped.isEmpty() ? "" : ": skipped " + counts(skipped)) + hints(sources)
                + (chosen.summarisesRequests() && !summary ? "; --summary imports the tool's own figures" : ""));
    }

    /** Counts by reason as text, such as {@code 3 truncated, 1 malformed_json}. */
    static String counts(Map<String, Long> counts) {
        return new LinkedHashMap<>(counts)
                .entrySet().stream()
                        .map(each -> String.format(
                                Locale.ROOT, "%,d %s", each.getValue(), Printable.escape(each.getKey(), TEXT_MAX)))
                        .collect(Collectors.joining(", "));
    }
}
