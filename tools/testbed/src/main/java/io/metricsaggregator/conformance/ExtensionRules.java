package io.metricsaggregator.conformance;

import io.metricsaggregator.event.EventType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Judges the keys {@code usage}, {@code server} and {@code scheduled_ns} of single records ({@link Level#OURS}). Stateless but for its tally. */
final class ExtensionRules {
    static final Set<String> COUNTS = Set.of(
            "prompt_tokens",
            "completion_tokens",
            "cached_tokens",
            "cache_write_tokens",
            "reasoning_tokens",
            "accepted_prediction_tokens",
            "rejected_prediction_tokens",
            "spec_drafts",
            "spec_draft_tokens",
            "spec_accepted_tokens");
    private static final Set<String> TIMES =
            Set.of("queue_ns", "prefill_ns", "ttft_ns", "decode_ns", "e2e_ns", "kv_transfer_ns", "kv_bytes");
    private static final Set<String> NODES = Set.of("prefill_node", "decode_node");
    private static final Set<String> SOURCES = Set.of("body", "header", "span");
    private static final int NODE_MAX_BYTES = 64;
    private static final int HISTOGRAM_MAX = 32;

    private final Tally tally;

    ExtensionRules(Tally tally) {
        this.tally = tally;
    }

    void record(SeenRecord record) {
        Long scheduled = record.integer("scheduled_ns");
        Long time = record.integer("timestamp_ns");
        if (scheduled != null) {
            tally.judge(
                    Rule.SCHEDULED,
                    record.type() == EventType.SAMPLE_ISSUED && (time == null || scheduled <= time),
                    () -> record.where() + " has scheduled_ns " + scheduled
                            + (record.type() == EventType.SAMPLE_ISSUED ? ", after its timestamp_ns " + time : ""));
        }
        if (record.fields().containsKey("usage")) {
            String wrong = record.type() == EventType.SAMPLE_COMPLETE
                    ? wrongUsage(record.fields().get("usage"))
                    : "the key belongs to sample.complete";
            tally.judge(Rule.USAGE, wrong.isEmpty(), () -> record.where() + ": " + wrong);
        }
        if (record.fields().containsKey("server")) {
            String wrong = record.type() == EventType.SAMPLE_COMPLETE
                    ? wrongServer(record.fields().get("server"))
                    : "the key belongs to sample.complete";
            tally.judge(Rule.SERVER, wrong.isEmpty(), () -> record.where() + ": " + wrong);
        }
    }

    /** What is wrong with a usage; empty if nothing is. Unknown keys are allowed, and nil means absent. */
    private static String wrongUsage(@Nullable Object usage) {
        if (usage == null) {
            return "";
        }
        if (!(usage instanceof Map<?, ?> map)) {
            return "usage is not a map";
        }
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            String key = String.valueOf(entry.getKey());
            Object value = entry.getValue();
            if (COUNTS.contains(key) && value != null && !(value instanceof Long count && count >= 0)) {
                return key + " is not an integer of at least 0";
            }
            if (key.equals("by") && value != null && !value.equals("server") && !value.equals("client")) {
                return "by is neither server nor client";
            }
        }
        return isAbove(map, "cached_tokens", "prompt_tokens")
                ? "cached_tokens is above prompt_tokens"
                : isAbove(map, "reasoning_tokens", "completion_tokens")
                        ? "reasoning_tokens is above completion_tokens"
                        : wrongHistogram(map);
    }

    private static String wrongHistogram(Map<?, ?> usage) {
        Object value = usage.get("spec_histogram");
        if (value == null) {
            return "";
        }
        if (!(value instanceof List<?> entries) || entries.size() > HISTOGRAM_MAX) {
            return "spec_histogram is not an array of at most " + HISTOGRAM_MAX + " integers";
        }
        long steps = 0;
        long accepted = 0;
        for (int i = 0; i < entries.size(); i++) {
            if (!(entries.get(i) instanceof Long count && count >= 0)) {
                return "spec_histogram has " + entries.get(i);
            }
            steps += count;
            accepted += i * count;
        }
        Object drafts = usage.get("spec_drafts");
        Object tokens = usage.get("spec_accepted_tokens");
        return Objects.equals(drafts, steps) && Objects.equals(tokens, accepted)
                ? ""
                : "spec_histogram has " + steps + " steps and " + accepted + " accepted tokens, beside spec_drafts "
                        + drafts + " and spec_accepted_tokens " + tokens;
    }

    /** What is wrong with the times of a server, by the rules of {@link #wrongUsage}. */
    private static String wrongServer(@Nullable Object server) {
        if (server == null) {
            return "";
        }
        if (!(server instanceof Map<?, ?> map)) {
            return "server is not a map";
        }
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            String key = String.valueOf(entry.getKey());
            Object value = entry.getValue();
            if (value == null) {
                continue;
            }
            if (TIMES.contains(key) && !(value instanceof Long number && number >= 0)) {
                return key + " is not an integer of at least 0";
            }
            if (key.equals("source") && !(value instanceof String && SOURCES.contains(value))) {
                return "source is not body, header or span";
            }
            if (NODES.contains(key)
                    && !(value instanceof String node
                            && node.getBytes(StandardCharsets.UTF_8).length <= NODE_MAX_BYTES)) {
                return key + " is not a text of at most " + NODE_MAX_BYTES + " bytes";
            }
        }
        return "";
    }

    private static boolean isAbove(Map<?, ?> usage, String part, String whole) {
        return usage.get(part) instanceof Long some && usage.get(whole) instanceof Long all && some > all;
    }
}
