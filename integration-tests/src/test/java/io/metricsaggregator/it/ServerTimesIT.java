package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.server.ServerKey;
import io.metricsaggregator.event.server.ServerTimes;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures.Part;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Times in the server: from a producer to every view of the run, and from a server through the proxy. */
class ServerTimesIT {
    private static final long MILLI = 1_000_000L;
    private static final int REQUESTS = 20;

    @TempDir
    Path directory;

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    private static String output(String... arguments) throws IOException {
        try (RunningProcess process = Cli.start(arguments)) {
            assertThat(process.awaitExit()).as("%s", process).isZero();
            return process.out();
        }
    }

    /** Publishes samples {@code from} to {@code to} of 100, of which the last waits in the queue for 1.7 s. */
    private void run(String name, int from, int to) throws IOException {
        try (RunningProcess daemon = Cli.daemon(
                directory.resolve(name),
                "--in",
                "bind:ipc://" + path("events"),
                "--streaming",
                "--journal",
                path(name + "-journal"))) {
            publish(from, to);
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
    }

    private void publish(int from, int to) throws IOException {
        try (EventPublisher publisher = new EventPublisher(
                List.of(Endpoint.parse("connect:ipc://" + path("events"), true)), TransportOptions.defaults())) {
            assertThat(publisher.awaitSubscribers(1, Await.PATIENCE)).isTrue();
            publisher.publish(EventRecord.session(EventType.SESSION_STARTED, 0));
            publisher.publish(EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0));
            for (int i = from; i < to; i++) {
                boolean slow = i == 99;
                ServerTimes times = ServerTimes.from(ServerTimes.Source.BODY)
                        .with(ServerKey.QUEUE_NS, (slow ? 1700 : 20) * MILLI)
                        .with(ServerKey.TTFT_NS, (slow ? 250 : 50) * MILLI);
                publisher.publish(EventRecord.sample(EventType.SAMPLE_ISSUED, i * MILLI, "s" + i));
                long first = (i + (slow ? 2000L : 100 + i)) * MILLI;
                publisher.publish(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, first, "s" + i));
                publisher.publish(EventRecord.sample(EventType.SAMPLE_COMPLETE, first + MILLI, "s" + i)
                        .withServer(times));
            }
            publisher.publish(EventRecord.session(EventType.SESSION_ENDED, 3000 * MILLI));
            assertThat(publisher.flush(Await.PATIENCE)).isTrue();
        }
    }

    private ServerTimeFigures figures(String name) throws IOException {
        ServerTimeFigures figures = FinalSnapshotFile.read(directory.resolve(name))
                .extensions()
                .optional()
                .serverTimes();
        assertThat(figures).isNotNull();
        return figures;
    }

    @Test
    void the_queue_that_limits_the_slowest_samples_is_in_every_view_of_the_run() throws IOException {
        run("whole", 0, 100);
        ServerTimeFigures whole = figures("whole");
        assertThat(whole.slowest().share(Part.QUEUE)).isEqualTo(0.85);
        assertThat(whole.slowest().share(Part.PREFILL)).isEqualTo(0.125);
        assertThat(whole.slowest().share(Part.OUTSIDE)).isEqualTo(0.025);
        String sentence = "limited by: server queue, 85.00% of the time to first token of the slowest 1 %";
        assertThat(output("report", path("whole"), "--full"))
                .contains(sentence, "100 completions report server times", "1.700 s (85.00%)");
        assertThat(output("report", path("whole"), "--format", "md")).contains("### Server times", sentence);
        assertThat(output("report", path("whole"), "--format", "html"))
                .contains(sentence, "Time to first token by part");
        assertThat(output("report", path("whole"), "--format", "json"))
                .contains("\"limited_by\": \"queue\"", "\"outside_ttft\"");
        output("replay", path("whole-journal"), "--output-dir", path("replayed"));
        assertThat(figures("replayed")).isEqualTo(whole);
        run("first", 0, 40);
        run("second", 40, 100);
        output("merge", path("first"), path("second"), "--output-dir", path("merged"));
        assertThat(figures("merged")).isEqualTo(whole);
        output("merge", path("second-journal"), path("first-journal"), "--output-dir", path("from-journals"));
        assertThat(figures("from-journals")).isEqualTo(whole);
    }

    @ParameterizedTest
    @ValueSource(strings = {"vllm", "llama.cpp", "header"})
    void the_proxy_reports_the_times_that_the_server_logged(String form) throws Exception {
        String events = "ipc://" + directory.resolve("events");
        Path output = directory.resolve("out");
        Path log = directory.resolve("served.jsonl");
        try (RunningProcess server = Cli.start(
                        "serve-synthetic",
                        "--listen",
                        "127.0.0.1:0",
                        "--ttft",
                        "10ms",
                        "--chunk-interval",
                        "1ms",
                        "--tokens",
                        "4",
                        "--server-times",
                        form,
                        "--log",
                        log.toString());
                RunningProcess daemon = Cli.daemon(output, "--in", "bind:" + events)) {
            server.awaitOut("http://");
            try (RunningProcess proxy = Cli.start(
                    "proxy",
                    "--upstream",
                    server.out().strip(),
                    "--listen",
                    "127.0.0.1:0",
                    "--out",
                    "connect:" + events)) {
                proxy.awaitOut("http://");
                ask(proxy.out().strip());
                proxy.signal("TERM");
                assertThat(proxy.awaitExit()).as("%s", proxy).isZero();
            }
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(figures("out").reported()).isEqualTo(REQUESTS);
        assertThat(last.series("server_ttft_ns").total()).isEqualTo(logged(log, "server_ttft_ns"));
        boolean queue = !form.equals("llama.cpp");
        assertThat(last.counterValue("server_rejected")).isZero();
        assertThat(figures("out").split() + figures("out").negative()).isEqualTo(queue ? REQUESTS : 0);
        if (queue) {
            assertThat(last.series("server_queue_ns").total()).isEqualTo(logged(log, "queue_ns"));
            assertThat(last.series("outside_ttft_ns").total())
                    .isEqualTo(last.series("ttft_ns").total().longValue()
                            - logged(log, "queue_ns")
                            - logged(log, "server_ttft_ns"));
        }
    }

    private static void ask(String url) throws IOException, InterruptedException {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/v1/chat/completions"))
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],"
                                + "\"stream_options\":{\"include_usage\":true}}"))
                .build();
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(client.send(request, BodyHandlers.ofString()).body()).endsWith("data: [DONE]\n\n");
        }
    }

    private static long logged(Path log, String key) throws IOException {
        long sum = 0;
        for (String line : Files.readAllLines(log)) {
            sum += (Long) JsonTree.read(line.getBytes(StandardCharsets.UTF_8)).get(key);
        }
        return sum;
    }
}
