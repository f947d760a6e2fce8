package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code serve-synthetic} as a process, with a client and with a daemon that scrapes it. */
class ServeSyntheticIT {
    @TempDir
    Path directory;

    @Test
    void it_answers_requests_and_a_daemon_scrapes_it_as_vllm() throws Exception {
        try (RunningProcess server =
                Cli.start("serve-synthetic", "--listen", "127.0.0.1:0", "--ttft", "20ms", "--chunk-interval", "1ms")) {
            server.awaitOut("http://127.0.0.1:");
            String url = server.out().strip();
            String body = "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"max_tokens\":7}";
            HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/v1/chat/completions"))
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(request, BodyHandlers.ofString())
                            .body())
                    .contains("\"completion_tokens\":7");
            String out = "ipc://" + directory.resolve("metrics");
            // Without a producer the daemon scrapes, but is not ready.
            try (RunningProcess daemon = Cli.start(Cli.run(
                            directory.resolve("out"),
                            "--in",
                            "ipc://" + directory.resolve("events"),
                            "--out",
                            out,
                            "--scrape",
                            url + "/metrics,job=vllm,interval=100ms"));
                    RunningProcess live = Cli.start("tail", out, "--format", "json")) {
                live.awaitOut(
                        "\"job\":\"vllm\",\"instance\":\"" + url.replace("http://", "") + "\",\"reachable\":true");
                assertThat(daemon.process.isAlive()).as("%s", daemon).isTrue();
            }
        }
    }

    @Test
    void an_address_that_others_can_reach_needs_insecure_bind() throws Exception {
        try (RunningProcess server = Cli.start("serve-synthetic", "--listen", "0.0.0.0:0")) {
            assertThat(server.awaitExit()).as("%s", server).isEqualTo(2);
            assertThat(server.err()).contains("--listen 0.0.0.0:0: not a loopback address", "--insecure-bind");
        }
    }

    @Test
    void a_taken_address_is_reported_with_the_way_out() throws Exception {
        try (RunningProcess first = Cli.start("serve-synthetic", "--listen", "127.0.0.1:0", "--duration", "1m")) {
            first.awaitOut("http://");
            String address = first.out().strip().replace("http://", "");
            try (RunningProcess second = Cli.start("serve-synthetic", "--listen", address)) {
                assertThat(second.awaitExit()).as("%s", second).isEqualTo(4);
                assertThat(second.err()).contains("cannot bind " + address, "or port 0 for any free one");
            }
        }
    }
}
