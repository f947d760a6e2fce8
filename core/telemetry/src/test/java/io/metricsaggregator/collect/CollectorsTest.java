package io.metricsaggregator.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CollectorsTest {
    private static final int LIMIT = 64 << 10;

    private final BlockingQueue<Map<String, ?>> records = new LinkedBlockingQueue<>();
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        answer("/small", "a 1\n");
        answer("/large", "a{l=\"%s\"} 1\n".formatted("x".repeat(LIMIT)));
        answer("/larger", "# %s\na 1\n".formatted("x".repeat(5 * LIMIT)));
        server.start();
    }

    private void answer(String path, String text) {
        server.createContext(path, exchange -> {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private ScrapeSpec spec(String path, String options) {
        String url = "http://127.0.0.1:" + server.getAddress().getPort() + path + ",interval=0.1S" + options;
        return ScrapeSpec.parse(url, text -> Duration.parse("PT" + text));
    }

    /** Records of the targets by source, until each of them has one more than {@code rounds}. */
    private Map<String, List<Map<String, ?>>> collect(List<ScrapeSpec> specs, int rounds, Consumer<Map<String, ?>> to)
            throws InterruptedException {
        Map<String, List<Map<String, ?>>> bySource = new HashMap<>();
        try (Collectors collectors = new Collectors(null, null, specs, LIMIT, to)) {
            while (bySource.size() < specs.size()
                    || bySource.values().stream().anyMatch(each -> each.size() <= rounds)) {
                Map<String, ?> record = records.poll(30, TimeUnit.SECONDS);
                assertThat(record).as("sources so far: %s", bySource.keySet()).isNotNull();
                bySource.computeIfAbsent((String) record.get("source_id"), any -> new ArrayList<>())
                        .add(record);
            }
            assertThat(collectors.failures()).isZero();
        }
        return bySource;
    }

    @Test
    void targets_with_one_job_and_instance_number_their_records_each_for_itself() throws Exception {
        List<ScrapeSpec> specs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            specs.add(spec("/small", ",instance=node1"));
        }
        collect(specs, 1, records::add)
                .values()
                .forEach(each -> assertThat(each)
                        .extracting(record -> (Object) record.get("seq"))
                        .startsWith(0L, 1L));
    }

    @Test
    void a_response_whose_samples_exceed_the_limit_is_a_failed_scrape_of_its_target() throws Exception {
        Consumer<Map<String, ?>> limited = record -> {
            int bytes = CollectedFrames.frame(record).length;
            if (bytes > LIMIT) {
                throw new CollectedFrames.RecordTooLargeException(record.get("source_id"), bytes, LIMIT);
            }
            records.add(record);
        };
        for (String path : List.of("/large", "/larger")) {
            Map<String, ?> record = collect(List.of(spec(path, ",instance=node1,job=exporter")), 0, limited)
                    .values()
                    .iterator()
                    .next()
                    .get(0);
            assertThat((Object) record.get("event_type")).isEqualTo("scrape.failed");
            assertThat((Object) record.get("job")).isEqualTo("exporter");
            assertThat(String.valueOf(record.get("error"))).contains("more than");
            assertThat((Object) record.get("samples")).isNull();
        }
    }

    @Test
    void a_record_above_the_limit_does_not_enter_the_queue_and_neither_do_more_bytes_than_it_holds() {
        CollectedFrames frames = new CollectedFrames(1000, () -> {});
        assertThatThrownBy(() -> frames.accept(record("x".repeat(1000))))
                .isInstanceOf(CollectedFrames.RecordTooLargeException.class)
                .hasMessageContaining("a record of me takes");
        for (int i = 0; i < 20; i++) {
            frames.accept(record("x".repeat(800)));
        }
        long taken = 0;
        for (byte @Nullable [] frame = frames.poll(); frame != null; frame = frames.poll()) {
            taken++;
        }
        assertThat(taken).isBetween(7L, 9L);
        assertThat(frames.dropped()).isEqualTo(20 - taken);
        frames.accept(record("x"));
        assertThat(frames.poll()).isNotNull();
    }

    private static Map<String, Object> record(String text) {
        return Map.of("event_type", "scrape.samples", "source_id", "me", "text", text);
    }

    @Test
    void targets_that_share_job_and_instance_are_told_apart_by_their_urls() {
        List<ScrapeSpec> specs = ScrapeSpec.distinct(List.of(
                spec("/small", ",instance=node1"),
                spec("/large", ",instance=node1"),
                spec("/small", ",instance=node1,job=other"),
                spec("/small", ",instance=node2"),
                spec("/small", ",instance=node2")));
        assertThat(specs)
                .extracting(ScrapeSpec::job)
                .containsExactly(
                        "scrape " + spec("/small", "").url(),
                        "scrape " + spec("/large", "").url(),
                        "other",
                        "scrape",
                        "scrape");
        assertThat(specs).extracting(ScrapeSpec::instance).containsExactly("node1", "node1", "node1", "node2", "node2");
    }
}
