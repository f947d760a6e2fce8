package io.metricsaggregator.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SweepConditionTest {
    private static Sweep scaled(double factor) {
        return Sweep.of(
                SweepRuns.example().stream()
                        .map(each -> SweepRuns.run(
                                each.placement().concurrency(),
                                each.figures().get(PointFigure.SYSTEM_TPS) * factor,
                                each.figures().get(PointFigure.TPS_PER_USER)))
                        .toList(),
                SweepOptions.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource({"0.96, true", "0.98, false", "1, false"})
    void aFrontThatLostMoreThanThreePercentOfItsAreaHoldsTheCondition(double factor, boolean holds) {
        SweepCondition condition = SweepCondition.parse("front.auc < base*0.97");
        SweepCondition.Answer answer =
                condition.check(scaled(factor), scaled(1)).get(0);
        assertThat(answer.holds()).isEqualTo(holds);
        assertThat(answer.evidence()).contains("over tps_per_user 13 to 52");
    }

    @Test
    void areasAreComparedOverTheSharedRangeOnly() {
        Sweep shorter = Sweep.of(SweepRuns.example().subList(0, 4), SweepOptions.DEFAULT);
        SweepCondition condition = SweepCondition.parse("front.auc < base");
        assertThat(condition.check(shorter, scaled(1)).get(0))
                .isEqualTo(new SweepCondition.Answer(
                        "", false, "front.auc is 18760, the bound 18760 over tps_per_user 34 to 52"));
    }

    @Test
    void aBaseWithAShorterRangeShortensThatOfTheSweep() {
        Sweep base = Sweep.of(SweepRuns.example().subList(1, 4), SweepOptions.DEFAULT);
        // From 34 to 48: 7 wide between 2100 and 1300, and 7 between 1300 and 400.
        assertThat(SweepCondition.parse("front.auc > base")
                        .check(scaled(1), base)
                        .get(0))
                .isEqualTo(new SweepCondition.Answer(
                        "", false, "front.auc is 17850, the bound 17850 over tps_per_user 34 to 48"));
    }

    @ParameterizedTest
    @CsvSource({
        "knee.concurrency < 128, false",
        "knee.concurrency <= 128, true",
        "knee.y < 2900.5, true",
        "saturation.concurrency < 256, false",
        "front.points >= 6, true",
        "front.points > base * 1, false"
    })
    void aFigureIsComparedWithANumberOrTheBase(String text, boolean holds) {
        assertThat(SweepCondition.parse(text).check(scaled(1), scaled(1)).get(0).holds())
                .isEqualTo(holds);
    }

    @Test
    void noConcurrencyThatMeetsTheLimitsIsTheWorstAnswer() {
        SweepOptions options = new SweepOptions(
                PointFigure.TPS_PER_USER, PointFigure.SYSTEM_TPS, false, Requirement.parse("tps_per_user>1000"));
        Sweep sweep = Sweep.of(SweepRuns.example(), options);
        assertThat(SweepCondition.parse("required.concurrency < 64")
                        .check(sweep, null)
                        .get(0)
                        .holds())
                .isTrue();
    }

    @Test
    void aConditionThatCannotBeEvaluatedIsAnErrorRatherThanAPass() {
        assertThatThrownBy(() -> SweepCondition.parse("front.auc < base").check(scaled(1), null))
                .hasMessage("'front.auc < base*1' needs --base");
        assertThatThrownBy(() -> SweepCondition.parse("goodput.per_s < 5").check(scaled(1), null))
                .hasMessage("'goodput.per_s < 5' needs goodput.per_s, which this sweep does not have");
        Sweep point = Sweep.of(List.of(SweepRuns.run(1, 1, 1)), SweepOptions.DEFAULT);
        assertThatThrownBy(() -> SweepCondition.parse("front.auc < 5").check(point, null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"front.auc", "front.auc < ", "front.auc < base 0.9", "front.auc < base*", "front.auc = 3"})
    void whatIsNoConditionIsRefused(String text) {
        assertThatThrownBy(() -> SweepCondition.parse(text))
                .hasMessageStartingWith("'" + text + "' is not a condition");
    }

    @Test
    void anUnknownFigureIsRefused() {
        assertThatThrownBy(() -> SweepCondition.parse("front.area < 3"))
                .hasMessageStartingWith("'front.area' is not a figure of a sweep. Write one of front.auc, ");
    }
}
