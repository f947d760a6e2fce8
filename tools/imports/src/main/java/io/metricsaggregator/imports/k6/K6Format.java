package io.metricsaggregator.imports.k6;

import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.SourceHead;

/**
 * Samples of k6, {@code --out json=FILE}: lines of which eight or nine describe one HTTP request. With the extension xk6-sse each
 * server-sent event has a line too. Options: {@code k6-from} (sending or blocked), {@code first-byte}, {@code sse-skip}, {@code tag}.
 */
public final class K6Format implements ImportFormat {
    @Override
    public String name() {
        return "k6";
    }

    @Override
    public String tool() {
        return "k6";
    }

    @Override
    public boolean recognises(SourceHead head) {
        return head.has("metric", "type", "data")
                && (head.text().contains("\"type\":\"Point\"") || head.text().contains("\"type\":\"Metric\""));
    }

    @Override
    public FormatReader reader(ImportOptions options) {
        return new K6Reader(K6Options.of(options));
    }
}
