package io.metricsaggregator.telemetry.transfer;

import static io.metricsaggregator.telemetry.Golden.observation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.telemetry.Golden;
import io.metricsaggregator.telemetry.TelemetryFolds;
import io.metricsaggregator.telemetry.statistics.InterpolatedStatistics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class TransferFoldTest {
    @TestFactory
    Stream<DynamicTest> everyGoldenCaseAgreesWithUpstreamAndWithTheRules() throws IOException {
        return Golden.cases("nixl", TransferFoldTest::check);
    }

    private static void check(Path folder, Map<String, ?> input, Map<String, ?> expected) throws Exception {
        List<?> counts = (List<?>) input.get("interval_event_counts");
        List<?> seconds = (List<?>) ((Map<?, ?>) input.get("params")).get("interval_s");
        List<TelemetryRecord> telemetry = Golden.telemetry(folder);
        TransferFold fold = new TransferFold();
        int next = 0;
        for (int i = 0; i < counts.size(); i++) {
            for (long j = 0; j < (Long) counts.get(i); j++) {
                fold.apply(telemetry.get(next++));
            }
            fold.closeInterval(((Number) seconds.get(i)).doubleValue());
            Map<String, @Nullable Object> known = fold.snapshot(false).tree();
            compare("interval " + i, ((List<?>) expected.get("intervals")).get(i), known.get("last_interval"));
        }
        compare(
                "cumulative",
                expected.get("cumulative"),
                fold.snapshot(true).tree().get("cumulative"));
    }

    private static void compare(String place, @Nullable Object expected, @Nullable Object actual) {
        ((Map<?, ?>) expected)
                .forEach((key, value) -> Golden.compare(
                        place + "." + key,
                        value,
                        ((Map<?, ?>) actual).get(key),
                        key.toString().startsWith("compat")));
    }

    private static Map<String, Object> transfer(String source, long endMillis, double micros) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("event_type", "transfer.complete");
        fields.put("timestamp_ns", endMillis * 1_000_000);
        fields.put("source_id", source);
        fields.put("xfer_duration_us", micros);
        fields.put("post_duration_us", 1L);
        fields.put("total_bytes", 1L << 20);
        fields.put("desc_count", 4L);
        return fields;
    }

    private static Map<?, ?> ours(TransferFold fold) {
        return (Map<?, ?>) ((Map<?, ?>) fold.snapshot(true).tree().get("cumulative")).get("ours");
    }

    @Test
    void aTransferWithoutADurationCountsAndIsExcludedFromTimeStatistics() throws Exception {
        TransferFold fold = new TransferFold();
        Map<String, Object> untimed = transfer("a", 1, 1);
        untimed.remove("xfer_duration_us");
        fold.apply(observation(untimed));
        fold.apply(observation(transfer("a", 100, 2000)));
        assertThat(ours(fold).get("n_ok")).isEqualTo(2L);
        assertThat(ours(fold).get("n_untimed")).isEqualTo(1L);
        assertThat(((Map<?, ?>) ours(fold).get("xfer_ms")).get("count")).isEqualTo(1L);
        assertThat(((Map<?, ?>) ours(fold).get("mib_per_transfer")).get("count"))
                .isEqualTo(2L);
    }

    private static Map<?, ?> cumulative(TransferFold fold) {
        return (Map<?, ?>) fold.snapshot(true).tree().get("cumulative");
    }

    @Test
    void a_transfer_without_a_post_time_is_excluded_from_post_time_statistics() throws Exception {
        TransferFold fold = new TransferFold();
        Map<String, Object> silent = transfer("a", 1, 2000);
        silent.remove("post_duration_us");
        Map<String, Object> posted = transfer("a", 100, 2000);
        posted.put("post_duration_us", 500L);
        fold.apply(observation(silent));
        fold.apply(observation(posted));
        Map<?, ?> post = (Map<?, ?>) ours(fold).get("post_ms");
        assertThat(post.get("count")).isEqualTo(1L);
        assertThat(post.get("mean")).isEqualTo(0.5);
        for (String version : List.of("compat_seed", "compat_current")) {
            assertThat(((Map<?, ?>) cumulative(fold).get(version)).get("Avg post time (ms)"))
                    .as(version)
                    .isEqualTo(0.5);
        }
        Map<?, ?> prometheus = (Map<?, ?>) cumulative(fold).get("prometheus");
        assertThat(((Map<?, ?>) prometheus.get("vllm:nixl_post_time_seconds")).get("count"))
                .isEqualTo(1L);
        assertThat(((Map<?, ?>) prometheus.get("vllm:nixl_xfer_time_seconds")).get("count"))
                .isEqualTo(2L);
    }

    @Test
    void times_that_no_transfer_reported_are_nan_in_the_compatible_figures() throws Exception {
        TransferFold fold = new TransferFold();
        Map<String, Object> silent = transfer("a", 1, 2000);
        silent.remove("xfer_duration_us");
        silent.remove("post_duration_us");
        fold.apply(observation(silent));
        Map<?, ?> compat = (Map<?, ?>) cumulative(fold).get("compat_current");
        assertThat(List.of(
                        compat.get("Avg xfer time (ms)"),
                        compat.get("P90 post time (ms)"),
                        compat.get("Throughput (MB/s)")))
                .containsOnly("NaN");
        assertThat((String) cumulative(fold).get("line_current"))
                .contains("Avg xfer time (ms)=nan, ")
                .contains("Avg MB per transfer=1.0, ");
    }

    @Test
    void the_compatible_line_formats_large_and_small_figures_like_python() throws Exception {
        TransferFold fold = new TransferFold();
        Map<String, Object> slow = transfer("a", 1, 12_345_678_000.5);
        slow.put("total_bytes", 1L << 53);
        fold.apply(observation(slow));
        assertThat((String) cumulative(fold).get("line_current"))
                .contains("Avg xfer time (ms)=12345678.0, ")
                .contains("Avg MB per transfer=8589934592.0, ");
        assertThat(PythonFloat.repr(1e7)).isEqualTo("10000000.0");
        assertThat(PythonFloat.repr(1e16)).isEqualTo("1e+16");
        assertThat(PythonFloat.repr(-1.5e300)).isEqualTo("-1.5e+300");
        assertThat(PythonFloat.repr(0.0001)).isEqualTo("0.0001");
        assertThat(PythonFloat.repr(0.00001)).isEqualTo("1e-05");
        assertThat(PythonFloat.repr(2e-3)).isEqualTo("0.002");
        assertThat(PythonFloat.repr(0.1 + 0.2)).isEqualTo("0.30000000000000004");
    }

    private static Map<String, Object> stats(Map<String, ?> data) {
        return Golden.fields("event_type", "transfer.stats", "source_id", "rank0", "data", data);
    }

    private static Map<?, ?> folded(Map<String, ?> data) throws Exception {
        TransferFold fold = new TransferFold();
        fold.apply(observation(stats(data)));
        return cumulative(fold);
    }

    /** Expected lines from the classes of vLLM 0.33.0, {@code NixlKVConnectorStats} and {@code MooncakeKVConnectorStats}. */
    @Test
    void the_line_of_vllm_0_33_has_three_totals_of_failures() throws Exception {
        Map<String, Object> data = new LinkedHashMap<>(Map.of(
                "transfer_duration", List.of(.002, .004),
                "post_duration", List.of(.0001, .0003),
                "bytes_transferred", List.of(1L << 20, 3L << 20),
                "num_descriptors", List.of(4L, 7L),
                "num_failed_transfers", List.of(1L),
                "num_failed_notifications", List.of(1L, 1L),
                "num_failed_handshakes", List.of(1L),
                "num_kv_expired_reqs", List.of(1L, 1L, 1L),
                "num_notifications_after_expiry", List.of(1L, 1L)));
        Map<?, ?> known = folded(data);
        assertThat(known.get("line_0_33"))
                .isEqualTo(
                        "KV Transfer metrics: Num successful transfers=2, Avg xfer time (ms)=3.0, P90 xfer time (ms)=3.8,"
                                + " Avg post time (ms)=0.2, P90 post time (ms)=0.28, Avg MB per transfer=2.0, Throughput (MB/s)=666.667,"
                                + " Avg number of descriptors=5.5, Num failed transfers=4, Num KV expired reqs=3, Num notifs after expiry=2");
        assertThat((String) known.get("line_current")).endsWith("Num failed transfers=4, Num KV expired reqs=3");
        Map<?, ?> ours = (Map<?, ?>) known.get("ours");
        assertThat(ours.get("n_handshake_failed")).isEqualTo(1L);
        assertThat(ours.get("n_notified_after_expiry")).isEqualTo(2L);
        assertThat(ours.get("unknown_lists")).isEqualTo(Map.of());
        assertThat(((Map<?, ?>) known.get("prometheus")).get("vllm:nixl_num_notifications_after_expiry_total"))
                .isEqualTo(2L);

        Map<?, ?> handshakes = folded(Map.of("num_failed_handshakes", List.of(1L, 1L)));
        assertThat(handshakes.get("line_0_33"))
                .isEqualTo(
                        "KV Transfer metrics: Num successful transfers=0, Avg xfer time (ms)=0, P90 xfer time (ms)=0,"
                                + " Avg post time (ms)=0, P90 post time (ms)=0, Avg MB per transfer=0, Throughput (MB/s)=0,"
                                + " Avg number of descriptors=0, Num failed transfers=2, Num KV expired reqs=0, Num notifs after expiry=0");
        assertThat(folded(Map.of("num_notifications_after_expiry", List.of(1L))).get("line_0_33"))
                .asString()
                .endsWith("Num notifs after expiry=1");
    }

    @Test
    void an_object_without_post_times_counts_its_transfers_and_mooncakes_line_has_failed_receives() throws Exception {
        Map<?, ?> known = folded(Map.of(
                "transfer_duration", List.of(.002, .004),
                "bytes_transferred", List.of(1L << 20, 3L << 20),
                "num_descriptors", List.of(4L, 7L),
                "num_failed_transfers", List.of(1L),
                "num_failed_recvs", List.of(1L, 1L),
                "num_kv_expired_reqs", List.of(1L, 1L, 1L)));
        assertThat(known.get("line_0_33"))
                .isEqualTo(
                        "KV Transfer metrics: Num successful transfers=2, Avg xfer time (ms)=3.0, P90 xfer time (ms)=3.8,"
                                + " Avg MB per transfer=2.0, Throughput (MB/s)=666.667, Avg number of descriptors=5.5,"
                                + " Num failed transfers=1, Num failed recvs=2, Num KV expired reqs=3");
        Map<?, ?> ours = (Map<?, ?>) known.get("ours");
        assertThat(((Map<?, ?>) ours.get("xfer_ms")).get("count")).isEqualTo(2L);
        assertThat(((Map<?, ?>) ours.get("post_ms")).get("count")).isEqualTo(0L);
        assertThat(ours.get("n_receive_failed")).isEqualTo(2L);
        assertThat(ours.get("n_transport_failures")).isEqualTo(3L);
        assertThat(ours.get("success_ratio")).isEqualTo(0.4);
    }

    @Test
    void an_aggregated_object_counts_its_bytes_exactly_and_is_rejected_if_a_list_is_malformed() throws Exception {
        TransferFold fold = new TransferFold();
        long large = (1L << 53) + 1;
        fold.apply(observation(stats(Map.of(
                "transfer_duration", List.of(0.5),
                "post_duration", List.of(0.25),
                "bytes_transferred", List.of(large),
                "num_descriptors", List.of(4.0),
                "num_failed_transfers", List.of(1L, 1L)))));
        assertThat(ours(fold).get("bytes_total")).isEqualTo(large);
        assertThat(ours(fold).get("n_failed")).isEqualTo(2L);
        assertThat(rejection(fold, stats(Map.of("num_failed_transfers", 3L))))
                .isEqualTo("invalid_num_failed_transfers");
        assertThat(rejection(fold, Golden.fields("event_type", "transfer.stats", "data", List.of())))
                .isEqualTo("missing_data");
        assertThat(ours(fold).get("n_failed")).isEqualTo(2L);
    }

    private static String rejection(TransferFold fold, Map<String, ?> fields) {
        return org.assertj.core.api.Assertions.catchThrowableOfType(
                        TelemetryRecord.Rejected.class, () -> fold.apply(observation(fields)))
                .reason();
    }

    @Test
    void hostsWithoutACommonClockHaveSeparateBusyTimes() throws Exception {
        TransferFold fold = new TransferFold();
        Map<String, Object> one = transfer("a", 10, 2000);
        one.put("node_id", "host1");
        Map<String, Object> two = transfer("b", 11, 2000);
        two.put("node_id", "host2");
        fold.apply(observation(one));
        fold.apply(observation(two));
        assertThat(((Map<?, ?>) ours(fold).get("throughput_mib_s")).get("busy")).isNull();
        assertThat(((Map<?, ?>) ours(fold).get("throughput_mib_s")).get("per_transfer_pooled"))
                .isNotNull();
        TransferFold common = new TransferFold();
        one.put("wall_ns", 1_000_000_000L);
        two.put("wall_ns", 1_001_000_000L);
        common.apply(observation(one));
        common.apply(observation(two));
        assertThat((Double) ((Map<?, ?>) ours(common).get("time_s")).get("busy_union"))
                .isCloseTo(0.003, within(1e-12));
        assertThat(((Map<?, ?>) ours(common).get("concurrency")).get("peak")).isEqualTo(2L);
    }

    @Test
    void anAggregatedObjectOfVllmIsAcceptedOrRejectedAsAWhole() throws Exception {
        TransferFold fold = new TransferFold();
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("transfer_duration", List.of(0.01, 0.02));
        data.put("post_duration", List.of(0.001, 0.001));
        data.put("bytes_transferred", List.of(1L << 20, 1L << 20));
        data.put("num_descriptors", List.of(1L, 2L));
        data.put("num_failed_transfers", List.of(1L));
        data.put("some_key_of_next_month", List.of(1L));
        Map<String, Object> fields = new LinkedHashMap<>(Map.of("event_type", "transfer.stats", "data", data));
        fold.apply(observation(fields));
        assertThat(ours(fold).get("n_ok")).isEqualTo(2L);
        assertThat(ours(fold).get("n_failed")).isEqualTo(1L);
        assertThat(ours(fold).get("unknown_lists")).isEqualTo(Map.of("some_key_of_next_month", 1L));
        assertThat(((Map<?, ?>) ours(fold).get("throughput_mib_s")).get("busy")).isNull();
        data.put("num_descriptors", List.of(1L));
        TelemetryFolds telemetry = new TelemetryFolds();
        assertThat(telemetry.apply(observation(fields))).isFalse();
        assertThat(telemetry.any()).isFalse();
        assertThat(telemetry.rejected())
                .singleElement()
                .satisfies(row -> assertThat(row.reason()).isEqualTo("transfer.lists_of_different_lengths"));
    }

    @Test
    void malformedTransfersAreRejectedByReasonWithoutEffect() {
        TelemetryFolds telemetry = new TelemetryFolds();
        for (Map.Entry<String, Object> wrong : Map.<String, Object>of(
                        "total_bytes", -1L, "xfer_duration_us", -0.5, "desc_count", "many", "post_duration_us", true)
                .entrySet()) {
            Map<String, Object> fields = transfer("a", 1, 1);
            fields.put(wrong.getKey(), wrong.getValue());
            assertThat(telemetry.apply(observation(fields))).as("%s", wrong).isFalse();
        }
        assertThat(telemetry.rejected()).hasSize(4).allMatch(row -> row.count() == 1);
        assertThat(telemetry.freeze(0, true).isEmpty()).isTrue();
    }

    @Test
    void beyondTheLimitValuesAreCountedInAHistogramAndMarked() throws Exception {
        TransferFold fold = new TransferFold();
        int count = 2 * InterpolatedStatistics.KEPT_MAX;
        for (int i = 0; i < count; i++) {
            fold.apply(observation(transfer("a", 1_000L + i, 500 + i % 1000)));
        }
        Map<?, ?> ours = ours(fold);
        assertThat(ours.get("percentile_method")).isEqualTo("hdr");
        assertThat(ours.get("n_ok")).isEqualTo((long) count);
        assertThat(ours.get("bytes_total")).isEqualTo((long) count << 20);
        Map<?, ?> xfer = (Map<?, ?>) ours.get("xfer_ms");
        assertThat(xfer.get("count")).isEqualTo((long) count);
        assertThat((Double) xfer.get("p90")).isCloseTo(1.4, within(0.002));
        assertThat((Double) xfer.get("max")).isCloseTo(1.499, within(1e-9));
        double mean = (Double) xfer.get("mean");
        assertThat(mean).isBetween(0.99, 1.0);
        Map<?, ?> throughput = (Map<?, ?>) ours.get("throughput_mib_s");
        assertThat((Double) throughput.get("per_transfer_pooled")).isCloseTo(1000 / mean, within(1e-6));
        assertThat((Double) throughput.get("span")).isCloseTo(1000, within(0.1));
        Map<?, ?> prometheus =
                (Map<?, ?>) ((Map<?, ?>) fold.snapshot(true).tree().get("cumulative")).get("prometheus");
        assertThat(((Map<?, ?>) prometheus.get("vllm:nixl_xfer_time_seconds")).get("count"))
                .isEqualTo((long) count);
    }

    @Test
    void theThroughputOfARunIncludesTheOpenInterval() throws Exception {
        TransferFold fold = new TransferFold();
        fold.tick(0);
        fold.apply(observation(transfer("a", 1, 100)));
        fold.tick(10_000_000_000L);
        fold.tick(15_000_000_000L);
        assertThat(((Map<?, ?>) ours(fold).get("throughput_mib_s")).get("interval"))
                .isEqualTo(1 / 15.0);
    }

    @Test
    void anEmptyIntervalIsReportedAsEmpty() {
        TelemetryFolds telemetry = new TelemetryFolds();
        telemetry.apply(observation(transfer("a", 1, 100)));
        for (long seconds : List.of(0L, 10L, 20L)) {
            telemetry.tick(seconds * 1_000_000_000L);
            Map<?, ?> known = (Map<?, ?>)
                    telemetry.freeze(seconds * 1_000_000_000L, false).tree().get("transfer");
            if (seconds > 0) {
                Map<?, ?> interval = (Map<?, ?>) known.get("last_interval");
                assertThat(((Map<?, ?>) interval.get("ours")).get("n_ok")).isEqualTo(seconds == 10 ? 1L : 0L);
            }
        }
    }

    @Test
    void slowestTransfersKeepTheirRequestAndFailuresTheirReason() throws Exception {
        TransferFold fold = new TransferFold();
        for (int i = 1; i <= 100; i++) {
            Map<String, Object> each = transfer("a", i, 10 * i);
            each.put("request_id", "r" + i);
            fold.apply(observation(each));
        }
        Map<String, Object> failed = new LinkedHashMap<>(Map.of("event_type", "transfer.failed"));
        failed.put("reason", "NIXL_ERR_BACKEND");
        failed.put("count", 3L);
        fold.apply(observation(failed));
        assertThat(((List<?>) ours(fold).get("slowest")))
                .hasSize(TransferStats.SLOWEST_MAX)
                .first()
                .satisfies(
                        row -> assertThat(((Map<?, ?>) row).get("request_id")).isEqualTo("r100"));
        assertThat(ours(fold).get("failure_reasons")).isEqualTo(Map.of("NIXL_ERR_BACKEND", 3L));
    }

    @Test
    void failureCountsSaturate() throws Exception {
        TransferFold fold = new TransferFold();
        Map<String, Object> failed = new LinkedHashMap<>(Map.of("event_type", "transfer.failed"));
        failed.put("count", Long.MAX_VALUE);
        fold.apply(observation(failed));
        fold.apply(observation(failed));
        assertThat(ours(fold).get("n_failed")).isEqualTo(Long.MAX_VALUE);
        assertThat((Double) ours(fold).get("success_ratio")).isZero();
    }
}
