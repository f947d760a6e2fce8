package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.telemetry.server.ServerFigure;
import io.metricsaggregator.snapshot.telemetry.server.ServerPanel;
import io.metricsaggregator.snapshot.telemetry.server.ServerRatio;
import io.metricsaggregator.snapshot.telemetry.server.ServerRole;
import io.metricsaggregator.snapshot.telemetry.server.ServerSnapshot;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon scrapes an exporter whose figures change; the roles of the server are in the snapshot and in every view of the run. */
class ServersIT {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1000 * MILLI;
    private static final int PER_SECOND = 40;
    /** Two seconds in which the client's latency settles, then ten steady ones. */
    private static final int[] LATENCIES = {120, 160, 200, 202, 199, 201, 200, 198, 201, 200, 200, 204};

    @TempDir
    Path directory;

    private final long start = System.nanoTime();

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    /** A server that generates 1000 tokens a second, with a mean TTFT of 0.1 s, a full KV cache and requests that wait. */
    private String exposition() {
        double seconds = (System.nanoTime() - start) / 1e9;
        double requests = Math.floor(PER_SECOND * seconds);
        double drafts = Math.floor(100 * seconds);
        return String.format(
                Locale.ROOT,
                """
                # TYPE vllm:num_requests_running gauge
                vllm:num_requests_running{engine="0"} 8
                # TYPE vllm:num_requests_waiting gauge
                vllm:num_requests_waiting{engine="0"} 4
                # TYPE vllm:num_requests_waiting_by_reason gauge
                vllm:num_requests_waiting_by_reason{engine="0",reason="capacity"} 3
                vllm:num_requests_waiting_by_reason{engine="0",reason="deferred"} 1
                # TYPE vllm:kv_cache_usage_perc gauge
                vllm:kv_cache_usage_perc{engine="0"} 0.97
                # TYPE vllm:gpu_cache_usage_perc gauge
                vllm:gpu_cache_usage_perc{engine="0"} 0.97
                # TYPE vllm:generation_tokens_total counter
                vllm:generation_tokens_total{engine="0"} %1$.0f
                # TYPE vllm:prefix_cache_queries_total counter
                vllm:prefix_cache_queries_total{engine="0"} %2$.0f
                # TYPE vllm:prefix_cache_hits_total counter
                vllm:prefix_cache_hits_total{engine="0"} %3$.0f
                # TYPE vllm:spec_decode_num_drafts_total counter
                vllm:spec_decode_num_drafts_total{engine="0"} %3$.0f
                # TYPE vllm:spec_decode_num_draft_tokens_total counter
                vllm:spec_decode_num_draft_tokens_total{engine="0"} %2$.0f
                # TYPE vllm:spec_decode_num_accepted_tokens_total counter
                vllm:spec_decode_num_accepted_tokens_total{engine="0"} %4$.0f
                # TYPE vllm:time_to_first_token_seconds histogram
                vllm:time_to_first_token_seconds_bucket{engine="0",le="0.25"} %5$.0f
                vllm:time_to_first_token_seconds_bucket{engine="0",le="+Inf"} %5$.0f
                vllm:time_to_first_token_seconds_count{engine="0"} %5$.0f
                vllm:time_to_first_token_seconds_sum{engine="0"} %6$.3f
                """,
                Math.floor(1000 * seconds),
                4 * drafts,
                drafts,
                2.4 * drafts,
                requests,
                0.1 * requests);
    }

