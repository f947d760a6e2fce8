package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same exporters scraped by the daemon and by a real Prometheus server. */
class ScrapeIT {
    private static final Path GOLDEN = Path.of(System.getProperty("golden.dir", "../quality/golden"));

    @TempDir
    Path directory;

    private static HttpServer exporter(String path, Path text) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] body = Files.readAllBytes(text);
        server.createContext(path, exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private Map<Map<String, Object>, Double> prometheusSeries(int port, String instance) {
        Map<Map<String, Object>, Double> series = new java.util.HashMap<>();
        String query = "{__name__=~\".+\",instance=\"" + instance + "\"}";
        try {
            String body = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/query?query="
                                            + URLEncoder.encode(query, StandardCharsets.UTF_8)))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
            Map<?, ?> data = (Map<?, ?>)
                    JsonTree.read(body.getBytes(StandardCharsets.UTF_8)).get("data");
            for (Object each : data == null ? List.of() : (List<?>) data.get("result")) {
                Map<String, Object> labels = new TreeMap<>();
                ((Map<?, ?>) ((Map<?, ?>) each).get("metric")).forEach((key, value) -> labels.put((String) key, value));
                String value = (String) ((List<?>) ((Map<?, ?>) each).get("value")).get(1);
                series.put(labels, Double.valueOf(value.replace("Inf", "Infinity")));
            }
        } catch (IOException notYet) {
            return series;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return series;
    }

    /** Returns an exposition whose labels collide with those that the scraper adds: with equal values, other values, and already renamed. */
    private Path collisions() throws IOException {
        StringBuilder text = new StringBuilder("# TYPE collision gauge\n");
        for (String labels : List.of(
                "job=\"it\"",
                "job=\"other\"",
                "job=\"it\",exported_job=\"renamed\"",
                "job=\"it\",exported_job=\"renamed\",exported_exported_job=\"twice\"",
                "job=\"it\",instance=\"other\"")) {
            for (int i = 0; i < 4; i++) {
                text.append("collision{")
                        .append(labels)
                        .append(",n=\"")
                        .append(i)
                        .append("\"} 1\n");
            }
        }
        return Files.writeString(directory.resolve("collisions.txt"), text);
    }

    @Test
    @Tag("prometheus")
    void theDaemonReadsTheSameValuesAsPrometheusFromTheSameExporters() throws Exception {
        assumePrometheus();
        Map<String, HttpServer> servers = new TreeMap<>();
        for (String name : List.of("triton_8002_scrape1", "vllm_8000", "dcgm_9400", "traps")) {
            servers.put(name, exporter("/metrics", GOLDEN.resolve("prometheus/" + name + ".txt")));
        }
        servers.put("collisions", exporter("/metrics", collisions()));
        int port = freePort();
        StringBuilder targets = new StringBuilder();
        List<String> options = new ArrayList<>(List.of("--in", "bind:ipc://" + directory.resolve("in")));
        servers.values().forEach(server -> {
            String instance = "127.0.0.1:" + server.getAddress().getPort();
            targets.append(targets.isEmpty() ? "" : ",")
                    .append("'")
                    .append(instance)
                    .append("'");
            options.addAll(List.of("--scrape", "http://" + instance + ",interval=500ms,job=it"));
        });
        Path config = directory.resolve("prometheus.yml");
        Files.writeString(config, """
                global: {scrape_interval: 500ms, scrape_timeout: 500ms}
                scrape_configs: [{job_name: it, static_configs: [{targets: [%s]}]}]
                """.formatted(targets));
        Path output = directory.resolve("out");
        try (RunningProcess daemon = Cli.daemon(output, options.toArray(new String[0]));
                RunningProcess prometheus = new RunningProcess(new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + directory.resolve("tsdb"),
                        "--web.listen-address=127.0.0.1:" + port))) {
            for (HttpServer server : servers.values()) {
                String instance = "127.0.0.1:" + server.getAddress().getPort();
                Await.until(() -> prometheusSeries(port, instance).size() > 15, prometheus::toString);
            }
            Map<String, Map<Map<String, Object>, Double>> wanted = new TreeMap<>();
            servers.forEach((name, server) -> wanted.put(
                    name,
                    prometheusSeries(port, "127.0.0.1:" + server.getAddress().getPort())));
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            Map<?, ?> scrape = (Map<?, ?>) FinalSnapshotFile.read(output)
                    .extensions()
                    .telemetry()
                    .tree()
                    .get("scrape");
            Map<Map<String, Object>, Double> ours = new java.util.HashMap<>();
            for (Object each : (List<?>) ((Map<?, ?>) scrape.get("table")).get("rows")) {
                Map<?, ?> row = (Map<?, ?>) each;
                Map<String, Object> labels = new TreeMap<>();
                ((Map<?, ?>) row.get("labels")).forEach((key, value) -> labels.put((String) key, value));
                labels.put("__name__", row.get("name"));
                Number last = (Number) row.get("last");
                // JSON has no numbers for NaN and infinity.
                ours.put(labels, last == null ? null : last.doubleValue());
            }
            int compared = 0;
            for (Map<Map<String, Object>, Double> series : wanted.values()) {
                for (Map.Entry<Map<String, Object>, Double> each : series.entrySet()) {
                    String name = (String) each.getKey().get("__name__");
                    if (name.equals("up") || name.startsWith("scrape_")) {
                        continue;
                    }
                    assertThat(ours).as("%s", each.getKey()).containsKey(each.getKey());
                    Double value = ours.get(each.getKey());
                    // DCGM's value for "nothing": the daemon ignores it as a temperature, while Prometheus keeps the
                    // number.
                    boolean blank = name.startsWith("DCGM_") && each.getValue() == 0x1p63;
                    if (Double.isFinite(each.getValue()) && !blank) {
                        assertThat(value).as("%s", each.getKey()).isEqualTo(each.getValue());
                    } else {
                        assertThat(value).as("%s", each.getKey()).isNull();
                    }
                    compared++;
                }
            }
            assertThat(compared).isGreaterThan(500);
            // Only the daemon receives the sample with an old timestamp, and omits it too.
            assertThat(ours.size()).isEqualTo(compared);
        } finally {
            servers.values().forEach(server -> server.stop(0));
        }
    }

    private static void assumePrometheus() throws InterruptedException {
        boolean there;
        try {
            there = new ProcessBuilder("prometheus", "--version")
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            there = false;
        }
        if (!there) {
            System.out.println("SKIPPED: no prometheus (install prometheus)");
        }
        Assumptions.assumeTrue(there, "no prometheus");
    }
}
