package io.metricsaggregator.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.verdict.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SweepTest {
    private static Curve curve(List<SweepRun> runs, SweepOptions options) {
        return Sweep.of(runs, options).curves().get(0);
    }

    private static Curve curve(List<SweepRun> runs) {
        return curve(runs, SweepOptions.DEFAULT);
    }

    private static List<Double> front(Curve curve) {
        return curve.front().steps().stream()
                .map(each -> each.point().concurrency())
                .toList();
    }

    @Test
    void theWorkedExampleHasAllButTheLastPointOnItsFrontItsKneeAt128AndSaturatesAt256() {
        List<SweepRun> runs = SweepRuns.example();
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Collections.shuffle(runs, new Random(seed));
        Curve curve = curve(runs);
        assertThat(front(curve)).containsExactly(1.0, 8.0, 32.0, 64.0, 128.0, 256.0);
        Front.Step knee = curve.front().knee();
        assertThat(knee.point().concurrency()).isEqualTo(128);
        assertThat(knee.x() * knee.y()).isEqualTo(72_500);
        assertThat(curve.saturation().concurrency()).isEqualTo(256);
    }

    @Test
    void onATieTheLowerConcurrencyIsOnTheFront() {
        Curve curve =
                curve(List.of(SweepRuns.run(64, 500, 20), SweepRuns.run(32, 500, 20), SweepRuns.run(16, 400, 20)));
        assertThat(front(curve)).containsExactly(32.0);
    }

    @Test
    void saturationIsJudgedPerDoublingOfConcurrency() {
        // From 10 to 40 are two doublings: 10 % in all is 4.9 % for each.
        assertThat(curve(List.of(SweepRuns.run(10, 100, 9), SweepRuns.run(40, 110, 8)))
                        .saturation()
                        .concurrency())
                .isEqualTo(10);
        assertThat(curve(List.of(SweepRuns.run(10, 100, 9), SweepRuns.run(40, 111, 8)))
                        .saturation())
                .isNull();
    }

    @Test
    void repeatsOfAConcurrencyAreOnePointWithMedianAndRange() {
        Curve curve = curve(List.of(
                SweepRuns.run(8, 400, 48),
                SweepRuns.run(8, 420, 44),
                SweepRuns.run(8, 380, 46),
                SweepRuns.run(9, 1, 1)));
        assertThat(curve.points()).hasSize(2);
        SweepPoint point = curve.points().get(0);
        assertThat(point.runs()).hasSize(3);
        assertThat(point.figure(PointFigure.SYSTEM_TPS)).isEqualTo(400);
        assertThat(point.low(PointFigure.SYSTEM_TPS)).isEqualTo(380);
        assertThat(point.high(PointFigure.TPS_PER_USER)).isEqualTo(48);
        assertThat(new SweepPoint(List.of(SweepRuns.run(8, 400, 48), SweepRuns.run(8, 420, 44)))
                        .figure(PointFigure.SYSTEM_TPS))
                .isEqualTo(410);
        assertThat(point.figure(PointFigure.TTFT_P90_MS)).isNull();
    }

    @Test
    void anInvalidRepeatSpoilsNoMedianAndStaysOffTheFrontUnlessItIsAskedFor() {
        List<SweepRun> runs = new ArrayList<>(SweepRuns.example());
        runs.add(SweepRuns.run("", 128, Verdict.Validity.INVALID, SweepRuns.figures(9000, 90)));
        Curve curve = curve(runs);
        assertThat(front(curve)).containsExactly(1.0, 8.0, 32.0, 64.0, 128.0, 256.0);
        assertThat(curve.points()).hasSize(8);
        SweepOptions all = new SweepOptions(PointFigure.TPS_PER_USER, PointFigure.SYSTEM_TPS, true, null);
        assertThat(front(curve(runs, all))).containsExactly(128.0);
    }

    @Test
    void questionableRunsAreOnTheFrontAndIncompleteOnesAreNot() {
        SweepRun questionable = SweepRuns.run("", 2, Verdict.Validity.QUESTIONABLE, SweepRuns.figures(100, 40));
        SweepRun valid = SweepRuns.run(4, 200, 20);
        SweepRun incomplete = new SweepRun(
                "cut",
                SweepRun.Placement.at(3),
                "",
                Basis.RUN,
                SweepRuns.figures(1000, 100),
                SweepRun.Marks.NONE,
                null,
                Verdict.Validity.VALID,
                false,
                false,
                600.0,
                10,
                Map.of(),
                "",
                "");
        assertThat(front(curve(List.of(questionable, valid, incomplete)))).containsExactly(2.0, 4.0);
    }

    @Test
    void areasAreComparedOverTheRangeThatAllFrontsShare() {
        List<SweepRun> runs = new ArrayList<>(List.of(
                SweepRuns.run("a", 1, Verdict.Validity.VALID, SweepRuns.figures(100, 50)),
                SweepRuns.run("a", 2, Verdict.Validity.VALID, SweepRuns.figures(300, 10)),
                SweepRuns.run("b", 1, Verdict.Validity.VALID, SweepRuns.figures(100, 40)),
                SweepRuns.run("b", 2, Verdict.Validity.VALID, SweepRuns.figures(200, 30)),
                SweepRuns.run("b", 4, Verdict.Validity.VALID, SweepRuns.figures(240, 20))));
        Sweep sweep = Sweep.of(runs, SweepOptions.DEFAULT);
        assertThat(sweep.commonRange()).isEqualTo(new Front.Range(20, 40));
        // a falls from 250 at 20 to 150 at 40; b has 240, 200 and 100 at 20, 30 and 40.
        assertThat(sweep.areas().get("a")).isCloseTo(4000, within(1e-9));
        assertThat(sweep.areas().get("b")).isCloseTo(2200 + 1500, within(1e-9));
        runs.add(SweepRuns.run("c", 1, Verdict.Validity.VALID, SweepRuns.figures(1, 5)));
        assertThat(Sweep.of(runs, SweepOptions.DEFAULT).areas()).isEmpty();
    }

    @Test
    void theAreaOfOneCurveCoversItsWholeFront() {
        Map<String, Double> areas =
                Sweep.of(SweepRuns.example(), SweepOptions.DEFAULT).areas();
        double expected = 4 * (55 + 400) / 2.0
                + 7 * (400 + 1300) / 2.0
                + 7 * (1300 + 2100) / 2.0
                + 9 * (2100 + 2900) / 2.0
                + 12 * (2900 + 3100) / 2.0;
        assertThat(areas.get("")).isCloseTo(expected, within(1e-9));
    }

    @Test
    void theLargestConcurrencyThatMeetsEveryLimitIsFoundWithTheLimitThatTheNextOneMisses() {
        Requirement limits = Requirement.parse("system_tps>=1000, tps_per_user >= 30");
        SweepOptions options = new SweepOptions(PointFigure.TPS_PER_USER, PointFigure.SYSTEM_TPS, false, limits);
        Requirement.Answer answer = curve(SweepRuns.example(), options).required();
        assertThat(answer.point().concurrency()).isEqualTo(64);
        assertThat(answer.missed()).isEqualTo("at concurrency 128 tps_per_user is 25, not >= 30");
    }

    @Test
    void withoutASuitableConcurrencyTheLimitThatTheSmallestOneMissesIsNamed() {
        Requirement limits = Requirement.parse("tps_per_user>=30,ttft_p90_ms<=500,system_tps>1e9");
        SweepOptions options = new SweepOptions(PointFigure.TPS_PER_USER, PointFigure.SYSTEM_TPS, false, limits);
        Requirement.Answer answer = curve(SweepRuns.example(), options).required();
        assertThat(answer.point()).isNull();
        assertThat(answer.missed()).isEqualTo("at concurrency 1 ttft_p90_ms is not measured");
    }

    @Test
    void aRequirementNamesWhatItCannotRead() {
        assertThatThrownBy(() -> Requirement.parse("ttft_p90<=500"))
                .hasMessageStartingWith("'ttft_p90' is not a figure of a point. Write one of system_tps, ");
        assertThatThrownBy(() -> Requirement.parse("ttft_p90_ms=500"))
                .hasMessageStartingWith("'ttft_p90_ms=500' is not a limit");
        assertThatThrownBy(() -> Requirement.parse("qps>fast")).hasMessage("'fast' in 'qps>fast' is not a number");
        assertThatThrownBy(() -> Requirement.parse("qps>1,")).hasMessageStartingWith("'' is not a limit");
    }

    @Test
    void theMostGoodputCountsOnlyWhereTheTargetIsReached() {
        List<SweepRun> runs = new ArrayList<>();
        double[][] rows = {{8, 10, 1}, {16, 18, 0.95}, {32, 17, 0.9}, {64, 30, 0.7}};
        for (double[] each : rows) {
            Map<PointFigure, Double> figures = SweepRuns.figures(each[0], 100 - each[0]);
            figures.put(PointFigure.GOODPUT_PER_S, each[1]);
            figures.put(PointFigure.GOOD_SHARE, each[2]);
            runs.add(SweepRuns.run("", each[0], Verdict.Validity.VALID, figures));
        }
        assertThat(curve(runs).bestGoodput().concurrency()).isEqualTo(16);
        assertThat(curve(runs.subList(3, 4)).bestGoodput()).isNull();
    }

    @Test
    void aFigureOfWhichLessIsBetterIsNoAxis() {
        SweepOptions options = new SweepOptions(PointFigure.TTFT_P90_MS, PointFigure.SYSTEM_TPS, false, null);
        assertThatThrownBy(() -> Sweep.of(SweepRuns.example(), options))
                .hasMessageStartingWith("ttft_p90_ms cannot be an axis of the front: less of it is better");
    }

    @Test
    void theDifferencesBetweenRunsAreListed() {
        SweepRun one = SweepRuns.run(1, 1, 1);
        SweepRun two = new SweepRun(
                "two",
                one.placement(),
                "",
                Basis.STEADY,
                one.figures(),
                SweepRun.Marks.NONE,
                null,
                one.validity(),
                false,
                true,
                1.0,
                1,
                Map.of("streaming", "true"),
                "",
                "");
        assertThat(Sweep.of(List.of(one, two), SweepOptions.DEFAULT).differences())
                .containsExactly("streaming: - (run-1), true (two)", "basis: run (run-1), steady (two)");
        assertThat(Sweep.of(SweepRuns.example(), SweepOptions.DEFAULT).differences())
                .isEmpty();
    }
}
