package io.metricsaggregator.report.submission;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each rule refuses a tree of which one thing is wrong; the complete tree is refused by none (see {@link SubmissionTest}). */
class SubmissionCheckTest {
    private static final String CURVE = "results/ex_8x/deepseek-r1/";

    @TempDir
    Path directory;

    @BeforeEach
    void write() throws Exception {
        ExampleCurve.write(Submission.of(ExampleCurve.stated(), ExampleCurve.points()), directory);
    }

    private List<String> rules() throws Exception {
        return SubmissionCheck.of(directory).stream()
                .map(each -> (each.refused() ? "" : "~") + each.rule())
                .distinct()
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "r8/point.yaml | concurrency: 8 | concurrency: 9 | point-dirname-concurrency",
                "r8/point.yaml | region: \"low_latency\" | region: \"med_concurrency\" | ~region-placement",
                "r8/point.yaml | division: \"Standardized\" | other: 1 | point-disclosure-complete",
                "r8/point.yaml | division: \"Standardized\" | division: \"TODO\" | todo",
                "r8/point.yaml | model_name: \"deepseek-r1\" | model_name: \"x\" | model-name-consistency config-consistency-model",
                "r8/point.yaml | dataset: \"example\" | dataset: \"x\" | config-consistency-dataset",
                "r8/point.yaml | seed_set: \"A\" | seed_set: \"B\" | seed-set-consistency",
                "r8/point.yaml | 2026-10-C1 | 2026-10 | target-cohort",
                "r8/point.yaml | load_pattern: \"concurrency\" | load_pattern: \"poisson\" | load-pattern",
                "r8/point.yaml | src/vllm | ../src/vllm | shared-path-resolution",
                "r8/point.yaml | windowable | great | steady-state-valid ~steady-state-basis",
                "r8/point.yaml | super_pass_end: 8 | super_pass_end: 3 | steady-state-consistency",
                "r8/point.yaml | Plateau | Drifting Up | steady-state-consistency",
                "r8/point.yaml | \"windowable\" | \"partial_dataset\" | ~steady-state-basis",
                "r8/point.yaml | duration_s: 1599 | duration_s: 599 | ~point-duration",
                "r12/point.yaml | duration_s: 1599 | duration_s: 601 | ",
                "r64/point.yaml | duration_s: 1599 | duration_s: 601 | ~point-duration",
                "r8/point.yaml | \"nodes\":4 | \"nodes\":9 | nodes-used",
                "r512/point.yaml | offline: | other: | offline-point-present",
                "r8/result_summary.json | \"system_tps_per_kw\": 0.7 | \"system_tps_per_kw\": 0.9 | metric-consistency-tps-per-kw",
                "r8/result_summary.json | \"n_samples_completed\": 1000 | \"n_samples_completed\": 999 | metric-consistency-accounting",
                "r8/result_summary.json | \"complete\": true | \"complete\": false | ~run-complete",
                "r8/system_desc.json | \"ex8\" | \"ex9\" | system-description-consistency",
                "r12/system_desc.json | \"tps_utilization\": 0.0 | \"tps_utilization\": 0.9 | tps-utilization",
            })
    void one_wrong_value_is_one_finding(String file, String from, String to, String rules) throws Exception {
        Path path = directory.resolve(CURVE + file);
        String text = Files.readString(path);
        assertThat(text).contains(from);
        Files.writeString(path, text.replace(from, to == null ? "" : to));
        assertThat(rules()).containsExactlyInAnyOrder(rules == null ? new String[0] : rules.split(" "));
    }

    @ParameterizedTest
    @CsvSource({
        "results/ex_8x/system_power.json, power-descriptor",
        "results/ex_8x/deepseek-r1/r64/config.yaml, config-file-present",
        "results/ex_8x/deepseek-r1/r64/result_summary.json, result-summary-present",
        "results/ex_8x/deepseek-r1/r64/system_desc.json, system-description-present",
        "results/ex_8x/deepseek-r1/r64/accuracy_results.json, accuracy-coverage",
        "src/vllm/README.md, src-readme",
    })
    void a_missing_file_is_one_finding(String file, String rule) throws Exception {
        Files.delete(directory.resolve(file));
        assertThat(rules()).containsExactly(rule);
    }

    @Test
    void a_point_declares_its_warm_up() throws Exception {
        Path file = directory.resolve(CURVE + "r8/point.yaml");
        Files.writeString(file, Files.readString(file).replace("\nwarmup:\n", "\nother:\n"));
        assertThat(rules()).containsExactly("warmup-present");
    }

    @Test
    void a_damaged_file_is_a_finding_that_names_it() throws Exception {
        Files.writeString(directory.resolve(CURVE + "r64/result_summary.json"), "{\"a\":");
        assertThat(SubmissionCheck.of(directory)).singleElement().satisfies(each -> {
            assertThat(each.where()).isEqualTo(CURVE + "r64/result_summary.json");
            assertThat(each.message()).contains("is not valid");
        });
    }

    @Test
    void a_second_result_of_accuracy_in_a_region_is_refused_but_a_point_of_two_regions_makes_room() throws Exception {
        Path accuracy = directory.resolve(CURVE + "r8/accuracy_results.json");
        Files.move(accuracy, directory.resolve(CURVE + "r128/accuracy_results.json"));
        // 12 is ultra-low and low: it cannot be both, and 128 takes the high region from the elected point.
        assertThat(rules()).containsExactly("accuracy-coverage");
        Files.copy(directory.resolve(CURVE + "r128/accuracy_results.json"), accuracy);
        assertThat(rules()).isEmpty();
        Files.copy(accuracy, directory.resolve(CURVE + "r256/accuracy_results.json"));
        assertThat(rules()).containsExactly("accuracy-coverage");
    }

    @Test
    void a_missing_region_and_too_few_points_are_found() throws Exception {
        for (String each : List.of("r32", "r64")) {
            Files.move(directory.resolve(CURVE + each), directory.resolve(each));
        }
        assertThat(SubmissionCheck.of(directory))
                .extracting(Finding::rule)
                .containsExactly("point-count", "med-concurrency-coverage", "accuracy-coverage");
    }

    @Test
    void an_empty_directory_is_told_what_it_lacks() throws Exception {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        assertThat(SubmissionCheck.of(empty))
                .extracting(Finding::rule)
                .containsExactly("required-dir", "required-dir", "src-dir", "src-dir", "system-results-dir");
    }
}
