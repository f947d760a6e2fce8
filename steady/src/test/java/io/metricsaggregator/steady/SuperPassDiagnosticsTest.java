package io.metricsaggregator.steady;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.metricsaggregator.codec.JsonTree;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The diagnostics against what the functions of MLCommons' {@code steady_state_diagnostics.py} (commit 5606359) compute for the same super-passes: a
 * level, a change of level, a drift, scatter, too short and too few blocks, a block without tokens, and long latencies.
 */
class SuperPassDiagnosticsTest {
    private static final double RELATIVE = 1e-9;

    @TestFactory
    Stream<DynamicTest> every_leaf_equals_the_diagnostics_of_mlcommons() throws Exception {
        return cases().stream()
                .map(each -> DynamicTest.dynamicTest((String) each.get("name"), () -> {
                    long floor = 600;
                    Map<String, @Nullable Object> tree = new SuperPassDiagnostics(
                                    blocks(each),
                                    (long) each.get("size"),
                                    Math.toIntExact((long) each.get("warmup")),
                                    floor)
                            .tree();
                    compare("", each.get("expected"), tree);
                }));
    }

    @Test
    @SuppressWarnings("unchecked")
    void a_plateau_that_was_cropped_as_warm_up_is_reported_as_an_anomaly_by_the_strict_rules() throws Exception {
        Map<String, Object> shift = cases().stream()
                .filter(each -> each.get("name").equals("shift"))
                .findFirst()
                .orElseThrow();
        SuperPassDiagnostics diagnostics = new SuperPassDiagnostics(blocks(shift), 12, SuperPassDiagnostics.AUTO, 300);
        Map<String, Object> theirs =
                (Map<String, Object>) Objects.requireNonNull(diagnostics.tree().get("steady_state"));
        assertEquals(false, ((Map<String, Object>) theirs.get("anomaly")).get("detected"));
        Map<String, @Nullable Object> ours = diagnostics.strictTree();
        assertEquals(1, ours.get("warmup"));
        assertEquals(true, ours.get("warmup_held_plateau"));
        Map<String, Object> anomaly = (Map<String, Object>) Objects.requireNonNull(ours.get("anomaly"));
        assertEquals(true, anomaly.get("detected"));
        assertEquals(100, (double) anomaly.get("delta_pct"), 2);
    }

    @Test
    void a_run_without_super_passes_has_no_window() {
        Map<String, @Nullable Object> tree =
                new SuperPassDiagnostics(List.of(), 10, SuperPassDiagnostics.AUTO, 600).tree();
        assertEquals(0, tree.get("n_super_passes"));
        assertNull(((Map<?, ?>) Objects.requireNonNull(tree.get("steady_state"))).get("window"));
    }

    private static List<SuperPass> blocks(Map<String, Object> each) {
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

    private static double[] sorted(Object values) {
        double[] all = ((List<?>) values)
                .stream().mapToDouble(each -> ((Number) each).doubleValue()).toArray();
        Arrays.sort(all);
        return all;
    }

    private static void compare(String path, @Nullable Object expected, @Nullable Object actual) {
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
    private static List<Map<String, Object>> cases() throws Exception {
        try (InputStream file = Objects.requireNonNull(
                        SuperPassDiagnosticsTest.class.getResourceAsStream("/mlcommons-diagnostics.json.gz"));
                InputStream json = new GZIPInputStream(file)) {
            return (List<Map<String, Object>>) Objects.requireNonNull(JsonTree.read(("{\"cases\":"
                                    + new String(json.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8) + "}")
                            .getBytes(java.nio.charset.StandardCharsets.UTF_8))
                    .get("cases"));
        }
    }
}
