package io.metricsaggregator.conformance;

import io.metricsaggregator.event.EventType;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Judges the keys {@code usage} and {@code scheduled_ns} of single records ({@link Level#OURS}). Stateless but for its tally. */
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
                        : "";
    }

    private static boolean isAbove(Map<?, ?> usage, String part, String whole) {
        return usage.get(part) instanceof Long some && usage.get(whole) instanceof Long all && some > all;
    }
}
