package io.metricsaggregator.imports.perfanalyzer;

import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.SourceHead;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.read.JsonDocument;
import io.metricsaggregator.json.InvalidJson;
import io.metricsaggregator.json.JsonCursor;
import java.io.IOException;

/**
 * {@code profile_export.json} of Triton's perf_analyzer and genai-perf: a part for each experiment, that is each concurrency or rate;
 * every request with the wall-clock time and text of each response.
 */
public final class PerfAnalyzerFormat implements ImportFormat {
    @Override
    public String name() {
        return "perf-analyzer";
    }

    @Override
    public String tool() {
        return "perf_analyzer";
    }

    @Override
    public boolean recognises(SourceHead head) {
        return head.has("experiments") && (head.has("experiments[].experiment") || head.has("experiments[].requests"));
    }

    @Override
    public FormatReader reader(ImportOptions options) {
        return (source, sink) -> new Reading(sink, options.keepTexts()).read(source);
    }

    private static final class Reading {
        private final ImportSink sink;
        private final boolean keepTexts;
        private boolean withoutChunks;

        Reading(ImportSink sink, boolean keepTexts) {
            this.sink = sink;
            this.keepTexts = keepTexts;
        }

        void read(ImportSource source) throws IOException {
            sink.kind(SourceKind.CHUNKS);
            JsonDocument.read(source, sink, this::document);
        }

        private void document(JsonCursor cursor) throws IOException, InvalidJson {
            if (!cursor.enterObject()) {
                cursor.skip();
                sink.skipped("not_an_object");
                return;
            }
            while (cursor.nextField()) {
                switch (cursor.name()) {
                    case "version" -> {
                        if (cursor.value() instanceof String version) {
                            sink.toolVersion(version);
                        }
                    }
                    case "experiments" -> experiments(cursor);
                    default -> cursor.skip();
                }
            }
        }

        private void experiments(JsonCursor cursor) throws IOException, InvalidJson {
            if (!cursor.enterArray()) {
                cursor.skip();
                return;
            }
            while (cursor.nextElement()) {
                if (cursor.enterObject()) {
                    experiment(cursor);
                } else {
                    cursor.skip();
                    sink.skipped("experiment_invalid");
                }
            }
        }

        private void experiment(JsonCursor cursor) throws IOException, InvalidJson {
            String label = "experiment";
            while (cursor.nextField()) {
                switch (cursor.name()) {
                    case "experiment" -> label = label(JsonDocument.object(cursor));
                    case "requests" -> {
                        if (sink.part(label)) {
                            sink.unknowable("schedule_slip_ns", "the file has no due times");
                            withoutChunks = false;
                            JsonDocument.rows(cursor, sink, this::request);
                            if (withoutChunks) {
                                sink.unknowable("ttft_ns", "some answers have no content of an API that is known");
                            }
                        } else {
                            cursor.skip();
                        }
                    }
                    default -> cursor.skip();
                }
            }
        }

        private static String label(JsonFields experiment) {
            String mode = experiment.textOfAny("mode");
            String value = experiment.textOfAny("value");
            return (mode == null ? "experiment" : mode.replace('_', ' ')) + (value == null ? "" : " " + value);
        }

        private void request(JsonFields row) throws IOException, InvalidField {
            ImportedRequest request = PerfAnalyzerRequest.read(row, keepTexts);
            withoutChunks |= request.outcome() == ImportedRequest.Outcome.SUCCEEDED && request.chunks() == 0;
            sink.request(request);
        }
    }
}
