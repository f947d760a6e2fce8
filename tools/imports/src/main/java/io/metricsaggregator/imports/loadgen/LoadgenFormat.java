package io.metricsaggregator.imports.loadgen;

import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.SourceHead;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.read.JsonDocument;
import io.metricsaggregator.json.InvalidJson;
import io.metricsaggregator.json.JsonCursor;
import java.io.IOException;

/**
 * Traces of MLPerf LoadGen, {@code mlperf_log_trace.json}, which it writes with {@code enable_trace}: the schedule, issue and completion
 * of each sample, and its first token where LoadGen knows it. A trace of a killed run has no end and is read up to there.
 */
public final class LoadgenFormat implements ImportFormat {
    @Override
    public String name() {
        return "loadgen";
    }

    @Override
    public String tool() {
        return "MLPerf LoadGen";
    }

    @Override
    public boolean recognises(SourceHead head) {
        return head.has("traceEvents[].ph") && head.text().contains("issue_");
    }

    @Override
    public FormatReader reader(ImportOptions options) {
        return LoadgenFormat::read;
    }

    private static void read(ImportSource source, ImportSink sink) throws IOException {
        sink.kind(SourceKind.TIMES);
        sink.unknowable("chunk_delta_ns", "LoadGen records the first token only");
        sink.unknowable("usage", "the trace has no token counts");
        sink.unknowable("finish_reason", "the trace has none");
        LoadgenTrace trace = new LoadgenTrace();
        JsonDocument.read(source, sink, cursor -> document(cursor, trace, sink));
        trace.hand(sink);
    }

    private static void document(JsonCursor cursor, LoadgenTrace trace, ImportSink sink)
            throws IOException, InvalidJson {
        if (!cursor.enterObject()) {
            cursor.skip();
            sink.skipped("not_an_object");
            return;
        }
        while (cursor.nextField()) {
            if (cursor.name().equals("traceEvents")) {
                JsonDocument.rows(cursor, sink, row -> trace.add(row, sink));
            } else {
                cursor.skip();
            }
        }
    }
}
