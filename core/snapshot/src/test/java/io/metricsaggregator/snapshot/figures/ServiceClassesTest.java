package io.metricsaggregator.snapshot.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.snapshot.figures.ServiceClasses.Row;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServiceClassesTest {
    private static Row row(
            String name, long judged, long good, double target, long tokens, Map<String, Long> latencies) {
        return new Row(name, new Goodput(List.of(), target, judged, good, 0), tokens, tokens / 2, latencies);
    }

    @Test
    void jains_index_is_that_of_the_worked_numbers() {
        assertThat(ServiceClasses.jain(100, 100, 100, 100)).isEqualTo(1);
        assertThat(ServiceClasses.jain(400, 0, 0, 0)).isEqualTo(0.25);
        assertThat(ServiceClasses.jain(130, 95, 90, 85)).isCloseTo(0.9697, within(0.00005));
        assertThat(ServiceClasses.jain(7)).isNull();
        assertThat(ServiceClasses.jain(0, 0)).isNull();
    }

    @Test
    void fairness_is_of_the_good_tokens_and_of_the_median_latencies_of_classes_with_a_judgement() {
        ServiceClasses classes = new ServiceClasses(
                "tier",
                List.of(
                        row("gold", 10, 10, 0.9, 400, Map.of("100", 3L, "200", 5L, "900", 2L)),
                        row("silver", 10, 0, 0.9, 0, Map.of()),
                        row("never used", 0, 0, 0.9, 0, Map.of()),
                        row("*", 10, 10, 0.9, 400, Map.of("400", 1L))));
        assertThat(classes.fairnessGoodTokens()).isCloseTo(800.0 * 800 / (3 * 2 * 400 * 400), within(1e-12));
        // 1/200, 0 and 1/400.
        assertThat(classes.fairnessLatency()).isCloseTo(0.0075 * 0.0075 / (3 * 0.00003125), within(1e-12));
    }

    @Test
    void a_budget_is_used_by_bad_samples_and_unknown_without_one() {
        assertThat(row("a", 200, 199, 0.99, 0, Map.of()).budgetUsed()).isCloseTo(0.5, within(1e-9));
        assertThat(row("a", 100, 97, 0.99, 0, Map.of()).budgetUsed()).isCloseTo(3, within(1e-9));
        assertThat(row("a", 100, 97, 1, 0, Map.of()).budgetUsed()).isNull();
        assertThat(row("a", 0, 0, 0.99, 0, Map.of()).budgetUsed()).isNull();
    }

    @Test
    void the_target_is_met_if_every_class_meets_its_own() {
        Row met = row("*", 100, 95, 0.9, 0, Map.of());
        assertThat(Goodput.ofClasses(
                                0.9, new ServiceClasses("tier", List.of(met, row("gold", 10, 9, 0.99, 0, Map.of()))))
                        .isMet())
                .isFalse();
        Goodput both = Goodput.ofClasses(
                0.9, new ServiceClasses("tier", List.of(met, row("gold", 1000, 999, 0.99, 0, Map.of()))));
        assertThat(both.isMet()).isTrue();
        assertThat(both.budgetLeft()).isEqualTo(5);
        assertThat(both.judged()).isEqualTo(1100);
        assertThat(both.good()).isEqualTo(1094);
    }

    @Test
    void latencies_of_hostile_snapshots_are_left_out_or_bounded() {
        assertThat(row("a", 1, 1, 0.9, 0, Map.of("x", 1L, "-5", 1L, "999999999999999999999", 1L, "7", -1L))
                        .latencyP50Nanos())
                .isNull();
        assertThat(row("a", 1, 1, 0.9, 0, Map.of("5", Long.MAX_VALUE, "7", Long.MAX_VALUE))
                        .latencyP50Nanos())
                .isBetween(5.0, 7.0);
    }
}
