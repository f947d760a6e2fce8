package io.metricsaggregator.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures.Bucket;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Server times of several runs add up to those of one run with all their samples, in merges and in the live sum of a fleet alike. */
class ServerTimesMergeTest {
    private static ServerTimeFigures figures(List<long[]> samples, @Nullable Long kvBytes) {
        Map<Integer, Bucket> buckets = new TreeMap<>();
        for (long[] each : samples) {
            int bucket = Bucket.of(each[0]);
            Bucket one = new Bucket(Bucket.from(bucket), 1, each[0], each[1], each[2], each[3]);
            buckets.merge(
                    bucket,
                    one,
                    (a, b) -> new Bucket(
                            a.fromNanos(),
                            a.samples() + b.samples(),
                            a.ttftNanos() + b.ttftNanos(),
                            a.queueNanos() + b.queueNanos(),
                            a.prefillNanos() + b.prefillNanos(),
                            a.transferNanos() + b.transferNanos()));
        }
        return new ServerTimeFigures(samples.size() + 3L, 1, 2, 0, kvBytes, new ArrayList<>(buckets.values()));
    }

    private static SnapshotExtensions run(String id, @Nullable ServerTimeFigures times) {
        return SnapshotExtensions.of(
                        new RunInfo(2, id, "1", 1, 2, List.of(), List.of(), Map.of(), Map.of()),
                        new SnapshotExtensions.InFlight(0, 0, 0, 0, 0),
                        new Slices(0, 1, 0, List.of()))
                .build()
                .withOptional(OptionalFigures.NONE.withServerTimes(times));
    }

    private static @Nullable ServerTimeFigures merged(boolean together, SnapshotExtensions... runs) {
        return FigureMerge.of(List.of(runs), new SaturatingSums(), together, null, null)
                .serverTimes();
    }

    @Test
    void samples_that_are_spread_over_runs_have_the_parts_of_one_run() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<long[]> all = new ArrayList<>();
        List<List<long[]>> spread = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < 1000; i++) {
            long queue = random.nextInt(1 << random.nextInt(31));
            long prefill = random.nextInt(1 << random.nextInt(31));
            long transfer = random.nextInt(1000);
            long[] sample = {queue + prefill + transfer + random.nextInt(1000), queue, prefill, transfer};
            all.add(sample);
            spread.get(random.nextInt(3)).add(sample);
        }
        ServerTimeFigures whole = figures(all, 7L);
        for (boolean together : new boolean[] {false, true}) {
            ServerTimeFigures sum = merged(
                    together,
                    run("a", figures(spread.get(0), null)),
                    run("b", null),
                    run("c", figures(spread.get(2), 3L)),
                    run("d", figures(spread.get(1), 4L)));
            assertThat(sum).isNotNull();
            assertThat(sum.buckets()).isEqualTo(whole.buckets());
            assertThat(sum.mean()).isEqualTo(whole.mean());
            assertThat(sum.slowest()).isEqualTo(whole.slowest());
            assertThat(sum.slowest().samples()).isEqualTo(10);
            assertThat(sum.kvBytes()).isEqualTo(7);
            assertThat(sum.negative()).isEqualTo(6);
        }
        assertThat(merged(false, run("a", null), run("b", null))).isNull();
    }

    @Test
    void the_cohort_takes_a_share_of_the_bucket_that_it_ends_in() {
        // 1 % of 150 samples are 2: the slowest, and one of the 149 others, which stand in one bucket.
        ServerTimeFigures figures = new ServerTimeFigures(
                150,
                0,
                0,
                0,
                null,
                List.of(new Bucket(1024, 149, 149_000, 14_900, 74_500, 0), new Bucket(4096, 1, 5000, 4000, 500, 100)));
        assertThat(figures.slowest()).isEqualTo(new ServerTimeFigures.Composition(2, 3000, 2050, 500, 50, 400));
    }
}
