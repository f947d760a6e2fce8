package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.run.GoldenCase;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of a daemon and of readers while their peers are missing. */
class StartIT {
    private static final GoldenCase GOLDEN = new GoldenCase("02_streaming_chunks");

    @TempDir
    Path directory;

    private Path output;

    @BeforeEach
    void folder() {
        output = directory.resolve("out");
    }

    private String ipc(String name) {
        return "ipc://" + directory.resolve(name);
    }

    private static long count(String text, String part) {
        return text.lines().filter(line -> line.contains(part)).count();
    }

    private RunningProcess publish(String side) throws IOException {
        return Cli.start("replay", GOLDEN.framesFile().toString(), "--out", side + ":" + ipc("events"));
    }

    @Test
    void withTheFlagsOfMlcommonsItIsReadyWithoutAPublisherAndLogsTheSubscriptionLater() throws IOException {
        Python.require();
        String[] run = Cli.run(
                output,
                "--socket-dir",
                directory.toString(),
                "--socket-name",
                "events",
                "--metrics-socket",
                "metrics",
                "--readiness-path",
                "ready",
                "--readiness-id",
                "7");
        try (RunningProcess pull = Python.start("pull_ready.py", ipc("ready"))) {
            pull.awaitOut("listening");
            try (RunningProcess daemon = Cli.start(run)) {
                pull.awaitOut("ready 7");
                Cli.awaitReady(daemon, output);
                assertThat(output.resolve(".subscribed")).doesNotExist();
                try (RunningProcess publisher = publish("bind")) {
                    assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
                    assertThat(publisher.awaitExit()).as("%s", publisher).isZero();
                }
                assertThat(output.resolve(".subscribed")).exists();
                assertThat(daemon.err())
                        .contains("subscriptions confirmed publishers=1")
                        .contains("answers came in chunks and the run has no series of them");
            }
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(last.state()).isEqualTo(SessionState.COMPLETE);
        assertThat(last.counterValue("total_samples_issued")).isEqualTo(200);
        // Without --streaming the reference has no such series, even if the producer streams.
        assertThat(last.series("ttft_ns")).isNull();
    }

    @Test
    void withItsOwnFlagsItIsReadyOnlyWhenSubscribed() throws IOException {
        try (RunningProcess daemon = Cli.start(Cli.run(output, "--in", ipc("events"), "-v"))) {
            Await.until(() -> daemon.err().contains("no publisher connected for_s=5"), daemon::toString);
            assertThat(output.resolve(".ready")).doesNotExist();
            assertThat(output.resolve(".subscribed")).doesNotExist();
            assertThat(daemon.err()).contains("start the producer").contains(ipc("events"));
            // About fifty connection attempts failed for one reason, which is logged once.
            assertThat(count(daemon.err(), "cannot connect")).isEqualTo(1);
            try (RunningProcess publisher = publish("bind")) {
                assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
                assertThat(publisher.awaitExit()).as("%s", publisher).isZero();
            }
            assertThat(output.resolve(".ready")).exists();
            assertThat(output.resolve(".subscribed")).exists();
        }
    }

    @Test
    void theDaemonLogsWhenAPublisherConnects() throws IOException {
        try (RunningProcess daemon = Cli.daemon(output, "--in", "bind:" + ipc("events"));
                RunningProcess producer = Cli.start(
                        "produce", "--out", "connect:" + ipc("events"), "--duration", "2s", "--warmup", "0s")) {
            Await.until(() -> daemon.err().contains("publisher connected publishers=1"), daemon::toString);
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(producer.awaitExit()).as("%s", producer).isZero();
            assertThat(daemon.err()).doesNotContain("no publisher connected");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tail", "wait", "watch"})
    void aReaderReportsAMissingDaemonAndItsArrival(String command) throws IOException {
        try (RunningProcess reader = Cli.start(command, ipc("metrics"), "--timeout", "60s")) {
            Await.until(() -> reader.err().contains("no daemon publishes at " + ipc("metrics")), reader::toString);
            try (RunningProcess daemon = Cli.daemon(output, "--in", "bind:" + ipc("events"), "--out", ipc("metrics"))) {
                Await.until(() -> reader.err().contains("connected to a daemon"), reader::toString);
                daemon.signal("TERM");
                assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            }
            assertThat(reader.awaitExit()).as("%s", reader).isEqualTo(10);
            assertThat(count(reader.err(), "no daemon publishes")).isEqualTo(1);
        }
    }

    @Test
    void firstChunksAreDetectedFromEventsAndFlagsOverrideTheDetection() throws IOException {
        MetricsSnapshot detected = run("detected");
        GOLDEN.assertMatches(detected, "expected_final_snapshot.json", Set.of());
        assertThat(detected.extensions().run().settings()).containsEntry("streaming", "auto");
        MetricsSnapshot forced = run("forced", "--streaming");
        assertThat(detected.series("ttft_ns")).usingRecursiveComparison().isEqualTo(forced.series("ttft_ns"));
        assertThat(detected.series("chunk_delta_ns"))
                .usingRecursiveComparison()
                .isEqualTo(forced.series("chunk_delta_ns"));
        MetricsSnapshot without = run("without", "--no-streaming");
        assertThat(without.series("ttft_ns")).isNull();
        assertThat(without.series("sample_latency_ns").count()).isEqualTo(200);
        // The journals of these runs are recomputed with the same and with other settings.
        assertThat(replay("detected").series("ttft_ns"))
                .usingRecursiveComparison()
                .isEqualTo(detected.series("ttft_ns"));
        assertThat(replay("without").series("ttft_ns")).isNull();
        MetricsSnapshot with = replay("without", "--streaming");
        assertThat(with.series("ttft_ns")).usingRecursiveComparison().isEqualTo(forced.series("ttft_ns"));
        assertThat(with.extensions().run().recomputed()).containsExactly("with the series of streamed answers");
        assertThat(replay("forced", "--no-streaming").series("ttft_ns")).isNull();
        try (RunningProcess both = Cli.start(Cli.run(output, "--in", ipc("events"), "--streaming", "--no-streaming"))) {
            assertThat(both.awaitExit()).isEqualTo(2);
            assertThat(both.err()).contains("--streaming and --no-streaming exclude each other");
        }
    }

    private MetricsSnapshot run(String name, String... flags) throws IOException {
        String[] more = new String[flags.length + 4];
        System.arraycopy(flags, 0, more, 4, flags.length);
        more[0] = "--in";
        more[1] = "bind:" + ipc("events");
        more[2] = "--journal";
        more[3] = directory.resolve("journal-" + name).toString();
        Path results = directory.resolve(name);
        try (RunningProcess daemon = Cli.daemon(results, more);
                RunningProcess publisher = publish("connect")) {
            assertThat(publisher.awaitExit()).as("%s", publisher).isZero();
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        return FinalSnapshotFile.read(results);
    }

    private MetricsSnapshot replay(String name, String... flags) throws IOException {
        String[] all = new String[flags.length + 4];
        System.arraycopy(flags, 0, all, 4, flags.length);
        all[0] = "replay";
        all[1] = directory.resolve("journal-" + name).toString();
        all[2] = "--output-dir";
        all[3] = directory.resolve("replayed").toString();
        try (RunningProcess replay = Cli.start(all)) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
        }
        return FinalSnapshotFile.read(directory.resolve("replayed"));
    }
}
