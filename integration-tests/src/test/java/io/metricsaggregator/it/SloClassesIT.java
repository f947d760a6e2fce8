package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.ServiceClasses;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objectives by class: from a producer to every view of the run, and the same in replays and merges. */
class SloClassesIT {
    private static final long MILLI = 1_000_000L;
    private static final String[] CLASSES = {
        "--slo", "gold: ttft=200ms,tpot=20ms,share=99%; *: ttft=2s", "--slo-key", "priority"
    };

    @TempDir
    Path directory;

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    private static RunningProcess done(int status, String... arguments) throws IOException {
        RunningProcess process = Cli.start(arguments);
        assertThat(process.awaitExit()).as("%s", process).isEqualTo(status);
        return process;
    }

    private static String output(String... arguments) throws IOException {
        try (RunningProcess process = done(0, arguments)) {
            return process.out();
        }
    }

    /** Publishes samples {@code from} to {@code to} of 100: every fourth is of the class gold, of which the first two are late. */
    private void run(String name, int from, int to, String... objectives) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--in",
                "bind:ipc://" + path("events"),
                "--streaming",
                "--token-source",
                "usage",
                "--journal",
                path(name + "-journal")));
        arguments.addAll(List.of(objectives));
        try (RunningProcess daemon = Cli.daemon(directory.resolve(name), arguments.toArray(new String[0]))) {
            publish(from, to);
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
    }

    private void publish(int from, int to) throws IOException {
        try (EventPublisher publisher = new EventPublisher(
                List.of(Endpoint.parse("connect:ipc://" + path("events"), true)), TransportOptions.defaults())) {
            assertThat(publisher.awaitSubscribers(1, Await.PATIENCE)).isTrue();
            publisher.publish(EventRecord.session(EventType.SESSION_STARTED, 0));
            publisher.publish(EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0));
            for (int i = from; i < to; i++) {
                boolean gold = i % 4 == 0;
                publisher.publish(EventRecord.sample(EventType.SAMPLE_ISSUED, i * MILLI, "s" + i)
                        .withLabels(Map.of("priority", gold ? "gold" : "batch" + i % 2)));
                long first = (i + (gold && i > 4 ? 100 : 1000)) * MILLI;
                publisher.publish(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, first, "s" + i)
                        .withTokens(1));
                publisher.publish(EventRecord.sample(EventType.SAMPLE_COMPLETE, first + 90 * MILLI, "s" + i)
                        .withUsage(Usage.of(30, 10)));
            }
            publisher.publish(EventRecord.session(EventType.SESSION_ENDED, 3000 * MILLI));
            assertThat(publisher.flush(Await.PATIENCE)).isTrue();
        }
    }

    private Goodput goodput(String name) throws IOException {
        Goodput goodput =
                FinalSnapshotFile.read(directory.resolve(name)).extensions().goodput();
        assertThat(goodput).isNotNull();
        return goodput;
    }

    @Test
    void two_classes_are_judged_apart_in_every_view_and_alike_in_replays_and_merges() throws IOException {
        run("whole", 0, 100, CLASSES);
        Goodput whole = goodput("whole");
        ServiceClasses classes = whole.classes();
        assertThat(classes).isNotNull();
        ServiceClasses.Row gold = classes.rows().get(0);
        ServiceClasses.Row rest = classes.rows().get(1);
        assertThat(List.of(gold.name(), rest.name())).containsExactly("gold", "*");
        assertThat(List.of(
                        gold.goodput().judged(),
                        gold.goodput().good(),
                        rest.goodput().judged(),
                        rest.goodput().good()))
                .containsExactly(25L, 23L, 75L, 75L);
        assertThat(List.of(gold.outputTokens(), gold.inputTokens(), rest.outputTokens()))
                .containsExactly(230L, 690L, 750L);
        assertThat(gold.budgetUsed()).isCloseTo(2 / 0.25, within(1e-6));
        String fairness = String.format("of good output tokens %.4f", 980.0 * 980 / (2 * (230 * 230 + 750 * 750)));
        String missed = "the target is MISSED by gold";
        assertThat(output("report", path("whole"), "--full"))
                .contains("By priority", "good output tok/s", "800.00%", fairness, missed);
        assertThat(output("report", path("whole"), "--format", "md")).contains("| `gold` |", fairness);
        assertThat(output("report", path("whole"), "--format", "html")).contains(fairness, "good total tok/s");
        assertThat(output("report", path("whole"), "--format", "json"))
                .contains("\"good_output_tok_per_s\"", "\"good_total_tok_per_s\"", "\"fairness_latency\"");
        output("replay", path("whole-journal"), "--output-dir", path("replayed"));
        assertThat(goodput("replayed")).isEqualTo(whole);
        run("first", 0, 40, CLASSES);
        run("second", 40, 100, CLASSES);
        output("merge", path("first"), path("second"), "--output-dir", path("merged"));
        assertThat(goodput("merged")).isEqualTo(whole);
        output("merge", path("second-journal"), path("first-journal"), "--output-dir", path("from-journals"));
        assertThat(goodput("from-journals")).isEqualTo(whole);
    }

    @Test
    void a_replay_judges_a_run_by_classes_that_it_did_not_have() throws IOException {
        run("plain", 0, 100, "--slo", "ttft=2s");
        assertThat(goodput("plain").classes()).isNull();
        String[] replay = {"replay", path("plain-journal"), "--output-dir", path("classes")};
        List<String> arguments = new ArrayList<>(List.of(replay));
        arguments.addAll(List.of(CLASSES));
        output(arguments.toArray(new String[0]));
        assertThat(goodput("classes").classes().rows())
                .extracting(each -> each.goodput().good())
                .containsExactly(23L, 75L);
        try (RunningProcess refused =
                done(2, "replay", path("plain-journal"), "--output-dir", path("none"), "--slo-key", "priority")) {
            assertThat(refused.err()).contains("--slo-key 'priority'");
        }
    }
}
