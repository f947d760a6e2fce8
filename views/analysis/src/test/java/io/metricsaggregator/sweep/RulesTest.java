package io.metricsaggregator.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RulesTest {
    private static Map<String, Rules.Check> checks(List<SweepRun> runs) {
        return Sweep.of(runs, SweepOptions.DEFAULT).curves().get(0).rules().checks().stream()
                .collect(Collectors.toMap(Rules.Check::rule, each -> each));
    }

    @Test
    void theRegionsAreThoseOfTheReferenceAlgorithm() {
        assertThat(Regions.of(32, 8192)).isEqualTo(new Regions(32, 52, 437, 8192, 9012));
        assertThat(Regions.of(1, 256)).isEqualTo(new Regions(1, 7, 41, 256, 282));
        // The rules print 116; their algorithm gives 117.
        assertThat(Regions.of(16, 1024)).isEqualTo(new Regions(16, 26, 117, 1024, 1127));
        assertThatThrownBy(() -> Regions.of(8, 8)).hasMessage("no regions from concurrency 8 to 8");
    }

    @Test
    void theWorkedExampleMeetsEveryRuleButHasNoOfflinePoint() {
        Map<String, Rules.Check> checks = checks(SweepRuns.example());
        assertThat(checks.get("at least 7 points at fixed concurrency").outcome())
                .isEqualTo(Rules.Outcome.MET);
        assertThat(checks.get("a point in the low region (2 to 9)").evidence()).isEqualTo("at 8");
        assertThat(checks.get("a point in the medium region (10 to 65)").evidence())
                .isEqualTo("at 32, 64");
        assertThat(checks.get("a point in the high region (66 to 512)").evidence())
                .isEqualTo("at 128, 256, 512");
        assertThat(checks.values().stream().filter(each -> each.outcome() != Rules.Outcome.MET))
                .extracting(Rules.Check::outcome)
                .containsExactly(Rules.Outcome.UNKNOWN);
    }

    @Test
    void whatMissesARuleIsNamed() {
        SweepRun shortRun = new SweepRun(
                "short",
                new SweepRun.Placement(40.0, true, false, null, null, 1000L),
                "",
                Basis.RUN,
                SweepRuns.figures(10, 10),
                SweepRun.Marks.NONE,
                null,
                Verdict.Validity.VALID,
                false,
                false,
                1199.0,
                1500,
                Map.of(),
                "",
                "");
        Map<String, Rules.Check> checks = checks(List.of(SweepRuns.run(33, 20, 20), shortRun));
        assertThat(checks.get("at least 7 points at fixed concurrency").evidence())
                .isEqualTo("2 points");
        assertThat(checks.get("a point in the ultra-low region (1 to 32)").outcome())
                .isEqualTo(Rules.Outcome.NOT_MET);
        assertThat(checks.get("a point in each region of concurrency").outcome())
                .isEqualTo(Rules.Outcome.UNKNOWN);
        assertThat(checks.get("600 s up to concurrency 32, 1200 s above").evidence())
                .isEqualTo("shorter at 40");
        assertThat(checks.get("samples issued are a multiple of the dataset size")
                        .evidence())
                .isEqualTo("not at 40");
        assertThat(checks.get("state complete").evidence()).isEqualTo("not at 40");
        assertThat(checks.get("concurrency stated, not derived").evidence()).isEqualTo("not at 40");
    }

    @Test
    void anOfflinePointIsJudgedByItsThroughputAndStaysOffTheFront() {
        List<SweepRun> runs = new ArrayList<>(SweepRuns.example());
        SweepRun offline = new SweepRun(
                "offline",
                new SweepRun.Placement(null, false, true, null, null, 1000L),
                "",
                Basis.RUN,
                SweepRuns.figures(2900, 60),
                SweepRun.Marks.NONE,
                null,
                Verdict.Validity.VALID,
                false,
                true,
                1200.0,
                1000,
                Map.of(),
                "",
                "");
        runs.add(offline);
        Curve curve = Sweep.of(runs, SweepOptions.DEFAULT).curves().get(0);
        assertThat(curve.front().steps()).hasSize(6);
        Rules.Check check = curve.rules().checks().stream()
                .filter(each -> each.rule().startsWith("an Offline point"))
                .findFirst()
                .orElseThrow();
        assertThat(check.outcome()).isEqualTo(Rules.Outcome.NOT_MET);
        assertThat(check.evidence()).startsWith("its system_tps is 96.7 % of that at the largest concurrency");
    }
}
