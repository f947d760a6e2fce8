package io.metricsaggregator.snapshot.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.snapshot.telemetry.server.TritonSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** Records read and write the trees under src/test/resources/telemetry, which folds wrote before snapshots had telemetry records. */
class TelemetryTreesTest {

    private static byte[] file(String name) throws IOException {
        try (InputStream in = TelemetryTreesTest.class.getResourceAsStream("/telemetry/" + name + ".json")) {
            return Objects.requireNonNull(in, name).readAllBytes();
        }
    }

    private static Map<?, ?> kind(String file, String kind) throws Exception {
        return (Map<?, ?>) JsonTree.read(file(file)).get(kind);
    }

    @SuppressWarnings("unchecked") // the record of the kind
    private static <T extends TelemetrySnapshot> T read(TelemetryKind kind, Object tree)
            throws MalformedMessageException {
        return (T) kind.read(kind.key(), tree);
    }

    private static String line(Object tree) {
        return new String(JsonTree.writeLine(tree), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"host-live", "host-final", "perf-03-final", "perf-04-live", "perf-04-final"})
    void resource_trees_keep_every_byte_through_the_record(String file) throws Exception {
        Map<?, ?> tree = kind(file, "resource");
        assertThat(line(TelemetryKind.RESOURCE.read("resource", tree).tree())).isEqualTo(line(tree));
    }

    @ParameterizedTest
    @ValueSource(strings = {"servers-live", "servers-final", "triton-02-live", "triton-03-final", "triton-05-final"})
    void scrape_trees_keep_every_byte_through_the_record(String file) throws Exception {
        Map<?, ?> tree = kind(file, "scrape");
        assertThat(line(TelemetryKind.SCRAPE.read("scrape", tree).tree())).isEqualTo(line(tree));
    }

