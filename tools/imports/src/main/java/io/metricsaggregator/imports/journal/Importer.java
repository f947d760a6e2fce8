package io.metricsaggregator.imports.journal;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.SummarySeries;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.snapshot.figures.Imported;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the files of one import through its format and collects its runs. One thread. */
public final class Importer implements Closeable {
    private static final int PROGRESS_EVERY = 256;
    /** Records that may be skipped at the start of an input that may be endless. */
    private static final long USELESS_MAX = 1_000_000;

    private static final String TRUNCATED = "truncated";

    private final ImportFormat format;
    private final ImportOptions options;
    private final Path scratch;
    private final FormatReader reader;
    private final Runnable progress;
    private final Collector collector = new Collector();
    private final List<ImportedPart> parts = new ArrayList<>();
    private final List<String> labels = new ArrayList<>();
    private final List<Imported.ImportedFile> files = new ArrayList<>();
    private final EventDecoder decoder = new EventDecoder();
    private final DecodedEvent event = new DecodedEvent();

    /**
     * Starts an import.
     *
     * @param scratch folder of temporary files, which need about as much room as the files without their texts
     * @param progress called now and then while a file is read
     */
    public Importer(ImportFormat format, ImportOptions options, Path scratch, Runnable progress) {
        this.format = format;
        this.options = options;
        this.scratch = scratch;
        this.reader = format.reader(options);
        this.progress = progress;
    }

    /**
     * Reads one file.
     *
     * @throws IOException if it cannot be read, or a temporary file cannot be written; the message names the file
     */
    public void read(ImportSource source) throws IOException {
        collector.begin(source);
        try {
            reader.read(source, collector);
            String sha256 = source.sha256();
            collector.damaged(source);
            files.add(new Imported.ImportedFile(source.name(), source.bytes(), sha256));
        } catch (IOException e) {
            throw new IOException(source.name() + ": " + e.getMessage(), e);
        } catch (UncheckedIOException e) {
            Throwable cause = e.getCause();
            throw new IOException(source.name() + ": " + (cause == null ? e : cause).getMessage(), e);
        }
    }

    /** Ends reading and returns the wanted runs, without those that hold nothing. They are closed with this object. */
    public List<ImportedPart> finish() throws IOException {
        reader.finish(collector);
        for (ImportedPart part : parts) {
            part.seal();
        }
        return parts.stream().filter(part -> !part.isEmpty()).toList();
    }

    /** The labels of all parts of the files, wanted or not; empty for files of one run. */
    public List<String> labels() {
        return List.copyOf(labels);
    }

    /** Records skipped in all runs, by reason. */
    public Map<String, Long> skipped() {
        Map<String, Long> all = new TreeMap<>();
        parts.forEach(part -> part.skipped().forEach((reason, number) -> all.merge(reason, number, Long::sum)));
        return all;
    }

    /** Describes a run for its journal and snapshot. */
    public Imported describe(ImportedPart part) {
        return part.describe(format.tool(), labels.size() > 1 ? part.label() : null, files);
    }

    @Override
    public void close() throws IOException {
        IOException failed = null;
        for (ImportedPart part : parts) {
            try {
                part.close();
            } catch (IOException e) {
                failed = e;
            }
        }
        if (failed != null) {
            throw failed;
        }
    }

    /** Hands everything to the current part; drops what belongs to a part that is not wanted. */
    private final class Collector implements ImportSink {
        private @Nullable ImportedPart current;
        private boolean wanted = true;
        private long received;
        private long useless;
        private boolean mayBeEndless;
        private boolean truncated;
        private @Nullable SourceKind kind;
        private @Nullable String toolVersion;

        void begin(ImportSource source) {
            mayBeEndless = source.mayBeEndless();
            useless = 0;
            truncated = false;
        }

        /** Counts the damage of a compression; a reader that met the cut within a record has counted it. */
        void damaged(ImportSource source) {
            source.damage().forEach((reason, number) -> {
                if (!reason.equals(TRUNCATED) || !truncated) {
                    skipped(reason, number);
                }
            });
        }

