package io.metricsaggregator.imports.guidellm;

import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.SourceHead;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.read.JsonDocument;
import io.metricsaggregator.json.InvalidJson;
import io.metricsaggregator.json.JsonCursor;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reports of GuideLLM, {@code benchmarks.json} of schema 1 (v0.4 to v0.6) and 2 (v0.7 on). Each benchmark of the report is a part: one
 * level of load. A request has its start, first token and end on the wall clock, but no time of single chunks.
 */
public final class GuideLlmFormat implements ImportFormat {
    @Override
    public String name() {
        return "guidellm";
    }

    @Override
    public String tool() {
        return "GuideLLM";
    }

    @Override
    public boolean recognises(SourceHead head) {
        return head.has("metadata.guidellm_version")
                || (head.has("benchmarks") && head.text().contains("\"generative_benchmark\""));
    }

    @Override
    public FormatReader reader(ImportOptions options) {
        return GuideLlmFormat::read;
    }

    private static void read(ImportSource source, ImportSink sink) throws IOException {
        sink.kind(SourceKind.TIMES);
        JsonDocument.read(source, sink, cursor -> readReport(cursor, sink));
    }

    private static void readReport(JsonCursor cursor, ImportSink sink) throws IOException, InvalidJson {
        if (!cursor.enterObject()) {
            sink.skipped("not_an_object");
            return;
        }
        while (cursor.nextField()) {
            switch (cursor.name()) {
                case "metadata" -> {
                    String version = version(cursor);
                    if (version != null) {
                        sink.toolVersion(version);
                    }
                }
                case "benchmarks" -> readBenchmarks(cursor, sink);
                default -> cursor.skip();
            }
        }
    }

    private static @Nullable String version(JsonCursor cursor) throws IOException, InvalidJson {
        try {
            return JsonDocument.object(cursor).text("guidellm_version");
        } catch (InvalidField e) {
            return null;
        }
    }

    private static void readBenchmarks(JsonCursor cursor, ImportSink sink) throws IOException, InvalidJson {
        if (!cursor.enterArray()) {
            cursor.skip();
            return;
        }
        while (cursor.nextElement()) {
            if (cursor.enterObject()) {
                new GuideLlmBenchmark(sink).read(cursor);
            } else {
                cursor.skip();
                sink.skipped("benchmark_invalid");
            }
        }
    }
}
