package io.metricsaggregator.cli.testing;

import io.metricsaggregator.cli.console.GroupedHelp;
import io.metricsaggregator.cli.console.StandardOutput;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.cli.options.Follow;
import io.metricsaggregator.http.HttpConfig;
import io.metricsaggregator.http.HttpExchange;
import io.metricsaggregator.http.HttpLimits;
import io.metricsaggregator.http.HttpListener;
import io.metricsaggregator.producer.SyntheticExposition;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code exporter}: a synthetic exporter to try {@code run --scrape} with. */
@Command(
        name = "exporter",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Serve synthetic metrics of vLLM, Triton and DCGM at http://127.0.0.1:PORT/metrics, to try run --scrape.",
            ""
        },
        footer = {"", "Example: metrics-aggregator exporter --port 9400 --duration 1m"})
@GroupedHelp.Testing
public final class ExporterCommand implements Callable<Integer> {
    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "TCP port to listen on; 0: any free port, printed at start. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "0",
            description = "Time to serve for; 0: until stopped. Default: ${DEFAULT-VALUE}.")
    private Duration duration = Duration.ZERO;

    private final AtomicLong scrapes = new AtomicLong();
    private final long startNanos = System.nanoTime();

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (HttpListener listener = open()) {
            listener.start();
            System.out.println(listener.url() + "metrics");
            StandardOutput.check();
            new CountDownLatch(1).await(duration.isZero() ? Long.MAX_VALUE : duration.toNanos(), TimeUnit.NANOSECONDS);
        }
        System.err.printf(Locale.ROOT, "served %,d scrapes%n", scrapes.get());
        return scrapes.get() == 0 ? Follow.NONE_IN_TIME : 0;
    }

    private void answer(HttpExchange exchange) {
        if (!exchange.path().equals("/metrics")) {
            exchange.text(404, "the metrics are at /metrics");
            return;
        }
        String text = SyntheticExposition.text((System.nanoTime() - startNanos) / 1e9);
        exchange.send(200, "text/plain; version=0.0.4; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
        scrapes.incrementAndGet();
    }

    private HttpListener open() throws IOException {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("--port " + port + " is not between 0 and 65535");
        }
        try {
            return HttpListener.bind(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                    new HttpConfig("exporter", HttpLimits.SMALL, HttpConfig.GET_AND_HEAD),
                    this::answer);
        } catch (BindException e) {
            throw new IOException(
                    "cannot bind 127.0.0.1:" + port + ": " + e.getMessage()
                            + ". Use another --port, or 0 for any free one",
                    e);
        }
    }
}
