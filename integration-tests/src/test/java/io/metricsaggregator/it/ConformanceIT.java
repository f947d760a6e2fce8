package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands check-producer, check-subscriber and check-consumer with real programs: the clients, the recipes, the daemon, and wrong ones. */
class ConformanceIT {
    private static final Path TOP = Path.of("..").toAbsolutePath().normalize();
    private static final Path RECIPES = TOP.resolve("tools/testbed/recipes");
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    Path directory;

    @BeforeEach
    void needsPython() {
        Python.require();
    }

    private static RunningProcess check(Map<String, String> environment, List<String> options, List<String> command)
            throws IOException {
        List<String> all = new ArrayList<>(options);
        all.add("--");
        all.addAll(command);
        ProcessBuilder builder = Cli.builder(List.of(), List.of(), all.toArray(new String[0]));
        builder.environment().putAll(environment);
        return new RunningProcess(builder);
    }

    private static List<String> python(String recipe, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Python.interpreter(), RECIPES.resolve("python").resolve(recipe).toString()));
        Collections.addAll(command, arguments);
        return command;
    }

    /** The recipe, compiled once: each case starts it anew, and a source file would be compiled each time. */
    private List<String> java(String recipe) {
        String classPath = System.getProperty("java.class.path");
        String source = RECIPES.resolve("java").resolve(recipe).toString();
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", directory.toString(), "-cp", classPath, source))
                .isZero();
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                directory + File.pathSeparator + classPath,
                recipe.replace(".java", ""));
    }

    private static void assertPasses(Map<String, String> environment, List<String> options, List<String> command)
            throws IOException {
        try (RunningProcess check = check(environment, options, command)) {
            assertThat(check.awaitExit(PATIENCE)).as("%s", check).isZero();
            assertThat(check.out()).contains("PASS").contains("All ").doesNotContain("FAIL");
        }
    }

    private static Map<String, String> client() {
        return Map.of("PYTHONPATH", TOP.resolve("clients/python/src").toString());
    }

    private static List<String> example(String name) {
        return List.of(
                Python.interpreter(),
                TOP.resolve("clients/python/examples").resolve(name).toString());
    }

    @Test
    void the_java_client_keeps_level_5() throws IOException {
        assertPasses(Map.of(), List.of("check-producer"), java("Producer.java"));
    }

    @Test
    void the_python_client_keeps_level_5() throws IOException {
        assertPasses(client(), List.of("check-producer"), example("conformance_producer.py"));
    }

    @Test
    void the_python_recipe_keeps_level_5_over_tcp() throws IOException {
        assertPasses(Map.of(), List.of("check-producer", "--transport", "tcp"), python("producer.py"));
    }

    @Test
    void the_subscribers_read_every_snapshot() throws IOException {
        assertPasses(Map.of(), List.of("check-subscriber"), java("Subscriber.java"));
        assertPasses(Map.of(), List.of("check-subscriber", "--transport", "tcp"), python("subscriber.py"));
        assertPasses(client(), List.of("check-subscriber"), example("conformance_subscriber.py"));
    }

    @Test
    void the_daemon_is_a_conforming_consumer_of_all_streams() throws IOException {
        List<String> daemon = new ArrayList<>(python("consumer_daemon.py"));
        daemon.addAll(Cli.builder(List.of(), List.of()).command());
        assertPasses(
                Map.of(),
                List.of(
                        "check-consumer",
                        "--known-failing",
                        TOP.resolve("tools/testbed/known-failing/metrics-aggregator-consumer.txt")
                                .toString()),
                daemon);
    }

    @Test
    void a_consumer_with_a_wrong_figure_fails_with_status_8() throws IOException {
        Path expected = TOP.resolve("quality/golden/endpoints/01_minimal/expected_final_snapshot.json");
        Path answer = directory.resolve("answer.json");
        String right = Files.readString(expected);
        Files.writeString(
                answer, right.replaceFirst("(\"name\": \"total_samples_issued\",\\s*\"value\": )\\d+", "$199"));
        assertThat(answer).content().isNotEqualTo(right);
        for (Path file : List.of(expected, answer)) {
            try (RunningProcess check =
                    check(Map.of(), List.of("check-consumer", "--case", "01_*"), List.of("cat", file.toString()))) {
                assertThat(check.awaitExit()).as("%s", check).isEqualTo(file.equals(expected) ? 0 : 8);
                assertThat(check.out().contains("broken total_samples_issued: value is 99"))
                        .isEqualTo(file.equals(answer));
            }
        }
    }

    @Test
    void a_subscriber_that_loses_the_last_bit_of_a_large_integer_fails_with_status_8() throws IOException {
        Path wrong = directory.resolve("subscriber.py");
        String recipe = Files.readString(RECIPES.resolve("python/subscriber.py"));
        Files.writeString(wrong, recipe.replace("str(value)}", "str(int(float(value)))}"));
        assertThat(wrong).content().isNotEqualTo(recipe);
        try (RunningProcess check =
                check(Map.of(), List.of("check-subscriber"), List.of(Python.interpreter(), wrong.toString()))) {
            assertThat(check.awaitExit(PATIENCE)).as("%s", check).isEqualTo(8);
            assertThat(check.out()).contains("FAIL 06_large_numbers").contains("PASS 01_minimal");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "does-not-wait, 06_*, loss.waits-for-subscriber",
        "drops-untold, 07_*, loss.none-or-told",
        "gives-up, 08_*, loss.survives-reconnect",
        "no-linger, 09_*, loss.linger",
        "bad-status, 01_*, wire.command-ends",
        "same-life, 0*, ours.life-unique"
    })
    void a_producer_that_makes_a_mistake_fails_the_rule(String mistake, String glob, String rule) throws IOException {
        Path script = Path.of("src/test/resources/python/wrong_producer.py").toAbsolutePath();
        String level = rule.startsWith("ours") ? "5" : "4";
        // The mistake shows from the second start of the command.
        String cases = mistake.equals("same-life") ? "0?_*m*" : glob;
        try (RunningProcess check = check(
                Map.of(),
                List.of("check-producer", "--case", cases, "--level", level, "--format", "tap"),
                List.of(
                        Python.interpreter(),
                        script.toString(),
                        RECIPES.resolve("python/producer.py").toString(),
                        mistake))) {
            assertThat(check.awaitExit(PATIENCE)).as("%s", check).isEqualTo(8);
            List<String> failed = check.outLines().stream()
                    .filter(line -> line.startsWith("not ok"))
                    .map(line -> line.replaceFirst(".*/", ""))
                    .distinct()
                    .toList();
            assertThat(failed).as("%s", check).containsExactly(rule);
        }
    }

    @Test
    void a_running_producer_is_judged_without_a_script() throws IOException {
        String events = "ipc://" + directory.resolve("events");
        try (RunningProcess check = Cli.start("check-producer", "--in", events, "--for", "60s");
                RunningProcess load = Cli.start("produce", "--out", events, "--duration", "3s", "--rate", "50")) {
            assertThat(check.awaitExit(PATIENCE)).as("%s", check).isZero();
            assertThat(load.awaitExit()).as("%s", load).isZero();
            assertThat(check.out())
                    .contains("kept         life.one-recv-first")
                    .contains("not observed loss.linger")
                    .contains("The producer keeps level 5 (ours).");
        }
    }
}
