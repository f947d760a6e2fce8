package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code proxy} between a client, a server and a daemon, all of them processes. */
class ProxyIT {
    private static final int REQUESTS = 60;
    private static final int WARM_UP = 20;
    private static final int TOKENS = 12;
    private static final String BODY =
            "{\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"stream_options\":{\"include_usage\":true}}";

    @TempDir
    Path directory;

    @Test
    void theDaemonCountsWhatTheServerAnsweredAndFindsItsTimes() throws Exception {
        String events = "ipc://" + directory.resolve("events");
        Path output = directory.resolve("out");
        Path log = directory.resolve("served.jsonl");
        try (RunningProcess server = Cli.start(
                        "serve-synthetic",
                        "--listen",
                        "127.0.0.1:0",
                        "--ttft",
                        "30ms",
                        "--chunk-interval",
                        "4ms",
                        "--tokens",
                        "" + TOKENS,
                        "--log",
                        log.toString());
                RunningProcess daemon = Cli.daemon(output, "--in", "bind:" + events)) {
            server.awaitOut("http://");
            String upstream = server.out().strip();
            // A cold server is late in ways that it does not note itself.
            ask(upstream, WARM_UP);
            String status;
            try (RunningProcess proxy = Cli.start(
                    "proxy", "--upstream", upstream, "--listen", "127.0.0.1:0", "--out", "connect:" + events)) {
                proxy.awaitOut("http://");
                String url = proxy.out().strip();
                ask(url, REQUESTS);
                assertThat(get(url + "/metrics")).contains("vllm:time_to_first_token_seconds_sum");
                status = get(url + "/-/status");
                proxy.signal("TERM");
                assertThat(proxy.awaitExit()).as("%s", proxy).isZero();
                assertThat(proxy.err()).contains("measured=" + REQUESTS, "forward_p99_us=", "published");
            }
            assertThat(status).contains("\"measured\":" + REQUESTS, "\"other\":1", "\"unread\":0");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            check(FinalSnapshotFile.read(output), log);
        }
        try (RunningProcess report = Cli.start("report", output.toString(), "--full")) {
            assertThat(report.awaitExit()).isZero();
            assertThat(report.out()).contains("measured_at").contains("proxy_forward_p99_ns");
        }
    }

    /**
     * Sends requests, each after the answer to the one before: the server notes times from when a thread of it begins, not from the arrival. The JDK's
     * client asks to change to HTTP/2 on a new connection, which the server ignores.
     */
    private static void ask(String url, int requests) throws IOException, InterruptedException {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/v1/chat/completions"))
                .POST(HttpRequest.BodyPublishers.ofString(BODY))
                .build();
        for (int i = 0; i < requests; i++) {
            assertThat(client.send(request, BodyHandlers.ofString()).body()).endsWith("data: [DONE]\n\n");
        }
    }

    private static String get(String url) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                .body();
    }

    private static void check(MetricsSnapshot last, Path log) throws IOException {
        assertThat(last.counterValue("tracked_samples_issued")).isEqualTo(REQUESTS);
        assertThat(last.counterValue("tracked_samples_succeeded")).isEqualTo(REQUESTS);
        assertThat(last.counterValue("tracked_samples_failed")).isZero();
        assertThat(last.counterValue("seq_lost")).isZero();
        // Of 11 a request; up to 4 may go with the end of their request.
        assertThat(last.counterValue("chunks_received")).isBetween(7L * REQUESTS, 11L * REQUESTS);
        assertThat(last.series("usage_completion_tokens").count()).isEqualTo(REQUESTS);
        SeriesMetric ttft = last.series("ttft_ns");
        assertThat(ttft.count()).isEqualTo(REQUESTS);
        List<Map<String, ?>> served = new ArrayList<>();
        for (String line : Files.readAllLines(log)) {
            served.add(JsonTree.read(line.getBytes(StandardCharsets.UTF_8)));
        }
        assertThat(served).hasSize(WARM_UP + REQUESTS).allMatch(each -> "stop".equals(each.get("end")));
        double serverMean = served.stream()
                .skip(WARM_UP)
                .mapToLong(each -> (Long) each.get("ttft_ns"))
                .average()
                .orElseThrow();
        double mean = ttft.total().doubleValue() / REQUESTS;
        System.out.printf("mean TTFT: server %.3f ms, proxy %.3f ms%n", serverMean / 1e6, mean / 1e6);
        // The request's way to the server and the chunk's way back, on a machine that others use too.
        assertThat(mean - serverMean).isBetween(0.0, 20e6);
    }
}
