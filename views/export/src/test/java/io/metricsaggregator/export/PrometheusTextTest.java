package io.metricsaggregator.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.Nodes;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ProgressState;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PrometheusTextTest {
    private @Nullable String node;
    private final List<String> rejected = new ArrayList<>();

    private String text(List<Exported> metrics) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrometheusTextFormatWriter.create()
                .write(
                        out,
                        PrometheusMetrics.of(metrics, node, (name, cause) -> rejected.add(name)),
                        EscapingScheme.UNDERSCORE_ESCAPING);
        return out.toString(StandardCharsets.UTF_8);
    }

    private String text(MetricsSnapshot snapshot) throws IOException {
        return text(SnapshotExport.of(snapshot).metrics());
    }

    @Test
    void a_counter_has_its_help_its_type_and_the_suffix_total() throws IOException {
        assertThat(text(ExportFixture.snapshot()))
                .contains("# HELP metrics_aggregator_samples_issued_total "
                        + CounterName.TOTAL_SAMPLES_ISSUED.meaning()
                        + "\n# TYPE metrics_aggregator_samples_issued_total counter\n"
                        + "metrics_aggregator_samples_issued_total 3.0\n");
    }

    @Test
    void a_duration_that_may_fall_is_a_gauge_since_a_counter_that_falls_means_a_restart() throws IOException {
        assertThat(text(ExportFixture.snapshot()))
                .contains("# TYPE metrics_aggregator_legacy_loadgen_window_duration_seconds gauge\n"
                        + "metrics_aggregator_legacy_loadgen_window_duration_seconds 1.5\n");
    }

    @Test
    void the_node_is_the_host_name_of_target_info_and_absent_where_none_is_known() throws IOException {
        assertThat(text(ExportFixture.snapshot())).doesNotContain("target_info");
        node = "gpu-1";
        assertThat(text(ExportFixture.snapshot()))
                .contains("# TYPE target_info gauge\ntarget_info{host_name=\"gpu-1\"} 1\n");
    }

    @Test
    void nanoseconds_become_seconds_in_name_and_value() throws IOException {
        String text = text(ExportFixture.snapshot());
        assertThat(text)
                .contains("metrics_aggregator_tracked_duration_seconds_total 1.5\n")
                .contains("metrics_aggregator_in_flight_oldest_seconds 2.0\n");
        assertThat(text.lines()).noneMatch(line -> !line.startsWith("#") && line.contains("_ns"));
    }

    @Test
    void the_buckets_of_a_series_are_cumulative_seconds_with_sum_and_count() throws IOException {
        assertThat(text(ExportFixture.snapshot()))
                .contains("metrics_aggregator_ttft_seconds_bucket{le=\"0.005\"} 0\n")
                .contains("metrics_aggregator_ttft_seconds_bucket{le=\"0.025\"} 2\n")
                .contains("metrics_aggregator_ttft_seconds_bucket{le=\"0.25\"} 2\n")
                .contains("metrics_aggregator_ttft_seconds_bucket{le=\"0.5\"} 3\n")
                .contains("metrics_aggregator_ttft_seconds_bucket{le=\"+Inf\"} 3\n")
                .contains("metrics_aggregator_ttft_seconds_count 3\n")
                .contains("metrics_aggregator_ttft_seconds_sum 0.33\n");
    }

    @Test
    void a_series_of_lengths_is_in_tokens() throws IOException {
        assertThat(text(ExportFixture.snapshot()))
                .contains("metrics_aggregator_osl_tokens_bucket{le=\"16.0\"} 0\n")
                .contains("metrics_aggregator_osl_tokens_bucket{le=\"64.0\"} 1\n")
                .contains("metrics_aggregator_osl_tokens_sum 40.0\n");
    }

    @Test
    void quotes_backslashes_and_newlines_in_a_label_are_escaped() throws IOException {
        assertThat(text(ExportFixture.snapshot()))
                .contains(
                        "metrics_aggregator_errors_total{event=\"error.client\",type=\"Rate \\\"limit\\\"\\\\\\n\"} 2.0\n");
    }

    @Test
    void waits_for_answers_are_gauges_in_seconds() throws IOException {
        MetricsSnapshot plain = ExportFixture.snapshot();
        assertThat(text(plain)).doesNotContain("endpoint_");
        Progress waits = new Progress(
                ProgressState.STALLED, 41_500_000_000L, null, 1L, 42_000_000_000L, 1, 41_500_000_000L, List.of(), null);
        LabelBreakdown.Value b = new LabelBreakdown.Value(
                "b",
                1,
                0,
                0,
                1,
                0,
                0,
                null,
                null,
                null,
                0L,
                new Progress.Target(ProgressState.STALLED, 3_000_000_000L, 4_000_000_000L, 2, 7_000_000_000L));
        OptionalFigures figures = new OptionalFigures(
                null,
                null,
                new LabelBreakdown(List.of(new LabelBreakdown.Key("endpoint", List.of(b)))),
                null,
                null,
                null,
                waits);
        assertThat(text(new MetricsSnapshot(
                        1,
                        1,
                        plain.state(),
                        0,
                        plain.metrics(),
                        plain.extensions().withOptional(figures))))
                .contains(
                        "metrics_aggregator_endpoint_idle_seconds 41.5\n",
                        "metrics_aggregator_endpoint_longest_idle_seconds 42.0\n",
                        "metrics_aggregator_endpoint_stalled 1.0\n",
                        "metrics_aggregator_label_idle_seconds{key=\"endpoint\",value=\"b\"} 3.0\n",
                        "metrics_aggregator_label_stalled_seconds_total{key=\"endpoint\",value=\"b\"} 7.0\n");
    }

    private static MetricsSnapshot fleet(NodeRow... rows) {
        MetricsSnapshot plain = ExportFixture.snapshot();
        OptionalFigures figures = OptionalFigures.NONE.withNodes(new Nodes(List.of(rows), 5L, 3, 0));
        return new MetricsSnapshot(
                1, 1, plain.state(), 0, plain.metrics(), plain.extensions().withOptional(figures));
    }

    private static NodeRow node(String name, NodeState state) {
        return new NodeRow(
                name, "r1", state, SessionState.LIVE, 1.5, 9, 4, 100, 90, 2, 8, 250_000_000L, "1.0", -0.25, null);
    }

    @Test
    void nodes_of_a_fleet_are_counted_by_state_and_have_figures_of_their_own() throws IOException {
        assertThat(text(ExportFixture.snapshot())).doesNotContain("fleet_");
        String text = text(fleet(node("gpu-\"1\"", NodeState.LOST), NodeRow.waiting("gpu-2")));
        assertThat(text)
                .contains(
                        "metrics_aggregator_fleet_nodes{state=\"lost\"} 1.0\n",
                        "metrics_aggregator_fleet_nodes{state=\"live\"} 0.0\n",
                        "metrics_aggregator_fleet_nodes_expected 5.0\n",
                        "metrics_aggregator_fleet_snapshots_repeated_total 3.0\n",
                        "metrics_aggregator_fleet_node_age_seconds{node=\"gpu-\\\"1\\\"\",run=\"r1\"} 1.5\n",
                        "metrics_aggregator_fleet_node_clock_offset_seconds{node=\"gpu-\\\"1\\\"\",run=\"r1\"} -0.25\n",
                        "metrics_aggregator_fleet_node_completed_total{node=\"gpu-\\\"1\\\"\",run=\"r1\"} 90.0\n",
                        "metrics_aggregator_fleet_node_in_flight{node=\"gpu-\\\"1\\\"\",run=\"r1\"} 8.0\n",
                        "metrics_aggregator_fleet_node_latency_p99_seconds{node=\"gpu-\\\"1\\\"\",run=\"r1\"} 0.25\n",
                        "metrics_aggregator_fleet_node_state{node=\"gpu-2\",run=\"\",state=\"waiting\"} 1.0\n")
                .doesNotContain("fleet_node_age_seconds{node=\"gpu-2\"");
        assertThat(rejected).isEmpty();
    }

    @Test
    void buckets_have_the_traces_of_their_slowest_samples_and_series_of_outcomes_only_those_of_their_outcome()
            throws IOException {
        List<Exported> metrics = SnapshotExport.of(ExportFixture.withTraces()).metrics();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        OpenMetricsTextFormatWriter.create()
                .write(
                        out,
                        PrometheusMetrics.of(metrics, node, (name, cause) -> rejected.add(name)),
                        EscapingScheme.UNDERSCORE_ESCAPING);
        String text = out.toString(StandardCharsets.UTF_8);
        String failed = " # {span_id=\"00000000000000b7\",trace_id=\"0af7651916cd43dd8448eb211c80319c\"} 0.3 ";
        String succeeded = " # {span_id=\"00000000000000b8\",trace_id=\"0af7651916cd43dd8448eb211c80319d\"} 0.02 ";
        assertThat(text)
                .containsPattern(
                        "metrics_aggregator_ttft_seconds_bucket\\{le=\"0.5\"} 3" + Pattern.quote(failed) + "1000.5")
                .containsPattern("metrics_aggregator_ttft_seconds_bucket\\{le=\"0.025\"} 2" + Pattern.quote(succeeded))
                .doesNotContainPattern("osl.* # ")
                .doesNotContain("xxx")
                .doesNotContain("not a span");
        assertThat(text.lines()
                        .filter(line -> line.startsWith("metrics_aggregator_failed_ttft") && line.contains(" # ")))
                .singleElement(STRING)
                .contains(failed);
        assertThat(rejected).isEmpty();
    }

    @Test
    void a_thousand_nodes_export_the_first_256_and_count_the_others() throws IOException {
        NodeRow[] rows = new NodeRow[1000];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = node("gpu-" + i, i == 999 ? NodeState.LOST : NodeState.LIVE);
        }
        assertThat(text(fleet(rows)).lines().filter(line -> line.startsWith("metrics_aggregator_fleet_node_issued")))
                .hasSize(256)
                .noneMatch(line -> line.contains("\"gpu-256\""));
        assertThat(text(fleet(rows))).contains("metrics_aggregator_fleet_nodes{state=\"lost\"} 1.0\n");
        assertThat(SnapshotExport.of(fleet(rows)).leftOut()).isEqualTo(744);
    }

    @Test
    void exactly_one_session_state_is_1() throws IOException {
        String text = text(ExportFixture.snapshot());
        assertThat(text).contains("metrics_aggregator_session_state{state=\"live\"} 1.0\n");
        assertThat(text.lines().filter(line -> line.startsWith("metrics_aggregator_session_state{")))
                .hasSize(SessionState.values().length)
                .filteredOn(line -> line.endsWith(" 1.0"))
                .hasSize(1);
    }

    @Test
    void a_damaged_histogram_omits_only_its_series() throws IOException {
        MetricsSnapshot whole = ExportFixture.snapshot();
        MetricsSnapshot damaged = new MetricsSnapshot(
                1,
                0,
                SessionState.LIVE,
                0,
                List.of(
                        ExportFixture.series("ttft_ns", new byte[] {1, 2, 3}, 5),
                        whole.metrics().get(0)),
                SnapshotExtensions.NONE);
        assertThat(text(damaged))
                .contains("metrics_aggregator_samples_issued_total 3.0")
                .doesNotContain("ttft");
    }

    @Test
    void a_family_with_an_invalid_label_is_omitted_and_named() throws IOException {
        String text = text(List.of(
                new Exported.Gauge("bad", "help", Map.of("__reserved", "x"), 1),
                new Exported.Gauge("good", "help", Map.of("a", "x"), 2)));
        assertThat(text).contains("good{a=\"x\"} 2.0\n").doesNotContain("bad");
        assertThat(rejected).containsExactly("bad");
    }
}
