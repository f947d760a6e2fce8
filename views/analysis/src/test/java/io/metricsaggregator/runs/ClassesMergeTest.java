package io.metricsaggregator.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.ServiceClasses;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Classes of several runs add up to those of one run with all their samples; merges and the live sum of a fleet add up alike. */
class ClassesMergeTest {
    private final Random random = new Random();

    private ServiceClasses.Row row(String name, long limit) {
        Map<String, Long> latencies = new TreeMap<>();
        for (int i = 0; i < 20; i++) {
            latencies.put(Integer.toString(random.nextInt(40)), 1L + random.nextInt(9));
        }
        long judged = 1000 + random.nextInt(1000);
        return new ServiceClasses.Row(
                name,
                new Goodput(List.of(new Goodput.Constraint("ttft", limit, judged - 3)), 0.9, judged, judged - 5, 2),
                random.nextInt(100_000),
                random.nextInt(100_000),
                latencies);
    }

    private Goodput goodput(String key, long limit) {
        return Goodput.ofClasses(0.9, new ServiceClasses(key, List.of(row("gold", limit), row("*", 9))));
    }

    private static SnapshotExtensions run(String id, Goodput goodput) {
        return SnapshotExtensions.of(
                        new RunInfo(2, id, "1", 1, 2, List.of(), List.of(), Map.of(), Map.of()),
                        new SnapshotExtensions.InFlight(0, 0, 0, 0, 0),
                        new Slices(0, 1, 0, List.of()))
                .goodput(goodput)
                .build();
    }

    private static Goodput merged(Goodput... runs) {
        List<SnapshotExtensions> all = new ArrayList<>();
        for (Goodput each : runs) {
            all.add(run("r" + all.size(), each));
        }
        return SnapshotMerge.goodput(all, new SaturatingSums());
    }

    @Test
    void classes_that_are_spread_over_runs_have_the_sums_of_one_run() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        random.setSeed(seed);
        Goodput a = goodput("tier", 5);
        Goodput b = goodput("tier", 5);
        Goodput c = goodput("tier", 5);
        Goodput sum = merged(a, b, c);
        assertThat(sum.judged()).isEqualTo(a.judged() + b.judged() + c.judged());
        assertThat(sum.classes().key()).isEqualTo("tier");
        for (int i = 0; i < 2; i++) {
            ServiceClasses.Row row = sum.classes().rows().get(i);
            Map<String, Long> latencies = new TreeMap<>();
            long good = 0;
            long tokens = 0;
            for (Goodput each : List.of(a, b, c)) {
                ServiceClasses.Row part = each.classes().rows().get(i);
                part.latencies().forEach((middle, count) -> latencies.merge(middle, count, Long::sum));
                good += part.goodput().good();
                tokens += part.outputTokens();
            }
            assertThat(row.latencies()).isEqualTo(latencies);
            assertThat(row.goodput().good()).isEqualTo(good);
            assertThat(row.outputTokens()).isEqualTo(tokens);
            assertThat(row.goodput().targetShare()).isEqualTo(0.9);
        }
        assertThat(merged(merged(a, b), c)).isEqualTo(sum);
    }

    @Test
    void runs_with_other_classes_have_no_sum() {
        assertThat(merged(goodput("tier", 5), goodput("tenant", 5))).isNull();
        assertThat(merged(goodput("tier", 5), goodput("tier", 6))).isNull();
        assertThat(merged(goodput("tier", 5), new Goodput(List.of(), 0.9, 1, 1, 0)))
                .isNull();
        assertThat(merged(new Goodput(List.of(), 0.9, 1, 1, 0), goodput("tier", 5)))
                .isNull();
    }
}
