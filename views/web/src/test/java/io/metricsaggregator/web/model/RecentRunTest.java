package io.metricsaggregator.web.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.SeriesHistogram;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RecentRunTest {
    private final RecentRun recent = new RecentRun();

    private MetricsSnapshot run(int seconds) {
        MetricsSnapshot last = RunFixture.snapshot(1, SessionState.LIVE);
        for (int i = 1; i <= seconds; i++) {
            last = RunFixture.snapshot(i, SessionState.LIVE);
            assertThat(recent.add(last)).isTrue();
        }
        return last;
    }

    @Test
    void the_window_has_the_values_of_its_seconds_alone_and_their_percentiles_are_those_of_their_histogram() {
        MetricsSnapshot last = run(30);
        ValueCounts now = recent.last(10).values(SeriesName.SUCCEEDED_TTFT_NS);
        Histogram expected = RunFixture.values(300);
        expected.subtract(RunFixture.values(200));
        assertThat(now.total()).isEqualTo(100);
        double[] percentiles = {1, 50, 90, 99, 99.9, 100};
        SeriesMetric series = last.series(SeriesName.TTFT_NS);
        assertThat(now.percentiles(series, percentiles))
                .containsExactly(SeriesHistogram.estimate(expected, percentiles)
                        .within(series.min().doubleValue(), series.max().doubleValue()));
    }

    @Test
    void a_longer_window_has_more_of_the_run_and_nothing_beyond_a_minute_is_kept() {
        run(90);
        for (int seconds : RecentRun.WINDOWS) {
            RecentWindow window = recent.last(seconds);
            assertThat(window.values(SeriesName.SUCCEEDED_TTFT_NS).total()).isEqualTo(10L * seconds);
            assertThat(window.completedPerSecond()).isEqualTo(10.0);
            assertThat(window.steps()).hasSize(seconds + 1);
        }
        assertThat(recent.last(1000).steps()).hasSize(61);
    }

    @Test
    void rates_are_those_of_the_window() {
        MetricsSnapshot last = run(30);
        assertThat(recent.last(10).completedPerSecond()).isEqualTo(10.0);
        SnapshotExtensions.WorkerRow first = last.extensions().workers().get(0);
        SnapshotExtensions.WorkerRow silent = last.extensions().workers().get(1);
        assertThat(recent.last(10).recordsPerSecond(first)).isEqualTo(20.0);
        assertThat(recent.last(10).recordsPerSecond(silent)).isZero();
        assertThat(recent.last(10).errors(last.extensions().errors().get(0))).isEqualTo(10);
        assertThat(recent.last(10).errors(last.extensions().errors().get(1))).isZero();
    }

    @Test
    void a_single_snapshot_gives_no_rate_and_a_late_viewer_gets_no_old_values_as_new() {
        MetricsSnapshot only = RunFixture.snapshot(30, SessionState.LIVE);
        recent.add(only);
        assertThat(recent.last(10).completedPerSecond()).isNull();
        assertThat(recent.last(10).values(SeriesName.SUCCEEDED_TTFT_NS).total()).isZero();
        assertThat(recent.last(10).errors(only.extensions().errors().get(0))).isZero();
        recent.add(RunFixture.snapshot(31, SessionState.LIVE));
        assertThat(recent.last(10).values(SeriesName.SUCCEEDED_TTFT_NS).total()).isEqualTo(10);
    }

    @Test
    void a_snapshot_within_the_second_of_the_last_step_is_left_out_unless_it_is_terminal() {
        recent.add(RunFixture.snapshot(5, SessionState.LIVE));
        assertThat(recent.add(RunFixture.snapshot(5, SessionState.LIVE))).isFalse();
        assertThat(recent.add(RunFixture.snapshot(6, SessionState.COMPLETE))).isTrue();
        assertThat(recent.add(RunFixture.snapshot(6, SessionState.COMPLETE))).isFalse();
    }

    @Test
    void another_run_clears_what_was_remembered() {
        run(30);
        recent.add(RunFixture.snapshot("beef", 2, SessionState.LIVE, ""));
        assertThat(recent.last(10).values(SeriesName.SUCCEEDED_TTFT_NS).total()).isZero();
        assertThat(recent.last(10).completedPerSecond()).isNull();
    }

    @Test
    void the_heat_map_has_a_column_a_second_on_the_axis_of_the_plots() {
        run(30);
        HeatMap map = recent.map(SeriesName.SUCCEEDED_TTFT_NS);
        assertThat(map).isNotNull();
        Map<String, Object> tree = map.tree();
        assertThat(tree).isNotNull().containsEntry("start_s", 1L).containsEntry("width_s", 1L);
        assertThat((Iterable<?>) tree.get("columns")).hasSize(30).doesNotContainNull();
    }
}
