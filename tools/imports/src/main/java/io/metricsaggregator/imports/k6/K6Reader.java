package io.metricsaggregator.imports.k6;

import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.json.JsonLines;
import io.metricsaggregator.imports.read.Rfc3339;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one import of k6. The lines of a request are one unbroken run that begins with {@code http_reqs}; all have the request's end as
 * their time, and the same tags. Lines that declare a metric may stand between them. Memory: the events of the requests in flight.
 */
final class K6Reader implements FormatReader {
    private final K6Options options;
    private final K6Events events;
    private @Nullable K6Request run;
    private boolean any;
    private boolean everyChunk = true;

    K6Reader(K6Options options) {
        this.options = options;
        this.events = new K6Events(options);
    }

    @Override
    public void read(ImportSource source, ImportSink sink) throws IOException {
        JsonLines lines = new JsonLines(source.text(), sink::skipped);
        for (JsonFields line = lines.next(); line != null; line = lines.next()) {
            try {
                if ("Point".equals(line.text("type"))) {
                    point(line, sink);
                }
            } catch (InvalidField e) {
                endRun(sink);
                sink.skipped(e.reason());
            }
        }
        endRun(sink);
        if (lines.notNumbers() > 0) {
            sink.skipped("values_not_a_number", lines.notNumbers());
        }
    }

    @Override
    public void finish(ImportSink sink) throws IOException {
        if (!events.handOpen(sink) && !any) {
            return;
        }
        sink.kind(everyChunk ? SourceKind.CHUNKS : SourceKind.TIMES);
        if (!everyChunk) {
            sink.unknowable("chunk_delta_ns", "k6 does not measure single chunks; its extension xk6-sse does");
            if (!options.firstByte()) {
                sink.unknowable(
                        "ttft_ns", "k6 measures the first byte, not the first token: --first-byte takes it for one");
            }
        }
        sink.unknowable("interrupted", "k6 writes no mark of a run that was cut short");
        sink.unknowable("usage", "the file has no token counts");
        sink.unknowable("finish_reason", "the file has none");
        sink.unknowable("schedule_slip_ns", "the file has no due times");
    }

    private void point(JsonFields line, ImportSink sink) throws IOException, InvalidField {
        String metric = line.text("metric");
        JsonFields data = line.requiredObject("data");
        if (metric == null || !(metric.startsWith("http_req") || metric.equals("sse_event"))) {
            endRun(sink);
            return;
        }
        String time = data.text("time");
        JsonFields tags = data.objectOrEmpty("tags");
        if (metric.equals("http_reqs")) {
            endRun(sink);
            run = new K6Request(time, tags, key(data, tags));
            return;
        }
        BigDecimal value = data.number("value");
        if (value == null) {
            throw new InvalidField("value", "missing");
        }
        if (run != null && run.belongs(time, tags)) {
            run.measure(metric, value);
            return;
        }
        endRun(sink);
        if (!hasTags(tags)) {
            return;
        }
        String key = key(data, tags);
        if (metric.equals("sse_event")) {
            events.event(key, Rfc3339.nanos(time, "time"), sink);
        } else if (metric.equals("http_req_sending") && key != null) {
            events.opened(key, Rfc3339.nanos(time, "time"), sink);
        } else {
            sink.skipped("point_without_request");
        }
    }

    /** What ties the events of a response to its request: the script's own mark, or the virtual user and its iteration; null for none. */
    private static @Nullable String key(JsonFields data, JsonFields tags) throws InvalidField {
        JsonFields metadata = data.objectOrEmpty("metadata");
        String sample = either(metadata, tags, "sample");
        if (sample != null) {
            return "sample " + sample;
        }
        String user = either(metadata, tags, "vu");
        String iteration = either(metadata, tags, "iter");
        return user == null ? null : "vu " + user + " iter " + iteration;
    }

    private static @Nullable String either(JsonFields metadata, JsonFields tags, String name) {
        String value = metadata.textOfAny(name);
        return value == null ? tags.textOfAny(name) : value;
    }

    private boolean hasTags(JsonFields tags) {
        for (Map.Entry<String, String> wanted : options.tags().entrySet()) {
            if (!wanted.getValue().equals(tags.textOfAny(wanted.getKey()))) {
                return false;
            }
        }
        return true;
    }

    private void endRun(ImportSink sink) throws IOException {
        K6Request ended = run;
        run = null;
        if (ended == null || !hasTags(ended.tags())) {
            return;
        }
        try {
            boolean chunks = ended.hand(sink, options, events);
            any = true;
            everyChunk &= chunks;
        } catch (InvalidField e) {
            sink.skipped(e.reason());
        }
    }
}
