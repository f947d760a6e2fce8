package io.metricsaggregator.conformance;

import io.metricsaggregator.event.EventType;
import java.util.Map;
import java.util.Set;

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

    /** What is wrong with a usage; empty if nothing is. Unknown keys are allowed. */
    private static String wrongUsage(@org.jspecify.annotations.Nullable Object usage) {
        if (!(usage instanceof Map<?, ?> map)) {
            return "usage is not a map";
        }
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            String key = String.valueOf(entry.getKey());
            if (COUNTS.contains(key) && !(entry.getValue() instanceof Long count && count >= 0)) {
                return key + " is not an integer of at least 0";
            }
            if (key.equals("by") && !"server".equals(entry.getValue()) && !"client".equals(entry.getValue())) {
                return "by is neither server nor client";
            }
        }
        return "";
    }
}
