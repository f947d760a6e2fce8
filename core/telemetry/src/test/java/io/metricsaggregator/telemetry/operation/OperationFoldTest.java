package io.metricsaggregator.telemetry.operation;

import static io.metricsaggregator.telemetry.Golden.fields;
import static io.metricsaggregator.telemetry.Golden.observation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.telemetry.Golden;
import io.metricsaggregator.telemetry.TelemetryFolds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class OperationFoldTest {
    @TestFactory
    Stream<DynamicTest> everyGoldenCaseAgreesWithUpstreamAndWithTheRules() throws IOException {
        return Golden.cases("proxystore", OperationFoldTest::check);
    }

    private static void check(Path folder, Map<String, ?> input, Map<String, ?> expected) throws Exception {
        OperationFold fold = new OperationFold(1000);
        for (TelemetryRecord each : Golden.telemetry(folder)) {
            fold.apply(each);
        }
        Map<String, ?> known = fold.snapshot(true).tree();
        ((Map<?, ?>) expected.get("ours"))
                .forEach((part, value) -> Golden.compare("ours." + part, value, known.get((String) part), false));
        Golden.compare("compat", expected.get("compat"), known.get("compat"), false);
    }

    @Test
    void durationsDividedByABridgeAreFlaggedInTheReport() throws Exception {
        Path folder = Golden.file("proxystore/05_factory_ns_bug");
        Object wanted = Golden.json(folder.resolve("expected.json")).get("ours_with_factory_ns_fix");
        OperationFold fold = new OperationFold(1000);
        for (TelemetryRecord each : Golden.telemetry(folder)) {
            Map<String, Object> fields = new java.util.LinkedHashMap<>();
            each.fields().forEach((key, value) -> fields.put((String) key, value));
            if (String.valueOf(fields.get("name")).startsWith("factory.")) {
                fields.put("duration_ns", (Long) fields.get("duration_ns") / 1_000_000);
                fields.put("rule", "factory_ns_fix");
            }
            fold.apply(observation(fields));
        }
        Map<String, ?> known = fold.snapshot(true).tree();
        ((Map<?, ?>) wanted)
                .forEach((part, value) -> Golden.compare("ours." + part, value, known.get((String) part), false));
        assertThat(known.get("rules_applied")).isEqualTo(Map.of("factory_ns_fix", 2L));
    }

    private static Map<String, Object> complete(String key, String name, long nanos) {
        return fields(
                "event_type",
                "operation.complete",
                "timestamp_ns",
                1L,
                "source_id",
                "p",
                "key",
                key,
                "name",
                name,
                "duration_ns",
                nanos);
    }

    private static Map<?, ?> times(Map<?, ?> scope, String name) {
        return (Map<?, ?>) ((Map<?, ?>) scope.get("times")).get(name);
    }

    @Test
    void keysBeyondTheLimitShareARowAndSumsStillAgree() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        OperationFold fold = new OperationFold(10);
        long sum = 0;
        for (int i = 0; i < 20_000; i++) {
            long nanos = random.nextInt(1_000_000);
            sum += nanos;
            // Some keys are used so often that their values are in histograms when they are evicted.
            fold.apply(observation(complete("k" + (int) Math.abs(random.nextGaussian() * 8), "op", nanos)));
        }
        Map<String, ?> known = fold.snapshot(true).tree();
        Map<?, ?> byKey = (Map<?, ?>) known.get("by_key");
        assertThat(byKey).hasSize(11);
        long count = 0;
        long parts = 0;
        for (Object each : byKey.values()) {
            count += (Long) times((Map<?, ?>) each, "op").get("count");
            parts += (Long) times((Map<?, ?>) each, "op").get("sum_ns");
        }
        assertThat(count).isEqualTo(20_000);
        assertThat(parts).isEqualTo(sum);
        Map<?, ?> all = times((Map<?, ?>) known.get("overall"), "op");
        assertThat(all.get("sum_ns")).isEqualTo(sum);
        Map<?, ?> other = times((Map<?, ?>) byKey.get("other"), "op");
        assertThat((Double) other.get("p50_ms")).isBetween(0.45, 0.55);
        assertThat((Double) other.get("stddev_ms")).isBetween(0.27, 0.31);
        assertThat((Long) known.get("keys_evicted")).isPositive();
    }

    @Test
    void aBatchOfOneKeyDiffersFromThatKey() throws Exception {
        OperationFold fold = new OperationFold(10);
        Map<String, Object> batch = complete("", "op", 1);
        batch.remove("key");
        batch.put("keys", List.of("a"));
        fold.apply(observation(batch));
        fold.apply(observation(complete("a", "op", 1)));
        fold.apply(observation(complete("[\"a\"]", "op", 1)));
        fold.apply(observation(complete("other", "op", 1)));
        assertThat((Map<?, ?>) fold.snapshot(true).tree().get("by_key")).hasSize(4);
    }

    @Test
    void longBatchesAreDistinguishedByAllTheirKeys() throws Exception {
        OperationFold fold = new OperationFold(10);
        for (String last : List.of("x", "y", "x")) {
            Map<String, Object> batch = complete("", "op", 1);
            batch.remove("key");
            List<String> keys = new java.util.ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                keys.add("key-" + i);
            }
            keys.add(last);
            batch.put("keys", keys);
            fold.apply(observation(batch));
        }
        assertThat((Map<?, ?>) fold.snapshot(true).tree().get("by_key")).hasSize(2);
    }

    @Test
    void countsAreCurrentAndPercentilesLagByAtMostAnEighthExceptInTheLastSnapshot() throws Exception {
        OperationFold fold = new OperationFold(10);
        for (int i = 1; i <= 1000; i++) {
            fold.apply(observation(complete("k", "op", 1_000_000L * i)));
            Map<?, ?> live = times((Map<?, ?>) fold.snapshot(false).tree().get("overall"), "op");
            assertThat(live.get("count")).isEqualTo((long) i);
            assertThat((Double) live.get("max_ms")).isBetween(i / 1.126 - 1, (double) i);
        }
        Map<?, ?> last = times((Map<?, ?>) fold.snapshot(true).tree().get("overall"), "op");
        assertThat(last.get("max_ms")).isEqualTo(1000.0);
        assertThat(last.get("p50_ms")).isEqualTo(500.5);
    }

    @Test
    void failuresAreCountedAndTheirTimesKeptSeparately() throws Exception {
        OperationFold fold = new OperationFold(10);
        fold.apply(observation(complete("a", "op", 1_000_000)));
        Map<String, Object> failed = complete("a", "op", 9_000_000);
        failed.put("ok", false);
        fold.apply(observation(failed));
        Map<?, ?> op = times((Map<?, ?>) fold.snapshot(true).tree().get("overall"), "op");
        assertThat(op.get("count")).isEqualTo(1L);
        assertThat(op.get("n_failed")).isEqualTo(1L);
        assertThat(op.get("max_ms")).isEqualTo(1.0);
        assertThat(((Map<?, ?>) op.get("failed")).get("max_ms")).isEqualTo(9.0);
    }

    @Test
    void malformedOperationsAreRejectedByReason() {
        TelemetryFolds telemetry = new TelemetryFolds();
        Map<String, Object> both = complete("a", "op", 1);
        both.put("keys", List.of("b"));
        Map<String, Object> nameless = complete("a", "op", 1);
        nameless.remove("name");
        for (Map<String, Object> wrong : List.of(
                both, nameless, complete("a", "op", -1), fields("event_type", "operation.complete", "name", "x"))) {
            assertThat(telemetry.apply(observation(wrong))).as("%s", wrong).isFalse();
        }
        assertThat(telemetry.rejected())
                .extracting(row -> row.reason())
                .containsExactly(
                        "operation.key_and_keys",
                        "operation.missing_name",
                        "operation.negative_duration_ns",
                        "operation.missing_key");
        assertThat(telemetry.freeze(0, true).isEmpty()).isTrue();
    }

    @Test
    void the_compatible_sum_includes_all_sources_and_counts_records_without_a_row_of_their_process() throws Exception {
        OperationFold fold = new OperationFold(10);
        int sources = 3 * OperationFold.COMPAT_SOURCES_MAX;
        for (int i = 1; i <= sources; i++) {
            Map<String, Object> fields = complete("k", "store.get", i * 1_000_000L);
            fields.put("source_id", "p" + i);
            // The record that arrives last is the first by timestamp.
            fields.put("timestamp_ns", (sources - i + 1) * 1_000_000_000L);
            fold.apply(observation(fields));
        }
        Map<?, ?> compat = (Map<?, ?>) fold.snapshot(true).tree().get("compat");
        Map<?, ?> merged = (Map<?, ?>) ((Map<?, ?>) compat.get("merged_by_TimeStats_add")).get("store.get");
        assertThat(merged.get("count")).isEqualTo((long) sources);
        assertThat((Double) merged.get("avg_time_ms")).isCloseTo((sources + 1) / 2.0, within(1e-9));
        assertThat(merged.get("max_time_ms")).isEqualTo((double) sources);
        assertThat(merged.get("last_time_ms")).isEqualTo(1.0);
        assertThat(((Map<?, ?>) compat.get("per_instance"))).hasSize(OperationFold.COMPAT_SOURCES_MAX);
        assertThat(compat.get("records_of_sources_left_out"))
                .isEqualTo((long) sources - OperationFold.COMPAT_SOURCES_MAX);
    }

    @Test
    void counters_saturate_in_the_compatible_figures_too() throws Exception {
        OperationFold fold = new OperationFold(10);
        for (int i = 0; i < 2; i++) {
            fold.apply(observation(fields(
                    "event_type",
                    "operation.count",
                    "source_id",
                    "p",
                    "name",
                    "n",
                    "key",
                    "k",
                    "value",
                    Long.MAX_VALUE)));
        }
        assertThat(instance(fold).get("counters")).isEqualTo(Map.of("n", Long.MAX_VALUE));
    }

    private static Map<?, ?> instance(OperationFold fold) {
        Map<?, ?> compat = (Map<?, ?>) fold.snapshot(true).tree().get("compat");
        Map<?, ?> process = (Map<?, ?>) ((Map<?, ?>) compat.get("per_instance")).get("p");
        return (Map<?, ?>) ((Map<?, ?>) process.get("by_key")).get("k");
    }

    @Test
    void the_last_attribute_is_that_of_the_latest_timestamp_and_in_compatible_figures_the_last_received()
            throws Exception {
        OperationFold fold = new OperationFold(10);
        for (long at : new long[] {7, 9, 8}) {
            fold.apply(observation(fields(
                    "event_type",
                    "operation.attr",
                    "timestamp_ns",
                    at,
                    "source_id",
                    "p",
                    "name",
                    "n",
                    "key",
                    "k",
                    "value",
                    at)));
        }
        Map<?, ?> overall = (Map<?, ?>) ((Map<?, ?>) fold.snapshot(true).tree().get("overall")).get("attributes");
        assertThat(((Map<?, ?>) overall.get("n")).get("last")).isEqualTo(9L);
        assertThat(instance(fold).get("attributes")).isEqualTo(Map.of("n", 8L));
    }
}
