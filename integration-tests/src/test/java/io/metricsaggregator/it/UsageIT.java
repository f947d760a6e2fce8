package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The usage that a producer sends arrives in the snapshot, its reports, a replay, an export and a merged run. */
class UsageIT {
    private static final long MILLI = 1_000_000L;

    @TempDir
    Path directory;

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    /** Publishes four samples whose (prompt, cached) tokens are (1000, 0), (1200, 1024), (800, unknown) and (2000, 1536). */
    private void publish() throws IOException {
        try (EventPublisher publisher = new EventPublisher(
                List.of(Endpoint.parse("connect:ipc://" + path("events"), true)), TransportOptions.defaults())) {
            assertThat(publisher.awaitSubscribers(1, Await.PATIENCE)).isTrue();
            publisher.publish(EventRecord.session(EventType.SESSION_STARTED, 0));
            publisher.publish(EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0));
            sample(publisher, "a", Usage.of(1000, 8).with(UsageKey.CACHED_TOKENS, 0));
            sample(publisher, "b", Usage.of(1200, 8).with(UsageKey.CACHED_TOKENS, 1024));
            sample(publisher, "c", Usage.of(800, 8));
            sample(
                    publisher,
                    "d",
                    Usage.of(2000, 8)
                            .with(UsageKey.CACHED_TOKENS, 1536)
                            .with(UsageKey.SPEC_DRAFTS, 43)
                            .with(UsageKey.SPEC_DRAFT_TOKENS, 129)
                            .with(UsageKey.SPEC_ACCEPTED_TOKENS, 10)
                            .withSpecHistogram(List.of(39L, 1L, 0L, 3L)));
            publisher.publish(EventRecord.session(EventType.SESSION_ENDED, 400 * MILLI));
            assertThat(publisher.flush(Await.PATIENCE)).isTrue();
        }
    }

    private static void sample(EventPublisher publisher, String id, Usage usage) throws IOException {
        publisher.publish(EventRecord.sample(EventType.SAMPLE_ISSUED, MILLI, id));
        publisher.publish(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, 201 * MILLI, id));
        publisher.publish(
                EventRecord.sample(EventType.SAMPLE_COMPLETE, 336 * MILLI, id).withUsage(usage));
    }

    private static String output(String... arguments) throws IOException {
        try (RunningProcess process = Cli.start(arguments)) {
            assertThat(process.awaitExit()).as("%s", process).isZero();
            return process.out();
        }
    }

    private static void assertUsage(MetricsSnapshot snapshot, int runs) {
        ReportedUsage usage = snapshot.extensions().optional().usage();
        assertThat(usage.reported()).isEqualTo(4L * runs);
        assertThat(usage.cache()).isEqualTo(new ReportedUsage.Cache(3L * runs, 4200L * runs, 2560L * runs));
        assertThat(usage.cache().hitRatio()).isEqualTo(2560.0 / 4200);
        assertThat(usage.speculation())
                .isEqualTo(new ReportedUsage.Speculation(
                        runs,
                        43L * runs,
                        129L * runs,
                        10L * runs,
                        Map.of("0", 39L * runs, "1", (long) runs, "3", 3L * runs)));
        assertThat(snapshot.series("usage_prompt_tokens").total()).isEqualTo(5000L * runs);
        assertThat(snapshot.series("usage_tpot_ns").percentile("50.0"))
                .isCloseTo(135.0 * MILLI / 7, org.assertj.core.data.Percentage.withPercentage(0.1));
        assertThat(snapshot.counterValue("usage_missing")).isZero();
        assertThat(snapshot.counterValue("tracked_samples_completed")).isEqualTo(4L * runs);
    }

    private void run(String name, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("--in", "bind:ipc://" + path("events"), "--streaming", "--journal", path(name + "-journal")));
        arguments.addAll(List.of(more));
        try (RunningProcess daemon = Cli.daemon(directory.resolve(name), arguments.toArray(new String[0]))) {
            publish();
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
    }

    @Test
    void theUsageOfARunIsInEveryViewOfIt() throws IOException {
        run("first");
        assertUsage(FinalSnapshotFile.read(directory.resolve("first")), 1);
        assertThat(output("report", path("first"), "--full"))
                .contains("Usage    4 completions report their tokens")
                .contains("cache hit 60.95%: 2,560 of 4,200 prompt tokens of the 3 successes")
                .contains("reported prompt tokens", "TPOT by reported tokens");
        assertThat(output("report", path("first"), "--format", "md"))
                .contains("### Reported tokens", "cache hit 60.95%");
        assertThat(output("report", path("first"), "--format", "html")).contains("cache hit 60.95%");
        assertThat(output("report", path("first"), "--format", "json"))
                .contains("\"cache_hit_ratio\": 0.6095", "\"usage_tpot\"");
        assertThat(output("export", path("first-journal"), "--format", "csv"))
                .contains("usage_prompt_tokens,usage_completion_tokens,usage_cached_tokens")
                .contains(",1200,8,1024,,,,,,,,\"server\"");
        assertThat(output("report", path("first"), "--format", "token_accounting"))
                .contains("\"completion\": null", "\"prompt_tokens\": 5000", "\"cached_tokens\": 2560")
                .contains("\"reasoning_tokens\": null", "\"missing\": 0");
        assertThat(output("export", path("first-journal"), "--format", "token_accounting")
                        .lines())
                .hasSize(4)
                .element(1)
                .asString()
                .contains("\"sample_uuid\":\"b\"", "\"cached_tokens\":1024", "\"completion_tokens\":null");
        output("replay", path("first-journal"), "--output-dir", path("replayed"));
        assertUsage(FinalSnapshotFile.read(directory.resolve("replayed")), 1);
        run("second");
        output("merge", path("first"), path("second"), "--output-dir", path("merged"));
        assertUsage(FinalSnapshotFile.read(directory.resolve("merged")), 2);
        assertThat(output("compare", "--full", path("first"), path("second"))).contains("usage_prompt");
    }

    @Test
    void theAcceptanceLengthOfARunIsJudgedByTheGoldenOne() throws IOException {
        Path golden = Files.writeString(directory.resolve("golden.json"), "{\"m\": 2.99, \"n\": 2}");
        Path measured = Files.writeString(directory.resolve("measured.json"), "1.23");
        run("golden", "--golden-al", golden.toString(), "--label", "model=m");
        String off = "synthetic acceptance not in effect: 1.233 tokens per step over 43 steps, golden 2.99 (-58.8%)";
        assertThat(output("report", path("golden"), "--full"))
                .contains("QUESTIONABLE", "7.75% of draft tokens accepted, 1.23 tokens per step")
                .contains("steps that accept 1 or more, 2 or more, …: 9.30%, 6.98%, 6.98%");
        assertThat(output("report", path("golden"), "--format", "json"))
                .contains(off, "\"acceptance_length\": 1.2325581395348837", "\"spec_histogram\"");
        assertThat(output("report", path("golden"), "--format", "json", "--golden-al", measured.toString()))
                .doesNotContain("synthetic acceptance")
                .contains("1.233 tokens per step over 43 steps, golden 1.23 (+0.2%)");
        output("replay", path("golden-journal"), "--output-dir", path("replayed"));
        assertThat(output("report", path("replayed"), "--format", "json")).contains(off);
        Path other = Files.writeString(directory.resolve("other.json"), "{\"n\": 2}");
        try (RunningProcess refused = Cli.start("report", path("golden"), "--golden-al", other.toString())) {
            assertThat(refused.awaitExit()).isEqualTo(2);
            assertThat(refused.err()).contains("null, for the run's label model 'm', is not an acceptance length");
        }
    }

    @Test
    void aRunTakesItsTokensFromTheServersWithoutATokenizer() throws IOException {
        run("usage", "--token-source", "usage", "--slo", "tpot=20ms");
        MetricsSnapshot last = FinalSnapshotFile.read(directory.resolve("usage"));
        assertThat(last.series("isl").total()).isEqualTo(5000L);
        assertThat(last.series("osl").total()).isEqualTo(32L);
        assertThat(last.series("tpot_ns").count()).isEqualTo(4);
        assertThat(last.extensions().goodput().good()).isEqualTo(4);
        assertThat(output("report", path("usage"), "--full")).contains("~output tokens", "--token-source usage");
        try (RunningProcess refused = Cli.start("report", path("usage"), "--format", "summary")) {
            assertThat(refused.awaitExit()).isNotZero();
            assertThat(refused.err()).contains("replay its journal with --tokenizer");
        }
        output("replay", path("usage-journal"), "--output-dir", path("counted"), "--token-source", "tokenizer");
        assertThat(FinalSnapshotFile.read(directory.resolve("counted"))
                        .series("osl")
                        .count())
                .isZero();
        try (RunningProcess refused = Cli.start(
                "run",
                "--in",
                "bind:ipc://" + path("other"),
                "--output-dir",
                path("other-output"),
                "--token-source",
                "both")) {
            assertThat(refused.awaitExit()).isEqualTo(2);
            assertThat(refused.err()).contains("--token-source both needs --tokenizer");
        }
    }
}
