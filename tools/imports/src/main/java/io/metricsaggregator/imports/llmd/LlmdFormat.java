package io.metricsaggregator.imports.llmd;

import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.SourceHead;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.read.JsonDocument;
import io.metricsaggregator.imports.read.YamlDocument;
import java.io.IOException;

/** Benchmark Reports of llm-d, versions 0.2 and 0.2.1, as YAML or JSON: the figures of a whole run. Each file is a part. */
public final class LlmdFormat implements ImportFormat {
    @Override
    public String name() {
        return "llmd";
    }

    @Override
    public String tool() {
        return "llm-d Benchmark Report";
    }

    @Override
    public boolean recognises(SourceHead head) {
        return head.has("version", "run", "results.request_performance")
                || (head.text().contains("\nresults:") && head.text().contains(" request_performance:"));
    }

    @Override
    public FormatReader reader(ImportOptions options) {
        return LlmdFormat::read;
    }

    private static void read(ImportSource source, ImportSink sink) throws IOException {
        sink.kind(SourceKind.AGGREGATES);
        if (YamlDocument.isIn(source)) {
            JsonFields report = YamlDocument.read(source, sink);
            if (report != null) {
                LlmdFigures.hand(report, sink);
            }
        } else {
            JsonDocument.read(source, sink, cursor -> LlmdFigures.hand(JsonDocument.object(cursor), sink));
        }
    }
}
