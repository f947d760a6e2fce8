package io.metricsaggregator.cli.files;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.cli.console.Terminal;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.codec.RunIds;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.daemon.OutputDirectory;
import io.metricsaggregator.daemon.SnapshotFile;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.journal.ImportedPart;
import io.metricsaggregator.imports.journal.RunFolder;
import io.metricsaggregator.imports.journal.SummarySnapshot;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.options.FailureOptions;
import io.metricsaggregator.options.TokenizerOption;
import io.metricsaggregator.publish.ExitStatus;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.run.ImportedRun;
import io.metricsaggregator.run.JournalReplay;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.Imported;
import io.metricsaggregator.tokens.TransformersVersion;
import io.metricsaggregator.transport.LockFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes imported runs where the command wants them, and prints what was imported. One thread. */
final class ImportTarget {
    private final @Nullable Path journal;
    private final @Nullable Path outputDirectory;
    private final boolean summary;
    private final boolean print;
    private boolean isQuiet;
    private final @Nullable String tokenizer;
    private final @Nullable String node;
    private final List<Path> written = new ArrayList<>();
    private final FailureOptions failures;
    private int runs;

    ImportTarget(
            @Nullable Path journal,
            @Nullable Path outputDirectory,
            boolean summary,
            boolean print,
            @Nullable String tokenizer,
            @Nullable String node,
            FailureOptions failures) {
        this.journal = journal;
        this.outputDirectory = outputDirectory;
        this.summary = summary;
        this.print = print;
        this.tokenizer = tokenizer;
        this.node = node;
        this.failures = failures;
    }

    /** A folder that is deleted with everything in it. */
    record Folder(Path path) implements Closeable {
        @Override
        public void close() throws IOException {
            delete(path);
        }
    }

    private static void delete(Path path) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> content = Files.walk(path)) {
            for (Path each : content.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }

    /** Deletes the runs that a failed import has written. What cannot be deleted stays, since the failure has another cause. */
    void undo() {
        for (Path each : written) {
            try {
                delete(each);
            } catch (IOException e) {
                System.err.println("metrics-aggregator: cannot delete " + each + " of the failed import: " + e);
            }
        }
        written.clear();
    }

    /**
     * Checks that the options name a place for the run.
     *
     * @throws IllegalArgumentException if they do not
     */
    void require() {
        if (journal == null && outputDirectory == null && !summary && !print) {
            throw new IllegalArgumentException(
                    "--journal DIR, --output-dir DIR or --print is missing: say where the run goes");
        }
        if (summary && journal != null) {
            throw new IllegalArgumentException("--summary has no requests to write to a --journal: use --output-dir");
        }
        if (node != null && node.indexOf('\n') >= 0) {
            throw new IllegalArgumentException("--node is not one line");
        }
    }

    /** Prints nothing of what was imported. */
    void quiet() {
        isQuiet = true;
    }

    /** Creates a folder for temporary files beside the output, since the default folder may be small or in memory. */
    Folder scratch() throws IOException {
        Path beside = journal != null ? journal : outputDirectory;
        if (beside == null) {
            return new Folder(Files.createTempDirectory("metrics-aggregator-import-"));
        }
        if (journal != null) {
            JournalDirectory.open(journal);
        } else {
            OutputDirectory.create(beside);
        }
        return new Folder(Files.createTempDirectory(beside.toAbsolutePath(), ".import-"));
    }

    /**
     * Writes one run.
     *
     * @param several whether the import has more than one
     * @return the exit status
     */
    int write(ImportedPart part, Imported imported, boolean several, Path scratch) throws IOException {
        runs++;
        boolean aggregates = part.kind() == SourceKind.AGGREGATES;
        if (aggregates != summary) {
            throw new IllegalArgumentException(
                    aggregates
                            ? "the file has figures of the whole run and no requests: import it with --summary --output-dir DIR"
                            : "the file has requests: import it with --journal DIR or --output-dir DIR, without --summary");
        }
        StringBuilder out = new StringBuilder(ImportText.of(imported));
        MetricsSnapshot snapshot =
                aggregates ? failures.stateIn(summarised(part, imported)) : recorded(part, imported, scratch, out);
        if (snapshot != null && print) {
            out.append(ReportFormat.TEXT.render(Report.of(snapshot), Terminal.isUtf8(), Terminal.columns()));
        }
        if (snapshot != null && outputDirectory != null) {
            Path file = save(snapshot, several ? outputDirectory.resolve("part-" + runs) : outputDirectory);
            if (file == null) {
                return ExitStatus.NOT_DURABLE.code();
            }
            out.append(file).append('\n');
        }
        // At the end, so that a run that fails prints nothing.
        if (!isQuiet) {
            Terminal.print(out.toString());
        }
        return 0;
    }

    private @Nullable Path save(MetricsSnapshot snapshot, Path directory) throws IOException {
        boolean isNew = !Files.exists(directory);
        if (isNew) {
            written.add(directory);
        }
        Path file = SnapshotFile.write(snapshot, directory);
        if (file != null && !isNew) {
            written.add(file);
        }
        return file;
    }

    private MetricsSnapshot summarised(ImportedPart part, Imported imported) {
        return SummarySnapshot.of(part, imported, RunIds.random(), Version.text(), environment());
    }

    private Map<String, String> environment() {
        return node == null ? Map.of() : Map.of("host", node);
    }

    /** Writes the journal and returns the snapshot that a replay of it yields; null if nothing needs it. */
    @SuppressWarnings("try") // the lock is held, not used
    private @Nullable MetricsSnapshot recorded(ImportedPart part, Imported imported, Path scratch, StringBuilder out)
            throws IOException {
        TokenizerOption.Loaded loaded =
                tokenizer == null ? null : TokenizerOption.load(tokenizer, TransformersVersion.DEFAULT);
        RunConfig config = RunConfig.builder()
                .version(Version.text())
                .tokenizer(loaded == null ? null : loaded.settings())
                .maxFailed(failures.build())
                .build();
        Long wall = RunFolder.startedWallNanos(part);
        String id = RunIds.random();
        long started = wall == null ? 0 : wall;
        JournalDirectory directory =
                JournalDirectory.open(journal == null ? scratch.resolve("journal-" + runs) : journal);
        Path folder;
        try (LockFile lock = LockFile.acquire(directory.path().resolve(".journal.lock"))) {
            folder = RunFolder.write(
                    part, directory, id, started, ImportedRun.describe(config, id, started, imported, environment()));
        }
        if (journal != null) {
            written.add(folder);
            out.append(folder).append('\n');
        }
        if (outputDirectory == null && !print) {
            return null;
        }
        JournalReplay replay = JournalReplay.open(folder);
        return replay.compute(
                replay.recorded(),
                RunResources.ofReplay(
                        loaded == null
                                ? null
                                : loaded.resource(Runtime.getRuntime().availableProcessors(), null),
                        Runtime.getRuntime().maxMemory()));
    }
}
