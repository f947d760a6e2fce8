package io.metricsaggregator.imports.vllm;

import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.SourceHead;
import io.metricsaggregator.imports.read.JsonDocument;
import io.metricsaggregator.json.InvalidJson;
import io.metricsaggregator.json.JsonCursor;
import java.io.IOException;

/**
 * Results of {@code vllm bench serve --save-result --save-detailed}: one object for each run, several after one another with
 * {@code --append-result}, or an array of them as {@code vllm bench sweep} writes it; each is a part. Files without start times hold durations only, files without {@code --save-detailed} figures
 * only.
 */
public final class VllmFormat implements ImportFormat {
    @Override
    public String name() {
        return "vllm";
    }

    @Override
    public String tool() {
        return "vLLM benchmark";
    }

    @Override
    public boolean recognises(SourceHead head) {
        return head.has("endpoint_type", "num_prompts")
                || head.has("num_prompts", "model_id", "tokenizer_id")
                || head.has("[].num_prompts", "[].model_id", "[].tokenizer_id");
    }

    @Override
    public FormatReader reader(ImportOptions options) {
        return (source, sink) -> JsonDocument.read(source, sink, cursor -> {
            do {
                if (cursor.enterArray()) {
                    while (cursor.nextElement()) {
                        run(cursor, sink, options);
                    }
                } else {
                    run(cursor, sink, options);
                }
            } while (cursor.next());
        });
    }

    @Override
    public boolean summarisesRequests() {
        return true;
    }

    private static void run(JsonCursor cursor, ImportSink sink, ImportOptions options) throws IOException, InvalidJson {
        if (cursor.enterObject()) {
            VllmRun run = new VllmRun(sink, options);
            run.read(cursor);
            run.hand();
        } else {
            cursor.skip();
            sink.skipped("not_an_object");
        }
    }
}
