package io.metricsaggregator.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.proxy.TestUpstream.Line;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers that break rules: the client gets their bytes, the sample an end, and the proxy keeps no connection. */
class MisbehavingUpstreamTest {
    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String SSE = OK + "Content-Type: text/event-stream\r\n";
    private static final String STREAM = SSE + "Transfer-Encoding: chunked\r\n\r\n";
    private static final String EVENT = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";
    private static final String REQUEST =
            "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}";

    private static final String CLOSED = "error.generic ConnectionClosed";
    private static final String UNREAD = "error.generic UnreadAnswer";
    private static final String FINE = "sample.complete";

    /** Behaviours by name, with the end of the sample. */
    private static Stream<Arguments> behaviours() {
        Map<String, TestUpstream.Behaviour> all = new LinkedHashMap<>();
        Map<String, String> ends = new LinkedHashMap<>();
        List<Arguments> arguments = new ArrayList<>();
        text(all, ends, CLOSED, "closes without an answer", "");
        text(all, ends, CLOSED, "closes within the status line", "HTTP/1.1 2");
        text(all, ends, CLOSED, "closes within a header", OK + "Content-Ty");
        text(all, ends, CLOSED, "closes within a body with a length", OK + "Content-Length: 9\r\n\r\nabc");
        text(all, ends, CLOSED, "closes before the body", OK + "Content-Length: 9\r\n\r\n");
        text(all, ends, CLOSED, "closes within the size of a chunk", STREAM + "1");
        text(all, ends, CLOSED, "closes within a chunk", STREAM + "f\r\nabc");
        text(all, ends, CLOSED, "closes before the last chunk", STREAM + chunk(EVENT));
        text(all, ends, CLOSED, "closes within the trailers", STREAM + "0\r\nX: y\r\n");
        text(all, ends, UNREAD, "sends a size that is no number", STREAM + "xyz\r\n");
        text(all, ends, UNREAD, "sends a negative size", STREAM + "-5\r\nabcde\r\n");
        text(all, ends, UNREAD, "sends a size of 64 bits", STREAM + "ffffffffffffffff\r\nabc");
        text(all, ends, UNREAD, "sends a chunk longer than its size", STREAM + "1\r\nabc\r\n0\r\n\r\n");
        text(all, ends, UNREAD, "ends the lines of chunks with LF", STREAM + "1\na\n0\n\n");
        text(all, ends, UNREAD, "ends the lines of the head with LF", "HTTP/1.1 200 OK\nContent-Length: 0\n\n");
        text(all, ends, CLOSED, "speaks another protocol", "SSH-2.0-OpenSSH\r\n");
        text(all, ends, UNREAD, "sends a status of two digits", "HTTP/1.1 20 OK\r\n\r\n");
        text(all, ends, UNREAD, "answers by HTTP/2", "HTTP/2 200\r\n\r\n");
        text(all, ends, UNREAD, "sends two lengths", OK + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd");
        text(all, ends, UNREAD, "sends a length that is no number", OK + "Content-Length: 3x\r\n\r\nabc");
        text(all, ends, UNREAD, "sends a header without a colon", OK + "Nonsense\r\nContent-Length: 0\r\n\r\n");
        text(all, ends, UNREAD, "sends a head without an end", OK + "X: " + "y".repeat(100_000));
        text(
                all,
                ends,
                FINE,
                "sends a length and chunks",
                SSE + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(EVENT) + "0\r\n\r\n");
        text(all, ends, FINE, "answers twice", (OK + "Content-Length: 1\r\n\r\na").repeat(2));
        text(all, ends, FINE, "sends bytes behind its answer", OK + "Content-Length: 1\r\n\r\nabcdef");
        text(
                all,
                ends,
                FINE,
                "sends an event of 3 MiB",
                STREAM + chunk("data: " + "x".repeat(3 << 20) + "\n\n" + EVENT) + "0\r\n\r\n");
        text(
                all,
                ends,
                "error.generic UnreadableAnswer",
                "sends events that are no JSON",
                STREAM + chunk("data: <html>\n\n") + "0\r\n\r\n");
        text(
                all,
                ends,
                FINE,
                "says gzip and sends none",
                SSE + "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(EVENT) + "0\r\n\r\n");
        text(
                all,
                ends,
                FINE,
                "sends a hundred interim answers",
                "HTTP/1.1 102 Processing\r\n\r\n".repeat(100) + OK + "Content-Length: 0\r\n\r\n");
        text(
                all,
                ends,
                FINE,
                "sends JSON nested too deep",
                OK + "Content-Type: application/json\r\nContent-Length: 20000\r\n\r\n" + "{\"a\":".repeat(4000));
        ends.put("sends JSON nested too deep", "error.generic UnreadableAnswer");
        byte[] random = new byte[50_000];
        new Random(5).nextBytes(random);
        all.put("sends random bytes", line -> line.send(random));
        ends.put("sends random bytes", UNREAD);
        all.put("sends a byte at a time", line -> {
            for (char each : (STREAM + chunk(EVENT) + "0\r\n\r\n").toCharArray()) {
                line.send(String.valueOf(each));
            }
        });
        ends.put("sends a byte at a time", FINE);
        all.forEach((name, behaviour) -> arguments.add(Arguments.of(name, behaviour, ends.get(name))));
        return arguments.stream();
    }

    private static void text(
            Map<String, TestUpstream.Behaviour> all, Map<String, String> ends, String end, String name, String answer) {
        all.put(name, line -> line.send(answer));
        ends.put(name, end);
    }

    private static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    @ParameterizedTest(name = "an upstream that {0}")
    @MethodSource("behaviours")
    void passesUnchangedAndEndsTheSample(String name, TestUpstream.Behaviour behaviour, String end) throws IOException {
        TestSink sink = new TestSink();
        try (TestUpstream upstream = new TestUpstream(line -> {
                    line.body(line.head());
                    behaviour.serve(line);
                    line.socket.shutdownOutput();
                    drain(line);
                });
                Proxy proxy = Proxy.start(ProxySettings.of(upstream.uri()).withWarmUp(false), sink)) {
            try (TestClient client = new TestClient(proxy.address())) {
                assertThat(client.send(REQUEST).readAll()).isEqualTo(upstream.sent() + "<EOF>");
            }
            sink.awaitCompletions(1);
            assertThat(sink.story()).startsWith("sample.issued").endsWith(FINE);
            assertThat(sink.story().stream()
                            .filter(each -> each.startsWith("error"))
                            .toList())
                    .isEqualTo(end.equals(FINE) ? List.of() : List.of(end));
            Await.until(
                    () -> proxy.status().open() == 0,
                    () -> "open connections " + proxy.status().open());
        }
    }

    private static void drain(Line line) throws IOException {
        while (line.read() >= 0) {
            // Until the proxy ends its side.
        }
    }

    @org.junit.jupiter.api.Test
    void anUpstreamThatAnswersBeforeTheRequestIsCompleteIsRelayedAtOnce() throws IOException {
        TestSink sink = new TestSink();
        try (TestUpstream upstream = new TestUpstream(line -> {
                    line.head();
                    line.send("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n");
                    drain(line);
                });
                Proxy proxy = Proxy.start(ProxySettings.of(upstream.uri()).withWarmUp(false), sink);
                TestClient client = new TestClient(proxy.address())) {
            client.send(REQUEST.replace("Content-Length: 2", "Content-Length: 200000"));
            assertThat(client.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 413");
            sink.awaitCompletions(1);
            assertThat(sink.story()).containsExactly("sample.issued", "error.generic HTTP 413", "sample.complete");
        }
    }

    @org.junit.jupiter.api.Test
    void anUpstreamThatNeverReadsHoldsItsOwnClientOnly() throws IOException {
        TestSink sink = new TestSink();
        try (TestUpstream upstream = new TestUpstream(line -> {
            int first = line.read();
            while (first == 'P' && !line.socket.isClosed()) {
                LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
            }
            line.head();
            line.send(OK + "Content-Length: 2\r\n\r\nok");
        })) {
            Proxy proxy = Proxy.start(
                    ProxySettings.of(upstream.uri())
                            .withWarmUp(false)
                            .withLimits(9, Duration.ofSeconds(9), Duration.ofSeconds(9), Duration.ofMillis(50)),
                    sink);
            holdsItsOwnClientOnly(proxy);
            assertThat(sink.story()).containsExactly("sample.issued", "error.generic ProxyClosed", "sample.complete");
            assertThat(proxy.status().open()).isZero();
        }
    }

    private static void holdsItsOwnClientOnly(Proxy proxy) throws IOException {
        // The proxy ends before its clients leave.
        try (TestClient stuck = new TestClient(proxy.address());
                TestClient other = new TestClient(proxy.address());
                proxy) {
            Thread sender = new Thread(() -> {
                try {
                    stuck.send("POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n");
                    stuck.send(new byte[60 << 20]);
                } catch (IOException e) {
                    // The proxy ended.
                }
            });
            sender.start();
            Await.until(() -> proxy.status().measured() == 1, () -> "the request to begin");
            assertThat(other.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").readUntil("ok"))
                    .endsWith("ok");
        }
    }
}
