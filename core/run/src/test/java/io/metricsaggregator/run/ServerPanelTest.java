package io.metricsaggregator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import io.metricsaggregator.snapshot.telemetry.server.ServerFigure;
import io.metricsaggregator.snapshot.telemetry.server.ServerPanel;
import io.metricsaggregator.snapshot.telemetry.server.ServerRatio;
import io.metricsaggregator.snapshot.telemetry.server.ServerRole;
import io.metricsaggregator.snapshot.telemetry.server.ServerSnapshot;
import io.metricsaggregator.telemetry.server.ServerReference;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Expected values were computed by hand from the two expositions of each engine, which are ten seconds apart. */
class ServerPanelTest {
    private static ServerPanel of(String engine) {
        ScrapedExposition scraped = new ScrapedExposition();
        scraped.both(engine);
        return scraped.panel();
    }

    private static void level(ServerPanel panel, ServerRole role, double mean, double max, double last) {
        ServerFigure.Level level = panel.level(role);
        assertThat(level).as("%s", role).isNotNull();
        assertThat(level.mean()).as("mean of %s", role).isCloseTo(mean, within(1e-9));
        assertThat(level.max()).as("max of %s", role).isCloseTo(max, within(1e-9));
        assertThat(level.last()).as("last of %s", role).isCloseTo(last, within(1e-9));
    }

    private static void growth(ServerPanel panel, ServerRole role, double expected) {
        assertThat(panel.growth(role)).as("%s", role).isEqualTo(expected);
    }

    private static void times(ServerPanel panel, ServerRole role, double count, double mean, Double p50, Double p99) {
        ServerFigure.Distribution times = panel.distribution(role);
        assertThat(times).as("%s", role).isNotNull();
        assertThat(times.count()).as("count of %s", role).isEqualTo(count);
        assertThat(times.mean()).as("mean of %s", role).isCloseTo(mean, within(1e-9));
        assertThat(times.p50()).as("p50 of %s", role).isCloseTo(p50, within(1e-9));
        assertThat(times.p99()).as("p99 of %s", role).isCloseTo(p99, within(1e-9));
    }

    private static void has(ServerPanel panel, ServerRole... roles) {
        assertThat(panel.figures().keySet()).containsExactlyInAnyOrder(roles);
    }

    private static void ratio(ServerPanel panel, ServerRatio ratio, double expected) {
        assertThat(panel.ratio(ratio)).as("%s", ratio).isCloseTo(expected, within(1e-9));
    }

