package io.metricsaggregator.tui;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.ExampleFleet;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.Nodes;
import io.metricsaggregator.snapshot.SessionState;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScreenNodesTest extends ScreenFixture {
    private void fleet(Nodes nodes) {
        for (int i = 1; i <= 12; i++) {
            history.add(i * SECOND, ExampleFleet.with(snapshot(i, SessionState.LIVE), nodes));
        }
    }

    private static Nodes ten() {
        return new Nodes(
                List.of(
                        ExampleFleet.node("gpu-1\u001b[2J日", NodeState.LIVE, 0.1),
                        ExampleFleet.node("gpu-2", NodeState.LOST, 75),
                        ExampleFleet.node("gpu-3", NodeState.STALE, 4.5),
                        NodeRow.waiting("gpu-4"),
                        ExampleFleet.node("gpu-5", NodeState.LIVE, 0.1),
                        ExampleFleet.refused("gpu-6", "no histograms"),
                        ExampleFleet.node("gpu-7", NodeState.ENDED, 20),
                        ExampleFleet.node("gpu-8", NodeState.LIVE, 0.1),
                        ExampleFleet.node("gpu-9", NodeState.LIVE, 0.1),
                        ExampleFleet.node("gpu-10", NodeState.LIVE, 0.1)),
                10L,
                0,
                0);
    }

    @Test
    void the_header_names_the_troubled_nodes_and_counts_all() {
        fleet(ten());
        assertThat(draw(12 * SECOND, 130, 40))
                .contains(" nodes 10 of 10: 1 lost, 1 refused, 1 stale, 1 waiting, 5 live, 1 ended  × lost gpu-2"
                        + "  ⊘ refused gpu-6");
        assertThat(styleOf("1 lost", 12 * SECOND)).isEqualTo(Style.BAD);
    }

    @Test
    void a_fleet_without_a_live_node_says_for_whom_it_waits_in_the_place_of_live() {
        fleet(new Nodes(
                List.of(ExampleFleet.node("gpu-1", NodeState.ENDED, 75), NodeRow.waiting("gpu-2")), 3L, 300.0, 0, 0));
        assertThat(draw(12 * SECOND, 130, 40))
                .contains("WAITING  age")
                .contains(
                        " waiting for gpu-2 and 1 more node, no live node for 0:01:15, at most 0:05:00 after the first"
                                + " end (--linger)");
    }

    @Test
    void the_page_of_nodes_fits_a_small_terminal_and_has_more_columns_on_a_large_one() {
        fleet(ten());
        view.preset(ViewState.Preset.NODES);
        String small = draw(12 * SECOND, 80, 24);
        assertThat(small)
                .containsPattern("gpu-2 +× lost +0:01:15 +1,227 +2 +7 +250\\.00 ms")
                .containsPattern("gpu-4 +○ waiting +- ")
                .containsPattern("gpu-1\\S+ +● live")
                .contains("gpu-10", "gpu-6 is not in the sums: no histograms")
                .doesNotContain("clock", "\u001b");
        assertThat(draw(12 * SECOND, 170, 48))
                .containsPattern("nodes +state +age +done +failed +in fl\\. +≈p99 +done/s +issued +missed +clock")
                .containsPattern("gpu-3 +◐ stale +4\\.5 s +1,227 +2 +7 +250\\.00 ms +0\\.000 +1,234 +3 +-12\\.50 ms");
        assertThat(styleOf("◐ stale", 12 * SECOND)).isEqualTo(Style.WARN);
        assertThat(styleOf("● live", 12 * SECOND)).isEqualTo(Style.GOOD);
    }

    @Test
    void the_overview_of_a_fleet_shows_its_nodes_where_a_single_daemon_has_its_workers() {
        fleet(ten());
        String wide = draw(12 * SECOND, 170, 48);
        for (NodeRow each : ten().rows()) {
            assertThat(wide).contains("\n " + each.node().replaceAll("\u001b.*", ""));
        }
        assertThat(wide).contains("nodes              state").doesNotContain("workers  ");
        history.add(13 * SECOND, snapshot(13, SessionState.LIVE));
        assertThat(draw(13 * SECOND, 170, 48)).contains(" workers  ").doesNotContain("nodes  ");
        view.preset(ViewState.Preset.NODES);
        assertThat(draw(13 * SECOND, 170, 48)).contains("no nodes: these snapshots come from a single daemon");
    }

    @Test
    void a_fleet_without_a_node_has_no_head_of_a_table() {
        fleet(new Nodes(List.of(), null, 0, 0));
        view.preset(ViewState.Preset.NODES);
        assertThat(draw(12 * SECOND, 80, 24)).contains("\n no nodes so far").doesNotContain("state  ");
    }

    @Test
    void a_terminal_without_unicode_shows_ascii_signs() {
        Screen plain = new Screen(false, null, null);
        MetricsSnapshot one = ExampleFleet.with(snapshot(1, SessionState.LIVE), ten());
        history.add(SECOND, one);
        view.preset(ViewState.Preset.NODES);
        assertThat(plain.text(history, view, SECOND, 100, 30))
                .contains("x lost", "! stale", "- waiting", "+ live", "= ended", "# refused")
                .doesNotContain("●", "×", "◐");
    }

    @Test
    void a_thousand_nodes_scroll_and_the_overview_counts_those_that_it_does_not_show() {
        fleet(ExampleFleet.large(1000));
        assertThat(draw(12 * SECOND, 170, 60)).contains("and 988 more (988 live): 9");
        view.preset(ViewState.Preset.NODES);
        view.scroll(10_000);
        assertThat(draw(12 * SECOND, 80, 24)).contains("gpu-0999", "gpu-0007 is not in the sums");
    }
}
