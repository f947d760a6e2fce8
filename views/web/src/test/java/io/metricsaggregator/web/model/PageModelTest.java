package io.metricsaggregator.web.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.Nodes;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ProgressState;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SteadyState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PageModelTest {
    private final RecentRun recent = new RecentRun();

    private MetricsSnapshot run(int seconds, SessionState end) {
        for (int i = 1; i < seconds; i++) {
            recent.add(RunFixture.snapshot(i, SessionState.LIVE));
        }
        MetricsSnapshot last = RunFixture.snapshot(seconds, end);
        recent.add(last);
        return last;
    }

    private static Map<?, ?> tile(Map<String, Object> model, String title) {
        return ((List<?>) model.get("tiles"))
                .stream()
                        .map(each -> (Map<?, ?>) each)
                        .filter(each -> title.equals(each.get("title")))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(title + " in " + model));
    }

    private static Map<?, ?> table(Map<String, Object> model, String id) {
        return ((List<?>) model.get("tables"))
                .stream()
                        .map(each -> (Map<?, ?>) each)
                        .filter(each -> id.equals(each.get("id")))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(id + " in " + model));
    }

    private static String notes(Map<String, Object> model) {
        return model.get("notes").toString();
    }

    @Test
    void tiles_of_a_live_run_show_the_window_and_the_run_below() {
        Map<String, Object> now = PageModel.now(run(30, SessionState.LIVE), recent, 10);
        // Seconds 21 to 30 have samples of 201 to 300 ms, the run those of 1 to 300 ms, in
        // buckets of 3 figures.
        assertThat(tile(now, "TTFT p50").get("value")).isEqualTo("≈ 250.48 ms");
        assertThat(tile(now, "TTFT p50").get("detail")).isEqualTo("run ≈ 150.08 ms");
        assertThat(tile(now, "Requests/s").get("value")).isEqualTo("10.0");
        assertThat(tile(now, "In flight").get("detail")).isEqualTo("peak 9, oldest 3.000 s");
        assertThat(tile(now, "Failed").get("tone")).isEqualTo("warn");
        assertThat(tile(now, "Goodput").get("value")).isEqualTo("50.00%");
        assertThat(tile(now, "Goodput").get("tone")).isEqualTo("bad");
        Map<String, Object> longer = PageModel.now(run(30, SessionState.LIVE), recent, 30);
        assertThat(tile(longer, "TTFT p50").get("value")).isNotEqualTo("≈ 250.48 ms");
        assertThat(table(longer, "durations").toString()).contains("now (30 s)");
    }

    @Test
    void tiles_of_a_run_that_has_ended_show_the_run_and_notes_its_verdict() {
        Map<String, Object> now = PageModel.now(run(30, SessionState.COMPLETE), recent, 10);
        assertThat(tile(now, "TTFT p50").get("value")).isEqualTo("≈ 150.08 ms");
        assertThat(tile(now, "TTFT p50").get("detail")).isEqualTo("whole run");
        assertThat(((Map<?, ?>) now.get("run")).get("terminal")).isEqualTo(true);
        assertThat(notes(now)).contains("Verdict: ").contains("7 records were lost in transit");
        assertThat(notes(PageModel.now(run(30, SessionState.LIVE), recent, 10))).doesNotContain("Verdict");
    }

    /** The tone of the one note that contains a text. */
    private static Object tone(MetricsSnapshot snapshot, String text) {
        return ((List<?>) PageModel.now(snapshot, new RecentRun(), 10).get("notes"))
                .stream()
                        .map(each -> (Map<?, ?>) each)
                        .filter(each -> each.get("text").toString().contains(text))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(text + " in " + snapshot))
                        .get("tone");
    }

    private static List<Slices.Column> columns(long inFlightStep) {
        long[] completed = new long[30];
        long[] inFlight = new long[30];
        for (int i = 0; i < 30; i++) {
            completed[i] = 10;
            inFlight[i] = 20 + i * inFlightStep;
        }
        return List.of(new Slices.Column("completed", completed), new Slices.Column("in_flight_max", inFlight));
    }

    @Test
    void notes_of_a_live_run_name_each_reason_that_will_cost_its_verdict() {
        MetricsSnapshot few = RunFixture.live(
                30,
                List.of(
                        new CounterMetric("tracked_samples_succeeded", 270),
                        new CounterMetric("tracked_samples_errored", 30)),
                columns(0),
                OptionalFigures.NONE,
                0);
        assertThat(tone(few, "failed samples: 30 of 300 tracked samples failed (10.00%)"))
                .isEqualTo("warn");
        assertThat(tone(few, "objectives: 150 of 300 judged samples are good (50.00%); the target of 90.00% is MISSED"))
                .as("a missed target is red, as its tile")
                .isEqualTo("bad");
        assertThat(notes(PageModel.now(few, recent, 10))).doesNotContain("publish interval", "Stalled");
        MetricsSnapshot most = RunFixture.live(
                30,
                List.of(
                        new CounterMetric("tracked_samples_succeeded", 120),
                        new CounterMetric("tracked_samples_errored", 180)),
                columns(0),
                OptionalFigures.NONE,
                7);
        assertThat(tone(most, "failed samples: 180 of 300 tracked samples failed (60.00%)"))
                .isEqualTo("bad");
        assertThat(tone(most, "The daemon could not keep the publish interval; it is now 250.00 ms."))
                .isEqualTo("warn");
    }

    @Test
    void a_stall_of_a_live_run_is_a_red_note() {
        Progress stalled = new Progress(
                ProgressState.STALLED, 41 * RunFixture.SECOND, null, RunFixture.SECOND, 41, 1, 41, List.of(), null);
        OptionalFigures waits = new OptionalFigures(null, null, null, null, null, null, stalled);
        assertThat(tone(
                        RunFixture.live(30, List.of(), columns(0), waits, 0),
                        "Stalled: no answer for 0:41, 5 in flight."))
                .isEqualTo("bad");
        Progress idle = new Progress(ProgressState.IDLE, null, null, RunFixture.SECOND, 0, 0, 0, List.of(), null);
        OptionalFigures none = new OptionalFigures(null, null, null, null, null, null, idle);
        assertThat(notes(PageModel.now(RunFixture.live(30, List.of(), columns(0), none, 0), recent, 10)))
                .doesNotContain("Stalled");
    }

    @Test
    void a_steady_level_names_what_it_was_judged_by_and_is_green_only_while_nothing_else_changes() {
        SteadyState steady = new SteadyState(
                "steady", "tpot_ns", 20, 4, 0L, 2 * RunFixture.SECOND, 28, 600, 0.01, 0.0, 0.9, null, null);
        OptionalFigures figures = new OptionalFigures(null, steady, null, null, null, null, null);
        String text = "Steady state, judged by the time per output token alone: ";
        assertThat(tone(RunFixture.live(30, List.of(), columns(0), figures, 0), text))
                .isEqualTo("good");
        assertThat(tone(RunFixture.live(30, List.of(), columns(5), figures, 0), text))
                .as("samples in flight grow")
                .isEqualTo("warn");
    }

    @Test
    void percentiles_of_the_window_stand_beside_those_of_the_run_and_uncertain_ones_are_marked() {
        Map<?, ?> durations = table(PageModel.now(run(30, SessionState.LIVE), recent, 10), "durations");
        List<?> ttft = (List<?>) ((List<?>) durations.get("rows")).get(0);
        assertThat(ttft.subList(0, 7))
                .isEqualTo(List.of(
                        "time to first token",
                        "≈250.5",
                        "≈290.2",
                        Map.of("text", "≈299.0?", "tone", "dim"),
                        "≈150.1",
                        "≈270.0",
                        Map.of("text", "≈297.0?", "tone", "dim")));
        assertThat(ttft.get(7)).isEqualTo(Map.of("text", "≈300.2?", "tone", "dim"));
        assertThat(durations.get("note").toString()).contains("needs 6,336 more samples");
    }

    @Test
    void errors_are_listed_by_frequency_with_those_of_the_window() {
        Map<?, ?> errors = table(PageModel.now(run(30, SessionState.LIVE), recent, 10), "errors");
        List<?> rows = (List<?>) errors.get("rows");
        assertThat((List<?>) rows.get(0))
                .isEqualTo(
                        List.of("1,000", Map.of("text", "0", "tone", "dim"), "error.server", "Timeout", "no answer"));
        assertThat(((List<?>) rows.get(1)).get(1)).isEqualTo(Map.of("text", "+10", "tone", "bad"));
    }

    @Test
    void plots_leave_out_the_slice_that_is_not_complete_until_the_run_has_ended() {
        for (SessionState state : List.of(SessionState.LIVE, SessionState.COMPLETE)) {
            Map<String, Object> history = PageModel.history(run(30, state), recent);
            Map<?, ?> throughput = (Map<?, ?>) ((List<?>) history.get("charts")).get(0);
            assertThat(throughput.get("length")).isEqualTo(state == SessionState.LIVE ? 29 : 30);
            assertThat(throughput.get("summary"))
                    .isEqualTo(
                            state == SessionState.LIVE
                                    ? "completed: last 10, highest 10."
                                    : "completed: last 3, highest 10.");
        }
    }

    @Test
    void seconds_without_a_measurement_are_null_and_not_zero() {
        Map<String, Object> history = PageModel.history(run(4, SessionState.LIVE), recent);
        assertThat(new String(JsonTree.writeLine(history), StandardCharsets.UTF_8))
                .contains("[7.0,null,null]");
    }

    @Test
    void a_page_without_a_snapshot_says_that_it_waits() {
        assertThat(notes(PageModel.waiting())).contains("Waiting for the first snapshot");
    }

    @Test
    void a_fleet_has_a_table_of_at_most_fifty_nodes_and_notes_on_the_troubled_ones() {
        MetricsSnapshot plain = run(3, SessionState.LIVE);
        assertThat(PageModel.now(plain, recent, 10).get("tables").toString()).doesNotContain("Fleet nodes");
        List<NodeRow> rows = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            rows.add(new NodeRow(
                    "gpu-" + i + "\u001b",
                    "run-" + i,
                    i == 700 ? NodeState.LOST : NodeState.LIVE,
                    SessionState.LIVE,
                    i == 700 ? 42.0 : 0.125,
                    9,
                    1,
                    100,
                    90,
                    2,
                    8,
                    250_000_000L,
                    "1.0",
                    0.5,
                    null));
        }
        SnapshotExtensions extensions = plain.extensions();
        assertThat(extensions).isNotNull();
        MetricsSnapshot fleet = new MetricsSnapshot(
                1,
                1,
                SessionState.LIVE,
                0,
                plain.metrics(),
                extensions.withOptional(OptionalFigures.NONE.withNodes(new Nodes(rows, 1000L, 0, 7))));
        Map<String, Object> now = PageModel.now(fleet, recent, 10);
        Map<?, ?> table = table(now, "nodes");
        assertThat((List<?>) table.get("rows")).hasSize(50);
        assertThat((List<?>) ((List<?>) table.get("rows")).get(0))
                .isEqualTo(List.of(
                        "gpu-700\\u001b",
                        Map.of("text", "× lost", "tone", "bad"),
                        "42.0 s",
                        "100",
                        "90",
                        "2",
                        "8",
                        "250.00 ms?",
                        "1",
                        "+500.00 ms"));
        assertThat(table.get("note"))
                .isEqualTo(
                        "1,000 nodes (1,000 expected): 1 lost, 999 live. not shown: 950 live. 7 frames were discarded:"
                                + " no snapshots, or from nodes beyond --max-nodes.");
        assertThat(notes(now)).contains("lost nodes: gpu-700\\u001b (42.000 s ago) stopped sending");
        assertThat(PageModel.history(fleet, recent).get("sections").toString()).doesNotContain("Fleet nodes");
    }

    @Test
    void a_fleet_without_a_live_node_is_waiting_and_a_note_says_for_whom() {
        MetricsSnapshot plain = run(3, SessionState.LIVE);
        NodeRow ended = new NodeRow(
                "gpu-1", "r1", NodeState.ENDED, SessionState.COMPLETE, 35.0, 9, 0, 8, 8, 0, 0, null, "1.0", 0.0, null);
        Nodes nodes = new Nodes(List.of(ended, NodeRow.waiting("gpu-<2>")), null, 0, 0);
        SnapshotExtensions extensions = plain.extensions();
        assertThat(extensions).isNotNull();
        Map<String, Object> now = PageModel.now(
                new MetricsSnapshot(
                        1,
                        1,
                        SessionState.LIVE,
                        0,
                        plain.metrics(),
                        extensions.withOptional(OptionalFigures.NONE.withNodes(nodes))),
                recent,
                10);
        assertThat(((Map<?, ?>) now.get("run")).get("state")).isEqualTo("WAITING");
        assertThat(notes(now)).contains("Waiting for gpu-<2>, no live node for 35.000 s, no time limit (--linger).");
    }
}
