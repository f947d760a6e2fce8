package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MsgpackTree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/**
 * Every form of every record kind in docs/protocol.md: the examples are sent over a real socket, one frame each and all in one batch, and
 * each has the effect listed here. Fails for a type, key, tag or example of the document that the examples or the table lack.
 */
class DocumentedFormsIT {
    private static final String TRANSFER = "observations/transfer/cumulative/ours/";
    private static final String NODES = "observations/resource/by_node/";
    private static final String OPERATION = "observations/operation/";
    private static final String TARGETS = "observations/scrape/targets/instance=";
    private static final String METRICS = "observations/metric/rows/name=";

    @TempDir
    Path directory;

    private final Map<String, List<Object>> effects = new LinkedHashMap<>();
    private DocumentedForms documented;
    private List<DocumentedForms.Example> examples;

    /** Adds effects of an example: paths in the final file, each followed by its expected value. */
    private void effect(String example, Object... placesAndValues) {
        effects.computeIfAbsent(example, name -> new ArrayList<>()).addAll(Arrays.asList(placesAndValues));
    }

    private static String counter(String name) {
        return "metrics/name=" + name + "/value";
    }

    @BeforeEach
    void table() throws IOException {
        documented = new DocumentedForms();
        examples = documented.examples();
        sessions();
        samples();
        errors();
        transfers();
        nodes();
        operations();
        scrapes();
        metrics();
    }

    private void sessions() {
        effect("session.started 1", "session/started", true);
        effect("session.phase_start 1", "session/super_pass_size", 6L);
        effect("session.start_performance_tracking 1", "session/tracking", true, counter("tracked_samples_issued"), 6L);
        effect("session.stop_performance_tracking 1", counter("tracked_duration_ns"), 110_000_000L);
        effect("session.stop_loadgen 1", "workers/worker=1/records", 8L, "workers/worker=1/seq_lost", 0L);
        effect("session.interrupted 1", "state", "interrupted", "session/interrupted", true);
        effect("session.ended 1", counter("total_duration_ns"), 200_000_000L);
    }

    private void samples() {
        effect("sample.issued 1", "metrics/name=schedule_slip_ns/total", 5_000_000L, "workers/worker=1/issued", 1L);
        effect("sample.issued 2", "metrics/name=isl/total", 3L, "workers/worker=client-2/issued", 2L);
        effect("sample.issued 2", "by_label/endpoint/values/b/isl_tokens", 3L);
        effect("sample.issued 2", "by_label/tenant/values/t1/completed", 1L);
        effect("tool.complete 1", "jobs/critical_path/tool_ns", 3_000_000L, "jobs/critical_path/wait_ns", 5_000_000L);
        effect("sample.issued 3", "workers/worker=client-2/records", 2L);
        effect("sample.issued 4", counter("total_samples_issued"), 6L);
        effect("sample.issued 5", counter("events_orphan"), 0L, "jobs/agents/planner/count", 1L);
        effect("sample.issued 6", counter("events_duplicate"), 0L);
        effect("sample.recv_first 1", "metrics/name=ttft_ns/total", 50_000_000L, "workers/worker=2/records", 1L);
        effect("sample.recv_non_first 1", "metrics/name=chunk_delta_ns/total", 10_000_000L);
        effect("sample.recv_non_first 1", "metrics/name=ttfo_ns/total", 60_000_000L);
        effect("sample.recv_non_first 1", "metrics/name=thinking_ns/total", 10_000_000L);
        effect("sample.recv_non_first 1", "metrics/name=itl_even_ns/total", 10_000_000.0);
        effect("sample.complete 1", counter("tracked_finish_reason_stop"), 1L);
        effect("sample.complete 1", "metrics/name=usage_tpot_ns/total", 12_500_000.0, "usage/cache_hit_tokens", 8L);
        effect("sample.complete 1", "metrics/name=outside_ttft_ns/total", 15_000_000L, "usage/spec_histogram/2", 1L);
        effect("sample.complete 2", counter("tracked_finish_reason_tool_calls"), 1L);
        effect("sample.complete 3", counter("tracked_finish_reason_length"), 1L);
        effect("sample.complete 4", counter("tracked_finish_reason_content_filter"), 1L);
        effect("sample.complete 5", counter("tracked_finish_reason_function_call"), 1L);
        effect("sample.complete 6", counter("tracked_finish_reason_other"), 1L);
        effect("sample.complete 6", "metrics/name=sample_latency_ns/total", 600_000_000L);
    }