    @Test
    void everyRoleOfVllmIsFoundAndItsEnginesAreAddedUp() {
        ServerPanel panel = of("vllm");
        EnumSet<ServerRole> others = EnumSet.of(
                ServerRole.PREFIX_HIT_RATE,
                ServerRole.VERIFY_CALLS,
                ServerRole.ACCEPT_LENGTH_GAUGE,
                ServerRole.ACCEPT_RATE_GAUGE,
                ServerRole.KV_TRANSFER_SPEED,
                ServerRole.KV_ONBOARD_BYTES,
                ServerRole.KV_OFFLOAD_BYTES,
                ServerRole.KV_BLOCKS,
                ServerRole.KV_MATCHED_TOKENS,
                ServerRole.ITERATION,
                ServerRole.UTILIZATION,
                ServerRole.FORWARD_OCCUPANCY,
                ServerRole.MIGRATIONS);
        has(panel, EnumSet.complementOf(others).toArray(ServerRole[]::new));
        level(panel, ServerRole.RUNNING, 21, 21, 21);
        level(panel, ServerRole.WAITING, 6, 6, 6);
        assertThat(panel.parts(ServerRole.WAITING_BY_REASON))
                .isEqualTo(Map.of(
                        "capacity", new ServerFigure.Level(4, 4, 4), "deferred", new ServerFigure.Level(2, 2, 2)));
        growth(panel, ServerRole.PREEMPTIONS, 6);
        growth(panel, ServerRole.PROMPT_TOKENS, 8000);
        growth(panel, ServerRole.OUTPUT_TOKENS, 5000);
        growth(panel, ServerRole.CACHED_PROMPT_TOKENS, 2000);
        growth(panel, ServerRole.DONE, 120);
        growth(panel, ServerRole.ABORTED, 4);
        ratio(panel, ServerRatio.WAITING_SCRAPES, 0.5);
        ratio(panel, ServerRatio.PREFIX_HITS, 0.25);
        assertThat(panel.isPrefixHitApproximate()).isFalse();
        ratio(panel, ServerRatio.EXTERNAL_PREFIX_HITS, 0.2);
        ratio(panel, ServerRatio.PROMPT_UNACCOUNTED, 0);
        // 40 of 120 up to 0.1 s, another 60 up to 0.25 s, all up to 0.5 s.
        times(panel, ServerRole.TTFT, 120, 0.2, 0.1 + 0.15 * 20 / 60, 0.25 + 0.25 * (118.8 - 100) / 20);
        times(panel, ServerRole.ITL, 5000, 0.013, 0.01 + 0.015 * 500 / 2000, 0.025 + 0.025 * 950 / 1000);
        // Two requests took longer than 5 s, the last edge.
        times(panel, ServerRole.E2E, 120, 2, 2.0, 5.0);
        assertThat(panel.distribution(ServerRole.E2E).over()).containsExactly("p99");
        times(panel, ServerRole.KV_TRANSFER, 20, 0.004, 0.005 * 10 / 16, 0.005 + 0.02 * (19.8 - 16) / 4);
    }

    @Test
    void speculationIsCountedByDraftAndByPosition() {
        ServerPanel panel = of("vllm");
        growth(panel, ServerRole.DRAFTS, 1500);
        growth(panel, ServerRole.DRAFT_TOKENS, 6000);
        growth(panel, ServerRole.ACCEPTED_TOKENS, 3600);
        ratio(panel, ServerRatio.ACCEPTANCE, 0.60);
        ratio(panel, ServerRatio.ACCEPTANCE_LENGTH, 3.40);
        assertThat(panel.acceptedByPosition()).containsExactly(0.8, 1000 / 1500.0, 800 / 1500.0, 0.4);
    }

    @Test
    void aRunWithoutDraftsHasNoAcceptance() {
        ScrapedExposition scraped = new ScrapedExposition();
        scraped.scrape("a", 1000, ScrapedExposition.resource("vllm_2"));
        scraped.scrape("a", 1010, ScrapedExposition.resource("vllm_2"));
        ServerPanel panel = scraped.panel();
        growth(panel, ServerRole.DRAFTS, 0);
        assertThat(panel.ratio(ServerRatio.ACCEPTANCE)).isNull();
        assertThat(panel.ratio(ServerRatio.ACCEPTANCE_LENGTH)).isNull();
        assertThat(panel.acceptedByPosition()).isEmpty();
        assertThat(panel.ratio(ServerRatio.PREFIX_HITS)).isNull();
        assertThat(panel.distribution(ServerRole.TTFT).mean()).isNull();
    }

    @Test
    void anOldVllmWithBothNamesOfTheKvCacheIsNotDoubled() {
        // Engine 1 uses 0.1 more than engine 0: the fuller one counts, and only under the newer name.
        level(of("vllm"), ServerRole.KV_USAGE, 0.85, 0.85, 0.85);
        String old = ScrapedExposition.resource("vllm_2").replaceAll("(?m)^.*vllm:kv_cache_usage_perc.*\\n", "");
        ScrapedExposition scraped = new ScrapedExposition();
        scraped.scrape("a", 1000, old);
        level(scraped.panel(), ServerRole.KV_USAGE, 0.85, 0.85, 0.85);
    }

