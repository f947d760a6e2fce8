package io.metricsaggregator.simulation.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTextTest {
    @Test
    void a_plan_read_back_is_the_plan_that_was_drawn() {
        for (long seed = 1; seed <= 200; seed++) {
            LifePlan plan = LifePlan.draw(seed);
            String text = "# drawn\n" + PlanText.format(plan);
            assertThat(PlanText.parse(text.lines().toList()))
                    .as("seed %d", seed)
                    .containsExactly(plan);
        }
    }

    @Test
    void the_same_seed_draws_the_same_plan() {
        assertThat(LifePlan.draw(17)).isEqualTo(LifePlan.draw(17)).isNotEqualTo(LifePlan.draw(18));
    }

    @Test
    void a_line_that_is_no_plan_is_refused_by_name() {
        assertThatThrownBy(() -> PlanText.parse(List.of("life seed=x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("life seed=x");
        assertThatThrownBy(() -> PlanText.parse(List.of("KILL process=1 nth=1 nanos=0 label=")))
                .hasMessageContaining("KILL process=1");
    }
}
