package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.producer.RecordedFrames;
import io.metricsaggregator.run.GoldenCase;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Daemon threads that die or hang, one at a time: the daemon never continues without one of them. */
class SupervisionIT {
    private static final int INTERNAL_ERROR = 70;

    @TempDir
    Path directory;

    /** Runs a daemon under a debugger, acts on it during the run, and returns its final snapshot. */
    private MetricsSnapshot finalSnapshotAfter(String name, List<String> jvmOptions, Action action, String... more)
            throws IOException {
        GoldenCase golden = new GoldenCase("05a_tokens_text");
        Path output = directory.resolve("out-" + name);
        String events = "ipc://" + directory.resolve("in-" + name);
        String metrics = "ipc://" + directory.resolve("metrics-" + name);
        List<String> options = new ArrayList<>(List.of(Cli.run(
                output,
                "--in",
                "bind:" + events,
                "--out",
                metrics,
                "--streaming",
                "--publish-interval",
                "20ms",
                "--stall-timeout",
                "3s",
                "--tokenizer",
                golden.tokenizer().toString(),
                "--journal",
                directory.resolve("journal-" + name).toString())));
        options.addAll(Arrays.asList(more));
        List<String> jvm = new ArrayList<>(jvmOptions);
        jvm.addAll(Debugger.jvmOptions());
        try (RunningProcess daemon = Cli.awaitReady(
                new RunningProcess(Cli.builder(List.of(), jvm, options.toArray(new String[0]))), output)) {
            // The load continues until the daemon ends.
            try (RunningProcess load = Cli.start(
                            "produce", "--out", "connect:" + events, "--rate", "500", "--duration", "10m", "--fast");
                    RunningProcess tail = Cli.start("tail", metrics, "--timeout", "3m");
                    Debugger debugger = Debugger.attach(daemon)) {
                tail.awaitOut("LIVE");
                action.on(debugger);
                long start = System.nanoTime();
                assertThat(daemon.awaitExit()).as("%s: %s", name, daemon).isEqualTo(INTERNAL_ERROR);
                System.out.printf(
                        "supervision: %s: exit %d after %.2f s%n",
                        name, INTERNAL_ERROR, (System.nanoTime() - start) / 1e9);
                assertThat(load.process.isAlive()).isTrue();
            }
        }
        return FinalSnapshotFile.read(output);
    }

    private interface Action {
        void on(Debugger debugger);
    }

    private static void assertWorthHaving(MetricsSnapshot last) {
        assertThat(last.state()).isEqualTo(SessionState.INTERRUPTED);
        assertThat(last.counterValue("records_received")).isPositive();
        assertThat(Ledger.of(last).balanced()).isTrue();
    }

    @Test
    void theDeathOfAThreadEndsTheRunInterruptedWithAFile() throws IOException {
        for (String thread : List.of("main-loop", "publish", "journal", "tokens-1", "text-memory", "value-memory")) {
            MetricsSnapshot last = finalSnapshotAfter(thread + "-dies", List.of(), debugger -> {
                Await.until(() -> debugger.hasThread(thread), () -> "a thread " + thread);
                debugger.makeThrow(thread);
            });
            assertWorthHaving(last);
        }
    }

    @Test
    void aHangingMainLoopIsAbandonedAndTheFileHasTheLastPublishedState() throws IOException {
        assertWorthHaving(finalSnapshotAfter("main-loop-stuck", List.of(), debugger -> debugger.hold("main-loop")));
    }

    @Test
    void aHangingRendererEndsTheRunInterrupted() throws IOException {
        assertWorthHaving(finalSnapshotAfter("publish-stuck", List.of(), debugger -> debugger.hold("publish")));
    }

    @Test
    void anExhaustedHeapEndsTheRunInterruptedWithAFile() throws IOException {
        Path frames = directory.resolve("frames.bin");
        EventEncoder encoder = new EventEncoder();
        int samples = 2_000_000;
        try (RecordedFrames.Writer writer = new RecordedFrames.Writer(frames)) {
            writer.write(
                    Topic.frame("session.started", encoder.encode(EventRecord.session(EventType.SESSION_STARTED, 1))));
            List<byte[]> batch = new ArrayList<>();
            for (int i = 0; i < samples; i++) {
                String id = String.format("%032x", i * 0x9e3779b97f4a7c15L);
                batch.add(encoder.encode(EventRecord.sample(EventType.SAMPLE_ISSUED, i, id)));
                if (batch.size() == 1000) {
                    writer.write(Topic.frame(Topic.BATCH, encoder.encodeBatch(batch)));
                    batch.clear();
                }
            }
        }
        Path output = directory.resolve("out");
        String events = "ipc://" + directory.resolve("events");
        // 2 million samples in flight take 150 MB.
        String[] run =
                Cli.run(output, "--in", "bind:" + events, "--max-in-flight", "5000000", "--max-values-memory", "1m");
        try (RunningProcess daemon =
                Cli.awaitReady(new RunningProcess(Cli.builder(List.of(), List.of("-Xmx64m"), run)), output)) {
            try (RunningProcess load = Cli.start("replay", frames.toString(), "--out", "connect:" + events)) {
                assertThat(daemon.awaitExit()).as("%s", daemon).isEqualTo(INTERNAL_ERROR);
                assertThat(load.out()).isEmpty();
            }
            assertThat(daemon.err()).contains("OutOfMemoryError");
            assertThat(output.resolve(FinalSnapshotFile.NAME)).as("%s", daemon).exists();
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(last.state()).isEqualTo(SessionState.INTERRUPTED);
        assertThat(last.extensions().inFlight().count()).isBetween(100_000L, samples - 1L);
    }
}
