package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import io.metricsaggregator.analysis.EnergyFigures;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.EnergyUse;
import io.metricsaggregator.snapshot.figures.EnergyWindow;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real exporter of two GPUs at 400 W and 200 W, scraped by a real daemon: energy, ratios and cost equal those by hand. */
class EnergyIT {
    private static final String COUNTER = "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION";
    private static final int REQUESTS = 4;
    private static final int TOKENS = 50;
    private static final int SCRAPES = 12;

    @TempDir
    Path directory;

    private final AtomicInteger scrapes = new AtomicInteger();
    private long fromNanos;
    private long toNanos;

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    private HttpServer exporter(String prefix) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        long start = System.nanoTime();
        server.createContext("/metrics", exchange -> {
            long millijoulesAt1Watt = (System.nanoTime() - start) / 1_000_000;
            byte[] body = ("# TYPE " + COUNTER + " counter\n"
                            + COUNTER + "{gpu=\"0\",UUID=\"" + prefix + "0\"} " + (7_000_000 + 400 * millijoulesAt1Watt)
                            + "\n" + COUNTER + "{gpu=\"1\",UUID=\"" + prefix + "1\"} " + 200 * millijoulesAt1Watt
                            + "\n")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
            scrapes.incrementAndGet();
        });
        server.start();
        return server;
    }

    private void awaitScrapes(int more) {
        int wanted = scrapes.get() + more;
        Await.until(() -> scrapes.get() >= wanted, () -> "scrapes: " + scrapes + " of " + wanted);
    }

    /** Publishes requests of 50 tokens over a dozen scrapes, with scrapes before and behind them. */
    private void publish() throws IOException {
        try (EventPublisher publisher = new EventPublisher(
                List.of(Endpoint.parse("connect:ipc://" + path("events"), true)), TransportOptions.defaults())) {
            assertThat(publisher.awaitSubscribers(1, Await.PATIENCE)).isTrue();
            awaitScrapes(3);
            fromNanos = System.nanoTime();
            publisher.publish(EventRecord.session(EventType.SESSION_STARTED, fromNanos));
            publisher.publish(EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, fromNanos));
            for (int i = 0; i < REQUESTS; i++) {
                publisher.publish(EventRecord.sample(EventType.SAMPLE_ISSUED, fromNanos, "s" + i));
            }
            awaitScrapes(SCRAPES);
            toNanos = System.nanoTime();
            for (int i = 0; i < REQUESTS; i++) {
                publisher.publish(EventRecord.sample(EventType.SAMPLE_COMPLETE, toNanos, "s" + i)
                        .withUsage(Usage.of(150, TOKENS)));
            }
            // The end of the window lies between two samples.
            awaitScrapes(3);
            publisher.publish(EventRecord.session(EventType.SESSION_ENDED, System.nanoTime()));
            assertThat(publisher.flush(Await.PATIENCE)).isTrue();
        }
    }

    private MetricsSnapshot run(String name, String prefix) throws IOException {
        HttpServer server = exporter(prefix);
        String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/metrics,interval=200ms,job=dcgm";
        try (RunningProcess daemon = Cli.daemon(
                directory.resolve(name),
                "--in",
                "bind:ipc://" + path("events"),
                "--scrape",
                url,
                "--price",
                "12.5/h",
                "--journal",
                path(name + "-journal"))) {
            publish();
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        } finally {
            server.stop(0);
        }
        return FinalSnapshotFile.read(directory.resolve(name));
    }

    private static String output(String... arguments) throws IOException {
        try (RunningProcess process = Cli.start(arguments)) {
            assertThat(process.awaitExit()).as("%s", process).isZero();
            return process.out();
        }
    }

    private static EnergyUse energy(MetricsSnapshot snapshot) {
        return Objects.requireNonNull(
                Objects.requireNonNull(snapshot.extensions()).optional().energy());
    }

    private static double value(@org.jspecify.annotations.Nullable Double value) {
        return Objects.requireNonNull(value);
    }

    @Test
    void energy_ratios_and_cost_of_a_run_equal_those_by_hand_in_every_view() throws Exception {
        MetricsSnapshot last = run("first", "GPU-a");
        double seconds = (toNanos - fromNanos) / 1e9;
        double joules = 600 * seconds;
        EnergyWindow tracked = Objects.requireNonNull(energy(last).tracked());
        // A sample has the time of its request, the exporter's value is some milliseconds younger.
        assertThat(tracked.seconds()).isCloseTo(seconds, within(1e-6));
        assertThat(value(tracked.joules())).isCloseTo(joules, within(0.05 * joules));
        assertThat(tracked.isComplete()).isTrue();
        assertThat(tracked.resets()).isZero();
        assertThat(value(energy(last).run().watts())).isCloseTo(600, within(30.0));
        EnergyFigures figures = Objects.requireNonNull(EnergyFigures.main(Report.of(last)));
        double exactly = value(tracked.joules());
        assertThat(value(figures.joulesPerRequest())).isCloseTo(exactly / REQUESTS, within(1e-9));
        assertThat(value(figures.joulesPerOutputToken())).isCloseTo(exactly / (REQUESTS * TOKENS), within(1e-9));
        assertThat(value(figures.joulesPerToken())).isCloseTo(exactly / (REQUESTS * 200), within(1e-9));
        assertThat(value(figures.usdPerRequest())).isCloseTo(12.5 / 3600 * seconds / REQUESTS, within(1e-9));
        assertThat(output("report", path("first"), "--full"))
                .contains("energy per request", "energy per output token", "million output tokens", "GPU-a1");
        assertThat(Double.parseDouble(CsvRow.of(output("report", path("first"), "--format", "csv"))
                        .get("j_per_output_token")))
                .isCloseTo(exactly / (REQUESTS * TOKENS), within(1e-9));

        Map<?, ?> power = JsonTree.read(
                output("report", path("first"), "--format", "power").getBytes(StandardCharsets.UTF_8));
        assertThat(power.get("status")).isEqualTo("ok");
        Map<?, ?> totals = (Map<?, ?>) power.get("totals");
        assertThat(totals.get("energy_j")).isEqualTo(exactly);
        assertThat(totals.get("output_tokens")).isEqualTo((long) REQUESTS * TOKENS);
        assertThat(totals.get("consistent_with_window")).isEqualTo(true);
        assertThat((List<?>) power.get("sources")).hasSize(2);

        output("replay", path("first-journal"), "--output-dir", path("replayed"));
        assertThat(energy(FinalSnapshotFile.read(directory.resolve("replayed"))))
                .isEqualTo(energy(last));
        assertThat(output("report", path("first"), "--price", "25", "--format", "json"))
                .contains("\"usd_per_request\": " + 2 * value(figures.usdPerRequest()));

        MetricsSnapshot other = run("second", "GPU-b");
        output("merge", path("first"), path("second"), "--output-dir", path("merged"));
        EnergyWindow sum = Objects.requireNonNull(
                energy(FinalSnapshotFile.read(directory.resolve("merged"))).tracked());
        assertThat(value(sum.joules()))
                .isCloseTo(exactly + value(energy(other).tracked().joules()), within(1e-6));
        assertThat(output("compare", "--full", path("first"), path("second"))).contains("j_per_output_token", "mean_w");
    }
}
