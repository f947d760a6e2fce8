package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.collect.CollectedFrames;
import io.metricsaggregator.producer.RecordedFrames;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exports to monitoring systems: a real Prometheus server scrapes, and a receiver with OTLP's own definitions accepts pushes. */
class ExportIT {
    private static final int SAMPLES = ExportedRun.SAMPLES;

    @TempDir
    Path directory;

    private final HttpClient http = HttpClient.newHttpClient();

    static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    static void require(boolean there, String what) {
        if (!there) {
            System.out.println("SKIPPED: " + what);
        }
        Assumptions.assumeTrue(there, what);
    }

    static boolean runs(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private HttpResponse<String> get(String url, String... headers) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private String text(String url) {
        try {
            return get(url).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the value of a query with one result; null without a result. */
    private Double query(int port, String promql) {
        try {
            String body = get("http://127.0.0.1:" + port + "/api/v1/query?query="
                            + URLEncoder.encode(promql, StandardCharsets.UTF_8))
                    .body();
            Map<?, ?> data = (Map<?, ?>)
                    JsonTree.read(body.getBytes(StandardCharsets.UTF_8)).get("data");
            List<?> result = data == null ? List.of() : (List<?>) data.get("result");
            if (result.isEmpty()) {
                return null;
            }
            return Double.valueOf((String) ((List<?>) ((Map<?, ?>) result.get(0)).get("value")).get(1));
        } catch (IOException e) {
            return null;
        }
    }

    private void awaitQuery(int port, String promql, double value) {
        Await.until(
                () -> {
                    Double seen = query(port, promql);
                    return seen != null && Math.abs(seen - value) <= 0.05 * Math.abs(value);
                },
                () -> promql + " is " + query(port, promql) + ", not " + value);
    }

    @Test
    @Tag("prometheus")
    void prometheusScrapesTheValuesOfTheFinalFileAsClassicAndNativeHistograms() throws IOException {
        require(runs("prometheus", "--version"), "no prometheus (install prometheus)");
        int port = freePort();
        int server = freePort();
        Path output = directory.resolve("out");
        String events = "ipc://" + directory.resolve("events");
        Path config = directory.resolve("prometheus.yml");
        Files.writeString(config, """
                global: {scrape_interval: 200ms, scrape_timeout: 200ms}
                scrape_configs: [{job_name: it, static_configs: [{targets: ['127.0.0.1:%d']}]}]
                """.formatted(port));
        try (RunningProcess daemon = Cli.daemon(
                        output,
                        "--in",
                        "bind:" + events,
                        "--streaming",
                        "--publish-interval",
                        "50ms",
                        "--slo",
                        "ttft=1s",
                        "--prometheus",
                        "127.0.0.1:" + port);
                RunningProcess prometheus = new RunningProcess(new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + directory.resolve("tsdb"),
                        "--web.listen-address=127.0.0.1:" + server,
                        "--enable-feature=native-histograms,exemplar-storage"))) {
            ExportedRun.publish(events, ExportedRun.frames(directory, false));
            awaitQuery(server, "metrics_aggregator_tracked_samples_completed_total", SAMPLES);
            assertThat(prometheus.process.isAlive()).as("%s", prometheus).isTrue();
            awaitQuery(server, "metrics_aggregator_goodput_good_total", SAMPLES);
            awaitQuery(server, "metrics_aggregator_session_state{state=\"live\"}", 1);
            // Native histogram: the quantile is accurate to a sixteenth of an octave.
            awaitQuery(server, "histogram_quantile(0.5, metrics_aggregator_ttft_seconds)", 0.1);
            awaitQuery(server, "histogram_count(metrics_aggregator_sample_latency_seconds)", SAMPLES);
            awaitQuery(server, "histogram_sum(metrics_aggregator_sample_latency_seconds)", 0.25 * SAMPLES);
            assertThat(get("http://127.0.0.1:" + port + "/metrics", "Accept", "text/plain")
                            .body())
                    .contains("metrics_aggregator_ttft_seconds_bucket{le=\"0.1\"} " + SAMPLES)
                    .contains("metrics_aggregator_ttft_seconds_bucket{le=\"0.075\"} 0")
                    .contains("metrics_aggregator_sample_latency_seconds_sum " + 0.25 * SAMPLES);
            String exemplars = "http://127.0.0.1:" + server
                    + "/api/v1/query_exemplars?start=0&end=4000000000&query=metrics_aggregator_sample_latency_seconds";
            Await.until(() -> text(exemplars).contains(ExportedRun.TRACE), () -> text(exemplars));
            assertThat(text(exemplars)).contains(ExportedRun.SPAN).contains("\"value\":\"0.25\"");
            ExportedRun.publish(events, ExportedRun.frames(directory, true));
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(last.counterValue("tracked_samples_completed")).isEqualTo(SAMPLES);
    }

    @Test
    void theServerAcceptsOnlyScrapesWithItsOwnHostName() throws IOException {
        int port = freePort();
        Path output = directory.resolve("out");
        try (RunningProcess daemon = Cli.daemon(
                output, "--in", "bind:ipc://" + directory.resolve("in"), "--prometheus", Integer.toString(port))) {
            String url = "http://127.0.0.1:" + port;
            assertThat(get(url + "/metrics").statusCode()).isEqualTo(200);
            assertThat(get(url + "/metrics", "Accept", "application/openmetrics-text")
                            .body())
                    .endsWith("# EOF\n");
            assertThat(get(url + "/other").statusCode()).isEqualTo(404);
            assertThat(raw(port, "POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"))
                    .contains(" 405 ");
            assertThat(raw(port, "GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n"))
                    .contains(" 403 ");
            assertThat(raw(port, "GET /metrics HTTP/1.1\r\n\r\n")).contains(" 403 ");
            assertThat(raw(port, "HEAD /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                    .contains(" 200 ")
                    .doesNotContain("# TYPE");
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        try (RunningProcess open = Cli.start(
                Cli.run(output, "--in", "bind:ipc://" + directory.resolve("in"), "--prometheus", "0.0.0.0:" + port))) {
            assertThat(open.awaitExit()).isEqualTo(2);
            assertThat(open.err()).contains("--insecure-bind");
        }
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RunningProcess late = Cli.start(Cli.run(
                        output,
                        "--in",
                        "bind:ipc://" + directory.resolve("in"),
                        "--prometheus",
                        Integer.toString(taken.getLocalPort())))) {
            assertThat(late.awaitExit()).as("%s", late).isEqualTo(4);
            assertThat(late.err()).contains("--prometheus");
        }
    }

    private Path collidingRecords() throws IOException {
        Path file = directory.resolve("colliding.bin");
        try (var writer = new RecordedFrames.Writer(file)) {
            new EventFrames(writer).session("session.started", 0);
            writer.write(CollectedFrames.frame(
                    Map.of("event_type", "sample.issued", "timestamp_ns", 1L, "sample_uuid", "t", "worker_id", 3L)));
            writer.write(CollectedFrames.frame(
                    Map.of("event_type", "sample.issued", "timestamp_ns", 2L, "sample_uuid", "u", "source_id", "3")));
            for (Map<String, String> labels :
                    List.of(Map.of("a-b", "x"), Map.of("a_b", "x"), Map.of("c.d", "1", "c_d", "2"))) {
                writer.write(CollectedFrames.frame(Map.of(
                        "event_type", "metric.gauge", "timestamp_ns", 3L, "name", "q", "value", 1L, "labels", labels)));
            }
        }
        return file;
    }

    @Test
    void recordsWithCollidingLabelsDoNotRemoveOtherMetrics() throws IOException {
        int port = freePort();
        Path output = directory.resolve("out");
        String events = "ipc://" + directory.resolve("events");
        try (RunningProcess daemon =
                Cli.daemon(output, "--in", "bind:" + events, "--prometheus", Integer.toString(port))) {
            String url = "http://127.0.0.1:" + port + "/metrics";
            ExportedRun.publish(events, collidingRecords());
            Await.until(
                    () -> get(url).body().contains("label_c_d_conflict1"),
                    () -> "the own metric in " + bodyOf(url) + daemon);
            HttpResponse<String> answer = get(url);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body())
                    .contains("metrics_aggregator_worker_records_total{worker=\"3\"} 2.0")
                    .contains(
                            "metrics_aggregator_metric_gauge{conflict=\"1\",label_a_b=\"x\",name=\"q\",unit=\"\"} 1.0")
                    .contains("metrics_aggregator_metric_gauge{label_a_b=\"x\",name=\"q\",unit=\"\"} 1.0");
            Await.until(
                    () -> bodyOf(url).matches("(?s).*metrics_aggregator_export_label_conflicts_total [1-9].*"),
                    () -> "the number of collisions in " + bodyOf(url));
            assertThat(get(url, "Accept", "application/openmetrics-text").statusCode())
                    .isEqualTo(200);
            ExportedRun.publish(events, ExportedRun.frames(directory, true));
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(last.counterValue("export_label_conflicts")).isPositive();
        assertThat(last.counterValue("prometheus_failures")).isZero();
        assertThat(last.counterValue("prometheus_scrapes")).isPositive();
    }

    private String bodyOf(String url) {
        try {
            return get(url).body();
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void theAnswerOfACollectorIsLoggedAsOneEscapedLine() throws IOException {
        Path output = directory.resolve("out");
        String events = "ipc://" + directory.resolve("events");
        String words = "x\n2026-11-22T00:00:00.000Z INFO forged\u001b[2J";
        byte[] forged = ("\u0012" + (char) words.length() + words).getBytes(StandardCharsets.US_ASCII);
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(400, forged.length);
            exchange.getResponseBody().write(forged);
            exchange.close();
        });
        collector.start();
        try (RunningProcess daemon = Cli.daemon(
                output,
                "--in",
                "bind:" + events,
                "--otlp",
                "http://127.0.0.1:" + collector.getAddress().getPort(),
                "--otlp-interval",
                "50ms")) {
            ExportedRun.publish(events, ExportedRun.frames(directory, false));
            Await.until(() -> daemon.err().contains("forged"), daemon::toString);
            ExportedRun.publish(events, ExportedRun.frames(directory, true));
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(daemon.err()).doesNotContain("\u001b").doesNotContain("\n2026-11-22T00:00:00.000Z INFO forged");
            // The exporter's own error line for a rejection contains no reason.
            assertThat(daemon.err()).contains("OTLP push failed cause=\"the collector rejected it");
            assertThat(daemon.err().lines()).allMatch(line -> line.matches("\\d{4}-\\d\\d-\\d\\dT.*|    .*"));
        } finally {
            collector.stop(0);
        }
        assertThat(FinalSnapshotFile.read(output).counterValue("otlp_failures")).isPositive();
        try (RunningProcess report = Cli.start("report", output.toString(), "--full")) {
            assertThat(report.awaitExit()).as("%s", report).isZero();
            assertThat(report.out()).contains("pushes over OTLP failed");
        }
    }

    private static String raw(int port, String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            byte[] buffer = new byte[256];
            int read = socket.getInputStream().read(buffer);
            return new String(buffer, 0, Math.max(0, read), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void aReceiverWithOtlpsOwnDefinitionsAcceptsPushes() throws IOException {
        Python.require();
        require(
                runs(Python.interpreter(), "-c", "import opentelemetry.proto.collector.metrics.v1.metrics_service_pb2"),
                "no opentelemetry-proto (pip install opentelemetry-proto)");
        int port = freePort();
        Path output = directory.resolve("out");
        String events = "ipc://" + directory.resolve("events");
        try (RunningProcess receiver = Python.start("otlp_receiver.py", Integer.toString(port));
                RunningProcess daemon = Cli.daemon(
                        output,
                        "--in",
                        "bind:" + events,
                        "--streaming",
                        "--otlp",
                        "http://127.0.0.1:" + port,
                        "--otlp-interval",
                        "100ms",
                        "--otel-genai")) {
            ExportedRun.publish(events, ExportedRun.frames(directory, false));
            ExportedRun.publish(events, ExportedRun.frames(directory, true));
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            // A push in flight at the end of the run can arrive after that of the terminal snapshot.
            String expected = "\"metrics_aggregator_tracked_samples_completed\": [\"sum\", 1, " + SAMPLES + ".0]";
            Await.until(() -> receiver.out().contains(expected), receiver::toString);
            Await.until(() -> receiver.out().indexOf('\n', receiver.out().indexOf(expected)) > 0, receiver::toString);
            String push = receiver.outLines().stream()
                    .filter(line -> line.contains(expected))
                    .findFirst()
                    .orElseThrow();
            Map<?, ?> last = JsonTree.read(push.getBytes(StandardCharsets.UTF_8));
            List<?> ttft = (List<?>) last.get("metrics_aggregator_ttft_seconds");
            assertThat(last.get("gen_ai.client.operation.time_to_first_chunk")).isEqualTo(ttft);
            assertThat(ttft.get(0)).isEqualTo("exponential_histogram");
            assertThat(ttft.get(1)).isEqualTo((long) SAMPLES);
            assertThat(ttft.get(4)).isEqualTo((long) SAMPLES);
            // The bucket of 0.1 s starts above 2^(offset/2^scale).
            double low =
                    Math.pow(2, ((Long) ttft.get(3)).doubleValue() / Math.pow(2, ((Long) ttft.get(2)).doubleValue()));
            assertThat(low).isBetween(0.097, 0.1);
            assertThat((Double) ttft.get(5)).isBetween(0.0999 * SAMPLES, 0.1001 * SAMPLES);
            assertThat(ttft.get(6)).isEqualTo(List.of(List.of(ExportedRun.TRACE, ExportedRun.SPAN, 0.1)));
        }
    }

    @Test
    void aMissingCollectorDoesNotAffectTheRun() throws IOException {
        Path output = directory.resolve("out");
        String events = "ipc://" + directory.resolve("events");
        try (RunningProcess daemon = Cli.daemon(
                output,
                "--in",
                "bind:" + events,
                "--otlp",
                "http://127.0.0.1:" + freePort(),
                "--otlp-interval",
                "50ms")) {
            ExportedRun.publish(events, ExportedRun.frames(directory, false));
            ExportedRun.publish(events, ExportedRun.frames(directory, true));
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        assertThat(FinalSnapshotFile.read(output).counterValue("total_samples_completed"))
                .isEqualTo(SAMPLES);
    }
}
