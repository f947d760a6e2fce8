package io.metricsaggregator.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command and the start script's own answer, which must agree. */
class HealthcheckCommandTest {
    @TempDir
    Path directory;

    private void daemon(boolean ready, String lock) throws IOException {
        if (ready) {
            Files.createFile(directory.resolve(".ready"));
        }
        Files.writeString(directory.resolve(".metrics-aggregator.lock"), lock);
    }

    private void assertStatus(int expected) throws Exception {
        assertThat(Main.execute("healthcheck", directory.toString())).isEqualTo(expected);
        Process script = new ProcessBuilder(
                        Path.of("..", "metrics-aggregator").toString(), "healthcheck", directory.toString())
                .redirectErrorStream(true)
                .start();
        assertThat(script.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(script.exitValue())
                .as(new String(script.getInputStream().readAllBytes()))
                .isEqualTo(expected);
    }

    @Test
    void a_ready_daemon_that_runs_is_healthy() throws Exception {
        daemon(true, "pid " + ProcessHandle.current().pid() + "\n");
        assertStatus(0);
    }

    @Test
    void a_daemon_that_is_not_ready_yet_is_not_healthy() throws Exception {
        daemon(false, "pid " + ProcessHandle.current().pid() + "\n");
        assertStatus(1);
    }

    @Test
    void a_daemon_that_was_killed_is_not_healthy() throws Exception {
        daemon(true, "pid 999999999\n");
        assertStatus(1);
    }

    @Test
    void a_lock_file_of_something_else_is_not_healthy() throws Exception {
        daemon(true, "locked");
        assertStatus(1);
    }

    @Test
    void a_directory_without_a_daemon_is_not_healthy() throws Exception {
        assertStatus(1);
    }
}
