package io.metricsaggregator.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.Seed;
import io.metricsaggregator.snapshot.fields.Adder;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.figures.Conversations;
import io.metricsaggregator.snapshot.figures.Interactivity;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Outage;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ProgressState;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Records add up by the rules of their declarations. */
class AdderTest {
    private static final int ROUNDS = 200;

    // Sums that wrap are the same in any order, as those that never pass 64 bits are.
    private final Adder adder = new Adder(Long::sum, false);

    @TestFactory
    Stream<DynamicTest> a_sum_is_the_same_however_its_parts_are_grouped() {
        return Stream.of(
                grouped(LabelBreakdown.Value.class, LabelBreakdown.Value::pass),
                grouped(Progress.class, Progress::pass),
                grouped(Interactivity.class, Interactivity::pass),
                grouped(Outage.class, Outage::pass),
                grouped(Conversations.Turns.class, Conversations.Turns::pass),
                grouped(SnapshotExtensions.InFlight.class, SnapshotExtensions.InFlight::pass),
                grouped(SnapshotExtensions.WorkerRow.class, SnapshotExtensions.WorkerRow::pass),
                grouped(SnapshotExtensions.ErrorRow.class, SnapshotExtensions.ErrorRow::pass));
    }

    private <T extends Record> DynamicTest grouped(Class<T> type, Fields.Shape<T> shape) {
        return DynamicTest.dynamicTest(type.getSimpleName(), () -> {
            Random random = Seed.random(AdderTest.class);
            RandomRecords records = new RandomRecords(random);
            for (int round = 0; round < ROUNDS; round++) {
                T a = adder.alone(records.of(type), shape);
                T b = adder.alone(records.of(type), shape);
                T c = adder.alone(records.of(type), shape);
                T left = adder.add(adder.add(a, b, shape), c, shape);
                assertThat(left).isEqualTo(adder.add(a, adder.add(b, c, shape), shape));
                assertThat(adder.sum(Arrays.asList(a, null, b, c), shape)).isEqualTo(left);
            }
        });
    }

    @Test
    void each_rule_joins_two_values_as_it_says() {
        Progress first = new Progress(ProgressState.STALLED, null, 5L, 60L, 7, 1, 40, List.of(), null);
        Progress second = new Progress(ProgressState.OK, 3L, 6L, 60L, 9, 2, 50, List.of(), Progress.ENDPOINT_STALLED);
        assertThat(adder.add(first, second, Progress::pass))
                .isEqualTo(new Progress(
                        ProgressState.STALLED, 3L, null, null, 9, 3, 90, List.of(), Progress.ENDPOINT_STALLED));
        assertThat(adder.alone(first, Progress::pass))
                .isEqualTo(new Progress(ProgressState.STALLED, null, null, null, 7, 1, 40, List.of(), null));
        assertThat(adder.add(new Outage(10, 20, 1, 2, 3), new Outage(5, 15, 1, 1, 1), Outage::pass))
                .isEqualTo(new Outage(5, 20, 2, 3, 4));
    }

    @Test
    void peaks_of_runs_add_up_only_if_the_runs_measured_at_the_same_time() {
        SnapshotExtensions.InFlight one = new SnapshotExtensions.InFlight(1, 1, 0, 30, 5);
        SnapshotExtensions.InFlight other = new SnapshotExtensions.InFlight(2, 2, 1, 40, 4, true);
        assertThat(adder.add(one, other, SnapshotExtensions.InFlight::pass))
                .isEqualTo(new SnapshotExtensions.InFlight(3, 3, 1, 40, 5, true));
        assertThat(new Adder(Long::sum, true).add(one, other, SnapshotExtensions.InFlight::pass))
                .isEqualTo(new SnapshotExtensions.InFlight(3, 3, 1, 70, 5, true));
    }

    @Test
    void what_only_one_of_two_rows_knows_is_unknown_of_their_sum_or_that_of_the_one_as_its_rule_says() {
        Progress.Target target = new Progress.Target(ProgressState.STALLED, 4L, 8, 1, 20);
        LabelBreakdown.Durations durations = new LabelBreakdown.Durations(3, 1, 2, 3, 4);
        LabelBreakdown.Value with =
                new LabelBreakdown.Value("a", 5, 4, 1, 1, 10, 20, durations, null, null, 3L, target);
        LabelBreakdown.Value without = new LabelBreakdown.Value("a", 1, 1, 0, 0, 1, 1, null, null, null, null, null);
        LabelBreakdown.Value sum = new LabelBreakdown.Value("a", 6, 5, 1, 1, 11, 21, null, null, null, null, null);
        assertThat(adder.add(with, without, LabelBreakdown.Value::pass)).isEqualTo(sum);
        assertThat(adder.add(without, with, LabelBreakdown.Value::pass)).isEqualTo(sum);
        assertThat(adder.add(with, with, LabelBreakdown.Value::pass).progress())
                .isEqualTo(new Progress.Target(ProgressState.IDLE, null, 8, 2, 40));
    }

    @Test
    void a_group_that_only_one_of_two_records_has_is_that_of_the_one_in_either_order() {
        ReportedUsage.Cache cache = new ReportedUsage.Cache(0, 0, 0);
        ReportedUsage.Speculation speculation = new ReportedUsage.Speculation(5, 15, 60, 32, Map.of("0", 3L, "3", 12L));
        ReportedUsage.Speculation none = new ReportedUsage.Speculation(0, 0, 0, 0, Map.of());
        ReportedUsage with = new ReportedUsage(5, 1, 0, Map.of(), cache, speculation);
        ReportedUsage without = new ReportedUsage(2, 0, 0, Map.of(), cache, none);
        ReportedUsage sum = new ReportedUsage(7, 1, 0, Map.of(), cache, speculation);
        assertThat(adder.add(with, without, ReportedUsage::pass)).isEqualTo(sum);
        assertThat(adder.add(without, with, ReportedUsage::pass)).isEqualTo(sum);
    }

    @Test
    void a_mean_is_weighted_by_the_count_before_it() {
        Conversations one = conversations(new Conversations.CacheHits(1, 0.5, 0.1, 0.2, 0.3));
        Conversations other = conversations(new Conversations.CacheHits(3, 0.9, 0.1, 0.2, 0.3));
        assertThat(adder.add(one, other, Conversations::pass).cache())
                .isEqualTo(new Conversations.CacheHits(4, (0.5 + 3 * 0.9) / 4, null, null, null));
        assertThat(adder.add(conversations(null), other, Conversations::pass).cache())
                .isEqualTo(new Conversations.CacheHits(3, 0.9, null, null, null));
    }

    private static Conversations conversations(Conversations.CacheHits cache) {
        return new Conversations(1, 1, 1, 1, 1.0, 0, 0, 1.0, cache, List.of());
    }

    @Test
    void a_field_of_a_kind_that_does_not_add_up_is_refused_by_its_name() {
        Fields.Shape<List<String>> shape = (fields, value) -> fields.texts("node_labels", value);
        assertThatThrownBy(() -> adder.alone(List.of("x"), shape))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("node_labels");
    }
}