    @Test
    void everyRoleOfSglangIsFoundAndRanksOfAnEngineCountOnce() {
        ServerPanel panel = of("sglang");
        level(panel, ServerRole.RUNNING, 6, 6, 6);
        // Five in all, of them three and two by priority.
        level(panel, ServerRole.WAITING, 5, 5, 5);
        level(panel, ServerRole.KV_USAGE, 0.5, 0.5, 0.5);
        growth(panel, ServerRole.PREEMPTIONS, 1);
        growth(panel, ServerRole.PROMPT_TOKENS, 2000);
        growth(panel, ServerRole.OUTPUT_TOKENS, 1700);
        growth(panel, ServerRole.CACHED_PROMPT_TOKENS, 400);
        assertThat(panel.parts(ServerRole.PROMPT_TOKENS_BY_SOURCE))
                .isEqualTo(Map.of("device", new ServerFigure.Growth(300), "host", new ServerFigure.Growth(100)));
        ratio(panel, ServerRatio.PREFIX_HITS, 0.2);
        level(panel, ServerRole.PREFIX_HIT_RATE, 0.3, 0.3, 0.3);
        ratio(panel, ServerRatio.ACCEPTANCE, 0.6);
        ratio(panel, ServerRatio.ACCEPTANCE_LENGTH, 1700 / 500.0);
        times(panel, ServerRole.QUEUE, 20, 0.15, 0.1 * 10 / 16, 0.1 + 0.9 * 3.8 / 4);
        times(panel, ServerRole.PREFILL, 20, 0.1, 0.2 * 10 / 18, 0.2 + 1.8 * 1.8 / 2);
        times(panel, ServerRole.DECODE, 20, 1.5, 0.2 + 1.8 * 10 / 16, 2.0);
        assertThat(panel.distribution(ServerRole.DECODE).over()).containsExactly("p90", "p99");
        times(panel, ServerRole.TTFT, 20, 0.15, 0.1, 0.1 + 0.3 * 9.8 / 10);
        times(panel, ServerRole.E2E, 20, 2, 1.0, 1 + 3 * 9.8 / 10);
        times(panel, ServerRole.KV_TRANSFER, 10, 0.025, 0.01, 0.01 + 0.09 * 4.9 / 5);
        times(panel, ServerRole.KV_TRANSFER_SPEED, 10, 4.5, 1 + 9 * 0.5, 1 + 9 * 0.99);
        growth(panel, ServerRole.DONE, 20);
        growth(panel, ServerRole.ABORTED, 1);
        level(panel, ServerRole.UTILIZATION, 0.9, 0.9, 0.9);
        level(panel, ServerRole.FORWARD_OCCUPANCY, 0.85, 0.85, 0.85);
        assertThat(panel.level(ServerRole.ACCEPT_LENGTH_GAUGE).mean()).isEqualTo(3.4);
    }

    @Test
    void theExposedTypeDecidesWhetherARoleIsAGaugeOrAHistogram() {
        ScrapedExposition scraped = new ScrapedExposition();
        scraped.scrape("a", 1000, "# TYPE sglang:kv_transfer_latency_ms gauge\nsglang:kv_transfer_latency_ms 40\n");
        level(scraped.panel(), ServerRole.KV_TRANSFER, 0.04, 0.04, 0.04);
    }