        private @Nullable ImportedPart current() throws IOException {
            if (!wanted) {
                return null;
            }
            if (current == null) {
                current = open(null);
            }
            return current;
        }

        private ImportedPart open(@Nullable String label) throws IOException {
            ImportedPart part = new ImportedPart(label, format.name(), scratch, options);
            parts.add(part);
            if (kind != null && label == null) {
                part.kind(kind);
            } else if (kind != null) {
                part.kindUnlessTold(kind);
            }
            if (toolVersion != null) {
                part.toolVersion(toolVersion);
            }
            return part;
        }

        private ImportedPart orFirst() {
            try {
                ImportedPart part = current();
                return part == null ? parts.get(parts.size() - 1) : part;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public boolean part(String label) throws IOException {
            labels.add(label);
            int number = labels.size();
            wanted = options.part() == ImportOptions.ALL_PARTS
                    || number == (options.part() == ImportOptions.ANY_PART ? 1 : options.part());
            if (wanted) {
                current = open(label);
            }
            return wanted;
        }

        @Override
        public void kind(SourceKind of) {
            kind = of;
            if (wanted && current != null) {
                current.kind(of);
            }
        }

        @Override
        public void toolVersion(String version) {
            toolVersion = version;
            if (wanted && current != null) {
                current.toolVersion(version);
            }
        }

        @Override
        public void request(ImportedRequest request) throws IOException {
            ImportedPart part = current();
            if (part != null) {
                part.request(request);
            }
            mayBeEndless = false;
            tell();
        }

        @Override
        public void record(byte[] payload) throws IOException {
            ImportedPart part = current();
            if (part != null) {
                part.record(payload, nanos(payload), isIssue());
            }
            mayBeEndless = false;
            tell();
        }

        private @Nullable Long nanos(byte[] payload) {
            boolean known = decoder.decode(ByteBuffer.wrap(payload), 0, payload.length, event) == null
                    && event.type() != null
                    && event.hasTimestamp();
            return known ? (Long) event.timestampNanos() : null;
        }

        /** Whether the record decoded last is the issue of a sample. */
        private boolean isIssue() {
            return event.type() == EventType.SAMPLE_ISSUED;
        }

        private void tell() {
            if (++received % PROGRESS_EVERY == 0) {
                progress.run();
            }
        }

        @Override
        public void skipped(String reason) {
            skipped(reason, 1);
        }

        @Override
        public void skipped(String reason, long number) {
            truncated |= reason.equals(TRUNCATED);
            useless += number;
            if (mayBeEndless && useless > USELESS_MAX) {
                throw new UncheckedIOException(new IOException(
                        "more than " + USELESS_MAX + " records and none of use: an endless input cannot be imported"));
            }
            if (wanted) {
                orFirst().skipped(reason, number);
            }
            tell();
        }

        @Override
        public void unknowable(String name, String reason) {
            if (wanted) {
                orFirst().unknowable(name, reason);
            }
        }

        @Override
        public void interrupted(String why) {
            if (wanted) {
                orFirst().interrupted(why);
            }
        }

        @Override
        public void dates(long startNanos, @Nullable Long endNanos) {
            if (wanted) {
                orFirst().dates(startNanos, endNanos);
            }
        }

        @Override
        public void toolFigure(String name, Object value) {
            if (wanted) {
                orFirst().toolFigure(name, value);
            }
        }

        @Override
        public void value(String series, double value) {
            if (wanted) {
                orFirst().value(series, value);
            }
        }

        @Override
        public void check(ToolCheck check) {
            if (wanted) {
                orFirst().check(check);
            }
        }

        @Override
        public void summary(SummarySeries series) {
            if (wanted) {
                orFirst().summary(series);
            }
        }

        @Override
        public void summaryCounter(String name, long value) {
            if (wanted) {
                orFirst().summaryCounter(name, value);
            }
        }
    }
}
