package io.metricsaggregator.flink.sample;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares what a fold keyed by sample gives of a run with a replay. */
public final class SampleResults {
    /** Metrics that hang on the order of the samples of a conversation. */
    private static final String OF_CONVERSATIONS = ".*_turn_ns|think_time_ns|conversation.*|turns_.*";

    private static final int EXCERPT = 160;

    private SampleResults() {}

    /** What a fold keyed by sample has to give of a replayed run: parts that differ, each with the first difference of both; empty if none does. */
    public static List<String> differences(Map<String, Object> samples, Map<String, Object> replay) {
        return between(ofSamples(samples), ofSamples(replay));
    }

    /** Neither the peaks in flight, nor what hangs on the order between samples. */
    private static Map<String, Object> ofSamples(Map<String, Object> snapshot) {
        Map<String, Object> all = new LinkedHashMap<>(snapshot);
        all.keySet().removeAll(List.of("progress", "steady", "limits", "conversations", "slices", "in_flight"));
        Map<?, ?> inFlight = (Map<?, ?>) snapshot.get("in_flight");
        all.put("in_flight", List.of(inFlight.get("count"), inFlight.get("tracked"), inFlight.get("failed")));
        Map<?, ?> slices = (Map<?, ?>) snapshot.get("slices");
        Map<Object, Object> columns = new LinkedHashMap<>((Map<?, ?>) slices.get("columns"));
        columns.keySet().removeIf(each -> each.toString().startsWith("in_flight"));
        all.put("slices", List.of(slices.get("width_ns"), slices.get("outside"), columns.toString()));
        return all;
    }

    private static List<String> between(Map<?, ?> samples, Map<?, ?> replay) {
        List<String> differences = new ArrayList<>();
        Set<Object> keys = new LinkedHashSet<>(samples.keySet());
        keys.addAll(replay.keySet());
        keys.removeIf(each -> each.toString().matches(OF_CONVERSATIONS));
        for (Object key : keys) {
            Object a = samples.get(key);
            Object b = replay.get(key);
            if (key.equals("metrics") && a instanceof Map<?, ?> one && b instanceof Map<?, ?> other) {
                differences.addAll(between(one, other));
            } else if (!Objects.equals(withoutStalls(a), withoutStalls(b))) {
                differences.add(key + excerpts(String.valueOf(withoutStalls(a)), String.valueOf(withoutStalls(b))));
            }
        }
        return differences;
    }

    /** Both texts from shortly before their first difference. */
    private static String excerpts(String a, String b) {
        int same = 0;
        while (same < Math.min(a.length(), b.length()) && a.charAt(same) == b.charAt(same)) {
            same++;
        }
        int from = Math.max(0, same - EXCERPT / 4);
        return " from character " + from + ": " + excerpt(a, from) + " / " + excerpt(b, from);
    }

    private static String excerpt(String text, int from) {
        return text.substring(from, Math.min(text.length(), from + EXCERPT));
    }

    /** A value without the waits of endpoints, which hang on the order between samples, and without mismatches of usage. */
    private static @Nullable Object withoutStalls(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            return value;
        }
        Map<Object, Object> left = new LinkedHashMap<>();
        map.forEach((key, each) -> {
            if (!key.toString().matches("endpoint_stalls|idle_ns|longest_idle_ns|stalled_ns|state|mismatch")) {
                left.put(key, withoutStalls(each));
            }
        });
        return left;
    }
}
