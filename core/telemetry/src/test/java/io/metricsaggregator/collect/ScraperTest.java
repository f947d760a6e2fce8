package io.metricsaggregator.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScraperTest {
    private final CountDownLatch never = new CountDownLatch(1);
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        answer("/metrics", 200, "text/plain; version=0.0.4", "# TYPE a counter\na{l=\"v\"} 3\nnot a line\n");
        answer("/open", 200, "application/openmetrics-text; version=1.0.0", "a_total 1 1.5\n# EOF\n");
        answer("/page", 200, "text/html", "<html>hello</html>\n");
        answer("/empty", 200, "text/plain", "");
        answer("/gone", 404, "text/plain", "no");
        server.createContext("/slow", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("a 1\n".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.createContext("/endless", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] line = "a 1\n".repeat(64 * 1024).getBytes(StandardCharsets.UTF_8);
            try {
                while (never.getCount() > 0) {
                    exchange.getResponseBody().write(line);
                }
            } catch (IOException e) {
                // The client closed the connection.
                exchange.close();
            }
        });
        server.start();
    }

    private void answer(String path, int status, String type, String text) {
        server.createContext(path, exchange -> {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", type);
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    @AfterEach
    void stop() {
        never.countDown();
        server.stop(0);
    }

    private Map<String, Object> scrape(String path, String options) {
        String url = "http://127.0.0.1:" + server.getAddress().getPort() + path + options;
        return new Scraper(ScrapeSpec.parse(url, ScraperTest::time)).scrape();
    }

    private static Duration time(String text) {
        return Duration.parse("PT" + text);
    }

    @Test
    void anAnswerBecomesARecordWithItsSamplesAndConfiguredLabels() throws Exception {
        Map<String, Object> record = scrape("", ",job=triton,pod=p0");
        assertThat(record)
                .containsEntry("event_type", "scrape.samples")
                .containsEntry("job", "triton")
                .containsEntry("instance", "127.0.0.1:" + server.getAddress().getPort())
                .containsEntry("labels", Map.of("pod", "p0"))
                .containsEntry("bad_lines", 1L)
                .containsEntry("samples", List.of(List.of("a", Map.of("l", "v"), "counter", 3.0)))
                .containsKeys("timestamp_ns", "wall_ns", "scrape_duration_ns");
    }

    @Test
    void theFormatFollowsTheContentType() throws Exception {
        assertThat(scrape("/open", "").get("samples"))
                .isEqualTo(List.of(List.of("a_total", Map.of(), "untyped", 1.0, 1500L)));
    }

    @Test
    void aFailedScrapeReportsItsReason() throws Exception {
        assertThat(scrape("/gone", "")).containsEntry("error", "HTTP status 404");
        assertThat((String) scrape("/page", "").get("error")).startsWith("the response holds no metrics");
        assertThat(scrape("/slow", ",timeout=0.3S")).containsEntry("error", "no answer within 300 ms");
        assertThat((String) scrape("/endless", ",timeout=20S").get("error")).contains("the response has more than");
        assertThat(scrape("/empty", "")).containsEntry("event_type", "scrape.samples");
        server.stop(0);
        assertThat(scrape("/metrics", ""))
                .containsEntry("event_type", "scrape.failed")
                .containsEntry("error", "connection refused");
    }

    @Test
    void user_and_password_of_the_url_are_sent_as_basic_authentication() throws Exception {
        server.createContext("/guarded", exchange -> {
            String sent = exchange.getRequestHeaders().getFirst("Authorization");
            // The example of RFC 7617, section 2.
            boolean known = "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==".equals(sent);
            exchange.sendResponseHeaders(known ? 200 : 401, -1);
            exchange.close();
        });
        int port = server.getAddress().getPort();
        String guarded = "127.0.0.1:" + port + "/guarded";
        assertThat(new Scraper(ScrapeSpec.parse("http://Aladdin:open%20sesame@" + guarded, ScraperTest::time)).scrape())
                .containsEntry("event_type", "scrape.samples")
                .containsEntry("instance", "127.0.0.1:" + port);
        assertThat(new Scraper(ScrapeSpec.parse("http://" + guarded, ScraperTest::time)).scrape())
                .containsEntry("error", "HTTP status 401");
    }

    private void redirect(String path, String location) {
        server.createContext(path, exchange -> {
            exchange.getResponseHeaders().add("Location", location);
            exchange.sendResponseHeaders(307, -1);
            exchange.close();
        });
    }

    @Test
    void redirects_are_followed_within_the_host_and_named_otherwise() throws Exception {
        redirect("/moved", "/metrics");
        redirect("/away", "http://bob:secret@other.invalid/metrics");
        redirect("/circle", "circle");
        assertThat(scrape("/moved", "")).containsEntry("event_type", "scrape.samples");
        assertThat((String) scrape("/away", "").get("error"))
                .startsWith("HTTP status 307, redirected to http://***@other.invalid/metrics")
                .doesNotContain("secret");
        assertThat((String) scrape("/circle", "").get("error")).startsWith("HTTP status 307, redirected to circle");
    }

    @Test
    void an_unresolvable_host_name_is_reported_as_an_unknown_host() throws Exception {
        ScrapeSpec spec = ScrapeSpec.parse("http://no-such-host.invalid:9100", ScraperTest::time);
        assertThat(new Scraper(spec).scrape())
                .containsEntry("event_type", "scrape.failed")
                .containsEntry("error", "unknown host no-such-host.invalid");
    }

    /** Starts a server that sends {@code start}, then repeats {@code forever}; counts down when the scraper closes the connection. */
    private static ServerSocket hostile(String start, String forever, CountDownLatch closed) throws IOException {
        ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> {
            try (Socket peer = listening.accept()) {
                peer.getInputStream().read(new byte[1024]);
                peer.getOutputStream().write(start.getBytes(StandardCharsets.US_ASCII));
                while (forever.isEmpty() ? peer.getInputStream().read() >= 0 : true) {
                    peer.getOutputStream().write(forever.getBytes(StandardCharsets.US_ASCII));
                }
            } catch (IOException e) {
                // The scraper has closed the connection.
            }
            closed.countDown();
        });
        thread.setDaemon(true);
        thread.start();
        return listening;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                              | 'HTTP/1.1 100 Continue\\r\\n\\r\\n' | bytes of headers
            'HTTP/1.1 200 OK\\r\\n'                         | 'X-A: bbbbbbbbbbbbbbbbbb\\r\\n'  | bytes of headers
            'HTTP/1.1 200 OK\\r\\nX: '                      | 'bbbbbbbbbbbbbbbbbbbbbbbbbbbb'  | bytes of headers
            'HTTP/1.1 200 '                                 | 'bbbbbbbbbbbbbbbbbbbbbbbbbbbb'  | bytes of headers
            'HTTP/1.1 500 Oops\\r\\n\\r\\n'                 | 'bbbbbbbbbbbbbbbbbbbbbbbbbbbb'  | HTTP status 500
            'HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n5;' | 'eeeeeeeeeeeeeeeeeeeeeeeeeee' | first line
            """)
    void an_endless_answer_is_cut_at_the_size_limit_and_its_connection_closed(
            String start, String forever, String words) throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        try (ServerSocket server = hostile(unescape(start), unescape(forever), closed)) {
            String url = "http://127.0.0.1:" + server.getLocalPort() + ",timeout=20S";
            Map<String, Object> record = new Scraper(ScrapeSpec.parse(url, ScraperTest::time)).scrape();
            assertThat(record).containsEntry("event_type", "scrape.failed");
            assertThat((String) record.get("error")).contains(words);
            assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static String unescape(String text) {
        return text.replace("\\r", "\r").replace("\\n", "\n");
    }

    @Test
    void a_slowly_dripping_answer_ends_at_the_timeout() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        try (ServerSocket server = hostile("HTTP/1.1 200 OK\r\n\r\n", "", closed)) {
            String url = "http://127.0.0.1:" + server.getLocalPort() + ",timeout=0.2S";
            assertThat(new Scraper(ScrapeSpec.parse(url, ScraperTest::time)).scrape())
                    .containsEntry("error", "no answer within 200 ms");
            assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void chunked_answers_and_interim_responses_are_read() throws Exception {
        answerOnce("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "4;x=1\r\na 1\n\r\n4\r\nb 2\n\r\n0\r\nTrailer: x\r\n\r\n");
    }

    private static void answerOnce(String answer) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> {
                try (Socket peer = server.accept()) {
                    peer.getInputStream().read(new byte[1024]);
                    peer.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            thread.start();
            String url = "http://127.0.0.1:" + server.getLocalPort();
            Map<String, Object> record = new Scraper(ScrapeSpec.parse(url, ScraperTest::time)).scrape();
            assertThat((List<?>) record.get("samples")).as("%s", record).hasSize(2);
            thread.join();
        }
    }

    @Test
    void anInvalidTargetIsRejectedWithAReason() {
        for (String wrong : List.of("localhost:80", "ftp://h/", "http://h,interval=1", "http://h,x", "http://h,1=2")) {
            assertThatThrownBy(() -> ScrapeSpec.parse(wrong, ScraperTest::time))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'");
        }
    }
}
