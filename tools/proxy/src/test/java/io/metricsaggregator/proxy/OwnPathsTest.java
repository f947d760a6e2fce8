package io.metricsaggregator.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventType;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions, and the paths that the proxy answers itself. */
class OwnPathsTest {
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
        proxy = Proxy.start(ProxySettings.of(upstream.uri()).withWarmUp(false), sink);
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        upstream.close();
    }

    private String ask(String method, String path, String headers, String end) throws IOException {
        try (TestClient client = new TestClient(proxy.address())) {
            return client.send(method + " " + path + " HTTP/1.1\r\n" + headers + "\r\n")
                    .readUntil(end);
        }
    }

    private String measured() throws IOException {
        return ask("POST", "/v1/completions", "Host: x\r\nContent-Length: 0\r\n", "up");
    }

    @Test
    void aSessionCanBeginBeforeTheFirstRequestAndEndBeforeTheProxy() throws IOException {
        assertThat(ask("POST", "/-/session/start", "Host: localhost\r\n", "started\n"))
                .startsWith("HTTP/1.1 200");
        assertThat(ask("POST", "/-/session/start", "Host: localhost\r\n", "open\n"))
                .startsWith("HTTP/1.1 409");
        measured();
        assertThat(ask("POST", "/-/session/end", "Host: 127.0.0.1:1\r\n", "ended\n"))
                .startsWith("HTTP/1.1 200");
        measured();
        assertThat(proxy.status().outsideSession()).isEqualTo(1);
        assertThat(ask("POST", "/-/session/start", "Host: [::1]\r\n", "started\n"))
                .startsWith("HTTP/1.1 200");
        measured();
        proxy.close();
        assertThat(sink.of(EventType.SESSION_STARTED)).hasSize(2);
        assertThat(sink.of(EventType.SESSION_ENDED)).hasSize(2);
        assertThat(sink.of(EventType.SAMPLE_COMPLETE)).hasSize(2);
        assertThat(upstream.received()).doesNotContain("/-/");
    }

    @Test
    void aProxyWithoutMeasuredRequestsHasNoSession() throws IOException {
        ask("GET", "/v1/models", "Host: x\r\n", "up");
        assertThat(proxy.status().other()).isEqualTo(1);
        assertThat(proxy.firstRequestNanos()).isZero();
        proxy.close();
        assertThat(sink.records).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: evil.example\r\n",
                "Host: localhost.evil.example\r\n",
                "",
                "Host: localhost\r\nOrigin: http://localhost\r\n"
            })
    void pagesOfABrowserCannotUseTheProxysOwnPaths(String headers) throws IOException {
        assertThat(ask("POST", "/-/session/start", headers, "such\n")).startsWith("HTTP/1.1 403");
        assertThat(sink.records).isEmpty();
    }

    @Test
    void theStatusIsReadableBetweenRelayedRequestsOfOneConnection() throws IOException {
        try (TestClient client = new TestClient(proxy.address())) {
            String relayed = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
            client.send(relayed + "GET /-/status HTTP/1.1\r\nHost: localhost\r\n\r\n" + relayed);
            String read = client.readUntil(text -> text.endsWith("up") && text.contains("forward"));
            assertThat(read).containsSubsequence("up", "\"other\":1", "up");
        }
        assertThat(ask("GET", "/-/other", "Host: localhost\r\n", "proxy\n")).startsWith("HTTP/1.1 404");
        assertThat(ask("GET", "/-/session/end", "Host: localhost\r\n", "POST\n"))
                .startsWith("HTTP/1.1 405");
    }
}