    private HttpServer exporter() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/metrics", exchange -> {
            byte[] body = exposition().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    /** Publishes a session that began at a time of this host's monotonic clock, which is the daemon's. */
    private void publish(long began) throws IOException {
        try (EventPublisher publisher = new EventPublisher(
                List.of(Endpoint.parse("connect:ipc://" + path("events"), true)), TransportOptions.defaults())) {
            assertThat(publisher.awaitSubscribers(1, Await.PATIENCE)).isTrue();
            publisher.publish(EventRecord.session(EventType.SESSION_STARTED, began));
            publisher.publish(EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, began));
            for (int second = 0; second < LATENCIES.length; second++) {
                for (int i = 0; i < PER_SECOND; i++) {
                    long issued = began + second * SECOND + i * SECOND / PER_SECOND;
                    long gap = LATENCIES[second] * MILLI / 10;
                    String id = second + "-" + i;
                    publisher.publish(EventRecord.sample(EventType.SAMPLE_ISSUED, issued, id));
                    publisher.publish(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, issued + 8 * gap, id));
                    publisher.publish(EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, issued + 9 * gap, id));
                    publisher.publish(EventRecord.sample(EventType.SAMPLE_COMPLETE, issued + 10 * gap, id));
                }
            }
            publisher.publish(EventRecord.session(EventType.SESSION_ENDED, began + (LATENCIES.length + 1) * SECOND));
            assertThat(publisher.flush(Await.PATIENCE)).isTrue();
        }
    }

    private static String output(String... arguments) throws IOException {
        try (RunningProcess process = Cli.start(arguments)) {
            assertThat(process.awaitExit()).as("%s", process).isZero();
            return process.out();
        }
    }

    private static ServerSnapshot servers(MetricsSnapshot snapshot) {
        ServerSnapshot servers = snapshot.extensions().telemetry().scrape().server();
        assertThat(servers).isNotNull();
        return servers;
    }

    private static void assertServers(MetricsSnapshot snapshot, String instance) {
        ServerSnapshot servers = servers(snapshot);
        assertThat(servers.targets()).hasSize(1);
        assertThat(servers.targets().get(0).instance()).isEqualTo(instance);
        assertThat(servers.targets().get(0).engine()).isEqualTo("vllm");
        ServerPanel run = servers.run().panel();
        assertThat(run.level(ServerRole.RUNNING)).isEqualTo(new ServerFigure.Level(8, 8, 8));
        assertThat(run.level(ServerRole.KV_USAGE).mean()).isCloseTo(0.97, within(1e-9));
        assertThat(run.level(ServerRole.KV_USAGE).max()).isEqualTo(0.97);
        assertThat(run.ratio(ServerRatio.WAITING_SCRAPES)).isEqualTo(1.0);
        assertThat(run.ratio(ServerRatio.PREFIX_HITS)).isEqualTo(0.25);
        assertThat(run.isPrefixHitApproximate()).isTrue();
        assertThat(run.ratio(ServerRatio.ACCEPTANCE)).isCloseTo(0.6, within(0.01));
        assertThat(run.ratio(ServerRatio.ACCEPTANCE_LENGTH)).isCloseTo(3.4, within(0.01));
        assertThat(run.distribution(ServerRole.TTFT).mean()).isCloseTo(0.1, within(1e-3));
        assertThat(run.growth(ServerRole.OUTPUT_TOKENS)).isBetween(11_000.0, 60_000.0);
        // Means of the client's TTFT: 0.8 times those of its latencies.
        assertThat(servers.run().ttftGapNanos()).isCloseTo(0.8 * 190.4e6 - 0.1e9, within(1e6));
        ServerSnapshot.Steady steady = servers.steady();
        assertThat(steady).isNotNull();
        assertThat(steady.toMillis() - steady.fromMillis()).isBetween(8000L, 11_000L);
        double seconds = (steady.toMillis() - steady.fromMillis()) / 1e3;
        assertThat(steady.figures().panel().growth(ServerRole.OUTPUT_TOKENS)).isCloseTo(1000 * seconds, within(1000.0));
        assertThat(steady.figures().ttftGapNanos()).isCloseTo(0.8 * 200.5e6 - 0.1e9, within(2e6));
    }

    @Test
    void theRolesOfAScrapedServerAreInEveryViewOfTheRun() throws IOException {
        HttpServer exporter = exporter();
        String instance = "127.0.0.1:" + exporter.getAddress().getPort();
        try {
            run("run", instance, (LATENCIES.length + 2) * SECOND);
            run("second", instance, 0);
        } finally {
            exporter.stop(0);
        }
        assertViews(instance);
    }

    /** Runs a daemon that scrapes for some time before the session's events come. */
    private void run(String name, String instance, long before) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (RunningProcess daemon = Cli.daemon(
                directory.resolve(name),
                "--in",
                "bind:ipc://" + path("events"),
                "--streaming",
                "--journal",
                path(name + "-journal"),
                "--prometheus",
                "127.0.0.1:" + port,
                "--scrape",
                "http://" + instance + ",interval=250ms,job=it")) {
            String line = "metrics_aggregator_server_kv_usage_ratio{engine=\"vllm\",target_instance=\"" + instance;
            Await.until(() -> MetricsPage.get(port).contains(line), daemon::toString);
            assertThat(MetricsPage.get(port)).contains("metrics_aggregator_server_waiting_by_reason_part{");
            Await.until(
                    () -> MetricsPage.get(port).contains("metrics_aggregator_server_output_tokens_total{"),
                    daemon::toString);
            assertThat(MetricsPage.get(port)).contains("metrics_aggregator_server_ttft_seconds_run_mean{");
            long scraped = System.nanoTime();
            Await.until(() -> System.nanoTime() - scraped > before, daemon::toString);
            publish(System.nanoTime() - before);
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
    }

    private void assertViews(String instance) throws IOException {
        MetricsSnapshot last = FinalSnapshotFile.read(directory.resolve("run"));
        assertServers(last, instance);
        assertThat(output("report", path("run"), "--full"))
                .contains("vllm " + instance, "steady window")
                .contains("in 100.0% of scrapes", "capacity 3.0, deferred 1.0", "≈ 25.0%")
                .contains("Limiting factor: the server")
                .contains("held requests back: " + instance + ": requests waited in 100% of scrapes (on average");
        assertThat(output("report", path("run"), "--ascii", "--full"))
                .contains("~ 25.0%")
                .doesNotContain("≈");
        assertThat(output("report", path("run"), "--format", "md")).contains("### Servers", "KV cache");
        assertThat(output("report", path("run"), "--format", "html")).contains("<h2>Servers</h2>", "97.0%");
        output("report", path("run"), "--format", "json", "-o", path("report.json"));
        Python.require();
        Path schema = Path.of("..", "docs", "report.schema.json");
        try (RunningProcess python = Python.start("validate_report.py", schema.toString(), path("report.json"))) {
            boolean valid = python.awaitExit() == 0;
            if (python.err().contains("No module named 'jsonschema'")) {
                System.out.println("SKIPPED: no jsonschema (pip install jsonschema)");
            } else {
                assertThat(valid).as("%s", python).isTrue();
            }
        }
        output("replay", path("run-journal"), "--output-dir", path("replayed"));
        MetricsSnapshot replayed = FinalSnapshotFile.read(directory.resolve("replayed"));
        assertThat(servers(replayed)).isEqualTo(servers(last));
        output("merge", path("run"), path("second"), "--output-dir", path("merged"));
        assertThat(FinalSnapshotFile.read(directory.resolve("merged"))
                        .extensions()
                        .telemetry()
                        .scrape())
                .isNull();
        assertThat(output("report", path("merged"), "--full")).contains("telemetry of several runs cannot be added up");
    }
}
