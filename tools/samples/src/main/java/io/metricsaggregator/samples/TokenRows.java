package io.metricsaggregator.samples;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.UsageKey;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes a line of JSON for each sample: its tokens as counted, as the server reported them, and by how much they differ. */
final class TokenRows implements Rows {
    private final OutputStream out;

    TokenRows(OutputStream out) {
        this.out = out;
    }

    @Override
    public void record(RecordRow row) {
        // The line of its sample includes it.
    }

    @Override
    public void sample(SampleRow row) throws IOException {
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("sample_uuid", row.id);
        line.put("completed", row.completed != null);
        line.put("error_type", row.error == null ? null : row.error.errorType());
        Map<String, @Nullable Object> counted = new LinkedHashMap<>();
        counted.put("prompt_tokens", row.inputTokens);
        counted.put("completion_tokens", row.outputTokens);
        line.put("counted", counted);
        Usage usage = row.usage;
        if (usage != null) {
            Map<String, @Nullable Object> reported = new LinkedHashMap<>();
            for (UsageKey key : UsageKey.values()) {
                if (usage.count(key) != null) {
                    reported.put(key.wireName(), usage.count(key));
                }
            }
            reported.put("by", usage.byClient() ? "client" : "server");
            line.put("reported", reported);
        } else {
            line.put("reported", null);
        }
        Map<String, @Nullable Object> deviation = new LinkedHashMap<>();
        deviation.put("prompt", deviation(row.inputTokens, usage, UsageKey.PROMPT_TOKENS));
        deviation.put("completion", deviation(row.outputTokens, usage, UsageKey.COMPLETION_TOKENS));
        line.put("deviation", deviation);
        line.putAll(row.ofTheRun());
        out.write(JsonTree.writeLine(line));
        out.write('\n');
    }

    /** (reported − counted) / counted; null unless both are known and something was counted. */
    private static @Nullable Double deviation(@Nullable Long counted, @Nullable Usage usage, UsageKey key) {
        Long reported = usage == null ? null : usage.count(key);
        return counted == null || counted == 0 || reported == null
                ? null
                : (Double) ((double) (reported - counted) / counted);
    }

    @Override
    public void close() throws IOException {
        out.flush();
    }
}
