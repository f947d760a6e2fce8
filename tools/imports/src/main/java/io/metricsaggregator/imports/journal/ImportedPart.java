package io.metricsaggregator.imports.journal;

import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.SummarySeries;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.snapshot.figures.Imported;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One run of an import: its events in temporary files, and what else was read of it. Memory: 32 MiB for the order of events, 16 bytes for
 * each id, and the values that the tool's figures are recomputed from ({@link Values#KEPT_MAX} a series). One thread.
 */
public final class ImportedPart implements Closeable {
    private final @Nullable String label;
    private final String format;
    private final ImportOptions options;
    private final RequestEvents events;
    private final Verifier verifier = new Verifier();
    private final RequestTimes times = new RequestTimes(reason -> skipped(reason, 1));
    private final IdSet ids = new IdSet();
    private final Map<String, Long> skipped = new TreeMap<>();
    private final Map<String, String> unknowable = new LinkedHashMap<>();
    private final Map<String, Object> toolFigures = new LinkedHashMap<>();
    private final List<SummarySeries> summaries = new ArrayList<>();
    private final Map<String, Long> summaryCounters = new LinkedHashMap<>();
    private @Nullable SourceKind kind;
    private SourceKind otherwise = SourceKind.AGGREGATES;
    private @Nullable String toolVersion;
    private boolean unusable;
    private @Nullable String interrupted;
    private @Nullable Long startedWallNanos;
    private @Nullable Long endedWallNanos;
    private long requests;
    private long records;
    private long open;
    private long startUnknown;
    private long endUnknown;
    private long renamed;

    ImportedPart(@Nullable String label, String format, Path scratch, ImportOptions options) throws IOException {
        this.label = label;
        this.format = format;
        this.options = options;
        this.events = new RequestEvents(scratch, options);
    }

    void kind(SourceKind of) {
        kind = kind == null ? of : kind.and(of);
    }

    /** Sets the kind that counts if the reader tells none for this part: what it told for all parts, or for the one before. */
    void kindUnlessTold(SourceKind of) {
        otherwise = of;
    }

    void toolVersion(String version) {
        toolVersion = version;
    }

    void request(ImportedRequest request) throws IOException {
        if (request.isWarmup() && options.warmup() == ImportOptions.Warmup.DROP) {
            skipped("warmup_dropped", 1);
            return;
        }
        for (ImportedRequest each : times.take(request)) {
            settled(each);
        }
    }

    private void settled(ImportedRequest request) throws IOException {
        String reason = times.settle(request);
        if (reason != null) {
            skipped(reason, 1);
            return;
        }
        requests++;
        String id = request.id();
        if (id == null || id.isEmpty() || !ids.add(id)) {
            renamed += id == null || id.isEmpty() ? 0 : 1;
            id = String.format(java.util.Locale.ROOT, "%s-%09d", format, requests);
        }
        switch (request.outcome()) {
            case SUCCEEDED -> {}
            case FAILED -> endUnknown += request.endNanos() == null ? 1 : 0;
            case OPEN -> open++;
        }
        if (request.unreadableMessages() > 0) {
            skipped("message_unreadable", request.unreadableMessages());
        }
        if (!request.isStartUnknown()) {
            events.add(request, id);
            verifier.add(request);
        } else if (events.addUnplaced(request, id)) {
            startUnknown++;
        } else {
            requests--;
            endUnknown--;
            skipped("start_unknown", 1);
        }
    }

    /** Ends reading: the events can be visited from now on. */
    void seal() throws IOException {
        for (ImportedRequest each : times.end()) {
            settled(each);
        }
        events.seal();
    }

    void record(byte[] payload, @Nullable Long nanos, boolean issue) throws IOException {
        records++;
        requests += issue ? 1 : 0;
        events.add(payload, nanos);
    }

    void skipped(String reason, long number) {
        skipped.merge(reason, number, Long::sum);
    }

    void unknowable(String name, String reason) {
        unknowable.put(name, reason);
    }

    void interrupted(String why) {
        interrupted = why;
    }

    void dates(long startNanos, @Nullable Long endNanos) {
        startedWallNanos = startNanos;
        endedWallNanos = endNanos;
    }

    /** When the run began by the word of its files, in nanoseconds since 1970 UTC; null if they do not say, or only by the times of requests. */
    @Nullable
    Long startedWallNanos() {
        return startedWallNanos;
    }

    /** When the run ended by the word of its files, as {@link #startedWallNanos}. */
    @Nullable
    Long endedWallNanos() {
        return endedWallNanos;
    }

    /** Whether the tool was stopped before its end. */
    boolean isInterrupted() {
        return interrupted != null;
    }

    void toolFigure(String name, Object value) {
        toolFigures.put(name, value);
    }

    void value(String series, double value) {
        verifier.add(series, value);
    }

    void check(ToolCheck check) {
        toolFigures.putIfAbsent(check.name(), check.expected());
        verifier.check(check);
    }

    void summary(SummarySeries series) {
        String reason = series.unusable();
        if (reason == null) {
            summaries.add(series);
        } else {
            unknowable(series.name(), reason);
            unusable = true;
        }
    }

    void summaryCounter(String name, long value) {
        summaryCounters.put(name, value);
    }

    /** What tells this run from others in the file; null for the only one. */
    public @Nullable String label() {
        return label;
    }

    /** How much the files say of each request; {@link SourceKind#AGGREGATES} if they hold no request. */
    public SourceKind kind() {
        return kind == null ? otherwise : kind;
    }

    /** Requests and records taken over. */
    public long size() {
        return Math.max(requests, records);
    }

    /** Series that the tool has summarised. */
    public List<SummarySeries> summaries() {
        return List.copyOf(summaries);
    }

    /** Counters that the tool has summarised. */
    public Map<String, Long> summaryCounters() {
        return Map.copyOf(summaryCounters);
    }

    /** Whether nothing of use was read. */
    public boolean isEmpty() {
        return size() == 0 && summaries.isEmpty() && summaryCounters.isEmpty() && !unusable;
    }

    Map<String, Long> skipped() {
        return skipped;
    }

    boolean holdsRecords() {
        return records > 0;
    }

    RequestEvents events() {
        return events;
    }

    /**
     * Describes the import for journals and snapshots; to be called when all files were read.
     *
     * @param partLabel what tells this run from others in the files; null for the only one
     */
    Imported describe(String tool, @Nullable String partLabel, List<Imported.ImportedFile> files) {
        if (renamed > 0) {
            unknowable.put(
                    "sample_uuid", renamed + " ids of the tool are repeated and were replaced by the request's number");
        }
        UnknownFigures.of(summaries).forEach(unknowable::putIfAbsent);
        return new Imported(
                format,
                tool,
                toolVersion,
                kind().letter(),
                files,
                partLabel,
                requests,
                interrupted,
                skipped,
                open,
                startUnknown,
                endUnknown,
                unknowable,
                toolFigures,
                verifier.verify());
    }

    @Override
    public void close() throws IOException {
        events.close();
    }
}