    @Test
    void everyRoleOfTensorRtLlmIsFoundUnderBothPrefixes() {
        for (String prefix : List.of("trtllm_", "trtllm:")) {
            ScrapedExposition scraped = new ScrapedExposition();
            for (int i = 0; i < 2; i++) {
                scraped.scrape(
                        "a",
                        1000 + 10 * i,
                        ScrapedExposition.resource("trtllm_" + (i + 1)).replace("trtllm_", prefix));
            }
            ServerPanel panel = scraped.panel();
            level(panel, ServerRole.RUNNING, 5, 5, 5);
            level(panel, ServerRole.WAITING, 4, 4, 4);
            level(panel, ServerRole.KV_USAGE, 0.9, 0.9, 0.9);
            level(panel, ServerRole.PREEMPTIONS, 2, 2, 2);
            growth(panel, ServerRole.PREFIX_QUERIES, 100);
            growth(panel, ServerRole.PREFIX_HITS, 30);
            ratio(panel, ServerRatio.PREFIX_HITS, 0.25);
            ratio(panel, ServerRatio.ACCEPTANCE, 0.75);
            ratio(panel, ServerRatio.ACCEPTANCE_LENGTH, 2.75);
            growth(panel, ServerRole.DONE, 12);
            growth(panel, ServerRole.ABORTED, 1);
            growth(panel, ServerRole.KV_ONBOARD_BYTES, 4096);
            growth(panel, ServerRole.KV_OFFLOAD_BYTES, 8192);
            level(panel, ServerRole.ITERATION, 0.03, 0.03, 0.03);
            for (ServerRole each : List.of(
                    ServerRole.TTFT,
                    ServerRole.ITL,
                    ServerRole.E2E,
                    ServerRole.QUEUE,
                    ServerRole.PREFILL,
                    ServerRole.DECODE)) {
                times(panel, each, 12, 0.75, 0.5, 0.5 + 1.5 * (11.88 - 6) / 6);
            }
        }
    }

    @Test
    void tritonsBackendAndItsOwnCountersAreFound() {
        ServerPanel panel = of("triton");
        has(
                panel,
                ServerRole.RUNNING,
                ServerRole.WAITING,
                ServerRole.KV_USAGE,
                ServerRole.PREEMPTIONS,
                ServerRole.TTFT,
                ServerRole.DONE,
                ServerRole.ABORTED);
        level(panel, ServerRole.RUNNING, 8, 8, 8);
        level(panel, ServerRole.WAITING, 3, 3, 3);
        level(panel, ServerRole.KV_USAGE, 0.6, 0.6, 0.6);
        times(panel, ServerRole.TTFT, 20, 0.3, 0.1 + 0.4 * 0.5, 0.5 + 1.5 * 4.8 / 5);
        growth(panel, ServerRole.DONE, 20);
        growth(panel, ServerRole.ABORTED, 2);
        String blocks = ScrapedExposition.resource("triton_2").replaceAll("(?m)^.*fraction.*\\n", "");
        ScrapedExposition scraped = new ScrapedExposition();
        scraped.scrape("a", 1000, blocks);
        level(scraped.panel(), ServerRole.KV_USAGE, 0.6, 0.6, 0.6);
    }

    @Test
    void everyRoleOfDynamoIsFound() {
        ServerPanel panel = of("dynamo");
        level(panel, ServerRole.RUNNING, 9, 9, 9);
        level(panel, ServerRole.WAITING, 2, 2, 2);
        level(panel, ServerRole.KV_USAGE, 0.7, 0.7, 0.7);
        growth(panel, ServerRole.PROMPT_TOKENS, 12_000);
        growth(panel, ServerRole.OUTPUT_TOKENS, 5000);
        growth(panel, ServerRole.CACHED_PROMPT_TOKENS, 3000);
        ratio(panel, ServerRatio.PREFIX_HITS, 0.25);
        times(panel, ServerRole.TTFT, 30, 0.2, 0.1, 0.1 + 0.9 * (29.7 - 15) / 15);
        growth(panel, ServerRole.DONE, 30);
        growth(panel, ServerRole.ABORTED, 3);
        growth(panel, ServerRole.MIGRATIONS, 1);
        growth(panel, ServerRole.KV_MATCHED_TOKENS, 300);
        growth(panel, ServerRole.KV_BLOCKS, 110);
        assertThat(panel.parts(ServerRole.KV_BLOCKS)).containsEntry("offload_d2h", new ServerFigure.Growth(50));
    }

