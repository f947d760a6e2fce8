package io.metricsaggregator.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where {@code --lateness} makes no sense, the client says so before it submits a job. */
class LatenessOptionTest {
    @TempDir
    Path folder;

    private FlinkCluster.Outcome run(String arguments) {
        List<String> all = new ArrayList<>(List.of(arguments.split(" ")));
        all.addAll(List.of("--output", folder.toString()));
        return FlinkCluster.get().run(all.toArray(String[]::new));
    }

    @Test
    void lateness_is_refused_without_kafka_or_without_one_run() {
        for (String arguments : List.of(
                "--lateness 5s --kafka localhost:9 --topic events",
                "--lateness 5s --one-run --input journals",
                "--lateness 5s --input journals")) {
            FlinkCluster.Outcome outcome = run(arguments);
            assertThat(outcome.status()).as(arguments).isEqualTo(2);
            assertThat(outcome.err()).as(arguments).contains("--lateness needs --kafka and --one-run");
        }
    }

    @Test
    void a_lateness_that_is_no_time_from_0_to_a_day_is_refused() {
        String stream = " --one-run --kafka localhost:9 --topic events";
        assertThat(run("--lateness=-5s" + stream).err()).contains("'-5s' is not a time such as 500ms, 10s or 10m");
        assertThat(run("--lateness=-5s" + stream).status()).isEqualTo(2);
        assertThat(run("--lateness 5" + stream).err()).contains("'5' has no unit");
        assertThat(run("--lateness 25h" + stream).err()).contains("--lateness 25 h is above 1d");
        assertThat(run("--lateness 999999999999d" + stream).status()).isEqualTo(2);
        assertThat(run("--lateness 10µs" + stream).err()).contains("--lateness 10 µs is below 1ms");
        // What is left is the folder for checkpoints.
        for (String good : List.of("0", "1ms", "1d")) {
            assertThat(run("--lateness " + good + stream).err()).contains("--checkpoints PATH");
        }
    }
}
