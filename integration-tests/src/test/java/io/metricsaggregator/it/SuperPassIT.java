package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.ModelText;
import io.metricsaggregator.event.PhaseData;
import io.metricsaggregator.event.TextModelOutput;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.run.GoldenCase;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SuperPasses;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A complete run with a size of super-passes has MLCommons' steady_state.json, equal to that of its replay; an aborted one has none. */
class SuperPassIT {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1000 * MILLI;
    private static final int SIZE = 40;
    private static final ModelText ANSWER =
            new ModelText.Chunks(List.of("once", " upon a time", " there was a server that held its level"));
    private static final int[] LEVEL = {120, 160, 200, 202, 199, 201, 200, 198, 201, 200, 200, 204};

    @TempDir
    Path directory;

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    private static EventPublisher publisher(String endpoint) throws IOException {
        EventPublisher publisher =
                new EventPublisher(List.of(Endpoint.parse(endpoint, true)), TransportOptions.defaults());
        assertThat(publisher.awaitSubscribers(1, Await.PATIENCE)).isTrue();
        return publisher;
    }

    /** Publishes a run with {@value #SIZE} samples a second, issued in second i with a latency of {@code latencies[i]} ms and 21 tokens. */
    private void publish(boolean announce, EventType last, int... latencies) throws IOException {
        try (EventPublisher publisher = publisher("connect:ipc://" + path("events"))) {
            publisher.publish(EventRecord.session(EventType.SESSION_STARTED, 0));
            if (announce) {
                publisher.publish(EventRecord.session(EventType.SESSION_PHASE_START, 0)
                        .withData(new PhaseData(PhaseData.PERFORMANCE, true, (long) SIZE)));
            }
            publisher.publish(EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0));
            for (int second = 0; second < latencies.length; second++) {
                for (int i = 0; i < SIZE; i++) {
                    long issued = second * SECOND + i * SECOND / SIZE;
                    long gap = (latencies[second] * MILLI + i * 1000) / 10;
                    String id = second + "-" + i;
                    publisher.publish(EventRecord.sample(EventType.SAMPLE_ISSUED, issued, id));
                    publisher.publish(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, issued + 8 * gap, id));
                    publisher.publish(EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, issued + 9 * gap, id));
                    publisher.publish(EventRecord.sample(EventType.SAMPLE_COMPLETE, issued + 10 * gap, id)
                            .withData(new TextModelOutput(ANSWER, null, null))
                            .withUsage(Usage.of(100, 21)));
                }
            }
            if (last == EventType.SESSION_INTERRUPTED) {
                publisher.publish(EventRecord.session(last, latencies.length * SECOND));
            }
            publisher.publish(EventRecord.session(EventType.SESSION_ENDED, (latencies.length + 1) * SECOND));
            assertThat(publisher.flush(Await.PATIENCE)).isTrue();
        }
    }

    private void run(String name, boolean announce, EventType last, int[] latencies, String... more)
            throws IOException {
        String[] arguments = {"--in", "bind:ipc://" + path("events"), "--streaming", "--journal", path("journal")};
        String[] all = new String[arguments.length + more.length];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        System.arraycopy(more, 0, all, arguments.length, more.length);
        try (RunningProcess daemon = Cli.daemon(directory.resolve(name), all)) {
            publish(announce, last, latencies);
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
    }

    private static String output(String... arguments) throws IOException {
        try (RunningProcess process = Cli.start(arguments)) {
            assertThat(process.awaitExit()).as("%s", process).isZero();
            return process.out();
        }
    }

    private String file(String name) throws IOException {
        return Files.readString(directory.resolve(name));
    }

    @Test
    void aCompleteRunHasTheDiagnosticsOfMlcommonsAndAReplayHasTheSame() throws Exception {
        run(
                "run",
                true,
                EventType.SESSION_ENDED,
                LEVEL,
                "--steady-min",
                "5s",
                "--tokenizer",
                new GoldenCase("05a_tokens_text").tokenizer().toString());
        Map<String, Object> json = JsonTree.read(file("run/steady_state.json").getBytes(StandardCharsets.UTF_8));
        assertThat(json)
                .containsEntry("n_super_passes", 12L)
                .containsEntry("superpass_size", (long) SIZE)
                .containsEntry("warmup", 2L)
                .containsEntry("n_post_warmup", 10L);
        Map<?, ?> steady = (Map<?, ?>) json.get("steady_state");
        assertThat(steady.get("found")).isEqualTo(true);
        Map<?, ?> third = (Map<?, ?>) ((List<?>) json.get("per_super_pass")).get(0);
        long tokens = (long) third.get("out_tokens") / SIZE;
        assertThat(tokens).isBetween(5L, 60L);
        assertThat(((Map<?, ?>) steady.get("tps")).get("per_user")).isEqualTo(1e9 / tpotOfWindow(tokens));
        assertThat(file("run/steady_state.txt"))
                .startsWith("super-passes: 12 (size 40, warmup 2 [auto], post-warmup 10)\n")
                .contains("window: super-passes 0..9 (post-warmup), 400 samples");
        SuperPasses.Judgement judgement = steady("run").judgement();
        assertThat(judgement.verdict()).isEqualTo("STEADY STATE");
        assertThat(judgement.status()).isEqualTo("windowable");
        assertThat(output("report", path("run"), "--full"))
                .contains(
                        "super-passes of 40 samples: STEADY STATE by MLCommons' rules (windowable); window of super-passes 3 to 12")
                .contains("window: 400 samples issued in 0:10, 10 super-passes");
        assertThat(output("report", path("run"), "--format", "summary"))
                .contains("\"steady_state\": {\n    \"superpass_size\": 40,\n    \"n_super_passes\": 12,");

        output("replay", path("journal"), "--output-dir", path("replayed"));
        assertThat(file("replayed/steady_state.json")).isEqualTo(file("run/steady_state.json"));
        assertThat(file("replayed/steady_state.txt")).isEqualTo(file("run/steady_state.txt"));
    }

    /** Mean time per output token of the super-passes 3 to 12, summed from the smallest on. */
    private static double tpotOfWindow(long tokens) {
        double[] all = new double[10 * SIZE];
        for (int second = 2; second < LEVEL.length; second++) {
            for (int i = 0; i < SIZE; i++) {
                all[(second - 2) * SIZE + i] = 2 * ((LEVEL[second] * MILLI + i * 1000L) / 10) / (double) tokens;
            }
        }
        Arrays.sort(all);
        double sum = 0;
        for (double each : all) {
            sum += each;
        }
        return sum / all.length;
    }

    @Test
    void anInterruptedRunRemovesTheDiagnosticsOfTheRunBeforeIt() throws Exception {
        run("run", false, EventType.SESSION_ENDED, LEVEL, "--superpass-size", "40", "--token-source", "usage");
        assertThat(directory.resolve("run/steady_state.json")).exists();
        assertThat(output("report", path("run"), "--full"))
                .contains("is not certified: all 1 admissible plateau(s) too short: longest 10s < 600s required");
        run("run", false, EventType.SESSION_INTERRUPTED, LEVEL, "--superpass-size", "40", "--token-source", "usage");
        assertThat(directory.resolve("run/steady_state.json")).doesNotExist();
        assertThat(directory.resolve("run/steady_state.txt")).doesNotExist();
        assertThat(steady("run").superPasses()).isNull();
    }

    @Test
    void aReplayJudgesARunBySuperPassesThatItDidNotHave() throws Exception {
        run("run", false, EventType.SESSION_ENDED, LEVEL, "--token-source", "usage");
        assertThat(directory.resolve("run/steady_state.json")).doesNotExist();
        String report = output(
                "replay",
                path("journal"),
                "--superpass-size",
                "80",
                "--steady-min",
                "5s",
                "--warmup-blocks",
                "1",
                "--output-dir",
                path("replayed"));
        assertThat(report).contains("super-passes of 80 samples", "steady windows of at least 5.0 s");
        assertThat(output("report", path("replayed"), "--full"))
                .contains("super-passes of 80 samples: STEADY STATE")
                .contains("window of super-passes 2 to 6");
        assertThat(file("replayed/steady_state.json")).contains("\"warmup_mode\": \"fixed\"");
    }

    @Test
    void aReplayOfTheSteadyWindowReportsTheSamplesIssuedInIt() throws Exception {
        run(
                "run",
                true,
                EventType.SESSION_ENDED,
                LEVEL,
                "--token-source",
                "usage",
                "--steady-min",
                "5s",
                "--slo",
                "latency=201ms");
        SteadyState whole = steady("run");
        String report = output("replay", path("journal"), "--window", "steady", "--output-dir", path("cut"));
        assertThat(report).contains("steady window of the whole run: 10 super-passes", "only samples issued in 2s..");
        MetricsSnapshot cut = FinalSnapshotFile.read(directory.resolve("cut"));
        assertThat(cut.counterValue("tracked_samples_issued")).isEqualTo(10L * SIZE);
        assertThat(steady("cut")).isEqualTo(whole);
        assertThat(cut.series("ttft_ns").percentiles().get("90.0").doubleValue())
                .isEqualTo(whole.window().ttft().p90());
        assertThat(cut.series("tpot_ns").percentiles().get("99.0").doubleValue())
                .isEqualTo(whole.window().tpot().p99());
        assertThat(cut.extensions().goodput().judged()).isEqualTo(10L * SIZE);
        assertThat(file("cut/steady_state.json")).isEqualTo(file("run/steady_state.json"));

        output("replay", path("journal"), "--window", "superpass:2..3", "--output-dir", path("two"));
        MetricsSnapshot two = FinalSnapshotFile.read(directory.resolve("two"));
        assertThat(two.counterValue("tracked_samples_issued")).isEqualTo(2L * SIZE);
        assertThat(two.extensions().run().recomputed()).contains("super-passes 2 to 3 of 12, of 40 samples");
        try (RunningProcess process = Cli.start("replay", path("journal"), "--window", "superpass:5..13")) {
            assertThat(process.awaitExit()).as("%s", process).isEqualTo(2);
            assertThat(process.err()).contains("the run has 12 super-passes of 40 samples");
        }
    }

    private SteadyState steady(String name) throws IOException {
        return FinalSnapshotFile.read(directory.resolve(name))
                .extensions()
                .optional()
                .steady();
    }
}