    private void errors() {
        effect("error.client 1", "errors/event=error.client/message", "no answer after 30 s");
        effect("error.client 1", counter("tracked_samples_failed"), 1L);
        effect("error.generic 1", "errors/event=error.generic/type", "Unknown");
        effect("error.loadgen 1", "errors/event=error.loadgen/count", 1L);
        effect("error.session 1", "errors/event=error.session/count", 1L, counter("total_samples_failed"), 4L);
    }

    private void transfers() {
        effect(
                "transfer.complete 1",
                TRANSFER + "by_source/rank0/bytes_total",
                2_097_152L,
                TRANSFER + "slowest/request_id=r1/peer_id",
                "prefill-0",
                TRANSFER + "slowest/request_id=r1/xfer_ms",
                0.85);
        effect("transfer.complete 2", TRANSFER + "by_source/rank1/n_ok", 1L, TRANSFER + "n_untimed", 1L);
        effect("transfer.failed 1", TRANSFER + "failure_reasons/NIXL_ERR_BACKEND", 3L, TRANSFER + "n_failed", 4L);
        effect("transfer.notify_failed 1", TRANSFER + "by_source/rank3/n_transport_failures", 1L);
        effect("transfer.handshake_failed 1", TRANSFER + "n_handshake_failed", 3L);
        effect("transfer.receive_failed 1", TRANSFER + "n_receive_failed", 2L);
        effect("transfer.notified_after_expiry 1", TRANSFER + "n_notified_after_expiry", 3L);
        effect("transfer.kv_expired 1", TRANSFER + "by_source/rank5/n_kv_expired", 4L);
        effect(
                "transfer.stats 1",
                TRANSFER + "by_source/rank6/n_ok",
                2L,
                TRANSFER + "by_source/rank6/bytes_total",
                4_194_304L,
                TRANSFER + "by_source/rank6/n_transport_failures",
                5L,
                TRANSFER + "by_source/rank6/n_kv_expired",
                3L,
                TRANSFER + "xfer_ms/max",
                4.0,
                TRANSFER + "post_ms/count",
                3L,
                TRANSFER + "descriptors/sum",
                193.0);
    }

    private void nodes() {
        effect(
                "resource.sample 1",
                NODES + "node-1/cpu_avg_pct",
                30.0,
                NODES + "node-1/core_max_pct",
                List.of(10.0, 50.0),
                NODES + "node-1/mem_max_pct",
                40.5,
                NODES + "node-1/disk_usage_max_pct",
                71.0,
                NODES + "node-1/job_net_ext_recv_bytes",
                0L,
                NODES + "node-1/run_queue/last",
                3.0,
                NODES + "node-1/pressure_io_some_pct/max",
                0.25,
                NODES + "node-1/cgroup_throttled_pct/mean",
                2.0,
                "energy/run/by_zone/scope=package/id",
                "node-1/intel-rapl:0",
                "energy/not_measured",
                List.of("processors of node-1: /sys/class/powercap/intel-rapl:1/energy_uj is readable by root only"));
        effect(
                "resource.sample 2",
                NODES + "node-2/cpu_max_of_max_pct",
                75.5,
                NODES + "node-2/cpu_max_of_min_pct",
                5.0,
                NODES + "node-2/observed_s",
                2.0);
        effect("resource.sample 3", NODES + "node-3/cpu_max_of_max_pct", 12.5);
        effect(
                "perf.report 1",
                NODES + "node-4/cpu_avg_pct",
                30.0,
                NODES + "node-4/first_ns",
                1_790_000_002_500_000_000L,
                NODES + "node-4/cpu_max_of_max_pct",
                90.0);
        effect(
                "resource.job 1",
                "observations/resource/nodes_missing",
                List.of("node-9"),
                "observations/resource/thinning/node-1/effective_max_length",
                500L,
                "observations/resource/compat_error",
                "ValueError: max() arg is an empty sequence");
    }

