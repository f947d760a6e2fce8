package io.metricsaggregator.imports.vllm;

import io.metricsaggregator.event.ModelText;
import io.metricsaggregator.event.TextModelOutput;
import io.metricsaggregator.event.server.ServerKey;
import io.metricsaggregator.event.server.ServerTimes;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedUsage;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.read.DecimalColumn;
import io.metricsaggregator.imports.read.DecimalRows;
import io.metricsaggregator.imports.read.ErrorTypes;
import io.metricsaggregator.json.InvalidJson;
import io.metricsaggregator.json.JsonCursor;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run of the vLLM benchmark. Its file keeps one array per quantity, so the run is in memory until its object ends. Belongs to one read.
 */
final class VllmRun {
    private final ImportSink sink;
    private final ImportOptions options;
    private final Map<String, @Nullable Object> settings = new LinkedHashMap<>();
    private final DecimalColumn inputLens = new DecimalColumn();
    private final DecimalColumn outputLens = new DecimalColumn();
    private final DecimalColumn ttfts = new DecimalColumn();
    private final DecimalColumn latencies = new DecimalColumn();
    private final DecimalColumn startTimes = new DecimalColumn();
    private final DecimalColumn queueTimes = new DecimalColumn();
    private final DecimalColumn serverQueueTimes = new DecimalColumn();
    private final DecimalColumn serverTtfts = new DecimalColumn();
    private final DecimalRows itls = new DecimalRows();
    private final List<@Nullable String> texts = new ArrayList<>();
    private final List<@Nullable String> errors = new ArrayList<>();

    VllmRun(ImportSink sink, ImportOptions options) {
        this.sink = sink;
        this.options = options;
    }

    /** Reads the run at the cursor. */
    void read(JsonCursor cursor) throws IOException, InvalidJson {
        while (cursor.nextField()) {
            switch (cursor.name()) {
                case "input_lens" -> inputLens.readArray(cursor);
                case "output_lens" -> outputLens.readArray(cursor);
                case "ttfts" -> ttfts.readArray(cursor);
                case "latencies" -> latencies.readArray(cursor);
                case "start_times" -> startTimes.readArray(cursor);
                case "queue_times" -> queueTimes.readArray(cursor);
                case "server_queue_times" -> serverQueueTimes.readArray(cursor);
                case "server_ttfts" -> serverTtfts.readArray(cursor);
                case "itls" -> itls.readArrays(cursor);
                case "generated_texts" -> cursor.readTexts(options.keepTexts() ? texts : null);
                case "errors" -> cursor.readTexts(errors);
                default -> settings.put(cursor.name(), cursor.value());
            }
        }
    }

    /** Hands the run to the sink. */
    void hand() throws IOException {
        JsonFields fields = new JsonFields(settings);
        if (!sink.part(fields.label("date", "label", "backend", "request_rate", "max_concurrency", "num_prompts"))) {
            return;
        }
        VllmFigures figures = new VllmFigures(sink, fields);
        int requests = requests();
        if (requests == 0 || options.summary()) {
            sink.kind(SourceKind.AGGREGATES);
            figures.summarise();
            return;
        }
        boolean timeline = startTimes.size() > 0;
        boolean chunks = itls.rows() > 0;
        sink.kind(!timeline ? SourceKind.DURATIONS : chunks ? SourceKind.CHUNKS : SourceKind.TIMES);
        sink.unknowable("finish_reason", "the file has none");
        sink.unknowable("prompt", "the file has none");
        sink.unknowable("wall_time", "the file has only a local date without a zone");
        if (!chunks) {
            sink.unknowable("chunk_delta_ns", "the file has no times between chunks");
        }
        for (int i = 0; i < requests; i++) {
            try {
                request(i, timeline);
            } catch (InvalidField e) {
                sink.skipped(e.reason());
            }
        }
        figures.check(ttfts.size() > 0, chunks);
    }

    /** The times that the server measured of a request; null without any. An invalid one is counted, and costs no request. */
    private @Nullable ServerTimes server(int i) {
        ServerTimes queue = with(null, ServerKey.QUEUE_NS, serverQueueTimes, i, "server_queue_times");
        return with(queue, ServerKey.TTFT_NS, serverTtfts, i, "server_ttfts");
    }

    private @Nullable ServerTimes with(
            @Nullable ServerTimes times, ServerKey key, DecimalColumn column, int i, String name) {
        try {
            BigDecimal seconds = column.number(i, name);
            if (seconds == null) {
                return times;
            }
            long nanos = DecimalRows.nanos(seconds, name);
            if (nanos < 0) {
                throw new InvalidField(name, "negative");
            }
            return (times == null ? ServerTimes.from(ServerTimes.Source.BODY) : times).with(key, nanos);
        } catch (InvalidField e) {
            sink.skipped(e.reason());
            return times;
        }
    }

    /** The length of the longest array: where others are shorter, their values are unknown. */
    private int requests() {
        if (ttfts.size() == 0 && latencies.size() == 0) {
            return 0;
        }
        int longest = Math.max(Math.max(itls.rows(), errors.size()), texts.size());
        for (DecimalColumn column : List.of(ttfts, latencies, startTimes, inputLens, outputLens)) {
            longest = Math.max(longest, column.size());
        }
        return longest;
    }

    private void request(int i, boolean timeline) throws IOException, InvalidField {
        String error = i < errors.size() ? errors.get(i) : "";
        boolean failed = error != null && !error.isEmpty();
        BigDecimal start = timeline ? startTimes.number(i, "start_times") : BigDecimal.ZERO;
        if (start == null && !failed) {
            throw new InvalidField("start_times", "missing");
        }
        start = start == null ? BigDecimal.ZERO : start;
        long issued = DecimalRows.nanos(start, "start_times");
        ImportedRequest request = (timeline ? ImportedRequest.issuedAt(issued) : ImportedRequest.issuedAfter(issued))
                .usage(usage(i))
                .server(server(i));
        BigDecimal queued = timeline ? queueTimes.number(i, "queue_times") : null;
        if (queued != null) {
            request.scheduledAt(DecimalRows.nanos(start.subtract(queued), "queue_times"));
        }
        BigDecimal ttft = ttfts.number(i, "ttfts");
        BigDecimal latency = latencies.number(i, "latencies");
        boolean first = ttft != null && ttft.signum() > 0;
        long[] chunks = first ? itls.chunks(i, start.add(ttft), "itls") : new long[0];
        request.chunksAt(chunks);
        if (error != null && failed) {
            // The tool writes a latency of 0 or none for a failed request.
            request.failedAt(null, ErrorTypes.of(error), error.strip());
        } else if (latency != null && latency.signum() > 0) {
            request.succeededAt(DecimalRows.nanos(start.add(latency), "latencies"));
        } else if (chunks.length > 0) {
            request.succeededAt(chunks[chunks.length - 1]);
        } else {
            throw new InvalidField("latencies", "missing");
        }
        String text = i < texts.size() ? texts.get(i) : null;
        if (text != null && !text.isEmpty()) {
            request.output(new TextModelOutput(new ModelText.Whole(text), null, null));
        }
        sink.request(request);
    }

    private @Nullable ImportedUsage usage(int i) throws InvalidField {
        return ImportedUsage.ofServer(inputLens.count(i, "input_lens"), outputLens.count(i, "output_lens"));
    }
}
