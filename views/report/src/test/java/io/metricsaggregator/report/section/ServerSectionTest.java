package io.metricsaggregator.report.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.report.text.SectionText;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerSectionTest {
    private static String text(Map<String, ?> server) {
        SnapshotExtensions extensions = SnapshotExtensions.of(
                        new RunInfo(2, "cafe", "1", 0, 1, List.of(), List.of(), Map.of(), Map.of()),
                        new SnapshotExtensions.InFlight(0, 0, 0, 0, 0),
                        new Slices(0, 1, 0, List.of()))
                .telemetry(TelemetrySnapshots.of(Map.of("scrape", Map.of("server", server))))
                .build();
        return String.join(
                "\n",
                SectionText.lines(ServerSection.blocks(
                        new MetricsSnapshot(1, 1, SessionState.COMPLETE, 0, List.of(), extensions))));
    }

    private static Map<String, Object> level(double mean, double max) {
        return Map.of("mean", mean, "max", max, "last", mean);
    }

    private static Map<String, Object> target(String instance, String engine) {
        return Map.of(
                "job",
                "it",
                "instance",
                instance,
                "engine",
                engine,
                "kv_usage_ratio",
                level(0.5, 0.875),
                "preemptions",
                Map.of("total", 3.0));
    }

    @Test
    void aServerHasARowForEachRoleThatItExposesForRunAndSteadyWindow() {
        Map<String, Object> server = new LinkedHashMap<>();
        server.put("targets", List.of(target("gpu-1\u001b[2J:8000", "vllm")));
        server.put("waiting", level(2.25, 1200));
        server.put("waiting_scrapes_ratio", 0.625);
        server.put("kv_usage_ratio", level(0.5, 0.875));
        server.put("acceptance_ratio", 0.6);
        server.put("acceptance_length", 3.4);
        server.put("acceptance_by_position", List.of(0.8, 0.4));
        server.put(
                "ttft_s",
                Map.of("count", 9.0, "mean", 0.25, "p50", 0.2, "p90", 0.5, "p99", 1.0, "over", List.of("p99")));
        server.put("server_ttft_gap_ns", 2_500_000.0);
        server.put("prompt_unaccounted_ratio", -0.02);
        server.put("steady", Map.of("from_ms", 1L, "to_ms", 2L, "waiting", level(4, 4)));
        assertThat(text(server)).isEqualTo("""
                vllm gpu-1\\u001b[2J:8000      run                                                                steady window
                  waiting                     mean 2.3, max 1,200, in 62.5% of scrapes                           mean 4.0, max 4
                  KV cache                    mean 50.0%, max 87.5%                                              -
                  draft tokens accepted       60.0%                                                              -
                  tokens per draft            3.40                                                               -
                  accepted by position        80% 40%                                                            -
                  TTFT                        ≈p50 200.00 ms?, ≈p90 500.00 ms?, ≈p99 > 1.000 s?, mean 250.00 ms  -
                  client's TTFT is longer by  2.50 ms                                                            -
                cached and computed prompt tokens do not add up: 2.0% of the prompt tokens are counted twice""");
    }

    @Test
    void severalServersHaveATableWithARowEach() {
        Map<String, Object> server = new LinkedHashMap<>();
        server.put("targets", List.of(target("a:1", "vllm"), target("b:1", "sglang")));
        server.put("prefix_hit_ratio", 0.25);
        server.put("prefix_hit_from", "queries");
        server.put("targets_left_out", 4L);
        assertThat(text(server))
                .contains("2 servers")
                .containsPattern("prefix hits +≈ 25.0%")
                .containsPattern("a:1 +vllm +- +- +87.5% +3 ")
                .containsPattern("b:1 +sglang +- +- +87.5% +3 ")
                .contains("4 more servers are not shown", "≈: not counted by tokens");
        assertThat(text(Map.of("targets", List.of()))).isEmpty();
    }
}
