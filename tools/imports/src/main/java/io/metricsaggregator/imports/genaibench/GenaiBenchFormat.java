package io.metricsaggregator.imports.genaibench;

import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.SourceHead;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.read.JsonDocument;
import io.metricsaggregator.json.InvalidJson;
import io.metricsaggregator.json.JsonCursor;
import java.io.IOException;

/**
 * Results of genai-bench, one file for each scenario and concurrency: durations of the requests, without issue times and chunks. Each file
 * is a part.
 */
public final class GenaiBenchFormat implements ImportFormat {
    @Override
    public String name() {
        return "genai-bench";
    }

    @Override
    public String tool() {
        return "genai-bench";
    }

    @Override
    public boolean recognises(SourceHead head) {
        return head.has("aggregated_metrics", "individual_request_metrics")
                || head.has("aggregated_metrics.num_concurrency", "aggregated_metrics.run_duration");
    }

    @Override
    public FormatReader reader(ImportOptions options) {
        return GenaiBenchFormat::read;
    }

    private static void read(ImportSource source, ImportSink sink) throws IOException {
        sink.kind(SourceKind.DURATIONS);
        GenaiBenchRun run = new GenaiBenchRun(sink);
        JsonDocument.read(source, sink, cursor -> {
            if (cursor.enterObject()) {
                document(cursor, run, sink);
            } else {
                cursor.skip();
                sink.skipped("not_an_object");
            }
        });
        run.hand();
    }

    private static void document(JsonCursor cursor, GenaiBenchRun run, ImportSink sink)
            throws IOException, InvalidJson {
        while (cursor.nextField()) {
            switch (cursor.name()) {
                case "aggregated_metrics" -> run.aggregated(JsonDocument.object(cursor));
                case "individual_request_metrics" -> JsonDocument.rows(cursor, sink, (JsonFields row) -> run.add(row));
                case "_time_unit" -> run.unit(cursor.value());
                default -> cursor.skip();
            }
        }
    }
}
