package io.metricsaggregator.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
                // The other side has had enough.
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

    private Map<String, Object> scrape(String path, String options) throws InterruptedException {
        String url = "http://127.0.0.1:" + server.getAddress().getPort() + path + options;
        return new Scraper(ScrapeSpec.parse(url, ScraperTest::time), Scraper.client()).scrape();
    }

    private static Duration time(String text) {
        return Duration.parse("PT" + text);
    }

    @Test
    void anAnswerIsARecordWithItsSamplesAndTheLabelsThatWereGiven() throws Exception {
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
    void theFormatIsTakenFromTheAnswer() throws Exception {
        assertThat(scrape("/open", "").get("samples"))
                .isEqualTo(List.of(List.of("a_total", Map.of(), "untyped", 1.0, 1500L)));
    }

    @Test
    void whatIsNoAnswerFailsWithWhatIsWrong() throws Exception {
        assertThat(scrape("/gone", "")).containsEntry("error", "HTTP status 404");
        assertThat((String) scrape("/page", "").get("error")).startsWith("the answer is no metrics");
        assertThat(scrape("/slow", ",timeout=0.3S")).containsEntry("error", "no answer within 300 ms");
        assertThat((String) scrape("/endless", ",timeout=20S").get("error")).contains("the answer has more than");
        assertThat(scrape("/empty", "")).containsEntry("event_type", "scrape.samples");
        server.stop(0);
        assertThat(scrape("/metrics", ""))
                .containsEntry("event_type", "scrape.failed")
                .containsEntry("error", "connection refused");
    }

    @Test
    void a_name_that_does_not_resolve_is_named_and_is_no_refused_connection() throws Exception {
        ScrapeSpec spec = ScrapeSpec.parse("http://no-such-host.invalid:9100", ScraperTest::time);
        assertThat(new Scraper(spec, Scraper.client()).scrape())
                .containsEntry("event_type", "scrape.failed")
                .containsEntry("error", "unknown host no-such-host.invalid");
    }

    @Test
    void aTargetThatIsNoneIsRefusedWithWhatIsWrong() {
        for (String wrong : List.of("localhost:80", "ftp://h/", "http://h,interval=1", "http://h,x", "http://h,1=2")) {
            assertThatThrownBy(() -> ScrapeSpec.parse(wrong, ScraperTest::time))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'");
        }
    }
}
