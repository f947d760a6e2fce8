package io.metricsaggregator.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Jobs;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Jobs of several runs add up to those of one run with all of them, in merges and in the live sum of a fleet alike. */
class JobsMergeTest {
    private static Jobs figures(List<long[]> jobs) {
        long[] sums = new long[6];
        long fanOut = 0;
        Map<String, Map<String, Long>> tools = new HashMap<>();
        for (long[] each : jobs) {
            for (int i = 0; i < sums.length; i++) {
                sums[i] += each[i];
            }
            fanOut = Math.max(fanOut, each[6]);
            tools.computeIfAbsent("tool " + each[6], any -> new HashMap<>())
                    .merge(Jobs.Calls.bucket(each[4]), 1L, Long::sum);
        }
        List<Jobs.Calls> rows = new ArrayList<>();
        tools.forEach((name, durations) -> rows.add(new Jobs.Calls(name, 0, durations)));
        return new Jobs(
                1,
                jobs.size(),
                1,
                1,
                fanOut,
                sums[0],
                sums[1],
                sums[2],
                new Jobs.Path(sums[3], sums[4], sums[5]),
                null,
                rows,
                List.of());
    }

    private static SnapshotExtensions run(String id, @Nullable Jobs jobs) {
        return SnapshotExtensions.of(
                        new RunInfo(2, id, "1", 1, 2, List.of(), List.of(), Map.of(), Map.of()),
                        new SnapshotExtensions.InFlight(0, 0, 0, 0, 0),
                        new Slices(0, 1, 0, List.of()))
                .build()
                .withOptional(OptionalFigures.NONE.withJobs(jobs));
    }

    @Test
    void jobs_that_are_spread_over_runs_have_the_figures_of_one_run() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<long[]> all = new ArrayList<>();
        List<List<long[]>> spread = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < 1000; i++) {
            long[] job = random.longs(7, 1, 1L << 40).toArray();
            job[6] = 1 + random.nextInt(9);
            all.add(job);
            spread.get(random.nextInt(3)).add(job);
        }
        Jobs whole = figures(all);
        for (boolean together : new boolean[] {false, true}) {
            List<SnapshotExtensions> runs = List.of(
                    run("a", figures(spread.get(0))),
                    run("b", null),
                    run("c", figures(spread.get(2))),
                    run("d", figures(spread.get(1))));
            Jobs sum = FigureMerge.of(runs, new SaturatingSums(), together, null, null)
                    .jobs();
            assertThat(sum).isNotNull();
            assertThat(sum.completed()).isEqualTo(1000);
            assertThat(sum.failed()).isEqualTo(3);
            assertThat(sum.perHourAndUser()).isEqualTo(whole.perHourAndUser());
            assertThat(sum.parallelism()).isEqualTo(whole.parallelism());
            assertThat(sum.path()).isEqualTo(whole.path());
            assertThat(sum.fanOut()).isEqualTo(whole.fanOut());
            assertThat(sum.tools()).isEqualTo(whole.tools());
            assertThat(sum.tools().get(0).percentile(99))
                    .isEqualTo(whole.tools().get(0).percentile(99));
        }
    }

    @Test
    void jobs_in_the_steady_window_of_one_run_are_not_those_of_a_merged_one() {
        Jobs inWindow = new Jobs(0, 1, 0, 0, 0, 1, 1, 1, Jobs.Path.BLANK, 1L, List.of(), List.of());
        Jobs sum = FigureMerge.of(
                        List.of(run("a", inWindow), run("b", inWindow)), new SaturatingSums(), false, null, null)
                .jobs();
        assertThat(sum).isNotNull();
        assertThat(sum.steadyCompleted()).isNull();
    }
}
