package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.Topic;
import io.metricsaggregator.producer.RecordedFrames;
import io.metricsaggregator.run.GoldenCase;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Daemons and replays with several ingest threads, as processes: results, signals, and runs resumed with another number of threads. */
class IngestThreadsIT {
    private static final int SAMPLES = 3_000;
    private static final int USAGE = 2;

    @TempDir
    Path directory;

    private final EventEncoder encoder = new EventEncoder();

    private String events() {
        return "ipc://" + directory.resolve("events");
    }

    private Path journal() {
        return directory.resolve("journal");
    }

    private void publish(Path frames) throws IOException {
        try (RunningProcess replay = Cli.start("replay", frames.toString(), "--out", "connect:" + events())) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
        }
    }

    private Path frames(String name, List<EventRecord> records) throws IOException {
        Path file = directory.resolve(name);
        try (RecordedFrames.Writer writer = new RecordedFrames.Writer(file)) {
            for (EventRecord each : records) {
                writer.write(Topic.frame(each.type().wireName(), encoder.encode(each)));
            }
        }
        return file;
    }

    @ParameterizedTest
    @CsvSource({
        "02_streaming_chunks, 2",
        "03_windows_in_flight, 4",
        "04_duplicates_out_of_order, 8",
        "06a_early_stopping_700, 2",
        "07_odd_encodings, 8",
        "08a_malformed, 4",
        "10a_hdr_bounds, 2",
        "10b_total_beyond_int64, 8"
    })
    void golden_streams_over_sockets_and_their_replays_equal_the_reference(String name, String threads)
            throws IOException {
        GoldenCase golden = new GoldenCase(name);
        Path output = directory.resolve("out");
        List<String> arguments = new ArrayList<>(
                List.of("--in", "bind:" + events(), "--journal", journal().toString(), "--ingest-threads", threads));
        arguments.addAll(options(golden));
        try (RunningProcess daemon = Cli.daemon(output, arguments.toArray(new String[0]))) {
            publish(golden.framesFile());
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(Ledger.of(last).balanced()).isTrue();
        golden.assertMatches(last, "expected_final_snapshot.json", Set.of());

        Path replayed = directory.resolve("replayed");
        List<String> again = new ArrayList<>(
                List.of("replay", journal().toString(), "--ingest-threads", "3", "--output-dir", replayed.toString()));
        again.addAll(tokenizer(golden));
        try (RunningProcess replay = Cli.start(again.toArray(new String[0]))) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
        }
        golden.assertMatches(FinalSnapshotFile.read(replayed), "expected_final_snapshot.json", Set.of());
    }

    private static List<String> tokenizer(GoldenCase golden) throws IOException {
        Path tokenizer = golden.tokenizer();
        return tokenizer == null ? List.of() : List.of("--tokenizer", tokenizer.toString());
    }

    private static List<String> options(GoldenCase golden) throws IOException {
        List<String> options = new ArrayList<>();
        if (golden.streaming()) {
            options.add("--streaming");
        }
        if (golden.earlyStopping()) {
            options.add("--early-stopping");
        }
        options.addAll(tokenizer(golden));
        return options;
    }

    @Test
    void a_run_killed_with_four_threads_is_resumed_with_two_and_ended_with_one() throws IOException {
        List<EventRecord> first = new ArrayList<>(List.of(
                EventRecord.session(EventType.SESSION_STARTED, 0),
                EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0)));
        List<EventRecord> second = new ArrayList<>();
        List<EventRecord> third = new ArrayList<>();
        for (int i = 0; i < SAMPLES; i++) {
            String id = "sample-" + i;
            first.add(EventRecord.sample(EventType.SAMPLE_ISSUED, i, id));
            second.add(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, 10_000L + 2L * i, id));
            third.add(EventRecord.sample(EventType.SAMPLE_COMPLETE, 50_000L + 3L * i, id));
        }
        third.add(EventRecord.session(EventType.SESSION_ENDED, 100_000));
        Path output = directory.resolve("out");
        killAfter(output, "4", frames("first.bin", first));
        killAfter(output, "2", frames("second.bin", second));
        try (RunningProcess daemon = Cli.daemon(
                output,
                "--in",
                "bind:" + events(),
                "--streaming",
                "--journal",
                journal().toString())) {
            publish(frames("third.bin", third));
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(last.state()).isEqualTo(SessionState.COMPLETE);
        assertThat(last.counterValue("tracked_samples_completed")).isEqualTo(SAMPLES);
        assertThat(last.counterValue("events_orphan")).isZero();
        assertThat(last.series("sample_latency_ns").count()).isEqualTo(SAMPLES);
        assertThat(last.series("ttft_ns").count()).isEqualTo(SAMPLES);
        assertThat(last.extensions().inFlight().peak()).isEqualTo(SAMPLES);
        assertThat(Ledger.of(last).balanced()).isTrue();
    }

    private void killAfter(Path output, String threads, Path frames) throws IOException {
        String[] options = {
            "--in", "bind:" + events(), "--streaming", "--journal", journal().toString(), "--ingest-threads", threads
        };
        try (RunningProcess daemon = Cli.daemon(output, options)) {
            // The publisher is done once the daemon has taken every frame; the journal has it before it is applied.
            publish(frames);
            daemon.signal("KILL");
            daemon.awaitExit();
        }
    }

    @Test
    void sigterm_writes_an_interrupted_snapshot_with_every_record_that_was_received() throws IOException {
        Path output = directory.resolve("out");
        try (RunningProcess daemon = Cli.daemon(
                output,
                "--in",
                "bind:" + events(),
                "--out",
                "ipc://" + directory.resolve("metrics"),
                "--ingest-threads",
                "4")) {
            try (RunningProcess load = Cli.start(
                            "produce", "--out", "connect:" + events(), "--rate", "2000", "--duration", "10m");
                    RunningProcess tail = Cli.start("tail", "ipc://" + directory.resolve("metrics"))) {
                tail.awaitOut("LIVE");
                daemon.signal("TERM");
                daemon.awaitExit();
                assertThat(load.process.isAlive()).isTrue();
            }
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(last.state()).isEqualTo(SessionState.INTERRUPTED);
        assertThat(last.counterValue("records_received")).isPositive();
        assertThat(Ledger.of(last).balanced()).isTrue();
    }

    @Test
    void a_number_of_threads_out_of_range_is_refused_with_the_range() throws IOException {
        try (RunningProcess refused =
                Cli.start(Cli.run(directory.resolve("out"), "--in", "bind:" + events(), "--ingest-threads", "65"))) {
            assertThat(refused.awaitExit()).isEqualTo(USAGE);
            assertThat(refused.err()).contains("--ingest-threads 65 is not between 1 and 64");
        }
    }
}
