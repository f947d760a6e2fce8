package io.metricsaggregator.report.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.JsonTree;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubmissionTest {
    private static final String CURVE = "results/ex_8x/deepseek-r1/";

    @TempDir
    Path directory;

    private static Map<?, ?> json(Submission submission, String name) throws Exception {
        return JsonTree.read(submission.files().get(CURVE + name).getBytes(StandardCharsets.UTF_8));
    }

    private static Node point(Submission submission, String name) {
        return new Node("", SubmissionFiles.yaml(submission.files().get(CURVE + name + "/point.yaml")));
    }

    @Test
    void a_curve_with_all_that_the_submitter_states_is_refused_by_no_rule() throws Exception {
        Submission submission = Submission.of(ExampleCurve.stated(), ExampleCurve.points());
        ExampleCurve.write(submission, directory);
        assertThat(SubmissionCheck.of(directory)).isEmpty();
        assertThat(submission.files())
                .hasSize(1 + 7 * 4 + 4 + 2)
                .containsKeys(
                        "results/ex_8x/system_power.json",
                        CURVE + "r8/accuracy_results.json",
                        CURVE + "r512/config.yaml",
                        "src/vllm/README.md",
                        "docs/README.md");
    }

    @Test
    void the_window_includes_its_last_super_pass_and_holds_its_gated_figures_level() {
        Node steady = point(Submission.of(ExampleCurve.stated(), ExampleCurve.points()), "r64")
                .node("steady_state");
        assertThat((Object) steady.map())
                .isEqualTo(Map.of(
                        "status",
                        "windowable",
                        "verdict",
                        "STEADY STATE",
                        "window",
                        Map.of(
                                "super_pass_start", 1,
                                "super_pass_end", 8,
                                "super_pass_size", 100,
                                "n_samples", 800,
                                "duration_s", 1599.0),
                        "state",
                        Map.of("tpot_p50", "Plateau", "tpot_p90", "Plateau")));
    }

    @Test
    void regions_seeds_and_the_elected_point_come_from_the_runs() {
        Submission submission = Submission.of(ExampleCurve.stated(), ExampleCurve.points());
        assertThat(List.of(8, 12, 32, 64, 128, 512))
                .extracting(each -> point(submission, "r" + each).text("region"))
                .containsExactly(
                        "low_latency",
                        "low_concurrency",
                        "med_concurrency",
                        "med_concurrency",
                        "high_concurrency",
                        "high_concurrency");
        Node seeds = point(submission, "r8").node("runtime_settings").node("runtime");
        assertThat(seeds.big("scheduler_rng_seed")).isEqualTo(new BigInteger("10487924139932647040"));
        assertThat(seeds.big("sample_index_rng_seed")).isEqualTo(7);
        assertThat(seeds.big("model_seed")).isEqualTo(new BigInteger("9315206023656308754"));
        assertThat(point(submission, "r512").text("offline")).isEqualTo("elected");
        assertThat(submission.notes()).anyMatch(each -> each.startsWith("r512 is elected"));
        assertThat(point(submission, "r256").has("offline")).isFalse();
        assertThat(point(submission, "r8").node("warmup").number("duration_s")).isZero();
    }

    @Test
    void rates_are_those_that_the_checker_derives_and_half_of_the_nodes_take_half_of_the_power() throws Exception {
        Submission submission = Submission.of(ExampleCurve.stated(), ExampleCurve.points());
        Map<?, ?> half = json(submission, "r8/result_summary.json");
        assertThat((Object) half.get("system_tps")).isEqualTo(40.0);
        assertThat((Object) half.get("tps_per_user")).isEqualTo(50.0);
        assertThat((Object) half.get("point_power_kw")).isEqualTo(52.2);
        assertThat((Object) half.get("test_started_at")).isEqualTo(1_790_000_000L * ExampleCurve.SECOND);
        assertThat((Object) json(submission, "r512/result_summary.json").get("system_tps_per_kw"))
                .isEqualTo(24.5);
        assertThat((Object) json(submission, "r8/system_desc.json").get("tps_utilization"))
                .isEqualTo(8 / 512.0);
        assertThat((Object) json(submission, "r8/system_desc.json").get("data_parallel"))
                .isEqualTo(4L);
        assertThat((Object) json(submission, "r12/system_desc.json").get("data_parallel"))
                .isNull();
    }

    @Test
    void a_failed_sample_is_failed_once_and_not_completed() throws Exception {
        Submission submission = Submission.of(ExampleCurve.stated(), List.of(ExampleCurve.point(64, 20, false)));
        Map<?, ?> summary = json(submission, "r64/result_summary.json");
        assertThat((Object) summary.get("n_samples_completed")).isEqualTo(980L);
        assertThat((Object) summary.get("n_samples_failed")).isEqualTo(20L);
        assertThat((Object) summary.get("n_samples_issued")).isEqualTo(1000L);
    }

    @Test
    void a_dedicated_offline_run_is_no_step_of_the_curve() {
        List<MeasuredPoint> points = ExampleCurve.points();
        points.add(ExampleCurve.point(1000, 0, true));
        Submission submission = Submission.of(ExampleCurve.stated(), points);
        Node offline = point(submission, "r1000");
        assertThat(offline.text("offline")).isEqualTo("dedicated");
        assertThat(offline.text("region")).isEqualTo("submitters_choice");
        assertThat(offline.has("steady_state")).isFalse();
        assertThat(point(submission, "r512").has("offline")).isFalse();
        assertThat(point(submission, "r512").whole("max_supported_concurrency")).isEqualTo(512);
    }

    @Test
    void without_statements_forms_are_written_and_every_open_field_is_listed() throws Exception {
        Submission submission =
                Submission.of(new Submission.Statements(null, null, Map.of(), null, "vllm"), ExampleCurve.points());
        ExampleCurve.write(submission, directory);
        List<Finding> findings = SubmissionCheck.of(directory);
        assertThat(findings).filteredOn(each -> !each.rule().equals("todo")).isEmpty();
        assertThat(findings)
                .extracting(Finding::message)
                .contains(
                        "point.yaml: division is to be filled in (7 files)",
                        "system_desc.json: node_types[].driver is to be filled in (7 files)",
                        "system_power.json: cooling is to be filled in");
        assertThat(submission.files()).containsKey("results/TODO/deepseek-r1/r8/point.yaml");
    }

    @Test
    void keys_do_not_leave_with_the_configuration() {
        Submission submission = Submission.of(ExampleCurve.stated(), ExampleCurve.points());
        assertThat(submission.files().values()).noneMatch(each -> each.contains("sk-"));
        assertThat(submission.files().get(CURVE + "r8/config.yaml"))
                .contains("api_key: \"(removed)\"", "10487924139932647040", "http://localhost:8000", "max_tokens: 7");
        assertThat(submission.notes())
                .contains("r8/config.yaml: removed endpoint_config.api_key, endpoint_config.api_keys,"
                        + " endpoint_config.token, endpoint_config.proxy");
    }

    @Test
    void names_of_systems_and_models_stay_below_the_directory() {
        assertThat(Submission.slug("../../etc")).isEqualTo("etc");
        assertThat(Submission.slug("..")).isEqualTo("unknown");
        assertThat(Submission.slug("Llama 3.1/8b")).isEqualTo("Llama_3_1_8b");
    }

    @Test
    void a_concurrency_of_two_runs_and_a_measured_field_in_the_disclosure_are_errors() {
        List<MeasuredPoint> twice = List.of(ExampleCurve.point(8, 0, false), ExampleCurve.point(8, 0, false));
        assertThatThrownBy(() -> Submission.of(ExampleCurve.stated(), twice)).hasMessageContaining("concurrency 8");
        Submission.Statements stated =
                new Submission.Statements(null, null, Map.of("region", "low_latency"), null, "vllm");
        assertThatThrownBy(() -> Submission.of(stated, ExampleCurve.points())).hasMessageContaining("region");
    }

    @Test
    void texts_and_numbers_read_alike_by_all_versions_of_yaml() {
        String yaml = SubmissionFiles.writeYaml(Map.of("a", Map.of("no", "2026-10-01", "b", 1.0E10, "c d", List.of())));
        assertThat(yaml).contains("no: \"2026-10-01\"\n", "b: 10000000000\n", "\"c d\": []\n");
    }
}
