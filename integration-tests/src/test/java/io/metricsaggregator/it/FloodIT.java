package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.producer.RecordedFrames;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A million events at maximum speed: nothing is lost and memory stays constant. The benchmarks measure the speed. */
class FloodIT {
    private static final int SAMPLES = 200_000;
    private static final int IN_FLIGHT = 1000;

    @TempDir
    Path directory;

    /** Records five events per sample with a thousand samples in flight, in batches of a thousand. */
    private Path record() throws IOException {
        Path file = directory.resolve("flood.bin");
        EventEncoder encoder = new EventEncoder();
        try (RecordedFrames.Writer writer = new RecordedFrames.Writer(file)) {
            writer.write(
                    Topic.frame("session.started", encoder.encode(EventRecord.session(EventType.SESSION_STARTED, 1))));
            writer.write(Topic.frame(
                    "session.start_performance_tracking",
                    encoder.encode(EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 1))));
            List<byte[]> batch = new ArrayList<>();
            for (int i = 0; i < SAMPLES + IN_FLIGHT; i++) {
                long now = 1000L * i;
                if (i < SAMPLES) {
                    batch.add(encoder.encode(EventRecord.sample(EventType.SAMPLE_ISSUED, now, id(i))));
                }
                int done = i - IN_FLIGHT;
                if (done >= 0) {
                    batch.add(encoder.encode(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, now, id(done))));
                    batch.add(encoder.encode(EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, now + 1, id(done))));
                    batch.add(encoder.encode(EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, now + 2, id(done))));
                    batch.add(encoder.encode(EventRecord.sample(EventType.SAMPLE_COMPLETE, now + 3, id(done))));
                }
                if (batch.size() >= 1000 || i == SAMPLES + IN_FLIGHT - 1) {
                    writer.write(Topic.frame(Topic.BATCH, encoder.encodeBatch(batch)));
                    batch.clear();
                }
            }
            long end = 1000L * (SAMPLES + IN_FLIGHT);
            writer.write(
                    Topic.frame("session.ended", encoder.encode(EventRecord.session(EventType.SESSION_ENDED, end))));
        }
        return file;
    }

    private static String id(int i) {
        return String.format("%032x", i * 0x9e3779b97f4a7c15L);
    }

    @Test
    void aMillionEventsAreAppliedWithoutLossInALittleMemory() throws IOException {
        Path file = record();
        Path output = directory.resolve("out");
        String events = "ipc://" + directory.resolve("events");
        // 8 MB of values and 5 MB of histograms: 64 MB would not suffice if anything else were kept per event.
        try (RunningProcess daemon = new RunningProcess(Cli.builder(
                List.of(),
                List.of("-Xmx64m"),
                Cli.run(
                        output,
                        "--in",
                        "bind:" + events,
                        "--out",
                        "ipc://" + directory.resolve("m"),
                        "--streaming")))) {
            Cli.awaitReady(daemon, output);
            long start = System.nanoTime();
            try (RunningProcess replay = Cli.start("replay", file.toString(), "--out", "connect:" + events)) {
                assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
                System.out.printf(
                        "1,000,000 events: %.2f s from the start of the replay's JVM to the daemon's exit, -Xmx64m%n",
                        (System.nanoTime() - start) / 1e9);
                assertThat(replay.awaitExit()).as("%s", replay).isZero();
            }
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(Ledger.of(last).applied()).isEqualTo(5L * SAMPLES + 3);
        assertThat(Ledger.of(last).setAside()).isZero();
        assertThat(last.series("sample_latency_ns").count()).isEqualTo(SAMPLES);
        assertThat(last.series("sample_latency_ns").detail().exact()).isTrue();
        assertThat(last.series("sample_latency_ns").percentile("50.0")).isEqualTo(1_000_003.0);
        assertThat(last.extensions().inFlight().peak()).isEqualTo(IN_FLIGHT + 1);
        assertThat(Files.size(output.resolve("final_snapshot.json"))).isLessThan(200_000);
    }
}
