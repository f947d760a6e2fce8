package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** OpenTelemetry traces sent to a real daemon: by the SDK's own exporter, and by hand. */
class OtlpIT {
    private static final long MILLI = 1_000_000L;
    private static final int REQUESTS = 1000;
    private static final Pattern URL = Pattern.compile("listening for OpenTelemetry traces url=(\\S+)");

    @TempDir
    Path directory;

    private final HttpClient client = HttpClient.newHttpClient();

    private static String url(RunningProcess daemon) {
        // The log is written by a thread of its own, maybe after .ready.
        Await.until(() -> URL.matcher(daemon.err()).find(), () -> "the address: " + daemon);
        Matcher matcher = URL.matcher(daemon.err());
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    private HttpResponse<String> post(String url, String type, byte[] body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String url, Map<String, ?> body) throws IOException, InterruptedException {
        return post(url + "/v1/traces", "application/json", JsonTree.writeLine(body));
    }

    /** A body with one span of a request to a model; ids are numbers. */
    private static Map<String, ?> body(long trace, long span, long startNanos, long durationMillis, Object... more) {
        return Map.of(
                "resourceSpans",
                List.of(Map.of(
                        "scopeSpans",
                        List.of(Map.of(
                                "spans",
                                List.of(Map.of(
                                        "traceId",
                                        "%032x".formatted(trace),
                                        "spanId",
                                        "%016x".formatted(span),
                                        "kind",
                                        3,
                                        "startTimeUnixNano",
                                        String.valueOf(startNanos),
                                        "endTimeUnixNano",
                                        String.valueOf(startNanos + durationMillis * MILLI),
                                        "attributes",
                                        List.of(
                                                Map.of(
                                                        "key",
                                                        "gen_ai.operation.name",
                                                        "value",
                                                        Map.of("stringValue", "chat")),
                                                Map.of(
                                                        "key",
                                                        "gen_ai.response.time_to_first_chunk",
                                                        "value",
                                                        Map.of("doubleValue", 0.025))))))))));
    }

    private static long total(Map<String, ?> sent, String name) {
        return ((List<?>) sent.get(name))
                        .stream().mapToLong(each -> (Long) each).sum()
                * MILLI;
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "none"})
    void what_the_sdks_exporter_sends_is_in_the_run_and_in_its_replay(String compression) throws Exception {
        Python.requireModule("opentelemetry.exporter.otlp.proto.http");
        String journal = directory.resolve("journal").toString();
        Map<String, ?> sent;
        try (RunningProcess daemon =
                Cli.daemon(directory.resolve("run"), "--otlp-listen", "0", "--streaming", "--journal", journal)) {
            String url = url(daemon);
            try (RunningProcess exporter =
                    Python.start("otlp_exporter.py", url, String.valueOf(REQUESTS), compression)) {
                assertThat(exporter.awaitExit()).as("%s", exporter).isZero();
                sent = JsonTree.read(exporter.out().getBytes(StandardCharsets.UTF_8));
            }
            assertThat(post(url + "/-/session/stop", "text/plain", new byte[0]).statusCode())
                    .isEqualTo(202);
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot snapshot = FinalSnapshotFile.read(directory.resolve("run"));
        assertFigures(snapshot, sent);
        assertThat(snapshot.counterValue("spans_received")).isEqualTo(3L * REQUESTS);
        assertThat(snapshot.counterValue("spans_sampled")).isEqualTo(REQUESTS);
        assertThat(snapshot.counterValue("spans_other")).isEqualTo((Long) sent.get("other"));
        assertThat(snapshot.counterValue("span_values_rejected")).isZero();
        try (RunningProcess replay = Cli.start(
                "replay", journal, "--output-dir", directory.resolve("replayed").toString())) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
        }
        assertFigures(FinalSnapshotFile.read(directory.resolve("replayed")), sent);
    }

    private static void assertFigures(MetricsSnapshot snapshot, Map<String, ?> sent) {
        assertThat(snapshot.counterValue("tracked_samples_issued")).isEqualTo(REQUESTS);
        assertThat(snapshot.counterValue("tracked_samples_completed")).isEqualTo(REQUESTS);
        assertThat(snapshot.counterValue("tracked_samples_failed")).isEqualTo((Long) sent.get("failed"));
        assertThat(snapshot.series("ttft_ns").count()).isEqualTo(REQUESTS);
        assertThat(snapshot.series("ttft_ns").total()).isEqualTo(total(sent, "ttft_ms"));
        assertThat(snapshot.series("sample_latency_ns").total()).isEqualTo(total(sent, "latency_ms"));
        ReportedUsage usage = snapshot.extensions().optional().usage();
        assertThat(usage.reported()).isEqualTo(REQUESTS);
        assertThat(usage.totals())
                .containsEntry(UsageKey.PROMPT_TOKENS, (Long) sent.get("input_tokens"))
                .containsEntry(UsageKey.COMPLETION_TOKENS, (Long) sent.get("output_tokens"))
                .containsEntry(UsageKey.CACHED_TOKENS, 4L * REQUESTS);
        assertThat(snapshot.extensions().inFlight().peak())
                .as("requests start 10 ms apart and take 100 to 112 ms")
                .isBetween(10L, 12L);
        assertThat(snapshot.extensions().inFlight().count()).isZero();
    }

