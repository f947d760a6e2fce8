package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Telemetry beside a load generator, of a real host, and of a real ProxyStore. */
class ObservationIT {
    private static final Path GOLDEN = Path.of(System.getProperty("golden.dir", "../quality/golden"));

    @TempDir
    Path directory;

    @Test
    void transfersAndALoadGeneratorShareOneDaemon() throws IOException {
        Path output = directory.resolve("out");
        String events = "ipc://" + directory.resolve("events");
        try (RunningProcess daemon = Cli.daemon(output, "--in", "bind:" + events, "--streaming")) {
            try (RunningProcess transfers = Cli.start(
                    "replay",
                    GOLDEN.resolve("nixl/01_basic_single_worker/frames.bin").toString(),
                    "--out",
                    "connect:" + events)) {
                assertThat(transfers.awaitExit()).as("%s", transfers).isZero();
            }
            try (RunningProcess load =
                    Cli.start("produce", "--out", "connect:" + events, "--rate", "100", "--duration", "5s", "--fast")) {
                assertThat(load.awaitExit()).as("%s", load).isZero();
            }
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(last.state()).isEqualTo(SessionState.COMPLETE);
        assertThat(last.counterValue("tracked_samples_completed")).isPositive();
        Map<?, ?> transfer = (Map<?, ?>) last.extensions().telemetry().tree().get("transfer");
        Map<?, ?> ours = (Map<?, ?>) ((Map<?, ?>) transfer.get("cumulative")).get("ours");
        assertThat(ours.get("n_ok")).isEqualTo(5L);
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    @Test
    void anAgentAndTheDaemonReportTheSameHostAndAnUnreachableTargetIsNamed() throws IOException {
        Path output = directory.resolve("out");
        String events = "ipc://" + directory.resolve("in");
        int nobody = freePort();
        int port = freePort();
        try (RunningProcess daemon = Cli.daemon(
                        output,
                        "--in",
                        "bind:" + events,
                        "--host",
                        "--host-interval",
                        "100ms",
                        "--expect-node",
                        "elsewhere",
                        "--scrape",
                        "http://127.0.0.1:" + nobody + ",interval=100ms",
                        "--prometheus",
                        Integer.toString(port));
                RunningProcess agent = Cli.start(
                        "agent",
                        "--out",
                        "connect:" + events,
                        "--node",
                        "twin",
                        "--interval",
                        "100ms",
                        "--duration",
                        "2s")) {
            assertThat(agent.awaitExit()).as("%s", agent).isZero();
            Await.until(
                    () -> MetricsPage.get(port).contains("metrics_aggregator_node_samples_total{node=\"twin\"}"),
                    () -> MetricsPage.get(port));
            assertThat(MetricsPage.get(port))
                    .contains("metrics_aggregator_scrape_up{target_instance=\"127.0.0.1:" + nobody
                            + "\",target_job=\"scrape\"} 0");
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        Map<?, ?> known = (Map<?, ?>)
                FinalSnapshotFile.read(output).extensions().telemetry().tree().get("resource");
        assertThat(known.get("nodes_missing")).isEqualTo(List.of("elsewhere"));
        Map<?, ?> nodes = (Map<?, ?>) known.get("by_node");
        Map<?, ?> twin = (Map<?, ?>) nodes.get("twin");
        assertThat((Long) twin.get("n_samples")).isGreaterThanOrEqualTo(15L);
        assertThat((Double) twin.get("mem_max_pct")).isBetween(0.1, 100.0);
        assertThat(((List<?>) twin.get("core_avg_pct")))
                .hasSize(Runtime.getRuntime().availableProcessors());
        String self = (String) nodes.keySet().stream()
                .filter(each -> !each.equals("twin") && !each.equals("elsewhere"))
                .findFirst()
                .orElseThrow();
        double mine = (Double) ((Map<?, ?>) nodes.get(self)).get("mem_avg_pct");
        assertThat((Double) twin.get("mem_avg_pct")).isBetween(mine - 10, mine + 10);
        try (RunningProcess report =
                Cli.start("report", output.resolve("final_snapshot.json").toString(), "--full")) {
            assertThat(report.awaitExit()).isZero();
            assertThat(report.out())
                    .contains("UNREACHABLE")
                    .contains("connection refused")
                    .contains("MISSING: elsewhere");
        }
    }

    @Test
    void timesOfARealProxyStoreForwardedByTheRecipeEqualItsOwn() throws Exception {
        Python.require();
        boolean there = new ProcessBuilder(Python.interpreter(), "-c", "import proxystore")
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
        if (!there) {
            System.out.println("SKIPPED: no proxystore (pip install proxystore)");
        }
        Assumptions.assumeTrue(there, "no proxystore");
        Path output = directory.resolve("out");
        String events = "ipc://" + directory.resolve("in");
        Map<String, ?> own;
        try (RunningProcess daemon = Cli.daemon(output, "--in", "bind:" + events);
                RunningProcess store = Python.start(
                        "proxystore_store.py",
                        events,
                        Path.of("../clients/recipes").toAbsolutePath().toString())) {
            assertThat(store.awaitExit()).as("%s", store).isZero();
            own = JsonTree.read(store.out().strip().getBytes(StandardCharsets.UTF_8));
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(last.counterValue("records_malformed")).isZero();
        Map<?, ?> operation = (Map<?, ?>) last.extensions().telemetry().tree().get("operation");
        Map<?, ?> merged = (Map<?, ?>) ((Map<?, ?>) operation.get("compat")).get("merged_by_TimeStats_add");
        assertThat(own.keySet()).contains("store.put", "store.get", "factory.call", "store.put_batch");
        own.forEach((name, each) -> {
            Map<?, ?> theirs = (Map<?, ?>) each;
            Map<?, ?> ours = (Map<?, ?>) merged.get(name);
            assertThat(ours).as(name).isNotNull();
            assertThat(ours.get("count")).as(name).isEqualTo(theirs.get("count"));
            // These figures are nanoseconds in ProxyStore, although their name says milliseconds.
            double scale = name.startsWith("factory.") ? 1e-6 : 1;
            for (String figure : List.of("avg_time_ms", "min_time_ms", "max_time_ms", "last_time_ms")) {
                double want = ((Number) theirs.get(figure)).doubleValue() * scale;
                assertThat(((Number) ours.get(figure)).doubleValue())
                        .as("%s %s", name, figure)
                        .isCloseTo(want, org.assertj.core.api.Assertions.within(2e-6 + 1e-9 * want));
            }
        });
        assertThat(((Map<?, ?>) operation.get("rules_applied")).get("factory_ns_fix"))
                .isInstanceOf(Long.class);
        assertThat((Double) ((Map<?, ?>) operation.get("overall")).get("cache_hit_ratio"))
                .isBetween(0.1, 0.9);
    }
}
