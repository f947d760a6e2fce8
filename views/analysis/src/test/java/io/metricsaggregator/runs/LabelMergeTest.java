package io.metricsaggregator.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LabelMergeTest {
    private static LabelBreakdown.Key key(String name, String... values) {
        return new LabelBreakdown.Key(
                name,
                Arrays.stream(values)
                        .map(value -> new LabelBreakdown.Value(value, 10, 9, 1, 1, 0, 0, null, null))
                        .toList());
    }

    private static String[] values(int from, int to) {
        return IntStream.range(from, to).mapToObj(each -> "v" + each).toArray(String[]::new);
    }

    private static SnapshotExtensions run(String id, LabelBreakdown.Key... keys) {
        return SnapshotExtensions.of(
                        new RunInfo(2, id, "1", 1, 2, List.of(), List.of(), Map.of(), Map.of()),
                        new SnapshotExtensions.InFlight(0, 0, 0, 0, 0),
                        new Slices(0, 1, 0, List.of()))
                .build()
                .withOptional(OptionalFigures.NONE.withLabels(new LabelBreakdown(List.of(keys))));
    }

    private static LabelBreakdown merge(KeptLabels kept, SnapshotExtensions... runs) {
        return new LabelMerge(new SaturatingSums(), kept).merge(List.of(runs), i -> null);
    }

    private static List<String> names(LabelBreakdown.Key key) {
        return key.values().stream().map(LabelBreakdown.Value::value).toList();
    }

    @Test
    void values_beyond_those_of_one_run_are_added_up_as_other_and_counted() {
        KeptLabels kept = new KeptLabels();
        LabelBreakdown merged = merge(
                kept,
                run("a", key("model", values(0, 30)), key("worker", values(0, 3))),
                run("b", key("model", "(none)", "v5", "v40", "v41", "v42", "v43", "other")));
        LabelBreakdown.Key model = merged.keys().get(0);
        assertThat(names(model)).hasSize(34).endsWith("v40", "v41", "(none)", "other");
        assertThat(model.values().get(5).issued()).isEqualTo(20);
        // Two values, and what the run itself had beyond its bound, which it has counted.
        assertThat(model.values().get(33).issued()).isEqualTo(30);
        assertThat(kept.overLimit()).isEqualTo(20);
        assertThat(model.values().stream()
                        .mapToLong(LabelBreakdown.Value::issued)
                        .sum())
                .isEqualTo(370);
    }

    @Test
    void keys_beyond_eight_are_left_out_and_their_labels_counted_but_workers_have_a_place_of_their_own() {
        KeptLabels kept = new KeptLabels();
        List<LabelBreakdown.Key> keys = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            keys.add(key("k" + i, "x", "(none)"));
        }
        LabelBreakdown merged = merge(
                kept, run("a", keys.toArray(LabelBreakdown.Key[]::new)), run("b", key("worker", "0"), key("k3", "x")));
        assertThat(merged.keys().stream().map(LabelBreakdown.Key::name))
                .containsExactly("k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "worker");
        assertThat(kept.overLimit()).isEqualTo(10);
    }

    @Test
    void samples_of_a_run_without_a_key_do_not_have_it() {
        LabelBreakdown merged =
                merge(new KeptLabels(), run("a", key("model", "x", "(none)")), run("b", key("tenant", "t", "u", "v")));
        assertThat(names(merged.keys().get(0))).containsExactly("x", "(none)");
        assertThat(merged.keys().get(0).values().get(1).issued()).isEqualTo(10 + 30);
        assertThat(names(merged.keys().get(1))).containsExactly("t", "u", "v", "(none)");
        assertThat(merged.keys().get(1).values().get(3).issued()).isEqualTo(20);
    }

    @Test
    void samples_of_a_run_without_any_label_do_not_have_the_key() {
        List<Metric> metrics = List.of(
                new CounterMetric("tracked_samples_issued", 7),
                new CounterMetric("tracked_samples_completed", 6),
                new CounterMetric("tracked_samples_succeeded", 4));
        MetricsSnapshot a = new MetricsSnapshot(1, 1, SessionState.COMPLETE, 0, List.of(), run("a", key("model", "x")));
        MetricsSnapshot b = new MetricsSnapshot(
                1, 1, SessionState.COMPLETE, 0, metrics, run("b").withOptional(OptionalFigures.NONE));
        LabelBreakdown.Key model = SnapshotMerge.merge(List.of(a, b))
                .extensions()
                .optional()
                .labels()
                .keys()
                .get(0);
        assertThat(names(model)).containsExactly("x", "(none)");
        assertThat(model.values().get(1).issued()).isEqualTo(7);
        assertThat(model.values().get(1).completed()).isEqualTo(6);
        assertThat(model.values().get(1).failed()).isEqualTo(2);
    }

    @Test
    void a_row_keeps_its_samples_when_an_earlier_run_brings_new_values_later() {
        KeptLabels kept = new KeptLabels();
        merge(kept, run("a", key("model", "v0")), run("b", key("model", values(100, 131))));
        LabelBreakdown later =
                merge(kept, run("a", key("model", "v0", "v1", "v2")), run("b", key("model", values(100, 131))));
        assertThat(names(later.keys().get(0)))
                .contains("v0")
                .contains(values(100, 131))
                .doesNotContain("v1", "v2")
                .endsWith("other");
        assertThat(kept.overLimit()).isEqualTo(20);
    }

    @Test
    void merged_snapshots_have_the_counter_of_labels_over_the_limit() {
        List<Metric> metrics = List.of(new CounterMetric("labels_over_limit", 5));
        MetricsSnapshot a =
                new MetricsSnapshot(1, 1, SessionState.COMPLETE, 0, metrics, run("a", key("model", values(0, 20))));
        MetricsSnapshot b =
                new MetricsSnapshot(1, 1, SessionState.COMPLETE, 0, List.of(), run("b", key("model", values(20, 40))));
        assertThat(SnapshotMerge.merge(List.of(a, b)).counterValue("labels_over_limit"))
                .isEqualTo(5 + 80);
        MetricsSnapshot without =
                new MetricsSnapshot(1, 1, SessionState.COMPLETE, 0, List.of(), run("c", key("model", values(0, 20))));
        assertThat(SnapshotMerge.merge(List.of(without, b)).counterValue("labels_over_limit"))
                .isEqualTo(80);
    }
}
