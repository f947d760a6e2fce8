package io.metricsaggregator.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Runs {@code quality/simulation/run} on the classes under test. The tests are skipped, with the reason printed, where there is no JDK 25. */
class SimulationTest {
    private static final Path MODULE = Path.of(System.getProperty("project.root"), "quality", "simulation");
    private static final int NO_JDK = 3;
    private static final Pattern HASH = Pattern.compile("; hash ([0-9a-f]{16})");

    private static final Pattern RAN = Pattern.compile("\\nthreads \\[(.*)]");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");
    /** Collectors, exporters, sockets that the simulated network replaces, and the log, which is off. */
    private static final List<String> NOT_RUN =
            List.of("otlp", "host", "scrape…", "scrape-deadlines", "prometheus", "web", "resolve", "relay", "log");

    private record Ended(int status, String output) {
        String hash() {
            Matcher found = HASH.matcher(output);
            assertThat(found.find()).as(output).isTrue();
            return found.group(1);
        }
    }

    private static Ended simulate(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(MODULE.resolve("run").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("SIMULATION_NO_BUILD", "1");
        builder.environment().put("SIMULATION_CLASS_PATH", System.getProperty("java.class.path"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
        Ended ended = new Ended(process.exitValue(), output);
        if (ended.status == NO_JDK) {
            System.out.println("SKIPPED: " + output.strip());
        }
        assumeTrue(ended.status != NO_JDK, output);
        return ended;
    }

    @Test
    void lives_that_once_violated_an_invariant_and_new_ones_hold_all_of_them_and_run_every_thread_that_they_can()
            throws Exception {
        Ended ended = simulate("--plans", "found", "--seed", "121", "--lives", "40");
        assertThat(ended.status).as(ended.output).isZero();
        Matcher ran = RAN.matcher(ended.output);
        assertThat(ran.find()).as(ended.output).isTrue();
        List<String> threads = List.of(ran.group(1).split(", "));
        assertThat(threads)
                .as(
                        "threads of docs/operations.md that ran; where the drawing has changed, other seeds may run them all")
                .containsAll(documentedThreads());
    }

    /** Names in the table of threads, without those that no life can run. */
    private static List<String> documentedThreads() throws IOException {
        String page = Files.readString(MODULE.resolve("../../docs/operations.md"));
        String table = page.substring(page.indexOf("| Thread | Role |"));
        List<String> names = new ArrayList<>();
        for (String row : table.substring(0, table.indexOf("\n\n")).split("\n")) {
            Matcher name = NAME.matcher(row.split("\\|")[1]);
            while (name.find()) {
                names.add(name.group(1));
            }
        }
        assertThat(names).contains("main-loop").containsAll(NOT_RUN);
        names.removeAll(NOT_RUN);
        return names;
    }

    @Test
    void the_same_seed_gives_the_same_steps_times_and_bytes_in_another_process() throws Exception {
        Ended alone = simulate("--seed", "7", "--lives", "1");
        Ended again = simulate("--seed", "7", "--lives", "1");
        assertThat(alone.hash()).isEqualTo(again.hash());
    }
}
