package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first run of the start script: how it finds Java, and how it builds. */
class FirstStartIT {
    @TempDir
    Path directory;

    private Path script;
    private Path tools;

    @BeforeEach
    void checkout() throws IOException {
        Path root = Path.of(System.getProperty("project.root"));
        Path checkout = Files.createDirectory(directory.resolve("checkout"));
        script = Files.copy(root.resolve("metrics-aggregator"), checkout.resolve("metrics-aggregator"));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        Files.createFile(checkout.resolve("pom.xml"));
        for (String module : List.of("codec", "transport", "producer", "aggregator", "subscriber", "cli")) {
            Files.createDirectory(checkout.resolve(module));
        }
        tools = Files.createDirectory(directory.resolve("bin"));
    }

    private void tool(String name, String... lines) throws IOException {
        Path tool = Files.writeString(tools.resolve(name), "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        assertThat(tool.toFile().setExecutable(true)).isTrue();
    }

    private RunningProcess start() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(script.toString(), "--version");
        builder.environment().remove("JAVA_HOME");
        builder.environment().put("PATH", tools + ":" + System.getenv("PATH"));
        return new RunningProcess(builder);
    }

    private List<Path> archives() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".jsa")).toList();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"openjdk version \"11.0.2\" 2019-01-15", "java version \"1.8.0_392\"", "openjdk version \"16\""})
    void anOldJavaIsNamedWithTheRequiredVersionAndNothingIsBuilt(String version) throws IOException {
        tool("java", "echo '" + version + "' >&2");
        tool("mvn", "touch " + directory.resolve("built"));
        try (RunningProcess process = start()) {
            assertThat(process.awaitExit()).as("%s", process).isEqualTo(2);
            assertThat(process.err()).contains("needs Java 17 or later").contains(tools.toString());
            assertThat(process.err().lines()).hasSize(1);
            assertThat(archives()).isEmpty();
            assertThat(directory.resolve("built")).doesNotExist();
        }
    }

    @Test
    void theJavaVersionIsReadFromTheReleaseFile() throws IOException {
        Files.writeString(directory.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"11.0.20\"\n");
        tool("java", "exit 1");
        try (RunningProcess process = start()) {
            assertThat(process.awaitExit()).as("%s", process).isEqualTo(2);
            assertThat(process.err()).contains("is Java 11.0.20; needs Java 17 or later");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0777", "0300", "0477"})
    void aUmaskThatDeniesTheOwnerIsNamed(String umask) throws IOException {
        tool("java", "touch " + directory.resolve("started"));
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "umask " + umask + "; exec " + script + " --version");
        builder.environment().remove("JAVA_HOME");
        builder.environment().put("PATH", tools + ":" + System.getenv("PATH"));
        try (RunningProcess process = new RunningProcess(builder)) {
            assertThat(process.awaitExit()).as("%s", process).isEqualTo(2);
            assertThat(process.err()).contains("the umask " + umask).contains("umask 077");
            assertThat(directory.resolve("started")).doesNotExist();
        }
    }

    @Test
    void aBuildReportsItsProgress() throws IOException {
        Path go = directory.resolve("go");
        tool("java", "echo 'openjdk version \"17.0.1\"' >&2");
        tool(
                "mvn",
                "echo '[INFO] Downloaded from central: https://example.org/a.jar (1 kB at 2 kB/s)'",
                "echo '[INFO] Building metrics-aggregator: codec 0.1.0-SNAPSHOT                  [2/7]'",
                "while [ ! -e " + go + " ]; do sleep 0.1; done",
                "mkdir -p cli/target/lib");
        try (RunningProcess process = start()) {
            Await.until(
                    () -> process.err().contains("building codec (2 of 7), 1 files downloaded"),
                    () -> "progress of " + process);
            Files.createFile(go);
            assertThat(process.awaitExit()).as("%s", process).isZero();
        }
    }

    @Test
    void aFailedBuildShowsTheOutputOfMaven() throws IOException {
        tool("java", "echo 'openjdk version \"17.0.1\"' >&2");
        tool("mvn", "echo '[ERROR] no such thing'", "exit 1");
        try (RunningProcess process = start()) {
            assertThat(process.awaitExit()).as("%s", process).isEqualTo(2);
            assertThat(process.err()).contains("[ERROR] no such thing").contains("the build failed");
        }
    }
}
