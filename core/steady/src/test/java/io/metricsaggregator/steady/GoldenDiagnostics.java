package io.metricsaggregator.steady;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.metricsaggregator.codec.JsonTree;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Reads golden super-passes and compares trees with a relative tolerance of 1e-9. */
final class GoldenDiagnostics {
    private static final double RELATIVE = 1e-9;

    private GoldenDiagnostics() {}

    static List<SuperPass> blocks(Map<String, Object> each) {
        List<SuperPass> blocks = new ArrayList<>();
        for (Object block : (List<?>) each.get("blocks")) {
            Map<?, ?> map = (Map<?, ?>) block;
            blocks.add(new SuperPass(
                    (long) map.get("n_issued"),
                    (long) map.get("first_issue_ns"),
                    (long) map.get("last_issue_ns"),
                    (long) map.get("last_event_ns"),
                    sorted(map.get("ttft_ns")),
                    sorted(map.get("ttft_warm_ns")),
                    sorted(map.get("tpot_ns")),
                    sorted(map.get("latency_ns")),
                    (long) map.get("out_tokens")));
        }
        return blocks;
    }

    static double[] sorted(Object values) {
        double[] all = ((List<?>) values)
                .stream().mapToDouble(each -> ((Number) each).doubleValue()).toArray();
        Arrays.sort(all);
        return all;
    }

    static void compare(String path, @Nullable Object expected, @Nullable Object actual) {
        if (expected instanceof Map<?, ?> map) {
            Map<?, ?> other = (Map<?, ?>) Objects.requireNonNull(actual, path);
            assertEquals(List.copyOf(map.keySet()), List.copyOf(other.keySet()), path);
            map.forEach((key, value) -> compare(path + "." + key, value, other.get(key)));
        } else if (expected instanceof List<?> list) {
            List<?> other = (List<?>) Objects.requireNonNull(actual, path);
            assertEquals(list.size(), other.size(), path);
            for (int i = 0; i < list.size(); i++) {
                compare(path + "[" + i + "]", list.get(i), other.get(i));
            }
        } else if (expected instanceof Number number) {
            double value = ((Number) Objects.requireNonNull(actual, path)).doubleValue();
            double tolerance = RELATIVE * Math.max(1e-6, Math.abs(number.doubleValue()));
            assertTrue(
                    Math.abs(number.doubleValue() - value) <= tolerance,
                    () -> path + ": " + number + " but was " + value);
        } else {
            assertEquals(expected, actual, path);
        }
    }

    @SuppressWarnings("unchecked")
    /** The cases of a gzipped JSON list on the class path. */
    static List<Map<String, Object>> read(String resource) throws Exception {
        try (InputStream file = Objects.requireNonNull(GoldenDiagnostics.class.getResourceAsStream(resource));
                InputStream json = new GZIPInputStream(file)) {
            return (List<Map<String, Object>>) Objects.requireNonNull(JsonTree.read(("{\"cases\":"
                                    + new String(json.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8) + "}")
                            .getBytes(java.nio.charset.StandardCharsets.UTF_8))
                    .get("cases"));
        }
    }
}
