package io.metricsaggregator.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.web.model.RunFixture;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The server over real sockets. */
@Timeout(60)
class WebServerTest {
    private final List<Socket> sockets = new ArrayList<>();
    private volatile Supplier<@Nullable MetricsSnapshot> latest = () -> null;
    private WebServer server;

    @BeforeEach
    void start() throws IOException {
        server = new WebServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), () -> latest.get());
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        server.close();
    }

    private BufferedReader open(String request) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        sockets.add(socket);
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    private String answer(String request) throws IOException {
        try (BufferedReader reader = open(request)) {
            StringBuilder text = new StringBuilder();
            for (int c = reader.read(); c >= 0; c = reader.read()) {
                text.append((char) c);
            }
            return text.toString();
        }
    }

    private static String get(String path, String... headers) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost:80\r\n" + String.join("", headers) + "\r\n";
    }

    private static String awaitLine(BufferedReader reader, String part) throws IOException {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            if (line.contains(part)) {
                return line;
            }
        }
        throw new AssertionError("the stream ended without '" + part + "'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/page.js",
                "/stream.js",
                "/dom.js",
                "/figures.js",
                "/charts.js",
                "/heat.js",
                "/page.css",
                "/uplot.js",
                "/uplot.css",
                "/favicon.svg"
            })
    void every_file_is_served_with_a_policy_that_forbids_all_but_the_servers_own_files(String path) throws IOException {
        String answer = answer(get(path));
        assertThat(answer)
                .startsWith("HTTP/1.1 200 OK\r\n")
                .contains("Content-Security-Policy: default-src 'none'; script-src 'self';")
                .contains("X-Content-Type-Options: nosniff\r\n")
                .doesNotContain("unsafe-inline")
                .doesNotContain("Access-Control-Allow-Origin");
        assertThat(answer.substring(answer.indexOf("\r\n\r\n")).length()).isGreaterThan(100);
        String head = answer("HEAD " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(head).startsWith("HTTP/1.1 200 OK\r\n").endsWith("\r\n\r\n");
    }

    @Test
    void the_page_has_no_inline_script_style_or_handler_and_no_address_of_another_server() throws IOException {
        String page = answer(get("/"));
        String html = page.substring(page.indexOf("\r\n\r\n"));
        assertThat(html)
                .doesNotContainPattern("<script(?![^>]*src=\"/)")
                .doesNotContain("<style")
                .doesNotContain("style=")
                .doesNotContainPattern("\\son[a-z]+=")
                .doesNotContain("http:")
                .doesNotContain("https:")
                .doesNotContain("javascript:");
        for (String script : List.of("page", "stream", "dom", "figures", "charts", "heat")) {
            assertThat(answer(get("/" + script + ".js")))
                    .as(script)
                    .doesNotContain("innerHTML")
                    .doesNotContain("insertAdjacentHTML")
                    .doesNotContain("document.write")
                    .doesNotContain("eval(")
                    .doesNotContain("http");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET / HTTP/1.1~Host: evil.example~~                       | 403
            GET / HTTP/1.1~Host: localhost.evil.example:80~~          | 403
            GET / HTTP/1.1~Host: localhost~Host: localhost~~          | 400
            GET / HTTP/1.1~~                                          | 403
            GET /events HTTP/1.1~Host: 192.168.0.1~~                  | 403
            GET /events HTTP/1.1~Host: localhost~Sec-Fetch-Site: cross-site~~ | 403
            GET /events HTTP/1.1~Host: localhost~Sec-Fetch-Site: same-site~~  | 403
            GET /events HTTP/1.1~Host: localhost:9~Origin: http://evil.example~~ | 403
            GET /events HTTP/1.1~Host: localhost:9~Origin: http://localhost:8~~  | 403
            GET /events HTTP/1.1~Host: localhost:9~Origin: null~~                | 403
            GET / HTTP/1.1~Host: localhost~Sec-Fetch-Site: cross-site~~ | 200
            GET / HTTP/1.1~Host: LOCALHOST:1~~                        | 200
            GET /?a=b HTTP/1.1~Host: [::1]:9~~                        | 200
            GET / HTTP/1.0~Host: 127.0.0.1~~                          | 200
            POST / HTTP/1.1~Host: localhost~Content-Length: 0~~       | 405
            GET /../../etc/passwd HTTP/1.1~Host: localhost~~          | 404
            GET /page/index.html HTTP/1.1~Host: localhost~~           | 404
            GET http://localhost/ HTTP/1.1~Host: localhost~~          | 400
            GET /~~                                                   | 400
            """)
    void requests_are_refused_by_their_host_site_method_and_form(String request, int status) throws IOException {
        String answer = answer(request.replace("~", "\r\n"));
        assertThat(answer)
                .startsWith("HTTP/1.1 " + status + " ")
                .contains("Content-Security-Policy: default-src 'none'");
    }

    @Test
    void a_request_beyond_8_kilobytes_is_refused() throws IOException {
        assertThat(answer("GET / HTTP/1.1\r\nX: " + "a".repeat(8192))).startsWith("HTTP/1.1 431 ");
    }

    @Test
    void a_stream_starts_with_the_present_figures_and_continues_with_each_snapshot() throws IOException {
        BufferedReader early = open(get("/events"));
        assertThat(awaitLine(early, "event:")).isEqualTo("event: now");
        assertThat(awaitLine(early, "data:")).contains("\"state\":\"WAITING\"");
        latest = () -> first;
        assertThat(awaitLine(early, "LIVE")).contains("\"snapshot\":3");
        awaitLine(early, "event: history");
        latest = () -> second;
        awaitLine(early, "\"snapshot\":4");
        BufferedReader late = open(get("/events"));
        awaitLine(late, "\"snapshot\":4");
        awaitLine(late, "\"charts\"");
        // The number follows the events: it is counted when the turn of the server's loop ends.
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (server.viewers() != 2 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(server.viewers()).isEqualTo(2);
    }

    @Test
    void a_viewer_gets_the_window_it_asks_for_and_a_window_that_there_is_not_is_named() throws IOException {
        latest = () -> first;
        BufferedReader shorter = open(get("/events"));
        BufferedReader longer = open(get("/events?window=30"));
        assertThat(awaitLine(shorter, "LIVE")).contains("now (10 s)").doesNotContain("now (30 s)");
        assertThat(awaitLine(longer, "LIVE")).contains("now (30 s)").doesNotContain("now (10 s)");
        latest = () -> second;
        assertThat(awaitLine(shorter, "\"snapshot\":4")).contains("now (10 s)");
        assertThat(awaitLine(longer, "\"snapshot\":4")).contains("now (30 s)");
        assertThat(answer(get("/events?window=31"))).startsWith("HTTP/1.1 400 ").contains("one of [10, 30, 60]");
    }

    @Test
    void report_and_snapshot_are_downloads_of_the_page_alone() throws Exception {
        assertThat(answer(get("/report.html"))).startsWith("HTTP/1.1 404 ").contains("no snapshot yet");
        latest = () -> first;
        String report = answer(get("/report.html"));
        assertThat(report)
                .startsWith("HTTP/1.1 200 ")
                .contains("Content-Disposition: attachment; filename=\"report.html\"\r\n")
                .contains("<!DOCTYPE html>")
                .contains("</html>");
        String snapshot = answer(get("/snapshot.json"));
        assertThat(snapshot).startsWith("HTTP/1.1 200 ").contains("filename=\"snapshot.json\"");
        byte[] json = snapshot.substring(snapshot.indexOf("\r\n\r\n") + 4).getBytes(StandardCharsets.UTF_8);
        assertThat(json).isEqualTo(new JsonSnapshotCodec().encode(first));
        for (String path : List.of("/report.html", "/snapshot.json")) {
            assertThat(answer(get(path, "Sec-Fetch-Site: cross-site\r\n"))).startsWith("HTTP/1.1 403 ");
        }
    }

    private final MetricsSnapshot first = RunFixture.snapshot(3, SessionState.LIVE);
    private final MetricsSnapshot second = RunFixture.snapshot(4, SessionState.LIVE);

    @Test
    void without_a_new_snapshot_viewers_get_signs_of_life() throws IOException {
        latest = () -> first;
        BufferedReader viewer = open(get("/events"));
        awaitLine(viewer, "event: alive");
    }

    @Test
    void closing_sends_the_terminal_snapshot_first() throws IOException {
        latest = () -> first;
        BufferedReader viewer = open(get("/events"));
        awaitLine(viewer, "LIVE");
        MetricsSnapshot last = RunFixture.snapshot(5, SessionState.COMPLETE);
        latest = () -> last;
        server.close();
        awaitLine(viewer, "COMPLETE");
        awaitLine(viewer, "\"terminal\":true,\"charts\"");
        assertThat(viewer.read()).isEqualTo('\n');
        assertThat(viewer.read()).isEqualTo(-1);
    }

    @Test
    void a_snapshot_that_cannot_be_rendered_is_counted_and_the_next_one_is_shown() throws IOException {
        latest = () -> first;
        BufferedReader viewer = open(get("/events"));
        awaitLine(viewer, "LIVE");
        latest = () -> {
            throw new StackOverflowError();
        };
        awaitLine(viewer, "event: alive");
        assertThat(server.failures()).isPositive();
        latest = () -> second;
        awaitLine(viewer, "\"snapshot\":4");
    }

    @Test
    void viewers_and_connections_beyond_the_limits_are_refused_and_places_become_free_again() throws IOException {
        latest = () -> first;
        for (int i = 0; i < WebServer.VIEWERS_MAX; i++) {
            awaitLine(open(get("/events")), "LIVE");
        }
        assertThat(answer(get("/events"))).startsWith("HTTP/1.1 503 ");
        assertThat(answer(get("/"))).startsWith("HTTP/1.1 200 ");
        for (int i = sockets.size(); i < 2 * WebServer.CONNECTIONS_MAX; i++) {
            sockets.add(new Socket(InetAddress.getLoopbackAddress(), server.port()));
        }
        for (Socket socket : sockets) {
            socket.close();
        }
        String answer = "";
        while (!answer.startsWith("HTTP/1.1 200 ")) {
            try {
                answer = answer(get("/"));
            } catch (IOException refused) {
                // The server has not seen yet that the others have gone.
                answer = "";
            }
        }
    }

    @Test
    void a_viewer_that_never_reads_does_not_delay_the_others() throws IOException {
        AtomicInteger number = new AtomicInteger(3);
        latest = () -> RunFixture.snapshot(number.incrementAndGet(), SessionState.LIVE);
        open(get("/events"));
        BufferedReader reading = open(get("/events"));
        for (int i = 0; i < 8; i++) {
            awaitLine(reading, "event: now");
        }
        assertThat(number.get()).isGreaterThanOrEqualTo(10);
        assertThat(server.viewers()).isEqualTo(2);
    }
}
