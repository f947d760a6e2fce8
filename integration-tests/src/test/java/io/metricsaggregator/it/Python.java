package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * Starts peers with the real libzmq: Python with pyzmq and msgspec. Uses the interpreter that {@code METRICS_AGGREGATOR_PYTHON} names, or
 * else one in an environment that the tests create. If neither is available, a test prints the reason and is skipped.
 */
final class Python {
    private static final String ENVIRONMENT = "METRICS_AGGREGATOR_PYTHON";
    private static final @Nullable String INTERPRETER = find();
    /** The package of the Python client, importable in every script. */
    private static final Path CLIENT =
            Path.of("..", "clients", "python", "src").toAbsolutePath().normalize();

    private Python() {}

    private static @Nullable String find() {
        String given = System.getenv(ENVIRONMENT);
        if (given != null) {
            return given;
        }
        try {
            return PythonEnvironment.make(
                    Path.of(System.getProperty("project.root", ".."), "integration-tests", "target"));
        } catch (IOException e) {
            System.out.println("No Python environment for the tests: " + e.getMessage());
            return null;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Skips the calling test with the reason printed if no such Python is available. */
    static void require() {
        if (INTERPRETER == null) {
            String reason =
                    "no Python 3 with the peers of the tests (needs python3 with venv and the package index, or "
                            + ENVIRONMENT + ")";
            System.out.println("SKIPPED: " + reason);
            Assumptions.assumeTrue(false, reason);
        }
    }

    /** Skips the calling test with the reason printed if that Python is missing or lacks a module. */
    static void requireModule(String module) throws IOException {
        require();
        try (RunningProcess python = new RunningProcess(new ProcessBuilder(interpreter(), "-c", "import " + module))) {
            if (python.awaitExit() != 0) {
                String reason = "the Python of the tests has no " + module + ", a peer in requirements.txt";
                System.out.println("SKIPPED: " + reason);
                Assumptions.assumeTrue(false, reason);
            }
        }
    }

    /** Returns the interpreter; call {@link #require} first. */
    static String interpreter() {
        return Objects.requireNonNull(INTERPRETER);
    }

    /** The text of a file in an installed package, which is not imported. */
    static String resource(String packageName, String file) {
        require();
        String find = "import importlib.util; print(importlib.util.find_spec('" + packageName
                + "').submodule_search_locations[0])";
        try (RunningProcess python = new RunningProcess(new ProcessBuilder(interpreter(), "-c", find))) {
            assertThat(python.awaitExit()).as("%s", python).isZero();
            return Files.readString(Path.of(python.out().strip(), file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a script from the test resources. */
    static RunningProcess start(String script, String... arguments) throws IOException {
        try {
            return run(
                    Path.of(Objects.requireNonNull(Python.class.getResource("/python/" + script))
                            .toURI()),
                    arguments);
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** Starts a script at a path. */
    static RunningProcess run(Path script, String... arguments) throws IOException {
        require();
        List<String> command = new ArrayList<>(List.of(Objects.requireNonNull(INTERPRETER), script.toString()));
        Collections.addAll(command, arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("PYTHONPATH", CLIENT.toString());
        return new RunningProcess(builder);
    }
}