    @Test
    void requestsAreCountedByTheFrontendAndWorkByTheEnginesBehindIt() {
        ScrapedExposition scraped = new ScrapedExposition();
        scraped.both("dynamo");
        scraped.both("vllm");
        ServerSnapshot servers = scraped.servers(new ServerReference(0.25e9, 4e9, null));
        assertThat(servers.targets()).extracting(ServerSnapshot.Target::engine).containsExactly("dynamo", "vllm");
        ServerPanel all = servers.run().panel();
        growth(all, ServerRole.DONE, 30);
        growth(all, ServerRole.PROMPT_TOKENS, 12_000);
        level(all, ServerRole.RUNNING, 21, 21, 21);
        level(all, ServerRole.KV_USAGE, 0.85, 0.85, 0.85);
        assertThat(servers.run().ttftGapNanos()).isCloseTo(0.05e9, within(1.0));
        // 120 s in 30 requests.
        assertThat(servers.run().e2eGapNanos()).isCloseTo(0, within(1.0));
    }

    @Test
    void aWindowHasTheIncrementsAndLevelsOfItsScrapes() {
        ScrapedExposition scraped = new ScrapedExposition();
        int[] tokens = {0, 100, 300, 600, 50, 150};
        int[] running = {1, 2, 4, 8, 16, 1};
        for (int i = 0; i < tokens.length; i++) {
            scraped.scrape("a", 1000 + 10 * i, """
                    # TYPE vllm:num_requests_running gauge
                    vllm:num_requests_running %d
                    # TYPE vllm:generation_tokens_total counter
                    vllm:generation_tokens_total %d
                    """.formatted(running[i], tokens[i]));
        }
        long second = 1_000_000_000L;
        // The producers' clock is 900 s behind.
        ServerReference.Window window =
                new ServerReference.Window(900 * second, 105 * second, 135 * second, null, null);
        ServerSnapshot servers = scraped.servers(new ServerReference(null, null, window));
        // The counter restarted: 600, then 50 and 100 more.
        growth(servers.run().panel(), ServerRole.OUTPUT_TOKENS, 750);
        level(servers.run().panel(), ServerRole.RUNNING, 31 / 5.0, 16, 1);
        ServerSnapshot.Steady steady = servers.steady();
        assertThat(steady.fromMillis()).isEqualTo(1_005_000);
        assertThat(steady.toMillis()).isEqualTo(1_035_000);
        growth(steady.figures().panel(), ServerRole.OUTPUT_TOKENS, 600);
        level(steady.figures().panel(), ServerRole.RUNNING, 14 / 3.0, 8, 8);
        ServerReference.Window never = new ServerReference.Window(0, 0, second, null, null);
        assertThat(scraped.servers(new ServerReference(null, null, never)).steady())
                .isNull();
    }

    @Test
    void aPanelIsReadAsItWasWritten() throws Exception {
        ScrapedExposition scraped = new ScrapedExposition();
        List.of("vllm", "sglang", "trtllm", "triton", "dynamo").forEach(scraped::both);
        ServerReference.Window window =
                new ServerReference.Window(0, 1_001_000_000_000L, 1_020_000_000_000L, 1e9, null);
        ServerSnapshot written = scraped.servers(new ServerReference(1e9, 2e9, window));
        assertThat(written.steady()).isNotNull();
        assertThat(written.targets()).hasSize(5);
        Map<String, ?> tree =
                JsonTree.read(JsonTree.write(scraped.fold.snapshot(true).tree()));
        TelemetrySnapshots read = TelemetrySnapshots.read("observations", Map.of("scrape", tree));
        assertThat(read.scrape().server()).isEqualTo(written);
    }

    @Test
    void aTargetWithoutKnownNamesIsNoServer() {
        ScrapedExposition scraped = new ScrapedExposition();
        scraped.scrape("a", 1000, "# TYPE node_load1 gauge\nnode_load1 3\n");
        assertThat(scraped.fold.snapshot(true).server()).isNull();
        // A counter without a type may be anything.
        scraped.scrape("b", 1000, "vllm:prompt_tokens_total 5\n");
        scraped.scrape("b", 1010, "vllm:prompt_tokens_total 9\n");
        assertThat(scraped.fold.snapshot(true).server()).isNull();
    }
}
