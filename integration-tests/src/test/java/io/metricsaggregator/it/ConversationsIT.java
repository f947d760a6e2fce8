package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.Conversations;
import io.metricsaggregator.snapshot.figures.Interactivity;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two conversations over sockets: their figures in the final snapshot, every report, a replay, a comparison and a merged run. */
class ConversationsIT {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path directory;

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    private static EventRecord at(double seconds, EventType type, String id) {
        return EventRecord.sample(type, Math.round(seconds * SECOND), id);
    }

    private record Turn(
            String id, String conversation, double issued, double completed, int tokens, boolean last, boolean fails) {}

    private static List<Turn> example(boolean fails) {
        return List.of(
                new Turn("a", "c1", 0, 4, 200, false, false),
                new Turn("b", "c2", 1, 6, 300, false, false),
                new Turn("c", "c1", 6, 8, 100, false, false),
                new Turn("d", "c2", 6.5, 9.5, 60, false, fails),
                new Turn("e", "c2", 12, 13, 40, true, false));
    }

    /** Publishes the example by the daemon's clock of events: records of one time in the order of the list. */
    private void publish(boolean fails) throws IOException {
        try (EventPublisher publisher = new EventPublisher(
                List.of(Endpoint.parse("connect:ipc://" + path("events"), true)), TransportOptions.defaults())) {
            assertThat(publisher.awaitSubscribers(1, Await.PATIENCE)).isTrue();
            publisher.publish(EventRecord.session(EventType.SESSION_STARTED, 0));
            publisher.publish(EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0));
            List<Turn> turns = example(fails);
            for (int step = 0; step <= 26; step++) {
                double now = step / 2.0;
                for (Turn each : turns) {
                    if (each.completed == now) {
                        complete(publisher, each);
                    }
                }
                for (Turn each : turns) {
                    if (each.issued == now) {
                        EventRecord issue = at(now, EventType.SAMPLE_ISSUED, each.id)
                                .inConversation(each.conversation, (long) step);
                        publisher.publish(each.last ? issue.withLastTurn() : issue);
                        publisher.publish(at(now + 0.25, EventType.SAMPLE_RECV_FIRST, each.id));
                    }
                }
            }
            publisher.publish(EventRecord.session(EventType.SESSION_ENDED, 14 * SECOND));
            assertThat(publisher.flush(Await.PATIENCE)).isTrue();
        }
    }

    private static void complete(EventPublisher publisher, Turn turn) throws IOException {
        EventRecord completion = at(turn.completed, EventType.SAMPLE_COMPLETE, turn.id);
        if (turn.fails) {
            publisher.publish(
                    at(turn.completed, EventType.ERROR_CLIENT, turn.id).withData(new ErrorData("Timeout", "none")));
            publisher.publish(completion);
        } else {
            publisher.publish(completion.withUsage(Usage.of(1000, turn.tokens).with(UsageKey.CACHED_TOKENS, 512)));
        }
    }

    private static String output(String... arguments) throws IOException {
        try (RunningProcess process = Cli.start(arguments)) {
            assertThat(process.awaitExit()).as("%s", process).isZero();
            return process.out();
        }
    }

    private void run(String name, boolean fails) throws IOException {
        try (RunningProcess daemon = Cli.daemon(
                directory.resolve(name),
                "--in",
                "bind:ipc://" + path("events"),
                "--streaming",
                "--token-source",
                "usage",
                "--journal",
                path(name + "-journal"))) {
            publish(fails);
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
    }

    private static void assertExample(MetricsSnapshot last) {
        assertThat(last.extensions().optional().interactivity()).isEqualTo(new Interactivity(5, 700, 15 * SECOND));
        SeriesMetric rate = last.series("conversation_tok_per_s");
        assertThat(rate.max()).isEqualTo(50.0);
        assertThat(rate.min().doubleValue()).isCloseTo(400.0 / 9, within(1e-12));
        assertThat(last.series("conversation_duration_ns").min()).isEqualTo(8 * SECOND);
        assertThat(last.series("conversation_duration_ns").max()).isEqualTo(12 * SECOND);
        assertThat(last.series("think_time_ns").total()).isEqualTo(5 * SECOND);
        assertThat(last.series("think_time_ns").count()).isEqualTo(3);
        assertThat(last.series("ttft_first_turn_ns").count()).isEqualTo(2);
        assertThat(last.series("ttft_later_turn_ns").count()).isEqualTo(3);
        assertThat(last.series("conversation_turns").total()).isEqualTo(5L);
        assertThat(last.series("latency_per_token_ns").detail().interpolated().get("90.0"))
                .isCloseTo(4e7, within(1e-3));
        Conversations conversations = last.extensions().optional().conversations();
        assertThat(conversations.activeMean()).isEqualTo(15.0 / 13);
        assertThat(conversations.activePeak()).isEqualTo(2);
        assertThat(conversations.completed()).isEqualTo(2);
        assertThat(conversations.open()).isZero();
        assertThat(conversations.cache().p50()).isEqualTo(0.512);
        assertThat(conversations.byTurn())
                .extracting(Conversations.Turns::completed)
                .containsExactly(2L, 2L, 1L);
        assertThat(conversations.byTurn().get(1).output()).isEqualTo(new Conversations.Tokens(2, 160));
    }

    @Test
    void theConversationsOfARunAreInEveryViewOfIt() throws IOException {
        run("first", false);
        assertExample(FinalSnapshotFile.read(directory.resolve("first")));
        assertThat(output("report", path("first"), "--full"))
                .contains("2 conversations: 0 open, 0 active (peak 2, mean 1.154), 2 completed (0.154/s), 0 failed")
                .contains("e2e_interactivity 46.7", "e2e_avg_interactivity of endpoints 46.7")
                .contains("e2e_norm_interactivity 25.0? at p90, 50.0? at p50")
                .contains("cache hit by conversation: mean 51.2%", "Turn", "think time", "TTFT of later turns");
        for (String format : List.of("md", "html")) {
            assertThat(output("report", path("first"), "--format", format)).contains("2 conversations: 0 open");
        }
        assertThat(output("report", path("first"), "--format", "json"))
                .contains("\"e2e_interactivity_tok_per_s\": 46.666666666666664", "\"active_mean\": 1.1538461538461537")
                .contains("\"e2e_norm_interactivity_p90_per_s\": 25.0", "\"turn\": \"3\"");
        assertThat(CsvRow.of(output("report", path("first"), "--format", "csv")))
                .containsEntry("e2e_interactivity_tok_per_s", "46.666666666666664")
                .containsEntry("conversation_turns_count", "2")
                .containsEntry("conversation_turns_mean_turns", "2.5");
        output("replay", path("first-journal"), "--output-dir", path("replayed"));
        assertExample(FinalSnapshotFile.read(directory.resolve("replayed")));
    }

    @Test
    void aFailedTurnIsOnNeitherSideOfOursAndInTheTimeOfTheCompatibleRatio() throws IOException {
        run("failed", true);
        MetricsSnapshot last = FinalSnapshotFile.read(directory.resolve("failed"));
        assertThat(last.extensions().optional().interactivity()).isEqualTo(new Interactivity(4, 640, 12 * SECOND));
        assertThat(output("report", path("failed"), "--format", "json"))
                .contains("\"e2e_interactivity_tok_per_s\": 53.333333333333336")
                .contains("\"e2e_avg_interactivity\": 42.666666666666664");
        run("second", false);
        output("merge", path("failed"), path("second"), "--output-dir", path("merged"));
        MetricsSnapshot merged = FinalSnapshotFile.read(directory.resolve("merged"));
        assertThat(merged.extensions().optional().interactivity()).isEqualTo(new Interactivity(9, 1340, 27 * SECOND));
        Conversations both = merged.extensions().optional().conversations();
        assertThat(List.of(both.seen(), both.completed(), both.failed())).isEqualTo(List.of(4L, 3L, 1L));
        assertThat(both.activeMean()).isNull();
        assertThat(merged.series("conversation_turns").total()).isEqualTo(10L);
        assertThat(output("report", path("merged"), "--full")).contains("percentiles by turn cannot be added up");
        assertThat(output("compare", "--full", path("failed"), path("second"))).contains("e2e_interactivity_tok_per_s");
    }
}