    private void operations() {
        effect("operation.complete 1", OPERATION + "by_source/store-1/times/store.get/last_ms", 1.5);
        effect(
                "operation.complete 2",
                OPERATION + "by_source/store-2/times/store.put_batch/n_failed",
                1L,
                OPERATION + "by_key/[\"k1\",\"k2\"]/times/store.put_batch/failed/sum_ns",
                2_500_000L);
        effect(
                "operation.complete 3",
                OPERATION + "rules_applied/factory_ns_fix",
                1L,
                OPERATION + "compat/merged_by_TimeStats_add/factory.call/last_time_ms",
                0.13446);
        effect("operation.count 1", OPERATION + "overall/cache_hit_ratio", 1.0);
        effect("operation.count 2", OPERATION + "by_source/store-4/counters/store.leases", -2L);
        effect("operation.attr 1", OPERATION + "by_source/store-5/attributes/store.put.object_size/sum", 4096.0);
        effect("operation.attr 2", OPERATION + "overall/attributes/store.codec/last", "zstd");
        effect("operation.attr 3", OPERATION + "overall/attributes/store.pinned/last", true);
        effect("operation.attr 4", OPERATION + "overall/attributes/store.ratio/last", 0.25);
    }

    private void scrapes() {
        String rows = "observations/scrape/table/rows/name=";
        effect(
                "scrape.samples 1",
                TARGETS + "gpu-1:8000/n_samples",
                2L,
                TARGETS + "gpu-1:8000/scrape_duration/max_ms",
                5.0,
                "observations/scrape/counts/bad_lines",
                1L,
                "observations/scrape/counts/samples_left_out",
                2L,
                rows + "vllm:num_requests_running/labels/pod",
                "p0",
                rows + "vllm:num_requests_running/last",
                3.0,
                rows + "vllm:generation_tokens_total/last",
                120.5);
        effect("scrape.samples 2", TARGETS + "gpu-2:8000/reachable", true, TARGETS + "gpu-2:8000/n_samples", 0L);
        effect("scrape.samples 3", TARGETS + "gpu-3:8000/last_error", "HTTP status 503");
        effect("scrape.failed 1", TARGETS + "gpu-1:9400/last_error", "connection refused");
    }

    private void metrics() {
        effect(
                "metric.count 1",
                METRICS + "cache.evictions/total",
                12.0,
                METRICS + "cache.evictions/unit",
                "evictions",
                METRICS + "cache.evictions/labels",
                Map.of("tier", "gpu"));
        effect("metric.count 2", METRICS + "restarts/total", 1.0);
        effect("metric.gauge 1", METRICS + "queue.depth/last", -3.5);
        effect(
                "metric.record 1",
                METRICS + "batch.size/mean",
                16.0,
                METRICS + "batch.size/labels",
                Map.of("model", "m"));
    }

