package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon in place of the aggregator of MLCommons endpoints, driven by pyzmq and msgspec like by its launcher. */
class LauncherIT {
    private static final String TOKENIZER = "../quality/golden/endpoints/tokenizers/char";

    @TempDir
    Path directory;

    @BeforeEach
    void needsPython() {
        Python.require();
    }

    private Map<String, ?> launch(String how) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(directory.toString(), how));
        arguments.addAll(Cli.builder(List.of(), List.of(), "run", "--tokenizer", TOKENIZER)
                .command());
        try (RunningProcess launcher = Python.start("launcher.py", arguments.toArray(new String[0]))) {
            assertThat(launcher.awaitExit()).as("%s", launcher).isZero();
            List<String> lines = launcher.outLines();
            return JsonTree.read(lines.get(lines.size() - 1).getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void aRunGoesFromReadinessToTheFinalFile() throws IOException {
        Map<String, ?> seen = launch("end");
        assertThat(seen.get("identity")).isEqualTo(7L);
        assertThat(seen.get("status")).isEqualTo(0L);
        assertThat((List<?>) seen.get("states")).last().isEqualTo("complete");
        assertThat(seen.get("state")).isEqualTo("complete");
        assertThat(seen.get("pending")).isEqualTo(0L);
        assertThat(seen.get("samples")).isEqualTo(700L);
        assertThat(seen.get("osl")).isEqualTo(700L);
        assertThat(seen.get("tpot")).isEqualTo(700L);
        assertThat((Double) seen.get("p99_bound")).isPositive();
    }

    @Test
    void textsUncountedAtTheDrainTimeoutArePendingInTheFinalFile() throws IOException {
        Map<String, ?> seen = launch("drain");
        assertThat(seen.get("status")).isEqualTo(0L);
        assertThat(seen.get("state")).isEqualTo("complete");
        assertThat(seen.get("samples")).isEqualTo(20_000L);
        assertThat((Long) seen.get("pending")).isPositive();
        assertThat((Long) seen.get("osl")).isLessThan(20_000L);
    }

    @Test
    void sigtermDuringTheDrainWritesAnInterruptedFileWithThePendingCount() throws IOException {
        Map<String, ?> seen = launch("late");
        assertThat(seen.get("status")).isEqualTo(0L);
        assertThat(seen.get("state")).isEqualTo("interrupted");
        assertThat(seen.get("samples")).isEqualTo(20_000L);
        assertThat((Long) seen.get("pending")).isPositive();
    }

    @Test
    void sigtermWritesAnInterruptedFileBeforeTheLauncherKills() throws IOException {
        Map<String, ?> seen = launch("term");
        assertThat(seen.get("status")).isEqualTo(0L);
        assertThat((List<?>) seen.get("states")).last().isEqualTo("interrupted");
        assertThat(seen.get("state")).isEqualTo("interrupted");
        assertThat(seen.get("samples")).isEqualTo(700L);
    }
}
