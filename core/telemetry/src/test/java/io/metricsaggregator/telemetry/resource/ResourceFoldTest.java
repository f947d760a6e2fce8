package io.metricsaggregator.telemetry.resource;

import static io.metricsaggregator.telemetry.Golden.fields;
import static io.metricsaggregator.telemetry.Golden.observation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.telemetry.Golden;
import io.metricsaggregator.telemetry.TelemetryFolds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ResourceFoldTest {
    private static final long SECOND = 1_000_000_000L;

    @TestFactory
    Stream<DynamicTest> everyGoldenCaseAgreesWithUpstreamAndWithTheRules() throws IOException {
        return Golden.cases("perf", ResourceFoldTest::check);
    }

    private static void check(Path folder, Map<String, ?> input, Map<String, ?> expected) throws Exception {
        Map<?, ?> params = (Map<?, ?>) input.get("params");
        ResourceFold fold = new ResourceFold(List.of());
        fold.apply(observation(fields(
                "event_type", "resource.job",
                "expected_nodes", params.get("expected_nodes"),
                "max_length", params.get("max_length"))));
        for (TelemetryRecord each : Golden.telemetry(folder)) {
            fold.apply(each);
        }
        fold.apply(observation(fields(
                "event_type",
                "resource.job",
                "ended",
                true,
                "cpu_count",
                params.get("cpu_count"),
                "timestamp_ns",
                Math.round(((Number) params.get("report_time_s")).doubleValue() * 1e9))));
        Map<String, ?> known = fold.snapshot(true).tree();
        Golden.compare("ours.by_node", ((Map<?, ?>) expected.get("ours")).get("by_node"), known.get("by_node"), false);
        Golden.compare("ours.cluster", ((Map<?, ?>) expected.get("ours")).get("cluster"), known.get("cluster"), false);
        Golden.compare("compat", expected.get("compat"), known.get("compat"), false);
        Golden.compare("compat_error", expected.get("compat_error"), known.get("compat_error"), false);
        ((Map<?, ?>) expected.get("thinning")).forEach((node, thinning) -> {
            if (!Long.valueOf(0).equals(((Map<?, ?>) thinning).get("reports_seen"))) {
                Golden.compare("thinning", thinning, ((Map<?, ?>) known.get("thinning")).get(node), false);
            }
        });
    }

    private static Map<String, Object> sample(String node, double seconds, double cpu) {
        return fields(
                "event_type",
                "resource.sample",
                "timestamp_ns",
                Math.round(seconds * SECOND),
                "source_id",
                node,
                "node_id",
                node,
                "interval_s",
                1.0,
                "cpu_count",
                2L,
                "cpu_pct",
                List.of(cpu, cpu),
                "disk_read_bytes",
                Math.round(seconds * 1000));
    }

    private static Map<?, ?> node(ResourceFold fold, String name) {
        return (Map<?, ?>) ((Map<?, ?>) fold.snapshot(true).tree().get("by_node")).get(name);
    }

    @Test
    void samplesOutOfOrderWeighTheSameAsInOrder() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<Map<String, Object>> samples = new ArrayList<>();
        double at = 100;
        for (int i = 0; i < 1000; i++) {
            at += 0.1 + random.nextDouble();
            samples.add(sample("n", at, random.nextInt(101)));
        }
        ResourceFold ordered = new ResourceFold(List.of());
        for (Map<String, Object> each : samples) {
            ordered.apply(observation(each));
        }
        for (int i = 0; i + 32 <= samples.size(); i += 32) {
            Collections.shuffle(samples.subList(i, i + 32), random);
        }
        ResourceFold shuffled = new ResourceFold(List.of());
        for (Map<String, Object> each : samples) {
            shuffled.apply(observation(each));
        }
        Golden.compare("shuffled", node(ordered, "n"), node(shuffled, "n"), false);
        assertThat(node(shuffled, "n").get("n_samples")).isEqualTo(1000L);
    }

    @Test
    void aSampleOlderThanTheSettledTimeIsRejectedWithoutEffect() {
        TelemetryFolds telemetry = new TelemetryFolds();
        for (int i = 0; i < 2 * ResourceNode.WAITING_MAX; i++) {
            assertThat(telemetry.apply(observation(sample("n", 100 + i, 50)))).isTrue();
        }
        assertThat(telemetry.apply(observation(sample("n", 1, 50)))).isFalse();
        assertThat(telemetry.rejected())
                .singleElement()
                .satisfies(row -> assertThat(row.reason()).isEqualTo("resource.sample_too_late"));
    }

    @Test
    void anExpectedNodeWithoutSamplesIsNamed() throws Exception {
        ResourceFold fold = new ResourceFold(List.of("a", "b"));
        fold.apply(observation(sample("a", 1, 10)));
        assertThat(fold.snapshot(false).tree().get("nodes_missing")).isEqualTo(List.of("b"));
    }

    @Test
    void aRebootResetsCountersEvenIfTheyAreHigherAfterwards() throws Exception {
        ResourceFold fold = new ResourceFold(List.of());
        Map<String, Object> before = sample("a", 1, 10);
        before.put("boot_id", "one");
        Map<String, Object> after = sample("a", 2, 10);
        after.put("boot_id", "two");
        fold.apply(observation(before));
        fold.apply(observation(after));
        assertThat(node(fold, "a").get("job_disk_read_bytes")).isEqualTo(2000L);
        assertThat(node(fold, "a").get("resets_disk_read_bytes")).isEqualTo(1L);
    }

    @Test
    void aNodeWithoutABootTimeHasNoRebootAndImplausibleFiguresAreRejected() throws Exception {
        ResourceFold fold = new ResourceFold(List.of());
        Map<String, Object> told = sample("a", 1, 10);
        told.put("boot_id", "one");
        fold.apply(observation(told));
        fold.apply(observation(sample("a", 2, 10)));
        assertThat(node(fold, "a").get("job_disk_read_bytes")).isEqualTo(1000L);
        TelemetryFolds telemetry = new TelemetryFolds();
        for (Map.Entry<String, Object> wrong : Map.<String, Object>of(
                        "interval_s", 1e300, "cpu_count", Long.MAX_VALUE, "cpu_pct", List.of(1e300))
                .entrySet()) {
            Map<String, Object> fields = sample("n", 1, 1);
            fields.put(wrong.getKey(), wrong.getValue());
            assertThat(telemetry.apply(observation(fields))).as("%s", wrong).isFalse();
        }
        assertThat(telemetry.rejected()).allMatch(row -> row.reason().startsWith("resource.too_large_"));
    }

    @Test
    void aReportOfTheOriginalCollectorIsAccepted() throws Exception {
        ResourceFold fold = new ResourceFold(List.of());
        for (int i = 0; i < 2; i++) {
            fold.apply(observation(fields(
                    "event_type",
                    "perf.report",
                    "node_id",
                    "n",
                    "cpu_count",
                    4L,
                    "cpu_pct_per_cpu_avg",
                    50.0,
                    "cpu_pct_per_cpu_min",
                    25.0,
                    "cpu_pct_per_cpu_max",
                    75.0,
                    "mem_percent",
                    12.5,
                    "disk_usage_percent",
                    3.0,
                    "disk_io_read_mb",
                    100.0 + i,
                    "timestamp",
                    1_760_000_000.5 + 3 * i)));
        }
        assertThat(node(fold, "n").get("observed_s")).isEqualTo(4.0);
        assertThat(node(fold, "n").get("job_disk_read_mib")).isEqualTo(1.0);
        assertThat((Double) node(fold, "n").get("node_cpu_hours")).isCloseTo(16 / 3600.0, within(1e-15));
    }

    @Test
    void malformedSamplesAreRejectedByReasonWithoutEffect() {
        TelemetryFolds telemetry = new TelemetryFolds();
        for (Map.Entry<String, Object> wrong : Map.<String, Object>of(
                        "cpu_pct",
                        List.of(1.0, Double.NaN),
                        "interval_s",
                        -1.0,
                        "cpu_count",
                        "two",
                        "disk_read_bytes",
                        -5L)
                .entrySet()) {
            Map<String, Object> fields = sample("n", 1, 1);
            fields.put(wrong.getKey(), wrong.getValue());
            assertThat(telemetry.apply(observation(fields))).as("%s", wrong).isFalse();
        }
        Map<String, Object> nameless = sample("", 1, 1);
        assertThat(telemetry.apply(observation(nameless))).isFalse();
        assertThat(telemetry.rejected()).hasSize(5);
        assertThat(telemetry.freeze(0, true).isEmpty()).isTrue();
    }

    @Test
    void aTimelineKeepsTheExtremesInARunOfAnyLength() throws Exception {
        ResourceFold fold = new ResourceFold(List.of());
        for (int i = 0; i < 20_000; i++) {
            fold.apply(observation(sample("n", 1000 + i, i == 12_345 ? 100 : i == 15_000 ? 0 : 40)));
        }
        Map<?, ?> timeline = (Map<?, ?>) ((Map<?, ?>) fold.snapshot(true).tree().get("timeline")).get("n");
        Map<?, ?> cpu = (Map<?, ?>) timeline.get("cpu_pct");
        assertThat(((List<?>) cpu.get("max"))
                        .stream().mapToDouble(each -> (Double) each).max())
                .hasValue(100);
        assertThat(((List<?>) cpu.get("min"))
                        .stream().mapToDouble(each -> (Double) each).min())
                .hasValue(0);
        assertThat((Long) timeline.get("buckets")).isBetween(256L, 512L);
        double read = ((List<?>) timeline.get("disk_read_bytes"))
                .stream()
                        .filter(each -> each != null)
                        .mapToDouble(each -> (Double) each)
                        .sum();
        assertThat(read).isEqualTo(19_999_000.0);
    }

    @Test
    void aClockStepDoesNotProduceYearsOfCpuTime() throws Exception {
        ResourceFold fold = new ResourceFold(List.of());
        fold.apply(observation(sample("a", 5, 10)));
        fold.apply(observation(sample("a", 1_700_000_000, 10)));
        fold.apply(observation(sample("a", 1_700_000_001, 10)));
        assertThat(node(fold, "a").get("observed_s")).isEqualTo(3.0);
        assertThat(node(fold, "a").get("clock_jumps")).isEqualTo(1L);
    }

    @Test
    void aSampleWithAWrongClockDoesNotCoarsenTheTimelineOfOthers() throws Exception {
        ResourceFold fold = new ResourceFold(List.of());
        fold.apply(observation(sample("a", 1_000_000, 10)));
        fold.apply(observation(sample("b", 5, 10)));
        fold.apply(observation(sample("a", 1_000_001, 10)));
        Map<?, ?> timeline = (Map<?, ?>) ((Map<?, ?>) fold.snapshot(true).tree().get("timeline")).get("a");
        assertThat(timeline.get("width_ns")).isEqualTo(SECOND);
        assertThat((Long) timeline.get("off_grid")).isPositive();
    }

    private static double compatHours(Map<String, Object> job) throws Exception {
        ResourceFold fold = new ResourceFold(List.of());
        long wall = 1_790_000_000L * SECOND;
        for (int i = 0; i <= 3600; i += 1800) {
            Map<String, Object> sample = sample("a", i, 50);
            sample.put("wall_ns", wall + i * SECOND);
            fold.apply(observation(sample));
        }
        fold.apply(observation(job));
        Map<?, ?> compat = (Map<?, ?>) fold.snapshot(true).tree().get("compat");
        return (Double) ((Map<?, ?>) compat.get("a")).get("node_cpu_hours");
    }

    @Test
    void the_compatible_hours_end_with_the_last_sample_if_the_jobs_end_is_on_another_clock() throws Exception {
        Map<String, Object> job =
                fields("event_type", "resource.job", "timestamp_ns", 7200 * SECOND, "ended", true, "cpu_count", 2L);
        assertThat(compatHours(job)).isCloseTo(2, within(1e-9));
        job.put("wall_ns", (1_790_000_000L + 7200) * SECOND);
        assertThat(compatHours(job)).isCloseTo(4, within(1e-9));
        job.put("wall_ns", 1_780_000_000L * SECOND);
        assertThat(compatHours(job)).isCloseTo(2, within(1e-9));
    }
}
