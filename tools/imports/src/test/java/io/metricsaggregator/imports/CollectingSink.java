package io.metricsaggregator.imports;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventRecordCodec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Keeps what a reader hands over, for tests of formats. */
public final class CollectingSink implements ImportSink {
    public final List<ImportedRequest> requests = new ArrayList<>();
    public final List<byte[]> records = new ArrayList<>();
    public final List<String> parts = new ArrayList<>();
    public final Map<String, Long> skipped = new TreeMap<>();
    public final Map<String, String> unknowable = new TreeMap<>();
    public final Map<String, Object> figures = new LinkedHashMap<>();
    public final Map<String, List<Double>> values = new TreeMap<>();
    public final List<ToolCheck> checks = new ArrayList<>();
    public final List<SummarySeries> summaries = new ArrayList<>();
    public final Map<String, Long> summaryCounters = new TreeMap<>();
    public @Nullable SourceKind kind;
    public @Nullable String toolVersion;
    public @Nullable String interrupted;
    public @Nullable Long startedWallNanos;

    /** Reads a text as a file of {@code format}. */
    public static CollectingSink read(ImportFormat format, String text) throws IOException {
        return read(format, ImportOptions.DEFAULT, text);
    }

    /** Reads texts as files of {@code format}, in this order. */
    public static CollectingSink read(ImportFormat format, ImportOptions options, String... texts) throws IOException {
        CollectingSink sink = new CollectingSink();
        FormatReader reader = format.reader(options);
        for (String text : texts) {
            reader.read(source(text), sink);
        }
        reader.finish(sink);
        return sink;
    }

    /** A source with this content. */
    public static ImportSource source(String text) throws IOException {
        return ImportSource.of("test", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** The records, decoded. */
    public List<EventRecord> events() throws IOException {
        List<EventRecord> events = new ArrayList<>();
        for (byte[] each : records) {
            try {
                events.add(new EventRecordCodec().decode(ByteBuffer.wrap(each)));
            } catch (io.metricsaggregator.codec.MalformedMessageException e) {
                throw new IOException(e);
            }
        }
        return events;
    }

    @Override
    public void kind(SourceKind of) {
        kind = kind == null ? of : kind.and(of);
    }

    @Override
    public void toolVersion(String version) {
        toolVersion = version;
    }

    @Override
    public boolean part(String label) {
        parts.add(label);
        return true;
    }

    @Override
    public void request(ImportedRequest request) {
        requests.add(request);
    }

    @Override
    public void record(byte[] payload) {
        records.add(payload);
    }

    @Override
    public void skipped(String reason) {
        skipped(reason, 1);
    }

    @Override
    public void skipped(String reason, long number) {
        skipped.merge(reason, number, Long::sum);
    }

    @Override
    public void unknowable(String name, String reason) {
        unknowable.put(name, reason);
    }

    @Override
    public void interrupted(String why) {
        interrupted = why;
    }

    @Override
    public void dates(long startNanos, @Nullable Long endNanos) {
        startedWallNanos = startNanos;
    }

    @Override
    public void toolFigure(String name, Object value) {
        figures.put(name, value);
    }

    @Override
    public void value(String series, double value) {
        values.computeIfAbsent(series, name -> new ArrayList<>()).add(value);
    }

    @Override
    public void check(ToolCheck check) {
        checks.add(check);
    }

    @Override
    public void summary(SummarySeries series) {
        summaries.add(series);
    }

    @Override
    public void summaryCounter(String name, long value) {
        summaryCounters.put(name, value);
    }
}
