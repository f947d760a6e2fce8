package io.metricsaggregator.imports.sglang;

import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.SourceHead;
import io.metricsaggregator.imports.read.JsonDocument;
import io.metricsaggregator.json.InvalidJson;
import io.metricsaggregator.json.JsonCursor;
import java.io.IOException;

/**
 * Results of {@code sglang.benchmark.serving} (formerly {@code sglang.bench_serving}) with {@code --output-details}: a line for each run,
 * appended. Each line is a part. A run has durations of its requests, but not when they were issued. Without {@code --output-details} it
 * has only figures.
 */
public final class SglangFormat implements ImportFormat {
    @Override
    public String name() {
        return "sglang";
    }

    @Override
    public String tool() {
        return "SGLang benchmark";
    }

    @Override
    public boolean recognises(SourceHead head) {
        return head.has("total_output_tokens_retokenized")
                || head.has("backend", "sharegpt_output_len", "random_range_ratio");
    }

    @Override
    public FormatReader reader(ImportOptions options) {
        return new Reader(options);
    }

    @Override
    public boolean summarisesRequests() {
        return true;
    }

    private static final class Reader implements FormatReader {
        private final ImportOptions options;
        private long infiniteRates;

        Reader(ImportOptions options) {
            this.options = options;
        }

        @Override
        public void read(ImportSource source, ImportSink sink) throws IOException {
            infiniteRates = 0;
            JsonDocument.read(source, sink, cursor -> runs(cursor, sink), () -> infiniteRates);
        }

        private void runs(JsonCursor cursor, ImportSink sink) throws IOException, InvalidJson {
            do {
                if (cursor.enterObject()) {
                    SglangRun run = new SglangRun(sink, options);
                    run.read(cursor);
                    infiniteRates += run.hasInfiniteRate() ? 1 : 0;
                    run.hand();
                } else {
                    cursor.skip();
                    sink.skipped("not_an_object");
                }
            } while (cursor.next());
        }
    }
}
