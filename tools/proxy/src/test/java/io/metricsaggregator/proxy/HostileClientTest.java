package io.metricsaggregator.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that the proxy must survive. */
class HostileClientTest {
    private static final String GOOD = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final Duration HEAD_TIMEOUT = Duration.ofMillis(600);

    private final TestSink sink = new TestSink();
    private TestUpstream upstream;
    private Proxy proxy;

    @BeforeEach
    void start() throws IOException {
        upstream = new TestUpstream(line -> {
            for (String head = line.head(); head != null; head = line.head()) {
                line.body(head);
                line.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nup");
            }
        });
        proxy = Proxy.start(
                ProxySettings.of(upstream.uri())
                        .withWarmUp(false)
                        .withLimits(20, HEAD_TIMEOUT, Duration.ofSeconds(5), Duration.ZERO),
                sink);
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        upstream.close();
    }

    private String ask(String bytes) throws IOException {
        try (TestClient client = new TestClient(proxy.address())) {
            return client.send(bytes).readAll();
        }
    }

    private void assertServes() throws IOException {
        try (TestClient client = new TestClient(proxy.address())) {
            assertThat(client.send(GOOD).readUntil("up")).endsWith("up");
        }
        Await.until(
                () -> proxy.status().open() == 0,
                () -> "open connections " + proxy.status().open());
        Await.until(
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(each -> each.getName().matches("proxy-(request|answer)-.*")),
                () -> "threads " + Thread.getAllStackTraces().keySet());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "400|GET / HTTP/1.1\nHost: x\n\n",
                "400|\u0016\u0003\u0001\u0002\u0000\u0001\u0000",
                "400|POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "400|POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 2\r\n\r\nabcd",
                "400|GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
                "501|CONNECT evil:80 HTTP/1.1\r\nHost: evil:80\r\n\r\n",
                "501|GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
                "505|PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
            })
    void requestsThatAreNotRelayedAreAnsweredAtOnceAndReachNoUpstream(String statusAndRequest) throws IOException {
        String status = statusAndRequest.substring(0, 3);
        long start = System.nanoTime();
        assertThat(ask(statusAndRequest.substring(4)))
                .startsWith("HTTP/1.1 " + status + " ")
                .contains("X-Metrics-Aggregator: refused\r\n")
                .endsWith("<EOF>");
        assertThat(System.nanoTime() - start).isLessThan(HEAD_TIMEOUT.toNanos());
        assertThat(upstream.received()).isEmpty();
        assertThat(proxy.status().refused()).isEqualTo(1);
        assertServes();
    }

    @Test
    void headsAndRequestLinesAreLimited() throws IOException {
        assertThat(ask("GET / HTTP/1.1\r\nX: " + "b".repeat(70_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431 ");
        assertThat(ask("GET /" + "a".repeat(9000) + " HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 414 ");
        assertThat(upstream.received()).isEmpty();
        assertServes();
    }

    @Test
    void aHeadThatDripsIsClosedAtTheDeadlineWhateverComesMeanwhile() throws IOException {
        long start = System.nanoTime();
        try (TestClient client = new TestClient(proxy.address())) {
            client.send("GET / HTTP/1.1\r\n");
            client.socket.setSoTimeout(50);
            String end = "<NOTHING>";
            while (end.endsWith("<NOTHING>")) {
                try {
                    client.send("X: y\r\n");
                } catch (IOException e) {
                    break;
                }
                end = client.readAll();
            }
        }
        long took = System.nanoTime() - start;
        assertThat(Duration.ofNanos(took)).isBetween(HEAD_TIMEOUT, HEAD_TIMEOUT.plusMillis(1500));
        Await.until(() -> proxy.status().refused() == 1, () -> proxy.status().toLine());
        assertServes();
    }

    @Test
    void aRefusalWaitsForTheAnswersBeforeIt() throws IOException {
        assertThat(ask(GOOD + "GET / HTTP/1.1\nHost: x\n\n"))
                .containsSubsequence("HTTP/1.1 200", "up", "HTTP/1.1 400 ", "<EOF>");
        assertServes();
    }

    @Test
    void aChunkThatIsMalformedEndsTheRequestWithAnAnswer() throws IOException {
        assertThat(
                        ask(
                                "POST /v1/completions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\nzz\r\n"))
                .startsWith("HTTP/1.1 400 ");
        sink.awaitCompletions(1);
        assertThat(sink.story()).containsExactly("sample.issued", "error.generic HTTP 400", "sample.complete");
        assertServes();
    }

    @Test
    void connectionsAboveTheLimitAreTurnedAwayAndTheOthersServed() throws IOException {
        List<TestClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                clients.add(new TestClient(proxy.address()));
            }
            Await.until(
                    () -> proxy.status().open() == 20,
                    () -> "open " + proxy.status().open());
            assertThat(ask("")).startsWith("HTTP/1.1 503 ");
            assertThat(clients.get(7).send(GOOD).readUntil("up")).endsWith("up");
            assertThat(proxy.status().overLimit()).isEqualTo(1);
        } finally {
            for (TestClient each : clients) {
                each.close();
            }
        }
        // The proxy learns of an end with its next look at the connections.
        Await.until(
                () -> proxy.status().open() == 0,
                () -> "open connections " + proxy.status().open());
        assertServes();
    }

    @ParameterizedTest
    @ValueSource(longs = {77})
    void randomBytesAndEarlyEndsLeaveNothingBehind(long seed) throws IOException {
        Random random = new Random(seed);
        GeneratedMessages generated = new GeneratedMessages(seed);
        for (int i = 0; i < 200; i++) {
            byte[] bytes =
                    generated.damaged(generated.request(i).getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
            TestClient client = new TestClient(proxy.address());
            client.send(java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length)));
            switch (random.nextInt(3)) {
                case 0 -> client.reset();
                case 1 -> {
                    client.socket.shutdownOutput();
                    assertThat(client.readAll()).as("seed %s, %s", seed, i).matches("(?s).*<(EOF|RST)>");
                    client.close();
                }
                default -> client.close();
            }
        }
        assertServes();
    }
}
