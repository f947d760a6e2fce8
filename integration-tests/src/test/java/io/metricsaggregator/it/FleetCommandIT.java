package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.run.GoldenCase;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code fleet} as a process: its start, its end, its files and its exit statuses. */
class FleetCommandIT {
    private static final GoldenCase GOLDEN = new GoldenCase("02_streaming_chunks");

    @TempDir
    Path directory;

    private String ipc(String name) {
        return "ipc://" + directory.resolve(name);
    }

    private RunningProcess fleet(String... more) throws IOException {
        Path output = directory.resolve("fleet");
        Files.deleteIfExists(output.resolve(".ready"));
        List<String> arguments = new ArrayList<>(
                List.of("fleet", "--in", "bind:" + ipc("in"), "--out", ipc("sum"), "--output-dir", output.toString()));
        Collections.addAll(arguments, more);
        return Cli.awaitReady(Cli.start(arguments.toArray(new String[0])), output);
    }

    private MetricsSnapshot result() throws IOException {
        return FinalSnapshotFile.read(directory.resolve("fleet"));
    }

    /** Runs one daemon from start to end; returns its final snapshot. */
    private MetricsSnapshot node(String name) throws IOException {
        Path output = directory.resolve(name);
        try (RunningProcess daemon = Cli.daemon(
                output, "--node", name, "--in", "bind:" + ipc(name + "-in"), "--out", "connect:" + ipc("in"))) {
            try (RunningProcess replay =
                    Cli.start("replay", GOLDEN.framesFile().toString(), "--out", "connect:" + ipc(name + "-in"))) {
                assertThat(replay.awaitExit()).as("%s", replay).isZero();
            }
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        return FinalSnapshotFile.read(output);
    }

    private static List<String> nodes(MetricsSnapshot sum) {
        return sum.extensions().optional().nodes().rows().stream()
                .map(NodeRow::node)
                .toList();
    }

    @Test
    void a_fleet_ends_with_the_last_node_it_expects_and_writes_the_sum() throws IOException {
        try (RunningProcess fleet = fleet("--expect", "2")) {
            MetricsSnapshot one = node("n1");
            assertThat(fleet.process.isAlive()).isTrue();
            MetricsSnapshot two = node("n2");
            assertThat(fleet.awaitExit()).as("%s", fleet).isZero();
            MetricsSnapshot sum = result();
            assertThat(sum.state()).isEqualTo(SessionState.COMPLETE);
            assertThat(nodes(sum)).containsExactly("n1", "n2");
            assertThat(sum.series("sample_latency_ns").count())
                    .isEqualTo(one.series("sample_latency_ns").count()
                            + two.series("sample_latency_ns").count())
                    .isPositive();
            assertThat(sum.counter(CounterName.RECORDS_RECEIVED))
                    .isEqualTo(one.counter(CounterName.RECORDS_RECEIVED) + two.counter(CounterName.RECORDS_RECEIVED));
            assertThat(fleet.err()).contains("node seen node=n1", "node ended node=n2");
        }
    }

    @Test
    void sigterm_ends_a_fleet_as_interrupted_and_without_nodes_with_status_11() throws IOException {
        try (RunningProcess fleet = fleet("--expect-node", "late")) {
            fleet.signal("TERM");
            assertThat(fleet.awaitExit()).as("%s", fleet).isEqualTo(11);
        }
        MetricsSnapshot sum = result();
        assertThat(sum.state()).isEqualTo(SessionState.INTERRUPTED);
        assertThat(sum.extensions().optional().nodes().rows()).containsExactly(NodeRow.waiting("late"));
    }

    @Test
    void a_fleet_that_starts_again_with_its_state_has_the_nodes_that_ended_before() throws IOException {
        String state = directory.resolve("state").toString();
        try (RunningProcess fleet = fleet("--expect", "2", "--state", state)) {
            node("n1");
            Await.until(
                    () -> {
                        try (var files = Files.list(directory.resolve("state"))) {
                            return files.anyMatch(file -> file.toString().endsWith(".snapshot"));
                        }
                    },
                    () -> "a stored snapshot: " + fleet);
            fleet.process.destroyForcibly();
            fleet.awaitExit();
        }
        try (RunningProcess fleet = fleet("--expect", "2", "--state", state)) {
            MetricsSnapshot two = node("n2");
            assertThat(fleet.awaitExit()).as("%s", fleet).isZero();
            assertThat(nodes(result())).containsExactly("n1", "n2");
            assertThat(result().counter(CounterName.RECORDS_RECEIVED))
                    .isEqualTo(2 * two.counter(CounterName.RECORDS_RECEIVED));
            assertThat(result().extensions().run().runId())
                    .isEqualTo(Files.readString(directory.resolve("state/run_id")));
        }
    }

    @Test
    void a_fleet_stops_waiting_for_other_nodes_when_its_time_to_linger_is_over() throws IOException {
        try (RunningProcess fleet = fleet("--expect", "2", "--linger", "1s")) {
            node("n1");
            assertThat(fleet.awaitExit()).as("%s", fleet).isZero();
        }
        assertThat(result().state()).isEqualTo(SessionState.INTERRUPTED);
        assertThat(result().extensions().optional().nodes().count(NodeState.ENDED))
                .isEqualTo(1);
    }

    @Test
    void a_second_fleet_on_the_same_directory_and_wrong_limits_are_refused() throws IOException {
        try (RunningProcess fleet = fleet()) {
            try (RunningProcess second = Cli.start(
                    "fleet",
                    "--in",
                    "bind:" + ipc("other"),
                    "--output-dir",
                    directory.resolve("fleet").toString())) {
                assertThat(second.awaitExit()).as("%s", second).isEqualTo(4);
            }
            try (RunningProcess wrong = Cli.start("fleet", "--in", ipc("x"), "--expect", "9", "--max-nodes", "3")) {
                assertThat(wrong.awaitExit()).as("%s", wrong).isEqualTo(2);
                assertThat(wrong.err()).contains("more nodes are expected than the fleet may have");
            }
            fleet.signal("TERM");
            assertThat(fleet.awaitExit()).isEqualTo(11);
        }
    }
}
