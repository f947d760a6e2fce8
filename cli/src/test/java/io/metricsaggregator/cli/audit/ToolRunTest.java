package io.metricsaggregator.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metricsaggregator.cli.wrap.RetargetedTool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolRunTest {
    private static final String COUNT = "count() { i=0; while [ $i -lt 600000 ]; do i=$((i + 1)); done; };";

    @TempDir
    private Path folder;

    private long waitedNanos(String script) throws Exception {
        RetargetedTool.Command command =
                new RetargetedTool.Command(List.of("taskset", "-c", "0", "sh", "-c", COUNT + script), Map.of());
        ToolRun run = new ToolRun(command, folder.resolve("console"));
        run.await(Scenario.Means.NONE, () -> 0, 1, Duration.ofMinutes(2));
        assertThat(run.status()).as("%s", run.console()).isZero();
        return run.waitedNanos(Long.MIN_VALUE);
    }

    @Test
    void processes_that_share_a_processor_have_waited_for_it() throws Exception {
        boolean isKnown = Files.exists(Path.of("/proc/self/schedstat"));
        if (!isKnown) {
            System.out.println("SKIPPED: this system does not say how long a process waited");
        }
        assumeTrue(isKnown, "this system does not say how long a process waited");
        long quarter = Duration.ofMillis(250).toNanos();
        assertThat(waitedNanos("count & count & count; wait")).isGreaterThan(quarter);
    }
}
