package io.metricsaggregator.imports.sglang;

import io.metricsaggregator.event.ModelText;
import io.metricsaggregator.event.TextModelOutput;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One run of the SGLang benchmark. Its file keeps one array per quantity, so the run is in memory until its object ends. Belongs to one read.
 */
final class SglangRun {
    /** Backends whose times between chunks are divided by their tokens and repeated. */
    private static final Set<String> SMOOTHED = Set.of("sglang", "sglang-native");

    private final ImportSink sink;
    private final ImportOptions options;
    private final Map<String, @Nullable Object> settings = new LinkedHashMap<>();
    private final DecimalColumn inputLens = new DecimalColumn();
    private final DecimalColumn outputLens = new DecimalColumn();
    private final DecimalColumn cachedTokens = new DecimalColumn();
    private final DecimalColumn ttfts = new DecimalColumn();
    private final DecimalRows itls = new DecimalRows();
    private final List<@Nullable String> texts = new ArrayList<>();
    private final List<@Nullable String> errors = new ArrayList<>();
    private boolean detailed;
    private boolean infiniteRate;

    SglangRun(ImportSink sink, ImportOptions options) {
        this.sink = sink;
        this.options = options;
    }

    /** Reads the run at the cursor. */
    void read(JsonCursor cursor) throws IOException, InvalidJson {
        while (cursor.nextField()) {
            switch (cursor.name()) {
                case "input_lens" -> inputLens.readArray(cursor);
                case "output_lens" -> outputLens.readArray(cursor);
                case "cached_tokens" -> cachedTokens.readArray(cursor);
                case "ttfts" -> {
                    detailed = true;
                    ttfts.readArray(cursor);
                }
                case "itls" -> itls.readArrays(cursor);
                case "generated_texts" -> cursor.readTexts(options.keepTexts() ? texts : null);
                case "errors" -> cursor.readTexts(errors);
                case "request_rate" -> rate(cursor);
                case "server_info", "cached_tokens_details", "cache_report" -> cursor.skip();
                default -> settings.put(cursor.name(), cursor.value());
            }
        }
    }

    private void rate(JsonCursor cursor) throws IOException, InvalidJson {
        long before = cursor.notNumbers();
        Object rate = cursor.value();
        infiniteRate = cursor.notNumbers() > before;
        settings.put("request_rate", infiniteRate ? "inf" : rate);
    }

    /** Whether the requests were sent without waiting, which the tool writes as an infinite rate. */
    boolean hasInfiniteRate() {
        return infiniteRate;
    }

    /** Hands the run to the sink. */
    void hand() throws IOException {
        JsonFields fields = new JsonFields(settings);
        if (!sink.part(fields.label("tag", "backend", "dataset_name", "request_rate", "max_concurrency"))) {
            return;
        }
        SglangFigures figures = new SglangFigures(sink, fields);
        if (!detailed || options.summary()) {
            sink.kind(SourceKind.AGGREGATES);
            figures.summarise();
            return;
        }
        sink.kind(SourceKind.DURATIONS);
        boolean smoothed = SMOOTHED.contains(String.valueOf(fields.any("backend")));
        boolean streamed = isStreamed();
        sink.unknowable("finish_reason", "the file has none");
        sink.unknowable("prompt", "the file has none");
        if (!streamed) {
            sink.unknowable(
                    "ttft_ns", "the responses were not streamed: SGLang writes the latency as time to first token");
        } else if (smoothed) {
            sink.unknowable(
                    "chunk_delta_ns",
                    "the native backend divides the time between chunks by their tokens and repeats it for each token");
        }
        int requests = Math.max(Math.max(ttfts.size(), errors.size()), Math.max(inputLens.size(), outputLens.size()));
        for (int i = 0; i < requests; i++) {
            try {
                request(i, streamed, smoothed, figures);
            } catch (InvalidField e) {
                sink.skipped(e.reason());
            }
        }
        figures.check(streamed, smoothed);
    }

    /** Whether any response came in several chunks, or none had several tokens. */
    private boolean isStreamed() {
        boolean severalTokens = false;
        for (int i = 0; i < ttfts.size(); i++) {
            if (itls.length(i) > 0) {
                return true;
            }
            severalTokens |= outputLens.has(i) && tokens(outputLens, i) > 1;
        }
        return !severalTokens;
    }

    private static long tokens(DecimalColumn column, int i) {
        try {
            Long count = column.count(i, "output_lens");
            return count == null ? 0 : count;
        } catch (InvalidField e) {
            return 0;
        }
    }

    private void request(int i, boolean streamed, boolean smoothed, SglangFigures figures)
            throws IOException, InvalidField {
        String error = i < errors.size() ? errors.get(i) : "";
        boolean failed = error != null && !error.isEmpty();
        BigDecimal ttft = ttfts.number(i, "ttfts");
        if (!failed && (ttft == null || ttft.signum() < 0)) {
            throw new InvalidField("ttfts", ttft == null ? "missing" : "invalid");
        }
        ImportedRequest request = ImportedRequest.issuedAfter(0).usage(usage(i));
        long[] chunks = ttft == null || ttft.signum() <= 0 ? new long[0] : itls.chunks(i, ttft, "itls");
        if (failed) {
            request.failedAt(null, ErrorTypes.of(error), error);
        } else if (chunks.length == 0) {
            throw new InvalidField("latency", "unknown");
        } else {
            request.succeededAt(chunks[chunks.length - 1]);
            figures.succeeded(ttft == null ? 0 : ttft.doubleValue(), smoothed ? itls : null, i);
        }
        if (streamed && chunks.length > 0) {
            request.chunksAt(chunks, smoothed ? 1 : chunks.length);
        }
        String text = i < texts.size() ? texts.get(i) : null;
        if (text != null && !text.isEmpty()) {
            request.output(new TextModelOutput(new ModelText.Whole(text), null, null));
        }
        sink.request(request);
    }

    /** The tool mixes its own counts, the requested length and the server's counts, and does not say which is which. */
    private @Nullable ImportedUsage usage(int i) throws InvalidField {
        return new ImportedUsage(
                inputLens.count(i, "input_lens"),
                outputLens.count(i, "output_lens"),
                cachedTokens.count(i, "cached_tokens"),
                null,
                true);
    }
}
