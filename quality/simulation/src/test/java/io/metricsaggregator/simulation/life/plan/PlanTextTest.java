package io.metricsaggregator.simulation.life.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.simulation.machine.Fault;
import java.util.List;
import java.util.stream.LongStream;
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
    void lives_of_every_kind_are_drawn_within_some_hundred_seeds() {
        List<LifePlan> plans =
                LongStream.rangeClosed(1, 300).mapToObj(LifePlan::draw).toList();
        assertThat(plans)
                .anyMatch(each -> each.daemon().stays())
                .anyMatch(LifePlan::subscribed)
                .anyMatch(LifePlan::wired)
                .anyMatch(LifePlan::heavy)
                .anyMatch(each -> !each.daemon().packed())
                .anyMatch(each -> each.daemon().countsTexts())
                .anyMatch(each -> each.daemon().spills());
        assertThat(plans).extracting(LifePlan::fleet).contains(0, 1, 2, 3);
        assertThat(plans).extracting(LifePlan::runs).contains(1, 2);
        for (Fault.Kind kind : Fault.Kind.values()) {
            assertThat(plans).as("%s", kind).anyMatch(each -> each.has(kind));
        }
    }

    @Test
    void the_nodes_of_a_fleet_keep_what_they_send_as_its_first_life_does() {
        LifePlan plan = LifePlan.draw(1);
        for (int i = 1; i <= 100; i++) {
            DaemonSettings node = plan.node(i).daemon();
            assertThat(node.counters()).isEqualTo(plan.daemon().counters());
            assertThat(node.packed()).isEqualTo(plan.daemon().packed());
            assertThat(node.spills()).isEqualTo(plan.daemon().spills());
        }
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
