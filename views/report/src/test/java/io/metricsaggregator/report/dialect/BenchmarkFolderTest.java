package io.metricsaggregator.report.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.analysis.BenchmarkSettings;
import io.metricsaggregator.analysis.ThroughputWindow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchmarkFolderTest {
    private static final String CONFIG = """
            name: offline_benchmark
            type: offline
            endpoint_config:
              endpoints: [http://localhost:8000]
              api_key: secret
            settings:
              load_pattern:
                type: %s
                target_qps: 12.5
              runtime:
                scheduler_random_seed: 42
                dataloader_random_seed: 43
              warmup:
                enabled: false
            """;

    @TempDir
    Path folder;

    private Path snapshot() throws IOException {
        return Files.createDirectories(folder.resolve("metrics")).resolve("final_snapshot.json");
    }

    @ParameterizedTest
    @CsvSource({"poisson,LOADGEN", "max_throughput,TRACKED", "concurrency,TRACKED", "burst,TRACKED"})
    void theWindowFollowsTheLoadPattern(String pattern, ThroughputWindow window) throws IOException {
        Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted(pattern));
        assertThat(BenchmarkFolder.settings(snapshot()).window()).isEqualTo(window);
    }

    @Test
    void poisson_load_uses_the_tracked_windows_if_the_loadgen_window_is_off() throws IOException {
        Files.writeString(
                folder.resolve("config.yaml"), CONFIG.formatted("poisson\n    use_legacy_loadgen_qps_metrics: false"));
        assertThat(BenchmarkFolder.settings(snapshot()).window()).isEqualTo(ThroughputWindow.TRACKED);
    }

    @Test
    void theRunConfigHasPatternWarmupAndSeedsAndNoKeyOfAnEndpoint() throws IOException {
        Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted("poisson"));
        Files.writeString(folder.resolve("result_summary.json"), "{\"git_sha\": \"ea33275\"}");
        BenchmarkSettings settings = BenchmarkFolder.settings(snapshot());
        assertThat(settings.runConfig())
                .isEqualTo(Map.of(
                        "load_pattern",
                        Map.of("type", "poisson", "target_qps", 12.5),
                        "warmup",
                        Map.of("enabled", false),
                        "scheduler_random_seed",
                        42L,
                        "dataloader_random_seed",
                        43L));
        assertThat(settings.gitSha()).isEqualTo("ea33275");
    }

    @Test
    void only_a_folder_named_metrics_searches_its_parent() throws IOException {
        Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted("poisson"));
        Path other = Files.createDirectories(folder.resolve("out"));
        assertThat(BenchmarkFolder.settings(other.resolve("final_snapshot.json")))
                .isEqualTo(BenchmarkSettings.NONE);
    }

    @Test
    void a_config_of_another_program_has_no_settings() throws IOException {
        for (String text : List.of("", "a: 1", "- 1\n- 2", "settings: 3", "settings: {load_pattern: fast}")) {
            Files.writeString(folder.resolve("config.yaml"), text);
            assertThat(BenchmarkFolder.settings(snapshot())).as(text).isEqualTo(BenchmarkSettings.NONE);
        }
    }

    @Test
    void aDamagedConfigIsNamed() throws IOException {
        for (String text :
                List.of("a: [1", "a: !!javax.script.ScriptEngineManager []", "a: &x [*x]\nb: *y", "a: \"\\u")) {
            Files.writeString(folder.resolve("config.yaml"), text);
            assertThatThrownBy(() -> BenchmarkFolder.settings(snapshot()))
                    .as(text)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("config.yaml is not valid YAML");
        }
    }
}
