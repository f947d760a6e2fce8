package io.metricsaggregator.steady;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The text and the newer map against what the functions {@code render_text} and {@code compute_steady_state_metrics} of MLCommons endpoints give for the
 * same super-passes; and the verdict in the terms of its submission rules.
 */
class SuperPassVerdictTest {
    private record Case(String name, SuperPassDiagnostics diagnostics, String text, Map<?, ?> newer) {}

    private static List<Case> cases() throws Exception {
        Map<String, Map<String, Object>> expected = new LinkedHashMap<>();
        GoldenDiagnostics.read("/mlcommons-verdicts.json.gz")
                .forEach(each -> expected.put((String) each.get("name"), each));
        List<Case> cases = new ArrayList<>();
        for (Map<String, Object> each : GoldenDiagnostics.read("/mlcommons-diagnostics.json.gz")) {
            Map<String, Object> golden = expected.get((String) each.get("name"));
            List<?> lengths = (List<?>) golden.get("lengths");
            List<SuperPass> blocks = new ArrayList<>();
            for (SuperPass block : GoldenDiagnostics.blocks(each)) {
                blocks.add(new SuperPass(
                        block.issued(),
                        block.firstIssueNs(),
                        block.lastIssueNs(),
                        block.lastEventNs(),
                        block.ttft(),
                        block.ttftWarm(),
                        block.tpot(),
                        block.latency(),
                        block.outTokens(),
                        GoldenDiagnostics.sorted(lengths.get(blocks.size()))));
            }
            cases.add(new Case(
                    (String) each.get("name"),
                    new SuperPassDiagnostics(
                            blocks, (long) each.get("size"), Math.toIntExact((long) each.get("warmup")), 600),
                    (String) golden.get("text"),
                    (Map<?, ?>) golden.get("newer")));
        }
        return cases;
    }

    @TestFactory
    Stream<DynamicTest> every_character_of_the_text_equals_the_tool_of_mlcommons() throws Exception {
        return cases().stream()
                .map(each -> DynamicTest.dynamicTest(
                        each.name, () -> assertEquals(each.text, DiagnosticsText.of(each.diagnostics.tree()))));
    }

    @TestFactory
    Stream<DynamicTest> every_leaf_of_the_newer_map_equals_the_newer_branch_of_mlcommons() throws Exception {
        return cases().stream()
                .map(each -> DynamicTest.dynamicTest(
                        each.name,
                        () -> GoldenDiagnostics.compare(
                                "", each.newer, new SuperPassVerdict(each.diagnostics).newerTree())));
    }

    @Test
    void the_verdict_names_the_shape_and_the_status_the_coverage() throws Exception {
        Map<String, String> verdicts = new LinkedHashMap<>();
        for (Case each : cases()) {
            SuperPassVerdict verdict = new SuperPassVerdict(each.diagnostics);
            verdicts.put(each.name, verdict.status() + ", " + verdict.verdict());
        }
        assertEquals("windowable, STEADY STATE", verdicts.get("level"));
        assertEquals("windowable, STEADY STATE", verdicts.get("shift_fixed"));
        assertEquals("insufficient_duration, drifting_up", verdicts.get("drift"));
        assertEquals("windowable, not found", verdicts.get("scatter"));
        assertEquals("insufficient_duration, not found", verdicts.get("short"));
        assertEquals("insufficient_passes, not found", verdicts.get("few"));
        SuperPassDiagnostics shift = cases().stream()
                .filter(each -> each.name.equals("shift_fixed"))
                .findFirst()
                .orElseThrow()
                .diagnostics;
        SuperPassVerdict short300 = new SuperPassVerdict(new SuperPassDiagnostics(shift.all(), shift.size(), 1, 300));
        assertEquals("anomaly", short300.verdict());
        double[] none = {};
        SuperPass partial = new SuperPass(3, 0, 1, 2, none, none, none, none, 0);
        SuperPassVerdict verdict =
                new SuperPassVerdict(new SuperPassDiagnostics(List.of(partial), 4, SuperPassDiagnostics.AUTO, 600));
        assertEquals("partial_dataset", verdict.status());
        assertEquals("not found", verdict.verdict());
    }

    @Test
    void the_window_counts_its_first_super_pass_from_the_start_of_the_run() throws Exception {
        Case level = cases().get(0);
        SuperPassVerdict verdict = new SuperPassVerdict(level.diagnostics);
        assertEquals(2, verdict.windowFrom());
        assertEquals(14, verdict.window().size());
        assertEquals(
                List.of("superpass_size", "n_super_passes", "n_post_warmup", "found"),
                List.copyOf(verdict.headline().keySet()).subList(0, 4));
        assertEquals(true, Arrays.asList(verdict.headline().values().toArray()).contains(true));
    }
}
