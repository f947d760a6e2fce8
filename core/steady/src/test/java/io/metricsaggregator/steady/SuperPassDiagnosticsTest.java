package io.metricsaggregator.steady;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The diagnostics against what the functions of MLCommons' {@code steady_state_diagnostics.py} (commit 5606359) compute for the same super-passes: a
 * level, a change of level, a drift, scatter, too short and too few blocks, a block without tokens, and long latencies.
 */
class SuperPassDiagnosticsTest {
    @TestFactory
    Stream<DynamicTest> every_leaf_equals_the_diagnostics_of_mlcommons() throws Exception {
        return GoldenDiagnostics.read("/mlcommons-diagnostics.json.gz").stream()
                .map(each -> DynamicTest.dynamicTest((String) each.get("name"), () -> {
                    long floor = 600;
                    Map<String, @Nullable Object> tree = new SuperPassDiagnostics(
                                    GoldenDiagnostics.blocks(each),
                                    (long) each.get("size"),
                                    Math.toIntExact((long) each.get("warmup")),
                                    floor)
                            .tree();
                    GoldenDiagnostics.compare("", each.get("expected"), tree);
                }));
    }

    @Test
    @SuppressWarnings("unchecked")
    void a_plateau_that_was_cropped_as_warm_up_is_reported_as_an_anomaly_by_the_strict_rules() throws Exception {
        Map<String, Object> shift = GoldenDiagnostics.read("/mlcommons-diagnostics.json.gz").stream()
                .filter(each -> each.get("name").equals("shift"))
                .findFirst()
                .orElseThrow();
        SuperPassDiagnostics diagnostics =
                new SuperPassDiagnostics(GoldenDiagnostics.blocks(shift), 12, SuperPassDiagnostics.AUTO, 300);
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
}
