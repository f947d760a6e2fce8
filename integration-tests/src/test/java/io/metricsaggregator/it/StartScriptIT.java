package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The start script beside a folder lib/, as it is handed on, and its archive of classes. */
class StartScriptIT {
    @TempDir
    Path directory;

    private Path script;

    @BeforeEach
    void distribution() throws IOException {
        Path root = Path.of(System.getProperty("project.root"));
        Path lib = Files.createDirectory(directory.resolve("lib"));
        try (Stream<Path> jars = Files.list(root.resolve("cli/target/lib"))) {
            for (Path jar : jars.toList()) {
                Files.copy(jar, lib.resolve(jar.getFileName()));
            }
        }
        script = Files.copy(root.resolve("metrics-aggregator"), directory.resolve("metrics-aggregator"));
        assertThat(script.toFile().setExecutable(true)).isTrue();
    }

    private void assertStarts(Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(script.toString(), "--version");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        try (RunningProcess process = new RunningProcess(builder)) {
            assertThat(process.awaitExit()).as("%s", process).isZero();
            assertThat(process.out()).startsWith("metrics-aggregator ");
            assertThat(process.err()).isEmpty();
        }
    }

    private List<Path> archives() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jsa")).toList();
        }
    }

    @Test
    void theFirstStartMakesAnArchiveAndTheNextOnesUseIt() throws IOException {
        assertStarts(Map.of());
        assertThat(archives()).hasSize(1);
        Path archive = archives().get(0);
        assertThat(archive).isNotEmptyFile();
        Object made = Files.getLastModifiedTime(archive);
        assertStarts(Map.of());
        assertThat(archives()).containsExactly(archive);
        assertThat(Files.getLastModifiedTime(archive)).isEqualTo(made);
    }

    @Test
    void anArchiveThatIsDamagedOrCouldNotBeMadeIsDoneWithout() throws IOException {
        assertStarts(Map.of());
        Path archive = archives().get(0);
        assertThat(archive.toFile().setWritable(true)).isTrue();
        Files.write(archive, new byte[10_000]);
        assertStarts(Map.of());
        Files.write(archive, new byte[0]);
        assertStarts(Map.of());
        assertThat(archive).isEmptyFile();
    }

    @Test
    void noneIsMadeWhenNoneIsWanted() throws IOException {
        assertStarts(Map.of("METRICS_AGGREGATOR_NO_CDS", "1"));
        assertThat(archives()).isEmpty();
    }
}