    @Test
    void requests_are_answered_as_otlp_says() throws Exception {
        try (RunningProcess daemon = Cli.daemon(directory, "--otlp-listen", "127.0.0.1:0")) {
            String url = url(daemon);
            long start = EpochNanos.now() - 1000 * MILLI;
            HttpResponse<String> taken = post(url, body(1, 2, start, 100));
            assertThat(taken.statusCode()).isEqualTo(200);
            assertThat(taken.headers().firstValue("Content-Type")).contains("application/json");
            assertThat(taken.body()).isEqualTo("{}");
            assertThat(post(url, body(0, 2, start, 100)).body()).contains("\"rejectedSpans\":\"1\"");
            byte[] json = "{}".getBytes(StandardCharsets.US_ASCII);
            assertThat(post(url + "/v1/traces", "text/plain", json).statusCode())
                    .isEqualTo(415);
            assertThat(post(url + "/v1/traces", "application/json", new byte[] {'['})
                            .statusCode())
                    .isEqualTo(400);
            assertThat(post(url + "/v1/traces", "application/x-protobuf", new byte[17 << 20])
                            .statusCode())
                    .isEqualTo(413);
            assertThat(post(url + "/v1/metrics", "application/json", json).statusCode())
                    .isEqualTo(404);
            assertThat(post(url + "/v1/traces", "application/json", json, "Origin", "http://evil.example")
                            .statusCode())
                    .isEqualTo(403);
            assertThat(client.send(
                                    HttpRequest.newBuilder(URI.create(url + "/v1/traces"))
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(405);
            assertThat(post(url + "/-/session/stop", "text/plain", new byte[0]).statusCode())
                    .isEqualTo(202);
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot snapshot = FinalSnapshotFile.read(directory);
        assertThat(snapshot.counterValue("span_requests")).isEqualTo(2);
        assertThat(snapshot.counterValue("span_requests_refused")).isEqualTo(4);
        assertThat(snapshot.counterValue("spans_received")).isEqualTo(2);
        assertThat(snapshot.counterValue("spans_rejected")).isEqualTo(1);
        assertThat(snapshot.counterValue("tracked_samples_completed")).isEqualTo(1);
    }

    @Test
    void a_span_and_a_proxied_request_of_one_trace_are_one_sample() throws Exception {
        String metrics = "ipc://" + directory.resolve("metrics");
        String events = "connect:ipc://" + directory.resolve("events");
        try (RunningProcess daemon = Cli.daemon(
                        directory,
                        "--in",
                        "bind:ipc://" + directory.resolve("events"),
                        "--out",
                        metrics,
                        "--otlp-listen",
                        "0",
                        "--streaming");
                SnapshotWatch watch = new SnapshotWatch(metrics);
                EventPublisher proxy =
                        new EventPublisher(List.of(Endpoint.parse(events, true)), TransportOptions.defaults())) {
            String url = url(daemon);
            assertThat(proxy.awaitSubscribers(1, Await.PATIENCE)).isTrue();
            assertThat(post(url + "/-/session/stop", "text/plain", new byte[0]).statusCode())
                    .as("the session is the proxy's")
                    .isEqualTo(409);
            long monotonic = System.nanoTime();
            long epoch = EpochNanos.now();
            proxy.publish(EventRecord.session(EventType.SESSION_STARTED, monotonic));
            proxy.publish(EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, monotonic));
            proxy.publish(EventRecord.sample(EventType.SAMPLE_ISSUED, monotonic + MILLI, "proxied")
                    .withTraceparent("00-%032x-%016x-01".formatted(1, 5)));
            proxy.publish(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, monotonic + 11 * MILLI, "proxied"));
            proxy.publish(EventRecord.sample(EventType.SAMPLE_COMPLETE, monotonic + 90 * MILLI, "proxied"));
            // Delivered before the spans are sent: the trace of a request is known from its start.
            assertThat(proxy.flush(Await.PATIENCE)).isTrue();
            assertThat(post(url, body(1, 5, epoch, 100)).statusCode()).isEqualTo(200);
            assertThat(post(url, body(2, 5, epoch, 100)).statusCode()).isEqualTo(200);
            watch.await(latest -> latest.counterValue("spans_sampled") + latest.counterValue("spans_joined") == 2);
            proxy.publish(EventRecord.session(EventType.SESSION_ENDED, monotonic + 100 * MILLI));
            assertThat(proxy.flush(Await.PATIENCE)).isTrue();
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot snapshot = FinalSnapshotFile.read(directory);
        assertThat(snapshot.counterValue("spans_joined")).isEqualTo(1);
        assertThat(snapshot.counterValue("spans_sampled")).isEqualTo(1);
        assertThat(snapshot.counterValue("total_samples_issued")).isEqualTo(2);
        assertThat(snapshot.series("ttft_ns").total())
                .as("the proxy's time and the other span's")
                .isEqualTo((10 + 25) * MILLI);
    }
}
