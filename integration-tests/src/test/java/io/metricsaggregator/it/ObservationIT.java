package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Other kinds of observation: the golden cases from a real libzmq PUB, a real host, a real ProxyStore. */
class ObservationIT {
    private static final Path GOLDEN = Path.of(System.getProperty("golden.dir", "../golden"));

    @TempDir
    Path directory;

    private static List<Path> cases(String system) throws IOException {
        try (Stream<Path> folders = Files.list(GOLDEN.resolve(system))) {
            return folders.sorted().toList();
        }
    }

    private interface Check {
        void of(Path folder) throws IOException;
    }

    private static Stream<DynamicTest> each(String system, Check check) throws IOException {
        Python.require();
        return cases(system).stream()
                .map(folder -> DynamicTest.dynamicTest(folder.getFileName().toString(), () -> check.of(folder)));
    }

    private static Map<String, ?> json(Path file) throws IOException {
        return JsonTree.read(Files.readAllBytes(file));
    }

    /** Publishes a case's frames to a daemon with a journal; answers what the final file and the replayed journal know of a kind. */
    private List<Map<?, ?>> known(Path folder, String kind, String title, String... options) throws IOException {
        String name = folder.getFileName().toString();
        Path output = directory.resolve(name);
        Path journal = directory.resolve(name + "-journal");
        String events = "ipc://" + directory.resolve(name + "-in");
        List<String> arguments = new ArrayList<>(List.of("--in", "bind:" + events, "--journal", journal.toString()));
        arguments.addAll(List.of(options));
        try (RunningProcess daemon = Cli.daemon(output, arguments.toArray(new String[0]))) {
            try (RunningProcess publisher = Python.start(
                    "publish_frames.py",
                    events,
                    "connect",
                    folder.resolve("frames.bin").toString())) {
                assertThat(publisher.awaitExit()).as("%s", publisher).isZero();
            }
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(last.counterValue("records_malformed")).isZero();
        assertThat(last.counterValue("records_unknown")).isZero();
        Path replayed = directory.resolve(name + "-replayed");
        try (RunningProcess replay = Cli.start("replay", journal.toString(), "--output-dir", replayed.toString())) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
            assertThat(replay.out()).contains(title);
        }
        try (RunningProcess report =
                Cli.start("report", output.resolve("final_snapshot.json").toString(), "--format", "html")) {
            assertThat(report.awaitExit()).as("%s", report).isZero();
            assertThat(report.out()).contains("<h2>" + title + "</h2>").doesNotContain("NaN");
        }
        List<Map<?, ?>> both = new ArrayList<>();
        for (MetricsSnapshot each : List.of(last, FinalSnapshotFile.read(replayed))) {
            both.add((Map<?, ?>) each.additions().observations().get(kind));
        }
        return both;
    }

    /** All that is expected is there: numbers to 1e-9. */
    private static void assertHolds(String place, Object expected, Object actual) {
        if (expected instanceof Map<?, ?> map) {
            assertThat(actual).as(place).isInstanceOf(Map.class);
            map.forEach((key, value) -> assertHolds(place + "." + key, value, ((Map<?, ?>) actual).get(key)));
        } else if (expected instanceof List<?> list) {
            assertThat(actual).as(place).isInstanceOf(List.class);
            assertThat((List<?>) actual).as(place).hasSize(list.size());
            for (int i = 0; i < list.size(); i++) {
                assertHolds(place + "[" + i + "]", list.get(i), ((List<?>) actual).get(i));
            }
        } else if (expected instanceof Number number) {
            assertThat(actual).as(place).isInstanceOf(Number.class);
            double want = number.doubleValue();
            assertThat(Math.abs(((Number) actual).doubleValue() - want))
                    .as("%s: %s for %s", place, actual, expected)
                    .isLessThanOrEqualTo(1e-9 * Math.max(1, Math.abs(want)));
        } else {
            assertThat(actual).as(place).isEqualTo(expected);
        }
    }

    @TestFactory
    Stream<DynamicTest> transfersComeThrough() throws IOException {
        return each("nixl", folder -> {
            Map<?, ?> expected =
                    (Map<?, ?>) json(folder.resolve("expected.json")).get("cumulative");
            for (Map<?, ?> known : known(folder, "transfer", "KV-cache transfers")) {
                Map<?, ?> cumulative = (Map<?, ?>) known.get("cumulative");
                for (String version : List.of("compat_seed", "compat_current")) {
                    assertHolds(version, expected.get(version), cumulative.get(version));
                }
                Map<Object, Object> ours = new LinkedHashMap<>((Map<?, ?>) expected.get("ours"));
                // By the time the daemon looked, which no case can know.
                for (String part : List.of("throughput_mib_s", "time_s")) {
                    Map<Object, Object> copy = new LinkedHashMap<>((Map<?, ?>) ours.get(part));
                    copy.remove("interval");
                    ours.put(part, copy);
                }
                assertHolds("ours", ours, cumulative.get("ours"));
            }
        });
    }

