package io.metricsaggregator.it;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** Peers made of the real libzmq: Python with pyzmq and msgspec. Where that is missing, the test says so and is skipped. */
final class Python {
    private static final String ENVIRONMENT = "METRICS_AGGREGATOR_PYTHON";
    private static final @Nullable String INTERPRETER = find();

    private Python() {}

    private static @Nullable String find() {
        List<String> candidates = new ArrayList<>();
        if (System.getenv(ENVIRONMENT) != null) {
            candidates.add(System.getenv(ENVIRONMENT));
        }
        Collections.addAll(candidates, "python3", "python");
        for (String candidate : candidates) {
            try {
                Process probe = new ProcessBuilder(candidate, "-c", "import zmq, msgspec")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
                if (probe.waitFor() == 0) {
                    return candidate;
                }
            } catch (IOException missing) {
                continue;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        return null;
    }

    /** Skips the test that asks, with the reason printed, if there is no such Python. */
    static void require() {
        if (INTERPRETER == null) {
            String reason =
                    "no Python 3 with pyzmq and msgspec (pip install pyzmq msgspec, or set " + ENVIRONMENT + ")";
            System.out.println("SKIPPED: " + reason);
            Assumptions.assumeTrue(false, reason);
        }
    }

    /** The interpreter; to be asked after {@link #require}. */
    static String interpreter() {
        return Objects.requireNonNull(INTERPRETER);
    }

    /** Starts one of the scripts beside the tests. */
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

    /** Starts a script. */
    static RunningProcess run(Path script, String... arguments) throws IOException {
        require();
        List<String> command = new ArrayList<>(List.of(Objects.requireNonNull(INTERPRETER), script.toString()));
        Collections.addAll(command, arguments);
        return new RunningProcess(new ProcessBuilder(command));
    }
}
