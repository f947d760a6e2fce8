package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** KV-cache transfers from a real libzmq PUB, without a load generator's session. */
class TransferIT {
    private static final Path GOLDEN = Path.of(System.getProperty("golden.dir", "../golden"), "nixl");

    @TempDir
    Path directory;

    private static Map<?, ?> cumulative(MetricsSnapshot snapshot) {
        Map<?, ?> transfer = (Map<?, ?>) snapshot.additions().observations().get("transfer");
        return (Map<?, ?>) transfer.get("cumulative");
    }

    @TestFactory
    Stream<DynamicTest> everyGoldenCaseComesThrough() throws IOException {
        Python.require();
        try (Stream<Path> folders = Files.list(GOLDEN)) {
            return folders.sorted().toList().stream()
                    .map(folder -> DynamicTest.dynamicTest(folder.getFileName().toString(), () -> check(folder)));
        }
    }

    private void check(Path folder) throws IOException {
        String name = folder.getFileName().toString();
        Path output = directory.resolve(name);
        String events = "ipc://" + directory.resolve(name + "-in");
        Map<?, ?> expected = (Map<?, ?>) JsonTree.read(Files.readAllBytes(folder.resolve("expected.json")))
                .get("cumulative");
        try (RunningProcess daemon = Cli.daemon(
                output,
                "--in",
                "bind:" + events,
                "--journal",
                directory.resolve(name + "-journal").toString())) {
            try (RunningProcess publisher = Python.start(
                    "publish_frames.py",
                    events,
                    "connect",
                    folder.resolve("frames.bin").toString())) {
                assertThat(publisher.awaitExit()).as("%s", publisher).isZero();
            }
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(last.state()).isEqualTo(SessionState.INTERRUPTED);
        assertThat(last.counterValue("records_malformed")).isZero();
        assertThat(last.counterValue("records_unknown")).isZero();
        assertSame(expected, cumulative(last));
        Path replayed = directory.resolve(name + "-replayed");
        try (RunningProcess replay = Cli.start(
                "replay", directory.resolve(name + "-journal").toString(), "--output-dir", replayed.toString())) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
            assertThat(replay.out()).contains("Transfers").contains("as vLLM logs it");
        }
        assertSame(expected, cumulative(FinalSnapshotFile.read(replayed)));
    }

    private static void assertSame(Map<?, ?> expected, Map<?, ?> actual) {
        for (String version : List.of("compat_seed", "compat_current")) {
            ((Map<?, ?>) expected.get(version)).forEach((key, value) -> {
                Object seen = ((Map<?, ?>) actual.get(version)).get(key);
                if (value instanceof Number number) {
                    assertThat(((Number) seen).doubleValue())
                            .as("%s %s", version, key)
                            .isEqualTo(number.doubleValue());
                } else {
                    assertThat(seen).as("%s %s", version, key).isEqualTo(value);
                }
            });
        }
        Map<?, ?> ours = (Map<?, ?>) expected.get("ours");
        for (String rate : List.of("per_transfer_pooled", "busy", "span", "mean_of_rates")) {
            Object want = ((Map<?, ?>) ours.get("throughput_mib_s")).get(rate);
            Object have = ((Map<?, ?>) ((Map<?, ?>) actual.get("ours")).get("throughput_mib_s")).get(rate);
            if (want == null) {
                assertThat(have).isNull();
            } else {
                double wanted = ((Number) want).doubleValue();
                assertThat(((Number) have).doubleValue()).as(rate).isCloseTo(wanted, within(1e-9 * wanted));
            }
        }
    }

    @Test
    void transfersAndALoadGeneratorsRunGoThroughOneDaemon() throws IOException {
        Path output = directory.resolve("out");
        String events = "ipc://" + directory.resolve("events");
        try (RunningProcess daemon = Cli.daemon(output, "--in", "bind:" + events, "--streaming")) {
            try (RunningProcess transfers = Cli.start(
                    "replay",
                    GOLDEN.resolve("01_basic_single_worker/frames.bin").toString(),
                    "--out",
                    "connect:" + events)) {
                assertThat(transfers.awaitExit()).as("%s", transfers).isZero();
            }
            try (RunningProcess load =
                    Cli.start("produce", "--out", "connect:" + events, "--rate", "100", "--duration", "5s", "--fast")) {
                assertThat(load.awaitExit()).as("%s", load).isZero();
            }
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(last.state()).isEqualTo(SessionState.COMPLETE);
        assertThat(last.counterValue("tracked_samples_completed")).isPositive();
        assertThat(((Map<?, ?>) cumulative(last).get("ours")).get("n_ok")).isEqualTo(5L);
    }
}