    @Test
    void transfersAndALoadGeneratorsRunGoThroughOneDaemon() throws IOException {
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
        Map<?, ?> transfer = (Map<?, ?>) last.additions().observations().get("transfer");
        Map<?, ?> ours = (Map<?, ?>) ((Map<?, ?>) transfer.get("cumulative")).get("ours");
        assertThat(ours.get("n_ok")).isEqualTo(5L);
    }

    @TestFactory
    Stream<DynamicTest> resourcesOfNodesComeThrough() throws IOException {
        return each("perf", folder -> {
            List<String> options = new ArrayList<>();
            for (Object node :
                    (List<?>) ((Map<?, ?>) json(folder.resolve("input.json")).get("params")).get("expected_nodes")) {
                options.add("--expect-node");
                options.add((String) node);
            }
            Map<?, ?> ours = (Map<?, ?>) json(folder.resolve("expected.json")).get("ours");
            for (Map<?, ?> known : known(folder, "resource", "Nodes", options.toArray(new String[0]))) {
                assertHolds("ours", ours, known);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> keyedOperationsComeThrough() throws IOException {
        return each("proxystore", folder -> {
            Map<String, ?> expected = json(folder.resolve("expected.json"));
            for (Map<?, ?> known : known(folder, "operation", "Operations")) {
                assertHolds("ours", expected.get("ours"), known);
                assertHolds("compat", expected.get("compat"), known.get("compat"));
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> scrapedSamplesComeThrough() throws IOException {
        return each("triton", folder -> {
            Map<String, ?> expected = json(folder.resolve("expected.json"));
            Map<?, ?> params = (Map<?, ?>) json(folder.resolve("input.json")).get("params");
            List<String> options = new ArrayList<>(List.of(
                    "--promql",
                    "2",
                    "--scrape-window",
                    params.get("step_s") + "s",
                    "--scrape-from",
                    String.valueOf(params.get("start_s")),
                    "--scrape-to",
                    String.valueOf(params.get("end_s"))));
            ((Map<?, ?>) params.get("selectors")).forEach((prefix, labels) -> {
                List<String> matchers = new ArrayList<>();
                ((Map<?, ?>) labels).forEach((label, value) -> matchers.add(label + "=" + value));
                options.add("--scrape-select");
                options.add(prefix + "{" + String.join(",", matchers) + "}");
            });
            for (Map<?, ?> known : known(folder, "scrape", "Servers and GPUs", options.toArray(new String[0]))) {
                Map<?, ?> ours = (Map<?, ?>) expected.get("ours");
                assertHolds("windows", ours.get("windows"), known.get("windows"));
                assertHolds("totals", ours.get("requests_total_by_model"), known.get("requests_total_by_model"));
                assertHolds("notebook", expected.get("notebook"), ((Map<?, ?>) known.get("compat")).get("notebook"));
            }
        });
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    @Test
    void anAgentAndTheDaemonsOwnLookAtTheHostAgreeAndAnUnreachableTargetIsNamed() throws IOException {
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
                    () -> metrics(port).contains("metrics_aggregator_node_samples_total{node=\"twin\"}"),
                    () -> metrics(port));
            assertThat(metrics(port))
                    .contains("metrics_aggregator_scrape_up{target_instance=\"127.0.0.1:" + nobody
                            + "\",target_job=\"scrape\"} 0");
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        Map<?, ?> known = (Map<?, ?>)
                FinalSnapshotFile.read(output).additions().observations().get("resource");
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
                Cli.start("report", output.resolve("final_snapshot.json").toString())) {
            assertThat(report.awaitExit()).isZero();
            assertThat(report.out())
                    .contains("UNREACHABLE")
                    .contains("connection refused")
                    .contains("MISSING: elsewhere");
        }
    }

    @Test
    void aRealProxyStoreForwardedByTheRecipeShowsTheTimesItHasItself() throws Exception {
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
                        Path.of("../recipes").toAbsolutePath().toString())) {
            assertThat(store.awaitExit()).as("%s", store).isZero();
            own = JsonTree.read(store.out().strip().getBytes(StandardCharsets.UTF_8));
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(last.counterValue("records_malformed")).isZero();
        Map<?, ?> operation = (Map<?, ?>) last.additions().observations().get("operation");
        Map<?, ?> merged = (Map<?, ?>) ((Map<?, ?>) operation.get("compat")).get("merged_by_TimeStats_add");
        assertThat(own.keySet()).contains("store.put", "store.get", "factory.call", "store.put_batch");
        own.forEach((name, each) -> {
            Map<?, ?> theirs = (Map<?, ?>) each;
            Map<?, ?> ours = (Map<?, ?>) merged.get(name);
            assertThat(ours).as(name).isNotNull();
            assertThat(ours.get("count")).as(name).isEqualTo(theirs.get("count"));
            // Theirs are nanoseconds there, whatever they are called.
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

    private static String metrics(int port) {
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                                    .header("Accept", "text/plain")
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