    /** Collects all keys of a value, at any depth. */
    private static void keys(Object value, Set<String> into) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> {
                into.add((String) key);
                keys(each, into);
            });
        } else if (value instanceof List<?> list) {
            list.forEach(each -> keys(each, into));
        }
    }

    private Set<String> keysOf(List<String> types) {
        Set<String> keys = new HashSet<>();
        examples.stream().filter(each -> types.contains(each.type())).forEach(each -> keys(each.fields(), keys));
        return keys;
    }

    @Test
    void every_documented_type_key_tag_and_finish_reason_has_an_example_with_an_effect() {
        assertThat(examples.stream().map(DocumentedForms.Example::name))
                .containsExactlyInAnyOrderElementsOf(effects.keySet());
        Set<String> telemetry = new HashSet<>();
        documented.telemetryKeys().forEach((types, keys) -> {
            telemetry.addAll(types);
            assertThat(keysOf(types)).as("%s", types).containsAll(keys);
        });
        assertThat(keysOf(new ArrayList<>(telemetry))).containsAll(documented.commonKeys());
        assertThat(telemetry).hasSizeGreaterThan(15);
        assertThat(documented.eventTypes()).hasSizeGreaterThan(12);
        assertThat(keysOf(new ArrayList<>(documented.eventTypes()))).containsAll(documented.eventKeys());
        telemetry.addAll(documented.eventTypes());
        assertThat(examples.stream().map(DocumentedForms.Example::type).distinct())
                .containsExactlyInAnyOrderElementsOf(telemetry);
        var tags = documented.tags();
        assertThat(tags).hasSizeGreaterThan(3);
        tags.forEach((tag, elements) -> assertThat(examples)
                .as("an example of %s with %d elements", tag, elements)
                .anyMatch(each -> each.fields().get("data") instanceof List<?> data
                        && data.size() == elements
                        && tag.equals(data.get(0))));
        assertThat(examples.stream().map(each -> (Object) each.fields().get("finish_reason")))
                .containsAll(documented.finishReasons());
    }

    @Test
    void every_documented_form_is_applied_from_its_own_frame_and_exported_unchanged() throws Exception {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        for (DocumentedForms.Example each : examples) {
            try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
                MsgpackTree.write(each.fields(), packer);
                frames.write(DocumentedForms.frame(each.type(), packer.toByteArray()));
            }
        }
        Path journal = directory.resolve("journal");
        assertEffects(published("alone", frames.toByteArray(), "--journal", journal.toString()));
        assertExported(journal);
    }

    @Test
    void every_documented_form_is_applied_from_a_batch_with_reversed_keys_in_the_widest_encoding() throws Exception {
        assertEffects(published(
                "batch",
                DocumentedForms.batch(examples.stream()
                        .map(each -> DocumentedForms.widest(each.fields()))
                        .toList())));
    }

    private Map<String, ?> published(String name, byte[] frames, String... options) throws IOException {
        Python.require();
        Path output = directory.resolve(name);
        Path file = Files.write(directory.resolve(name + ".bin"), frames);
        String events = "ipc://" + directory.resolve(name + "-in");
        List<String> arguments = new ArrayList<>(List.of("--in", "bind:" + events, "--streaming"));
        arguments.addAll(List.of(options));
        try (RunningProcess daemon = Cli.daemon(output, arguments.toArray(new String[0]))) {
            try (RunningProcess publisher = Python.start("publish_frames.py", events, "connect", file.toString())) {
                assertThat(publisher.awaitExit()).as("%s", publisher).isZero();
            }
            // The producer aborts its session, which ends the run.
            daemon.awaitExit();
        }
        return JsonTree.read(Files.readAllBytes(output.resolve("final_snapshot.json")));
    }

    private void assertEffects(Map<String, ?> snapshot) {
        assertThat(DocumentedForms.at(snapshot, "malformed")).isIn(null, Map.of());
        assertThat(DocumentedForms.at(snapshot, counter("records_malformed"))).isEqualTo(0L);
        assertThat(DocumentedForms.at(snapshot, counter("records_unknown"))).isEqualTo(0L);
        assertThat(DocumentedForms.at(snapshot, counter("records_applied"))).isEqualTo((long) examples.size());
        SoftAssertions all = new SoftAssertions();
        effects.forEach((example, placesAndValues) -> {
            for (int i = 0; i < placesAndValues.size(); i += 2) {
                all.assertThat(DocumentedForms.at(snapshot, (String) placesAndValues.get(i)))
                        .as("%s: %s", example, placesAndValues.get(i))
                        .isEqualTo(placesAndValues.get(i + 1));
            }
        });
        all.assertAll();
    }

    private void assertExported(Path journal) throws IOException, SQLException {
        Path lines = directory.resolve("records.jsonl");
        Path database = directory.resolve("records.sqlite");
        for (Path file : List.of(lines, database)) {
            String format = file.equals(lines) ? "jsonl" : "sqlite";
            try (RunningProcess export =
                    Cli.start("export", journal.toString(), "--format", format, "-o", file.toString())) {
                assertThat(export.awaitExit()).as("%s", export).isZero();
            }
        }
        List<Map<String, ?>> exported = new ArrayList<>();
        for (String line : Files.readAllLines(lines)) {
            exported.add(JsonTree.read(line.getBytes(StandardCharsets.UTF_8)));
        }
        assertThat(exported)
                .isEqualTo(
                        examples.stream().map(DocumentedForms.Example::fields).toList());
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
                ResultSet rows = connection
                        .createStatement()
                        .executeQuery("SELECT event_type, timestamp_ns, record FROM events ORDER BY id")) {
            for (DocumentedForms.Example each : examples) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1)).as(each.name()).isEqualTo(each.type());
                Object time = each.fields().get("timestamp_ns");
                assertThat(rows.getLong(2)).as(each.name()).isEqualTo(time == null ? 0L : time);
                assertThat(JsonTree.read(rows.getString(3).getBytes(StandardCharsets.UTF_8)))
                        .as(each.name())
                        .isEqualTo(each.fields());
            }
            assertThat(rows.next()).isFalse();
        }
    }
}
