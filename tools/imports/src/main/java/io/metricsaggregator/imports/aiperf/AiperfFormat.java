package io.metricsaggregator.imports.aiperf;

import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.SourceHead;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.json.JsonLines;
import java.io.IOException;

/**
 * AIPerf's {@code profile_export.jsonl}, a line for each request ({@code aiperf}), and {@code profile_export_raw.jsonl}, which has every
 * response and all texts ({@code aiperf-raw}). A second file {@code profile_export_aiperf.json} brings the tool's own figures.
 */
public final class AiperfFormat implements ImportFormat {
    private final boolean raw;

    /**
     * A format of AIPerf's records.
     *
     * @param raw whether the lines hold the responses rather than metrics
     */
    public AiperfFormat(boolean raw) {
        this.raw = raw;
    }

    @Override
    public String name() {
        return raw ? "aiperf-raw" : "aiperf";
    }

    @Override
    public String tool() {
        return "AIPerf";
    }

    @Override
    public boolean recognises(SourceHead head) {
        return raw
                ? head.has("metadata.request_start_ns", "start_perf_ns")
                : head.has("metadata.request_start_ns") && (head.has("metrics") || head.has("error"));
    }

    @Override
    public FormatReader reader(ImportOptions options) {
        return new Reader(raw, options);
    }

    /** Reads lines of requests, and the summary in any order with them. */
    private static final class Reader implements FormatReader {
        private final boolean raw;
        private final AiperfPrompts prompts;
        private boolean any;
        private boolean chunks;
        private boolean first;
        private boolean tellsEnd;

        Reader(boolean raw, ImportOptions options) {
            this.raw = raw;
            this.prompts = new AiperfPrompts(options.inputs());
        }

        @Override
        public void read(ImportSource source, ImportSink sink) throws IOException {
            if (AiperfSummary.isIn(source.head())) {
                AiperfSummary.read(source, sink, figures -> {
                    tellsEnd |= figures.tellsEnd();
                    figures.check(raw);
                });
                return;
            }
            if (!any) {
                sink.kind(SourceKind.CHUNKS);
                prompts.load(sink);
            }
            any = true;
            JsonLines lines = new JsonLines(source.text(), sink::skipped);
            for (JsonFields line = lines.next(); line != null; line = lines.next()) {
                try {
                    AiperfRecord record = raw ? AiperfRecord.ofResponses(line) : AiperfRecord.ofMetrics(line);
                    if (record == null) {
                        sink.skipped("context_overflow_skip");
                        continue;
                    }
                    chunks |= record.chunks() > 1;
                    first |= record.chunks() > 0;
                    record.hand(sink, prompts);
                } catch (InvalidField e) {
                    sink.skipped(e.reason());
                }
            }
            if (lines.notNumbers() > 0) {
                sink.skipped("values_not_a_number", lines.notNumbers());
            }
        }

        @Override
        public void finish(ImportSink sink) {
            if (!any) {
                return;
            }
            if (!tellsEnd) {
                sink.unknowable(
                        "interrupted",
                        "the records do not say whether the run was cancelled; profile_export_aiperf.json beside them does");
            }
            if (!chunks) {
                sink.kind(SourceKind.TIMES);
                sink.unknowable("chunk_delta_ns", "no response has more than one chunk");
            }
            if (!first) {
                sink.unknowable(
                        "ttft_ns", "the responses were not streamed, or have no content of an API that is known");
            }
            if (!raw) {
                sink.unknowable("finish_reason", "the file has none; profile_export_raw.jsonl has");
                sink.unknowable("output", "the file has no texts; profile_export_raw.jsonl has");
            }
        }
    }
}
