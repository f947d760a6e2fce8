package io.metricsaggregator.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private static final double[] STEP = {100, 101, 99, 100, 102, 98, 100, 101, 106, 105, 107, 106, 104, 108, 106, 105};

    private static List<History.Change> changes(double... values) {
        return History.changes(DoubleStream.of(values).boxed().toList());
    }

    /** A run of 100 s that ended in a state. */
    private static MetricsSnapshot run(SessionState state, int hour, long completed, String model) {
        long second = 1_000_000_000L;
        RunInfo info = new RunInfo(
                2,
                "r" + hour,
                "1",
                hour * 3600 * second,
                hour * 3600 * second + 100 * second,
                List.of(),
                List.of(),
                Map.of(),
                Map.of(),
                null,
                Map.of("model", model),
                null,
                null);
        return new MetricsSnapshot(
                1,
                1,
                state,
                0,
                List.of(
                        new CounterMetric("tracked_samples_issued", completed),
                        new CounterMetric("tracked_samples_completed", completed),
                        new CounterMetric("tracked_samples_failed", 0),
                        new CounterMetric("tracked_duration_ns", 100 * second)),
                SnapshotExtensions.of(
                                info,
                                new SnapshotExtensions.InFlight(0, 0, 0, 0, 0),
                                new Slices(0, second, 0, List.of()))
                        .build());
    }

    private static History.Track requests(History history) {
        return history.tracks().stream()
                .filter(each -> each.figure().equals("requests_per_s"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_step_is_found_where_it_is_with_the_medians_on_both_sides() {
        List<History.Change> changes = changes(STEP);
        assertThat(changes).hasSize(1);
        History.Change change = changes.get(0);
        assertThat(change.at()).isEqualTo(8);
        assertThat(change.p()).isCloseTo(0.00706, within(5e-6));
        assertThat(change.before()).isEqualTo(100);
        assertThat(change.after()).isEqualTo(106);
        assertThat(change.effect()).isCloseTo(0.06, within(1e-12));
    }

    @Test
    void a_constant_series_a_single_spike_and_a_small_step_have_no_change() {
        double[] constant = new double[40];
        double[] spike = new double[16];
        for (int i = 0; i < 40; i++) {
            constant[i] = 7;
        }
        for (int i = 0; i < 16; i++) {
            spike[i] = i == 8 ? 120 : STEP[i % 8];
        }
        assertThat(changes(constant)).isEmpty();
        assertThat(changes(spike)).isEmpty();
        assertThat(changes(DoubleStream.of(STEP).map(each -> 1000 + each).toArray()))
                .as("6 in 1100 are below 3 %")
                .isEmpty();
        assertThat(changes()).isEmpty();
    }

    @Test
    void steps_up_and_down_are_each_found_and_a_change_of_the_order_of_runs_changes_nothing() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        double[] values = new double[90];
        for (int i = 0; i < 90; i++) {
            values[i] = (i < 30 ? 100 : i < 60 ? 130 : 90) + random.nextGaussian();
        }
        List<History.Change> changes = changes(values);
        assertThat(changes).extracting(History.Change::at).containsExactly(30, 60);
        assertThat(changes.get(1).effect()).isCloseTo(-0.31, within(0.02));
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 90; i++) {
            order.add(i);
        }
        Collections.shuffle(order, random);
        History history = new History(List.of());
        for (int i : order) {
            history.add("run" + i, run(SessionState.COMPLETE, i + 1, Math.round(100 * values[i]), "m"), 0);
        }
        History.Track track = requests(history);
        assertThat(track.changes()).extracting(History.Change::at).containsExactly(30, 60);
        assertThat(track.isBetter(track.changes().get(0))).isTrue();
        assertThat(track.isBetter(track.changes().get(1))).isFalse();
        assertThat(track.levels()).hasSize(3);
        assertThat(track.level().runs()).isEqualTo(30);
    }

    @Test
    void runs_are_separated_by_labels_and_those_that_say_nothing_are_left_out_and_named() {
        History history = new History(List.of("model"));
        history.add("a", run(SessionState.COMPLETE, 1, 100, "x"), 0);
        history.add("b", run(SessionState.COMPLETE, 2, 200, "y"), 0);
        history.add("c", run(SessionState.INTERRUPTED, 3, 200, "y"), 0);
        assertThat(history.tracks()).extracting(History.Track::group).contains("model=x", "model=y");
        assertThat(history.leftOut())
                .containsExactly(
                        new History.LeftOut("c", 3 * 3600_000_000_000L, "model=y", "its state is interrupted"));
        assertThat(history.runs()).extracting(History.Run::name).containsExactly("a", "b");
    }

    @Test
    void the_newest_run_is_judged_by_the_present_level_of_those_before_it() {
        History history = new History(List.of());
        for (int i = 0; i < STEP.length; i++) {
            history.add("r" + i, run(SessionState.COMPLETE, i + 1, (long) (100 * STEP[i]), "m"), 0);
        }
        HistoryCondition slower = HistoryCondition.parse("requests_per_s < history-3mad");
        assertThat(slower.check(history))
                .extracting(HistoryCondition.Answer::state)
                .containsExactly(Condition.State.DOES_NOT_HOLD);
        // The level of the eight before is 106 with a median deviation of 1: the older one of 100 does not count.
        history.add("new", run(SessionState.COMPLETE, 20, 10_299, "m"), 0);
        List<HistoryCondition.Answer> answers = slower.check(history);
        assertThat(answers).extracting(HistoryCondition.Answer::state).containsExactly(Condition.State.HOLDS);
        assertThat(answers.get(0).evidence())
                .contains("103.0")
                .contains("8 earlier runs")
                .contains("new");
        assertThat(HistoryCondition.parse("requests_per_s < history-5%").check(history))
                .extracting(HistoryCondition.Answer::state)
                .containsExactly(Condition.State.DOES_NOT_HOLD);
        assertThat(HistoryCondition.parse("requests_per_s < history").check(history))
                .extracting(HistoryCondition.Answer::state)
                .containsExactly(Condition.State.HOLDS);
    }

    @Test
    void a_newer_run_that_is_left_out_or_lacks_the_figure_leaves_a_condition_undecided() {
        HistoryCondition condition = HistoryCondition.parse("requests_per_s < history-3mad");
        for (String newest : List.of("interrupted", "unreadable", "without the figure", "of another group")) {
            History history = new History(List.of("model"));
            for (int i = 0; i < 7; i++) {
                history.add("r" + i, run(SessionState.COMPLETE, i + 1, 100, "m"), 0);
            }
            switch (newest) {
                case "interrupted" -> history.add("new", run(SessionState.INTERRUPTED, 20, 100, "m"), 0);
                case "unreadable" -> history.addUnreadable("new", "truncated", 20 * 3600_000_000_000L);
                case "without the figure" -> {
                    MetricsSnapshot whole = run(SessionState.COMPLETE, 20, 100, "m");
                    history.add(
                            "new",
                            new MetricsSnapshot(1, 1, SessionState.COMPLETE, 0, List.of(), whole.extensions()),
                            0);
                }
                default -> history.add("new", run(SessionState.INTERRUPTED, 20, 100, "other"), 0);
            }
            HistoryCondition.Answer answer = condition.check(history).get(0);
            if (newest.equals("of another group")) {
                assertThat(answer.state()).as(newest).isEqualTo(Condition.State.DOES_NOT_HOLD);
            } else {
                assertThat(answer.state()).as(newest).isEqualTo(Condition.State.INCONCLUSIVE);
                assertThat(answer.evidence()).as(newest).contains("newer run").contains("new");
            }
        }
    }

    @Test
    void too_few_runs_give_no_answer_and_a_wrong_condition_is_named() {
        History history = new History(List.of());
        for (int i = 0; i < 5; i++) {
            history.add("r" + i, run(SessionState.COMPLETE, i + 1, 100, "m"), 0);
        }
        HistoryCondition condition = HistoryCondition.parse("requests_per_s > history+3mad");
        assertThat(condition.check(history))
                .extracting(HistoryCondition.Answer::state)
                .containsExactly(Condition.State.INCONCLUSIVE);
        assertThatThrownBy(() -> HistoryCondition.parse("ttft.p99 > history*3"))
                .hasMessageContaining("'ttft.p99 > history*3'");
        assertThatThrownBy(() -> HistoryCondition.parse("no.such > history").check(history))
                .hasMessageContaining("no.such");
    }
}
