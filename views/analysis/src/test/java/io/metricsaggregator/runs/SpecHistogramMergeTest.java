package io.metricsaggregator.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import io.metricsaggregator.snapshot.figures.ReportedUsage.Speculation;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Speculative decoding of several runs adds up to that of one run with all their steps, in merges and in the live sum of a fleet alike. */
class SpecHistogramMergeTest {
    private static Speculation speculation(long samples, List<Long> steps) {
        long drafts = steps.stream().mapToLong(Long::longValue).sum();
        long accepted = 0;
        for (int i = 0; i < steps.size(); i++) {
            accepted += i * steps.get(i);
        }
        Map<String, Long> histogram = new TreeMap<>();
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i) > 0) {
                histogram.put(Integer.toString(i), steps.get(i));
            }
        }
        return new Speculation(samples, drafts, 31 * drafts, accepted, histogram);
    }

    private static SnapshotExtensions run(String id, @Nullable Speculation speculation) {
        ReportedUsage usage = speculation == null
                ? null
                : new ReportedUsage(7, 0, 0, Map.of(), new ReportedUsage.Cache(0, 0, 0), speculation);
        return SnapshotExtensions.of(
                        new RunInfo(2, id, "1", 1, 2, List.of(), List.of(), Map.of(), Map.of()),
                        new SnapshotExtensions.InFlight(0, 0, 0, 0, 0),
                        new Slices(0, 1, 0, List.of()))
                .build()
                .withOptional(new OptionalFigures(usage, null, null, null, null, null, null));
    }

    private static Speculation merged(boolean together, SnapshotExtensions... runs) {
        ReportedUsage usage = FigureMerge.of(List.of(runs), new SaturatingSums(), together, null, null)
                .usage();
        assertThat(usage).isNotNull();
        return usage.speculation();
    }

    @Test
    void steps_that_are_spread_over_runs_have_the_histogram_of_one_run() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<List<Long>> parts = new ArrayList<>();
        long[] all = new long[32];
        for (int i = 0; i < 3; i++) {
            List<Long> steps =
                    random.longs(1 + random.nextInt(32), 0, 1000).boxed().toList();
            for (int j = 0; j < steps.size(); j++) {
                all[j] += steps.get(j);
            }
            parts.add(steps);
        }
        Speculation whole = speculation(15, Arrays.stream(all).boxed().toList());
        for (boolean together : new boolean[] {false, true}) {
            Speculation sum = merged(
                    together,
                    run("a", speculation(4, parts.get(0))),
                    run("b", null),
                    run("c", speculation(5, parts.get(1))),
                    run("d", speculation(0, List.of())),
                    run("e", speculation(6, parts.get(2))));
            assertThat(sum).isEqualTo(whole);
            assertThat(sum.acceptanceLength()).isEqualTo(whole.acceptanceLength());
            assertThat(sum.acceptanceByPosition()).isEqualTo(whole.acceptanceByPosition());
        }
    }

    @Test
    void a_run_that_reports_counts_alone_adds_no_steps_to_the_histogram() {
        Speculation counts = new Speculation(1, 43, 129, 10, Map.of());
        Speculation both = merged(false, run("a", counts), run("b", speculation(1, List.of(39L, 1L, 0L, 3L))));
        assertThat(both).isEqualTo(new Speculation(2, 86, 129 + 43 * 31, 20, Map.of("0", 39L, "1", 1L, "3", 3L)));
        assertThat(both.acceptanceByPosition()).containsExactly(4.0 / 43, 3.0 / 43, 3.0 / 43);
    }
}
