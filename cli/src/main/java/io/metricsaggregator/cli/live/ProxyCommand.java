package io.metricsaggregator.cli.live;

import io.metricsaggregator.cli.console.GroupedHelp;
import io.metricsaggregator.cli.console.StandardOutput;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.cli.options.Endpoints;
import io.metricsaggregator.cli.options.ListenAddress;
import io.metricsaggregator.cli.options.Published;
import io.metricsaggregator.cli.options.SocketOptions;
import io.metricsaggregator.cli.options.WaitForSubscribers;
import io.metricsaggregator.daemon.UnixSignals;
import io.metricsaggregator.options.OptionGroup;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.proxy.Proxy;
import io.metricsaggregator.proxy.ProxySettings;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code proxy}: measures the requests of any client on their way to a server. */
@Command(
        name = "proxy",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Relay HTTP requests to a model server, byte for byte, and publish each as a sample: chat completions,"
                    + " completions, responses, messages, SGLang's /generate, embeddings. A client needs no change but its base URL."
                    + " The session begins with the first of these requests and ends with SIGTERM or SIGINT.",
            ""
        },
        footer = {
            "",
            "Example: metrics-aggregator proxy --upstream http://server:8000 --listen 127.0.0.1:9000 --out bind:ipc:///tmp/events"
        })
@OptionGroup.In(OptionGroup.ENDPOINTS)
@GroupedHelp.Usual({"--upstream", "--listen", "--out", "--upstream-ca", "--request-ids", "--text", "--wait-subscribers"
})
public final class ProxyCommand implements Callable<Integer> {
    @Option(
            names = "--upstream",
            paramLabel = "URL",
            required = true,
            description = "The server: http://HOST[:PORT] or https://HOST[:PORT]. A path is part of the printed URL.")
    private String upstream = "";

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:0",
            description =
                    "Address to listen on; port 0: any free one. The URL for clients is printed when the proxy accepts connections."
                            + " A host that is not a loopback address needs --insecure-bind. Default: ${DEFAULT-VALUE}.")
    private String listen = "";

    @Option(
            names = "--out",
            paramLabel = "ENDPOINT",
            required = true,
            description = "Endpoint to publish events on. Binds unless prefixed with connect:. Repeatable.")
    private List<String> outputs = List.of();

    @OptionGroup.In(OptionGroup.SECURITY)
    @Option(
            names = "--upstream-ca",
            paramLabel = "FILE",
            description =
                    "PEM file of the authorities that may sign the certificate of an https upstream. Default: those of the JDK.")
    private @Nullable Path upstreamCa;

    /** What the proxy adds to requests. */
    enum RequestIds {
        KEEP,
        ADD
    }

    @OptionGroup.In(OptionGroup.OUTPUT)
    @Option(
            names = "--request-ids",
            paramLabel = "WHAT",
            defaultValue = "keep",
            description =
                    "keep: the id of a sample is the request's x-request-id, else a number in order of issue. add: requests without"
                            + " x-request-id also get that number as one. Default: ${DEFAULT-VALUE}.")
    private RequestIds requestIds = RequestIds.KEEP;

    /** What becomes of prompts and answers. */
    enum Text {
        DROP,
        KEEP
    }

    @OptionGroup.In(OptionGroup.OUTPUT)
    @Option(
            names = "--text",
            paramLabel = "WHAT",
            defaultValue = "drop",
            description =
                    "Prompts and answers: drop, or keep them in the records, to count their tokens. Default: ${DEFAULT-VALUE}.")
    private Text text = Text.DROP;

    @OptionGroup.In(OptionGroup.LIMITS)
    @Option(
            names = "--max-connections",
            paramLabel = "N",
            defaultValue = "4096",
            description =
                    "Connections of clients, 1 to 16384, each with two threads; further ones get status 503. Default: ${DEFAULT-VALUE}.")
    private int connectionsMax;

    @OptionGroup.In(OptionGroup.LIMITS)
    @Option(
            names = "--connect-timeout",
            paramLabel = "TIME",
            defaultValue = "5s",
            description =
                    "Time to connect to the upstream, after which a request gets status 504. Default: ${DEFAULT-VALUE}.")
    private Duration connectTimeout = Duration.ZERO;

    @OptionGroup.In(OptionGroup.LIFECYCLE)
    @Option(
            names = "--drain-timeout",
            paramLabel = "TIME",
            defaultValue = "5s",
            description =
                    "Time for requests in flight after a signal; samples without an answer by then fail. Default: ${DEFAULT-VALUE}.")
    private Duration drainTimeout = Duration.ZERO;

    @OptionGroup.In(OptionGroup.LIFECYCLE)
    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "0",
            description = "Time to run for; 0: until stopped. Default: ${DEFAULT-VALUE}.")
    private Duration duration = Duration.ZERO;

    @Mixin
    private WaitForSubscribers subscribers = new WaitForSubscribers();

    @Mixin
    private SocketOptions sockets = new SocketOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        CountDownLatch stop = new CountDownLatch(1);
        ProxySettings settings = settings();
        UnixSignals.handle("TERM", stop::countDown);
        UnixSignals.handle("INT", stop::countDown);
        try (EventPublisher publisher = new EventPublisher(Endpoints.parse("--out", outputs, true), sockets.build())) {
            if (!subscribers.await(publisher::awaitSubscribers)) {
                return subscribers.reportMissing();
            }
            PublishedRecords records = new PublishedRecords(publisher);
            Proxy proxy = start(settings, records);
            try (proxy) {
                System.out.println(proxy.url());
                StandardOutput.check();
                stop.await(duration.isZero() ? Long.MAX_VALUE : duration.toNanos(), TimeUnit.NANOSECONDS);
            }
            System.err.println(proxy.status().toLine());
            boolean handedOver = publisher.flush(Duration.ofSeconds(30));
            return Published.report(
                    "records", records.records(), publisher.framesSent(), publisher.framesUnheard(), handedOver);
        }
    }

    private ProxySettings settings() {
        InetSocketAddress address = ListenAddress.parse("--listen", listen, sockets.allowsInsecureBind(), "the proxy");
        try {
            return ProxySettings.of(new URI(upstream))
                    .withListen(address)
                    .withUpstreamCa(upstreamCa)
                    .withRequestIdsAndTexts(requestIds == RequestIds.ADD, text == Text.KEEP)
                    .withLimits(connectionsMax, ProxySettings.HEAD_TIMEOUT, connectTimeout, drainTimeout);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "--upstream '" + upstream + "' is not a URL such as http://server:8000: " + e.getReason(), e);
        }
    }

    private static Proxy start(ProxySettings settings, PublishedRecords records) throws IOException {
        try {
            return Proxy.start(settings, records);
        } catch (BindException e) {
            InetSocketAddress address = settings.listen();
            throw new IOException(
                    "cannot bind " + address.getAddress().getHostAddress() + ":" + address.getPort() + ": "
                            + e.getMessage() + ". Use another --listen, or port 0 for any free one",
                    e);
        }
    }
}