    @ParameterizedTest
    @ValueSource(strings = {"servers-final", "triton-05-final"})
    void trees_decoded_from_msgpack_read_as_the_same_record(String file) throws Exception {
        Map<?, ?> tree = kind(file, "scrape");
        Object received;
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(tree, packer);
            received = new MsgpackTree().read(ByteBuffer.wrap(packer.toByteArray()));
        }
        assertThat(TelemetryKind.SCRAPE.read("scrape", received)).isEqualTo(TelemetryKind.SCRAPE.read("scrape", tree));
    }

    @ParameterizedTest
    @CsvSource({
        "transfer, nixl-03-final",
        "transfer, nixl-05-final",
        "transfer, transfers-live",
        "transfer, transfers-final",
        "operation, proxystore-02-live",
        "operation, proxystore-02-final",
        "operation, proxystore-04-final",
        "operation, operations-live",
        "operation, operations-final",
        "metric, own-live",
        "metric, own-final"
    })
    void trees_of_earlier_folds_keep_every_byte_through_the_record(String kind, String file) throws Exception {
        Map<?, ?> tree = kind(file, kind);
        TelemetryKind of = TelemetryKind.valueOf(kind.toUpperCase(Locale.ROOT));
        assertThat(line(of.read(kind, tree).tree())).isEqualTo(line(tree));
        Object received;
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(tree, packer);
            received = new MsgpackTree().read(ByteBuffer.wrap(packer.toByteArray()));
        }
        assertThat(line(of.read(kind, Objects.requireNonNull(received)).tree())).isEqualTo(line(tree));
    }

    @Test
    void an_operation_reads_with_its_times_failures_attributes_and_proxystore_figures() throws Exception {
        OperationSnapshot operation = read(TelemetryKind.OPERATION, kind("operations-final", "operation"));
        OperationSnapshot.Times get =
                Objects.requireNonNull(operation.overall().times().get("get"));
        assertThat(get.millis().count()).isEqualTo(160);
        assertThat(get.millis().percentile("p50")).isEqualTo(0.2);
        assertThat(get.failures()).isEqualTo(40);
        assertThat(Objects.requireNonNull(get.failed()).sumNanos()).isEqualTo(7_800_000);
        assertThat(operation.overall().attributes().get("attr1").numbers()).isNull();
        assertThat(operation.overall().attributes().get("attr1").last()).isEqualTo("text393");
        assertThat(operation.byKey()).containsKeys("k1", "other");
        ProxyStoreMetrics compat = Objects.requireNonNull(operation.compat());
        assertThat(compat.perInstance().get("p1").byKey().get("k1").counters())
                .isEqualTo(Map.of("get.cache_misses", 2L));
    }

    @Test
    void a_transfer_reads_with_its_counts_throughput_and_log_figures() throws Exception {
        TransferSnapshot transfer = read(TelemetryKind.TRANSFER, kind("transfers-final", "transfer"));
        TransferFigures figures = transfer.cumulative().transfers();
        assertThat(figures.counts().failed()).isEqualTo(90);
        assertThat(figures.concurrency().peak()).isNull();
        assertThat(figures.slowest().get(0).sourceId()).isEqualTo("v");
        assertThat(transfer.cumulative().current().figures()).containsEntry(NixlFigure.XFER_MEAN, 31.64);
        assertThat(transfer.cumulative().seed().figures()).doesNotContainKey(NixlFigure.FAILED);
        assertThat(transfer.lastInterval()).isNull();
    }

    @Test
    void a_custom_metric_reads_with_the_figures_of_its_kind() throws Exception {
        MetricSnapshot metric = read(TelemetryKind.METRIC, kind("own-final", "metric"));
        assertThat(metric.rows().get(0).figures()).isEqualTo(new MetricSnapshot.Total(50, 1739.625));
        assertThat(metric.rows().get(2).figures()).isInstanceOf(MetricSnapshot.Distribution.class);
        assertThat(metric.rows().get(0).timeline().clock()).isEqualTo(SampleClock.MONOTONIC);
        assertThat(metric.rows()).extracting(MetricSnapshot.Row::labels).contains(Map.of("a", "y", "b", "x2"));
        assertThat(Objects.requireNonNull(metric.buckets(SampleClock.WALL)).count())
                .isPositive();
    }

    @Test
    void a_wrong_value_of_any_row_is_refused_when_the_snapshot_is_read() {
        Map<String, Object> scope = Map.of("times", Map.of("get", Map.of("sum_ns", "much")));
        assertThatThrownBy(() -> read(TelemetryKind.OPERATION, Map.of("by_key", Map.of("k", scope))))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("operation.by_key.k.times.get.sum_ns should be a 64-bit integer, is String");
        Map<String, Object> attribute = Map.of("attributes", Map.of("a", Map.of("last", List.of())));
        assertThatThrownBy(() -> read(TelemetryKind.OPERATION, Map.of("overall", attribute)))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageStartingWith(
                        "operation.overall.attributes.a.last should be a boolean, a number or a string");
        Map<String, Object> failed = Map.of("ours", Map.of("n_failed", 1.5));
        assertThatThrownBy(() -> read(TelemetryKind.TRANSFER, Map.of("cumulative", failed)))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("transfer.cumulative.ours.n_failed should be a 64-bit integer, is Double");
        assertThatThrownBy(() -> read(TelemetryKind.METRIC, Map.of("rows", List.of(1L))))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("metric.rows should be a map, is Long");
    }

    @Test
    void every_kind_reads_an_empty_tree_of_an_older_daemon_and_skips_fields_of_newer_ones() throws Exception {
        for (TelemetryKind kind : TelemetryKind.values()) {
            assertThat(kind.read(kind.key(), Map.of()).kind()).isEqualTo(kind);
            assertThat(kind.read(kind.key(), Map.of("of_a_newer_daemon", List.of(1L)))
                            .kind())
                    .isEqualTo(kind);
        }
    }

    @Test
    void a_node_reads_with_its_cores_counters_and_gauges() throws Exception {
        ResourceSnapshot resource = read(TelemetryKind.RESOURCE, kind("host-final", "resource"));
        NodeResources node = resource.nodes().get("a");
        assertThat(node.samples()).isEqualTo(40);
        assertThat(node.cores()).hasSize(3);
        assertThat(node.busiestCore()).isEqualTo(2);
        assertThat(node.gaugeMean("cgroup_cpu_limit")).isEqualTo(2.0);
        assertThat(node.gaugeMean("unheard_of")).isNull();
        assertThat(node.grown().get(ResourceCounter.DISK_READ).resets()).isEqualTo(1);
        assertThat(node.grownBytes(ResourceCounter.DISK_WRITE)).isNull();
        assertThat(resource.nodes().get("silent")).isEqualTo(NodeResources.SILENT);
        assertThat(resource.collectorError()).startsWith("ValueError");
        assertThat(resource.timelines().get("a").clock()).isEqualTo(SampleClock.WALL);
    }

    @Test
    void omitted_parts_are_absent_from_the_tree() throws Exception {
        ResourceSnapshot resource = read(TelemetryKind.RESOURCE, kind("host-final", "resource"));
        ResourceSnapshot lessResource = new ResourceSnapshot(
                resource.nodes(),
                resource.cluster(),
                resource.nodesMissing(),
                resource.collector(),
                resource.collectorError(),
                null,
                null);
        assertThat(lessResource.tree())
                .doesNotContainKeys("timeline", "thinning")
                .containsKeys("by_node", "compat");
        ScrapeSnapshot scrape = read(TelemetryKind.SCRAPE, kind("triton-05-final", "scrape"));
        TritonSnapshot triton = Objects.requireNonNull(scrape.triton());
        ScrapeSnapshot less = new ScrapeSnapshot(
                scrape.targets(),
                scrape.clock(),
                scrape.windowMillis(),
                scrape.series(),
                scrape.counts(),
                scrape.servers(),
                scrape.gpus(),
                scrape.hosts(),
                scrape.server(),
                new TritonSnapshot(triton.last(), triton.requestsByModel(), triton.withoutIdleModels(), null, null),
                null);
        assertThat(less.tree())
                .doesNotContainKeys("table", "windows", "compat")
                .containsKeys("last_window", "requests_total_by_model");
    }

    @Test
    void unknown_fields_are_skipped_and_newer_fields_may_be_missing() throws Exception {
        ResourceSnapshot resource = read(
                TelemetryKind.RESOURCE,
                Map.of("by_node", Map.of("n", Map.of("n_samples", 1L, "new", "x")), "newer", List.of()));
        assertThat(resource.nodes().get("n").cpu().averagePercent()).isNull();
        ScrapeSnapshot scrape =
                read(TelemetryKind.SCRAPE, Map.of("counts", Map.of("samples", 3L, "newer", "x"), "clock", "atomic"));
        assertThat(scrape.count(ScrapeCount.SAMPLES)).isEqualTo(3);
        assertThat(scrape.count(ScrapeCount.CLOCK_RESTARTS)).isZero();
        assertThat(scrape.triton()).isNull();
    }

    @Test
    void a_value_of_the_wrong_type_is_an_error_that_names_its_path() {
        Map<String, Object> node = new LinkedHashMap<>(Map.of("n_samples", 1L, "first_ns", 1.5));
        assertThatThrownBy(() -> read(TelemetryKind.RESOURCE, Map.of("by_node", Map.of("n", node))))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("resource.by_node.n.first_ns should be a 64-bit integer, is Double");
        assertThatThrownBy(() -> read(TelemetryKind.SCRAPE, Map.of("targets", List.of("t"))))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("scrape.targets should be a map, is String");
        Map<String, Object> series = Map.of("values", List.of(1.0, Double.NaN));
        assertThatThrownBy(() -> read(TelemetryKind.SCRAPE, Map.of("table", Map.of("rows", List.of(series)))))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("scrape.table.rows.values is not finite");
    }

    @Test
    void figures_that_overflowed_are_written_as_null() {
        ResourceSnapshot resource = new ResourceSnapshot(
                Map.of(),
                new ResourceSnapshot.ClusterResources(1, 1, Double.POSITIVE_INFINITY, 1, 1, Double.NaN, Map.of(), null),
                List.of(),
                null,
                null,
                null,
                null);
        assertThat(line(resource.tree()))
                .contains("\"total_cpu_hours\":null")
                .contains("\"cpu_avg_pct_weighted\":null");
    }
}
