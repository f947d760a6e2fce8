package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.producer.RecordedFrames;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Outage;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.subscriber.SnapshotSubscriber;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results of a run that was killed and resumed, and the starts that resume nothing. */
class ResumeIT {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path directory;

    private final EventEncoder encoder = new EventEncoder();

    private Path output() {
        return directory.resolve("out");
    }

    private Path journal() {
        return directory.resolve("journal");
    }

    private String ipc(String name) {
        return "ipc://" + directory.resolve(name);
    }

    private RunningProcess daemon(String... more) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "--in",
                "bind:" + ipc("events"),
                "--out",
                ipc("metrics"),
                "--publish-interval",
                "20ms",
                "--journal",
                journal().toString()));
        all.addAll(List.of(more));
        return Cli.daemon(output(), all.toArray(new String[0]));
    }

    private void publish(String endpoint, List<EventRecord> events) throws IOException {
        Path file = Files.createTempFile(directory, "frames", ".bin");
        try (RecordedFrames.Writer writer = new RecordedFrames.Writer(file)) {
            for (EventRecord event : events) {
                writer.write(Topic.frame(event.type().wireName(), encoder.encode(event)));
            }
        }
        try (RunningProcess replay = Cli.start("replay", file.toString(), "--out", "connect:" + endpoint)) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
        }
    }

    private MetricsSnapshot awaitShown(long records) throws IOException {
        try (SnapshotSubscriber subscriber = new SnapshotSubscriber(
                List.of(Endpoint.parse("connect:" + ipc("metrics"), false)),
                TransportOptions.defaults(),
                SnapshotSubscriber.Mode.LATEST)) {
            long start = System.nanoTime();
            while (System.nanoTime() - start < 30 * SECOND) {
                MetricsSnapshot shown = subscriber.next(Duration.ofSeconds(1));
                if (shown != null && shown.counterValue("records_received") >= records) {
                    return shown;
                }
            }
        }
        throw new AssertionError("no snapshot showed " + records + " records");
    }

    private void kill(RunningProcess daemon) {
        daemon.signal("KILL");
        daemon.awaitExit();
    }

    private static List<EventRecord> start(long at) {
        return new ArrayList<>(List.of(
                EventRecord.session(EventType.SESSION_STARTED, at),
                EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, at)));
    }

    private static EventRecord issued(String id, long at) {
        return EventRecord.sample(EventType.SAMPLE_ISSUED, at, id);
    }

    private static EventRecord completed(String id, long at) {
        return EventRecord.sample(EventType.SAMPLE_COMPLETE, at, id);
    }

    private static EventRecord end(long at) {
        return EventRecord.session(EventType.SESSION_ENDED, at);
    }

    private String report(String... more) throws IOException {
        List<String> all = new ArrayList<>(List.of("report", output().toString()));
        all.addAll(List.of(more));
        if (more.length == 0) {
            all.add("--full");
        }
        try (RunningProcess report = Cli.start(all.toArray(new String[0]))) {
            assertThat(report.awaitExit()).as("%s", report).isZero();
            return report.out();
        }
    }

    /** Runs twenty seconds in which samples without an end accumulate; without the known outage this looks like a slow server. */
    private MetricsSnapshot runWithAnOutage() throws IOException {
        List<EventRecord> before = start(SECOND);
        for (int i = 0; i < 200; i++) {
            long at = SECOND + i * SECOND / 10;
            before.add(issued("before-" + i, at));
            if (i % 2 == 0) {
                before.add(completed("before-" + i, at + SECOND / 100));
            }
        }
        try (RunningProcess daemon = daemon()) {
            publish(ipc("events"), before);
            awaitShown(before.size());
            kill(daemon);
        }
        List<EventRecord> after = new ArrayList<>();
        for (int i = 1; i < 20; i += 2) {
            after.add(completed("before-" + i, 22 * SECOND));
        }
        for (int i = 0; i < 7; i++) {
            after.add(completed("issued-meanwhile-" + i, 23 * SECOND));
        }
        after.add(end(24 * SECOND));
        try (RunningProcess daemon = daemon()) {
            publish(ipc("events"), after);
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        return FinalSnapshotFile.read(output());
    }

    @Test
    void snapshot_and_reports_name_an_outage_with_times_and_orphans_and_do_not_blame_the_server() throws IOException {
        long start = EpochNanos.now();
        MetricsSnapshot last = runWithAnOutage();
        long end = EpochNanos.now();

        assertThat(last.state()).isEqualTo(SessionState.COMPLETE);
        assertThat(last.extensions().outages()).singleElement().satisfies(outage -> {
            assertThat(outage.fromWallNanos()).isGreaterThan(start);
            assertThat(outage.toWallNanos())
                    .isGreaterThan(outage.fromWallNanos())
                    .isLessThan(end);
            assertThat(outage.inFlight()).isEqualTo(100);
            assertThat(outage.orphaned()).isEqualTo(90);
            assertThat(outage.orphanRecords()).isEqualTo(7);
        });
        for (String format : List.of("text", "html", "md", "json")) {
            assertThat(report("--format", format))
                    .as(format)
                    .contains("90 of the 100 samples in flight were orphaned")
                    .doesNotContainIgnoringCase("Limiting factor: the server");
        }
        assertThat(report("--format", "json"))
                .contains("\"limit\": \"unknown\"", "\"validity\": \"invalid\"", "\"orphaned\": 90");

        // A replay, possibly years later, names the same outage.
        Path replayed = directory.resolve("replayed");
        try (RunningProcess replay = Cli.start("replay", journal().toString(), "--output-dir", replayed.toString())) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
        }
        assertThat(FinalSnapshotFile.read(replayed).extensions().outages())
                .isEqualTo(last.extensions().outages());
    }

    private static EventRecord issued(String id, long at, String endpoint) {
        return issued(id, at).withLabels(Map.of("endpoint", endpoint));
    }

    private static List<Progress.Target> endpoints(MetricsSnapshot of) {
        LabelBreakdown labels = of.extensions().optional().labels();
        assertThat(labels).isNotNull();
        return labels.keys().get(0).targets().stream()
                .map(LabelBreakdown.Value::progress)
                .toList();
    }

    @Test
    void the_time_without_a_daemon_is_no_wait_of_the_run_or_of_an_endpoint_live_and_replayed() throws IOException {
        long start = System.nanoTime();
        String[] limit = {"--endpoint-idle", "100ms"};
        List<EventRecord> before = start(SECOND);
        before.add(issued("a", SECOND, "gpu-a"));
        before.add(issued("b", SECOND, "gpu-b"));
        try (RunningProcess daemon = daemon(limit)) {
            publish(ipc("events"), before);
            awaitShown(before.size());
            kill(daemon);
        }
        try (RunningProcess daemon = daemon(limit)) {
            publish(ipc("events"), List.of(completed("a", 22 * SECOND), completed("b", 22 * SECOND), end(23 * SECOND)));
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output());
        long outage = last.extensions().outages().get(0).nanos();
        long elapsed = System.nanoTime() - start;
        Path replayed = directory.resolve("replayed");
        try (RunningProcess replay = Cli.start("replay", journal().toString(), "--output-dir", replayed.toString())) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
        }
        for (MetricsSnapshot each : List.of(last, FinalSnapshotFile.read(replayed))) {
            Progress progress = each.extensions().optional().progress();
            assertThat(progress).isNotNull();
            assertThat(progress.stalledNanos()).isLessThan(elapsed - outage);
            assertThat(endpoints(each))
                    .hasSize(2)
                    .allSatisfy(target -> assertThat(target.stalledNanos()).isLessThan(elapsed - outage));
        }
    }

    @Test
    void daemons_killed_before_any_record_arrives_extend_one_outage() throws IOException {
        try (RunningProcess daemon = daemon()) {
            publish(ipc("events"), List.of(start(SECOND).get(0), issued("a", SECOND)));
            awaitShown(2);
            kill(daemon);
        }
        for (int i = 0; i < 2; i++) {
            try (RunningProcess daemon = daemon()) {
                kill(daemon);
            }
        }
        try (RunningProcess daemon = daemon()) {
            publish(ipc("events"), List.of(end(2 * SECOND)));
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        assertThat(FinalSnapshotFile.read(output()).extensions().outages())
                .singleElement()
                .extracting(Outage::orphaned)
                .isEqualTo(1L);
    }

    @Test
    void samples_with_long_ids_are_matched_after_a_kill() throws IOException {
        List<EventRecord> before = start(0);
        List<EventRecord> after = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            String id = "an id that is longer than the slot of a row, " + "x".repeat(i % 60) + i;
            before.add(issued(id, i * 1000L));
            before.add(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, i * 1000L + 50, id));
            after.add(completed(id, SECOND + i * 7L));
        }
        after.add(end(2 * SECOND));
        try (RunningProcess daemon = daemon("--streaming")) {
            publish(ipc("events"), before);
            awaitShown(before.size());
            kill(daemon);
        }
        try (RunningProcess daemon = daemon("--streaming")) {
            publish(ipc("events"), after);
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        Path calm = directory.resolve("calm");
        try (RunningProcess daemon = Cli.daemon(calm, "--in", "bind:" + ipc("calm-in"), "--streaming")) {
            List<EventRecord> all = new ArrayList<>(before);
            all.addAll(after);
            publish(ipc("calm-in"), all);
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot resumed = FinalSnapshotFile.read(output());
        MetricsSnapshot undisturbed = FinalSnapshotFile.read(calm);
        assertThat(undisturbed.counterValue("tracked_samples_completed")).isEqualTo(500);
        assertThat(undisturbed.counterValue("events_orphan")).isZero();
        assertThat(JournalIT.results(resumed)).isEqualTo(JournalIT.results(undisturbed));
    }

    @Test
    void a_session_of_another_benchmark_starts_a_new_run_and_keeps_the_killed_one_for_replay() throws IOException {
        List<EventRecord> first = start(1_000 * SECOND);
        for (int i = 0; i < 100; i++) {
            first.add(issued("a" + i, 1_000 * SECOND + i));
        }
        String killed;
        try (RunningProcess daemon = daemon()) {
            publish(ipc("events"), first);
            killed = awaitShown(first.size()).extensions().run().runId();
            kill(daemon);
        }
        List<EventRecord> second = start(SECOND);
        for (int i = 0; i < 30; i++) {
            second.add(issued("b" + i, SECOND + i));
            second.add(completed("b" + i, SECOND + 50 + i));
        }
        second.add(end(2 * SECOND));
        try (RunningProcess daemon = daemon()) {
            assertThat(awaitShown(first.size()).extensions().run().runId()).isEqualTo(killed);
            publish(ipc("events"), second);
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(daemon.err()).contains("session of another benchmark started unfinished_run=" + killed);
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output());
        assertThat(last.extensions().run().runId()).isNotEqualTo(killed);
        assertThat(last.extensions().outages()).isEmpty();
        assertThat(last.counterValue("total_samples_issued")).isEqualTo(30);
        assertThat(last.counterValue("tracked_samples_completed")).isEqualTo(30);
        assertThat(last.counterValue("records_received")).isEqualTo(second.size());
        assertThat(last.counterValue("events_duplicate")).isZero();

        try (var runs = Files.list(journal())) {
            Path left = runs.filter(each -> each.getFileName().toString().endsWith(killed))
                    .findFirst()
                    .orElseThrow();
            Path replayed = directory.resolve("replayed");
            try (RunningProcess replay = Cli.start("replay", left.toString(), "--output-dir", replayed.toString())) {
                assertThat(replay.awaitExit()).as("%s", replay).isZero();
            }
            MetricsSnapshot computed = FinalSnapshotFile.read(replayed);
            assertThat(computed.counterValue("records_received")).isEqualTo(first.size());
            assertThat(computed.state()).isEqualTo(SessionState.INTERRUPTED);
        }
        // The next start resumes neither of them.
        try (RunningProcess daemon = daemon()) {
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        assertThat(FinalSnapshotFile.read(output()).counterValue("records_received"))
                .isZero();
    }

    @Test
    void a_start_with_other_flags_begins_a_new_run_and_names_the_flags() throws IOException {
        try (RunningProcess daemon = daemon("--streaming")) {
            publish(ipc("events"), start(SECOND));
            awaitShown(2);
            kill(daemon);
        }
        try (RunningProcess daemon = daemon("--hdr-sig-figs", "2")) {
            publish(ipc("events"), List.of(start(2 * SECOND).get(0), end(3 * SECOND)));
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(daemon.err())
                    .contains(
                            "unfinished run not resumed",
                            "hdr_sig_figs was 3 and is 2",
                            "streaming was true and is auto");
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output());
        assertThat(last.counterValue("records_received")).isEqualTo(2);
        assertThat(last.counterValue("journal_frames_recovered")).isZero();
    }
}
