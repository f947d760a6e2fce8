package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.SeriesHistogram;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.registry.LongSeries;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.RegistryCopy;
import io.metricsaggregator.runs.SnapshotMerge;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.storage.ValueStorage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Live snapshots of several daemons, merged, against the live snapshot of one daemon that received everything. */
class MergedPercentilesIT {
    private static Registry registry() {
        return new Registry(3, 30, new ValueStorage(0, null));
    }

    private static MetricsSnapshot live(Registry registry) {
        RegistryCopy copy = registry.newCopy();
        registry.copyInto(copy);
        return new MetricsSnapshot(1, 1, SessionState.LIVE, 0, copy.render(), SnapshotExtensions.NONE);
    }

    @Test
    void percentiles_buckets_and_histogram_of_a_merge_are_those_of_one_daemon() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("MergedPercentilesIT seed: -Dtest.seed=" + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            Registry union = registry();
            LongSeries all = union.longSeries(SeriesName.SAMPLE_LATENCY_NS);
            List<MetricsSnapshot> parts = new ArrayList<>();
            int nodes = 2 + random.nextInt(4);
            for (int node = 0; node < nodes; node++) {
                Registry own = registry();
                LongSeries series = own.longSeries(SeriesName.SAMPLE_LATENCY_NS);
                // Few values: a rank that is rounded in another direction is then another value.
                for (int i = random.nextInt(40); i >= 0; i--) {
                    long value = 1 + (long) Math.exp(random.nextDouble() * 25);
                    series.record(value);
                    all.record(value);
                }
                parts.add(live(own));
            }
            var merged = SnapshotMerge.merge(parts).series("sample_latency_ns");
            var one = live(union).series("sample_latency_ns");
            assertThat(merged.percentiles()).isEqualTo(one.percentiles());
            assertThat(merged.histogram()).isEqualTo(one.histogram());
            assertThat(merged.total()).isEqualTo(one.total());
            assertThat(SeriesHistogram.of(merged)).isEqualTo(SeriesHistogram.of(one));
        }
    }
}
