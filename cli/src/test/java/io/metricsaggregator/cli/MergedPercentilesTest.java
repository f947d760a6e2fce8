package io.metricsaggregator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.registry.LongSeries;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.runs.SnapshotMerge;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the merged histograms of four daemons with those of one daemon that recorded all of their values. */
class MergedPercentilesTest {
    private static final int DAEMONS = 4;
    private static final int CASES = 200;

    /** A registry with one series, as a daemon has it. */
    private static final class Measured {
        private final Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
        private final LongSeries series = registry.longSeries(SeriesName.SAMPLE_LATENCY_NS);

        /** A snapshot with the percentiles of the histogram, as during a run. */
        MetricsSnapshot snapshot() {
            return new MetricsSnapshot(
                    1,
                    1,
                    SessionState.COMPLETE,
                    0,
                    registry.renderExact(registry.newCopy(), false, () -> true),
                    SnapshotExtensions.NONE);
        }
    }

    @Test
    void a_merge_has_the_percentiles_and_buckets_of_one_daemon_with_all_values() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("MergedPercentilesTest seed: -Dtest.seed=" + seed);
        Random random = new Random(seed);
        for (int i = 0; i < CASES; i++) {
            List<MetricsSnapshot> parts = new ArrayList<>();
            Measured union = new Measured();
            for (int d = 0; d < DAEMONS; d++) {
                Measured one = new Measured();
                int values = 1 + random.nextInt(60);
                for (int k = 0; k < values; k++) {
                    long value = (long) Math.exp(random.nextDouble() * 25);
                    one.series.record(value);
                    union.series.record(value);
                }
                parts.add(one.snapshot());
            }
            SeriesMetric merged = SnapshotMerge.merge(parts).series("sample_latency_ns");
            SeriesMetric expected = union.snapshot().series("sample_latency_ns");
            assertThat(merged.percentiles()).isEqualTo(expected.percentiles());
            assertThat(merged.histogram()).isEqualTo(expected.histogram());
            assertThat(merged.total()).isEqualTo(expected.total());
            assertThat(merged.detail().exact()).isFalse();
        }
    }
}
