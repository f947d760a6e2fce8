package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.run.GoldenCase;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.subscriber.SnapshotSubscriber;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import io.metricsaggregator.verdict.Finding;
import io.metricsaggregator.verdict.Verdict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon that is killed and restarted with its journal. */
class JournalIT {
    @TempDir
    Path directory;

    private GoldenCase golden;
    private List<ByteBuffer> frames;
    private Path output;
    private Path journal;

    @BeforeEach
    void paths() throws IOException {
        golden = new GoldenCase("02_streaming_chunks");
        frames = golden.frames();
        output = directory.resolve("out");
        journal = directory.resolve("journal");
    }

    private String ipc(String name) {
        return "ipc://" + directory.resolve(name);
    }

    private RunningProcess daemon(String... more) throws IOException {
        String[] all = new String[more.length + 9];
        System.arraycopy(
                new String[] {
                    "--in",
                    "bind:" + ipc("events"),
                    "--out",
                    ipc("metrics"),
                    "--streaming",
                    "--publish-interval",
                    "20ms",
                    "--journal",
                    journal.toString()
                },
                0,
                all,
                0,
                9);
        System.arraycopy(more, 0, all, 9, more.length);
        return Cli.daemon(output, all);
    }

    private Path framesFile(String name, List<ByteBuffer> some) throws IOException {
        Path file = directory.resolve(name);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (ByteBuffer frame : some) {
                channel.write(ByteBuffer.allocate(4).putInt(0, frame.remaining()));
                channel.write(frame.duplicate());
            }
        }
        return file;
    }

    private void publish(Path file) throws IOException {
        try (RunningProcess replay = Cli.start("replay", file.toString(), "--out", "connect:" + ipc("events"))) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
        }
    }

    /** Waits until a LIVE snapshot shows a number of records; returns the number it showed. */
    private long awaitShown(long records) throws IOException {
        try (SnapshotSubscriber subscriber = new SnapshotSubscriber(
                List.of(Endpoint.parse("connect:" + ipc("metrics"), false)),
                TransportOptions.defaults(),
                SnapshotSubscriber.Mode.LATEST)) {
            long start = System.nanoTime();
            while (System.nanoTime() - start < 300_000_000_000L) {
                MetricsSnapshot shown = subscriber.next(Duration.ofSeconds(1));
                if (shown != null && shown.counterValue("records_received") >= records) {
                    return shown.counterValue("records_received");
                }
            }
        }
        throw new AssertionError("no snapshot showed " + records + " records");
    }

    /** Returns the counters and series of events, which do not depend on when the process ran. */
    static Map<String, Object> results(MetricsSnapshot snapshot) {
        Map<String, Object> results = new TreeMap<>();
        for (Metric metric : snapshot.metrics()) {
            String name = metric.name();
            if (metric instanceof SeriesMetric series) {
                results.put(
                        name,
                        List.of(
                                series.count(),
                                series.total(),
                                series.percentiles(),
                                series.histogram(),
                                series.min()));
            } else if (metric instanceof CounterMetric counter && isOfEvents(name)) {
                results.put(name, counter.value());
            }
        }
        return results;
    }

    private static boolean isOfEvents(String name) {
        return !name.startsWith("journal_")
                && !name.startsWith("ticks_")
                && !name.startsWith("peers_")
                && !name.startsWith("transport_")
                && !name.startsWith("snapshots_")
                && !name.startsWith("handshakes_");
    }

    private long records(List<ByteBuffer> some) throws IOException {
        Path out = directory.resolve("count" + some.size());
        String in = ipc("counted" + some.size());
        try (RunningProcess daemon = Cli.daemon(out, "--in", "bind:" + in, "--streaming")) {
            Path file = framesFile("count" + some.size() + ".bin", some);
            try (RunningProcess replay = Cli.start("replay", file.toString(), "--out", "connect:" + in)) {
                assertThat(replay.awaitExit()).isZero();
            }
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).isZero();
        }
        return FinalSnapshotFile.read(out).counterValue("records_received");
    }

    @Test
    void aKilledRunIsResumedWithTheResultOfAnUndisturbedOne() throws IOException {
        int third = frames.size() / 3;
        List<ByteBuffer> first = frames.subList(0, third);
        List<ByteBuffer> second = frames.subList(third, 2 * third);
        long inFirst = records(first);
        long inBoth = records(frames.subList(0, 2 * third));
        try (RunningProcess daemon = daemon("--node", "gpu-1")) {
            publish(framesFile("first.bin", first));
            awaitShown(inFirst);
            daemon.signal("KILL");
            daemon.awaitExit();
        }
        assertThat(output.resolve("final_snapshot.json")).doesNotExist();
        try (RunningProcess daemon = daemon()) {
            assertThat(awaitShown(inFirst)).isEqualTo(inFirst);
            publish(framesFile("second.bin", second));
            awaitShown(inBoth);
            daemon.signal("KILL");
            daemon.awaitExit();
        }
        try (RunningProcess daemon = daemon()) {
            publish(framesFile("rest.bin", frames.subList(2 * third, frames.size())));
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot resumed = FinalSnapshotFile.read(output);
        assertThat(resumed.state()).isEqualTo(SessionState.COMPLETE);
        assertThat(resumed.counterValue("journal_frames_recovered")).isEqualTo(2L * third);
        assertThat(resumed.counterValue("journal_frames_missed")).isZero();

        Path calm = directory.resolve("calm");
        try (RunningProcess daemon = Cli.daemon(calm, "--in", "bind:" + ipc("calm-in"), "--streaming")) {
            try (RunningProcess replay =
                    Cli.start("replay", golden.framesFile().toString(), "--out", "connect:" + ipc("calm-in"))) {
                assertThat(replay.awaitExit()).isZero();
            }
            assertThat(daemon.awaitExit()).isZero();
        }
        MetricsSnapshot undisturbed = FinalSnapshotFile.read(calm);
        assertThat(results(resumed)).isEqualTo(results(undisturbed));

        // The journal alone yields the same result, and the next run starts empty.
        Path replayed = directory.resolve("replayed");
        try (RunningProcess replay = Cli.start("replay", journal.toString(), "--output-dir", replayed.toString())) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
            assertThat(replay.out()).contains("COMPLETE").contains("TTFT of successes");
        }
        MetricsSnapshot computed = FinalSnapshotFile.read(replayed);
        assertThat(results(computed)).isEqualTo(results(undisturbed));
        assertThat(computed.extensions().run().runId())
                .isEqualTo(resumed.extensions().run().runId());
        // The replayed run has the end time and the host of the original one.
        assertThat(computed.timestampNanos()).isEqualTo(resumed.timestampNanos());
        assertThat(computed.extensions().run().wallNanos())
                .isEqualTo(resumed.extensions().run().wallNanos());
        assertThat(computed.extensions().run().startedWallNanos())
                .isEqualTo(resumed.extensions().run().startedWallNanos());
        assertThat(computed.extensions().run().environment())
                .containsKey("load_at_start")
                .containsOnlyKeys(resumed.extensions().run().environment().keySet());
        assertThat(computed.extensions().run().node())
                .isEqualTo(resumed.extensions().run().node())
                .isEqualTo("gpu-1");
        assertThat(computed.extensions().run().clockOffset())
                .isEqualTo(resumed.extensions().run().clockOffset())
                .isNotNull();
        assertExports(undisturbed);
        try (RunningProcess daemon = daemon()) {
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).isZero();
        }
        MetricsSnapshot next = FinalSnapshotFile.read(output);
        assertThat(next.counterValue("records_received")).isZero();
        assertThat(next.extensions().run().runId())
                .isNotEqualTo(resumed.extensions().run().runId());
    }

    /** Checks the exported rows against the snapshot with independent counts and sums. */
    private void assertExports(MetricsSnapshot undisturbed) throws IOException {
        Path csv = directory.resolve("samples.csv");
        try (RunningProcess export = Cli.start("export", journal.toString(), "--format", "csv", "-o", csv.toString())) {
            assertThat(export.awaitExit()).as("%s", export).isZero();
        }
        List<String[]> rows = Files.readAllLines(csv).stream()
                .map(line -> line.split(",", -1))
                .toList();
        assertThat(rows.get(0))
                .startsWith("sample_uuid", "worker", "issued_ns")
                .contains("usage_by", "tracked")
                .endsWith("server_kv_transfer_ns", "server_kv_bytes");
        assertThat(rows).hasSize(1 + (int) undisturbed.counterValue("total_samples_issued"));
        long latencies = rows.stream()
                .skip(1)
                .filter(row -> !row[7].isEmpty())
                .mapToLong(row -> Long.parseLong(row[7]))
                .sum();
        assertThat(latencies)
                .isEqualTo(undisturbed.series("sample_latency_ns").total().longValue());
        try (RunningProcess export = Cli.start("export", journal.toString())) {
            assertThat(export.awaitExit()).as("%s", export).isZero();
            List<String> lines = export.out().lines().toList();
            assertThat((long) lines.size()).isEqualTo(undisturbed.counterValue("records_received"));
            assertThat(lines.get(0)).contains("\"event_type\":\"session.started\"");
            assertThat(JsonTree.read(lines.get(lines.size() - 1).getBytes(StandardCharsets.UTF_8)))
                    .containsEntry("event_type", "session.ended");
        }
        try (RunningProcess again = Cli.start("export", journal.toString(), "-o", csv.toString())) {
            assertThat(again.awaitExit()).isEqualTo(4);
        }
    }

    @Test
    void repeatedKillsNeverLoseWhatASnapshotHasShown() throws IOException {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("JournalIT seed: -Dtest.seed=" + seed);
        Random random = new Random(seed);
        // A higher number for manual runs: -Dkills=100.
        int kills = Integer.getInteger("kills", 6);
        try (RunningProcess producer = Cli.start(
                "produce",
                "--out",
                "connect:" + ipc("events"),
                "--rate",
                "2000",
                // Longer than any machine takes for the kills; the test ends it.
                "--duration",
                "30m",
                "--warmup",
                "0s")) {
            long shown = 0;
            for (int kill = 0; kill < kills; kill++) {
                try (RunningProcess daemon = daemon("--journal-segment", "64k")) {
                    assertThat(awaitShown(Math.max(1, shown))).isGreaterThanOrEqualTo(shown);
                    shown = awaitShown(shown + random.nextInt(2000));
                    daemon.signal("KILL");
                    daemon.awaitExit();
                }
            }
            try (RunningProcess daemon = daemon("--journal-segment", "64k")) {
                assertThat(awaitShown(shown)).isGreaterThanOrEqualTo(shown);
                producer.signal("KILL");
                daemon.signal("TERM");
                assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            }
            MetricsSnapshot last = FinalSnapshotFile.read(output);
            assertThat(last.state()).isEqualTo(SessionState.INTERRUPTED);
            assertThat(last.counterValue("records_received")).isGreaterThanOrEqualTo(shown);
            assertThat(Ledger.of(last).balanced()).isTrue();
            assertThat(last.counterValue("journal_entries_missing")).isZero();
            // Records sent while no daemon was running count as lost, because the producer numbers its records.
            assertThat(last.extensions().workers().stream()
                            .mapToLong(SnapshotExtensions.WorkerRow::sequenceLost)
                            .sum())
                    .isPositive();
        }
    }

    @Test
    void aFailingJournalIsCountedAndTheRunContinues() throws IOException {
        // Files of at most 16 KiB: the golden stream is longer, packed too.
        List<String> limited = List.of("bash", "-c", "ulimit -f 16; exec \"$@\"", "bash");
        String[] run = Cli.run(
                output,
                "--in",
                "bind:" + ipc("events"),
                "--streaming",
                "--journal",
                journal.toString(),
                "--journal-sync",
                "never");
        Files.deleteIfExists(output.resolve(".ready"));
        try (RunningProcess daemon = new RunningProcess(Cli.builder(limited, List.of(), run))) {
            Cli.awaitReady(daemon, output);
            publish(golden.framesFile());
            assertThat(daemon.awaitExit()).as("%s", daemon).isIn(0, 5);
            assertThat(daemon.err()).contains("journal write failed");
        }
    }

    @Test
    void aTornTailAndFramesThatTheResumedDaemonCannotWriteDoNotMakeItsRunInvalid() throws IOException {
        int half = frames.size() / 2;
        try (RunningProcess daemon = daemon()) {
            publish(framesFile("first.bin", frames.subList(0, half)));
            awaitShown(records(frames.subList(0, half)));
            daemon.signal("KILL");
            daemon.awaitExit();
        }
        Path run;
        try (Stream<Path> runs = Files.list(journal)) {
            run = runs.filter(Files::isDirectory).findFirst().orElseThrow();
        }
        try (Stream<Path> segments = Files.list(run)) {
            Path last = segments.filter(each -> each.toString().endsWith(".journal"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            Files.write(last, new byte[] {0, 0, 1, 0, 7}, StandardOpenOption.APPEND);
        }
        try (RunningProcess daemon = daemon("--journal-segment", "4k")) {
            awaitShown(1);
            Files.move(run, directory.resolve("removed"));
            publish(framesFile("rest.bin", frames.subList(half, frames.size())));
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(last.counterValue("journal_bytes_torn")).isEqualTo(5);
        assertThat(last.counterValue("journal_bytes_skipped")).isZero();
        assertThat(last.counterValue("journal_frames_lost")).isZero();
        long missed = last.counterValue("journal_frames_missed");
        assertThat(missed).isPositive();
        assertThat(Verdict.of(last).findings())
                .filteredOn(each -> each.what().equals("journal"))
                .extracting(Finding::weight)
                .containsExactly(Finding.Weight.REMARK, Finding.Weight.NOTE);
        try (RunningProcess report = Cli.start("report", output.toString(), "--full")) {
            assertThat(report.awaitExit()).isZero();
            assertThat(report.out())
                    .contains("not among them: 5 bytes of a frame that a killed daemon was writing to the journal")
                    .contains("%,d frames of these records missing from the journal".formatted(missed));
        }
    }

    @Test
    void twoDaemonsCannotShareAJournal() throws IOException {
        try (RunningProcess daemon = daemon();
                RunningProcess other = Cli.start(Cli.run(
                        directory.resolve("other"),
                        "--in",
                        "bind:" + ipc("other-in"),
                        "--journal",
                        journal.toString()))) {
            assertThat(other.awaitExit()).isEqualTo(4);
            assertThat(other.err()).contains("cannot use the journal " + journal + ": in use by pid");
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).isZero();
        }
    }
}
