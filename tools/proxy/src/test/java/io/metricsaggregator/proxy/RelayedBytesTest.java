package io.metricsaggregator.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.proxy.TestUpstream.Line;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the client reads is what the upstream sent, and the upstream reads what the client sent but for {@code Host}. */
class RelayedBytesTest {
    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String HELLO = OK + "Content-Length: 5\r\nX-A: 1\r\nx-a: 2\r\n\r\n";

    private final TestSink sink = new TestSink();
    private TestUpstream upstream;
    private Proxy proxy;

    @BeforeEach
    void start() throws IOException {
        upstream = new TestUpstream(RelayedBytesTest::serve);
        proxy = Proxy.start(ProxySettings.of(upstream.uri()).withWarmUp(false), sink);
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        upstream.close();
    }

    private static void serve(Line line) throws IOException {
        for (String head = line.head(); head != null; head = line.head()) {
            String path = head.split(" ", 3)[1];
            if (head.contains("Expect: 100-continue") && !path.equals("/final")) {
                line.send("HTTP/1.1 100 Continue\r\n\r\n");
            }
            String body = path.equals("/final") ? "" : line.body(head);
            boolean isHead = head.startsWith("HEAD");
            switch (path) {
                case "/cl" -> line.send(HELLO + (isHead ? "" : "hello"));
                case "/echo" -> line.send(OK + "Content-Length: " + body.length() + "\r\n\r\n" + body);
                case "/chunked" ->
                    line.send(OK + "Transfer-Encoding: chunked\r\n\r\n"
                            + (isHead ? "" : "3\r\nabc\r\n5\r\ndefgh\r\n0\r\n\r\n"));
                case "/trailers" ->
                    line.send(OK + "Transfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n"
                            + "3;ext=1;b=\"x y\"\r\nabc\r\n0\r\nX-T: v\r\n\r\n");
                case "/close" -> {
                    line.send("HTTP/1.0 200 OK\r\n\r\nuntil close");
                    return;
                }
                case "/cut" -> {
                    line.send(OK + "Transfer-Encoding: chunked\r\n\r\n9\r\ndata: x\n\n\r\n");
                    return;
                }
                case "/204" -> line.send("HTTP/1.1 204 No Content\r\n\r\n");
                case "/304" -> line.send("HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\nETag: \"a\"\r\n\r\n");
                case "/gzip" -> {
                    byte[] packed = gzip("hello ".repeat(100));
                    line.send(OK + "Content-Encoding: gzip\r\nContent-Length: " + packed.length + "\r\n\r\n");
                    line.send(packed);
                }
                case "/hints" ->
                    line.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + OK + "Content-Length: 2\r\n\r\n"
                            + (isHead ? "" : "ok"));
                case "/head60k" -> line.send(OK + "X-Big: " + "a".repeat(60_000) + "\r\nContent-Length: 2\r\n\r\nok");
                case "/upgrade" -> {
                    line.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
                    line.send("echo:" + (char) line.read() + (char) line.read());
                    return;
                }
                case "/split" -> {
                    line.send(OK + "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n");
                    for (int i = 0; i < 4; i++) {
                        line.send(String.format("data: %06d\n\n--", i));
                    }
                    line.send("\r\n0\r\n\r\n");
                }
                case "/badchunk" -> line.send(OK + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nZZ\r\n");
                case "/final" -> {
                    line.send("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                    return;
                }
                default -> line.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
            }
            if (head.contains("Connection: close") || head.contains("HTTP/1.0\r\n")) {
                return;
            }
        }
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    private static String request(String path, String method, String headers, String body) {
        return method + " " + path + " HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n" + body;
    }

    private static String get(String path) {
        return request(path, "GET", "", "");
    }

    /** Sends requests, each after the answer to the one before, and compares both directions. */
    private void assertSame(List<String> requests, List<String> ends) throws IOException {
        try (TestClient client = new TestClient(proxy.address())) {
            for (int i = 0; i < requests.size(); i++) {
                client.send(requests.get(i));
                String end = ends.get(Math.min(i, ends.size() - 1));
                int before = client.text().length();
                client.readUntil(text -> text.length() > before && text.endsWith(end));
            }
            assertThat(client.text()).isEqualTo(upstream.sent());
        }
        String sent = String.join("", requests).replace("Host: x\r\n", "Host: 127.0.0.1:" + upstream.port() + "\r\n");
        assertThat(upstream.received()).isEqualTo(sent);
        assertThat(upstream.lines).as("one upstream connection").hasSize(1);
        assertThat(proxy.status().unread()).isZero();
    }

    @Test
    void answersWithAContentLengthPass() throws IOException {
        assertSame(List.of(get("/cl")), List.of("hello"));
    }

    @Test
    void chunkedAnswersPass() throws IOException {
        assertSame(List.of(get("/chunked")), List.of("0\r\n\r\n"));
    }

    @Test
    void chunkedRequestsPass() throws IOException {
        String body = "2\r\nab\r\n2;x=y\r\ncd\r\n0\r\nT: v\r\n\r\n".replace("0\r\nT: v\r\n\r\n", "0\r\n\r\n");
        assertSame(List.of(request("/echo", "POST", "Transfer-Encoding: chunked\r\n", body)), List.of("0\r\n\r\n"));
    }

    @Test
    void aConnectionIsUsedForManyRequests() throws IOException {
        assertSame(List.of(get("/cl"), get("/chunked"), get("/cl")), List.of("hello", "0\r\n\r\n", "hello"));
    }

    @Test
    void pipelinedRequestsPassInOrder() throws IOException {
        String three = get("/cl") + get("/chunked") + request("/echo", "POST", "Content-Length: 2\r\n", "zz");
        assertSame(List.of(three), List.of("zz"));
    }

    @Test
    void requestsInPiecesOfOneBytePass() throws IOException {
        String all = request("/echo", "POST", "Content-Length: 3\r\n", "zzz");
        try (TestClient client = new TestClient(proxy.address())) {
            for (char each : all.toCharArray()) {
                client.send(String.valueOf(each));
            }
            assertThat(client.readUntil("zzz")).isEqualTo(upstream.sent());
        }
    }

    @Test
    void expectationsAreAnsweredByTheUpstream() throws IOException {
        try (TestClient client = new TestClient(proxy.address())) {
            client.send(request("/echo", "POST", "Content-Length: 4\r\nExpect: 100-continue\r\n", ""));
            assertThat(client.readUntil("\r\n\r\n")).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            client.send("body").readUntil("body");
            client.send(request("/cl", "HEAD", "", "")).readUntil("x-a: 2\r\n\r\n");
            client.send(get("/cl")).readUntil("hello");
            assertThat(client.text()).isEqualTo(upstream.sent());
        }
    }

    @Test
    void aFinalAnswerInsteadOfContinueReachesTheClientBeforeItSendsTheBody() throws IOException {
        try (TestClient client = new TestClient(proxy.address())) {
            client.send(request("/final", "POST", "Content-Length: 4\r\nExpect: 100-continue\r\n", ""));
            assertThat(client.readAll()).isEqualTo(upstream.sent() + "<EOF>").contains("413");
        }
    }

    @Test
    void http10GoesUpAsHttp10() throws IOException {
        try (TestClient client = new TestClient(proxy.address())) {
            client.send("GET /cl HTTP/1.0\r\nHost: x\r\n\r\n");
            assertThat(client.readAll()).isEqualTo(upstream.sent() + "<EOF>");
            assertThat(upstream.received()).startsWith("GET /cl HTTP/1.0\r\n");
        }
    }

    @Test
    void headAnswersHaveNoBody() throws IOException {
        String headers = request("/cl", "HEAD", "", "");
        assertSame(List.of(headers, get("/cl")), List.of("x-a: 2\r\n\r\n", "hello"));
    }

    @Test
    void headAnswersThatSayChunkedHaveNoBody() throws IOException {
        assertSame(List.of(request("/chunked", "HEAD", "", ""), get("/cl")), List.of("\r\n\r\n", "hello"));
    }

    @Test
    void earlyHintsPassAndTheAnswerAfterThemIsTheAnswer() throws IOException {
        assertSame(
                List.of(request("/hints", "HEAD", "", ""), get("/hints"), get("/cl")),
                List.of("Content-Length: 2\r\n\r\n", "ok", "hello"));
    }

    @Test
    void statuses204And304HaveNoBodyWhateverTheySay() throws IOException {
        assertSame(List.of(get("/204"), get("/304"), get("/cl")), List.of("\r\n\r\n", "\"a\"\r\n\r\n", "hello"));
    }

    @Test
    void trailersAndChunkExtensionsPass() throws IOException {
        assertSame(List.of(request("/trailers", "GET", "TE: trailers\r\n", "")), List.of("X-T: v\r\n\r\n"));
    }

    @Test
    void anAnswerUntilTheEndOfTheConnectionEndsWithIt() throws IOException {
        try (TestClient client = new TestClient(proxy.address())) {
            assertThat(client.send(get("/close")).readAll()).isEqualTo(upstream.sent() + "<EOF>");
        }
    }

    @Test
    void aChunkedAnswerThatIsCutStaysCut() throws IOException {
        try (TestClient client = new TestClient(proxy.address())) {
            assertThat(client.send(get("/cut")).readAll()).isEqualTo(upstream.sent() + "<EOF>");
        }
    }

    @Test
    void anAnswerThatCannotBeFollowedPassesAndIsCounted() throws IOException {
        try (TestClient client = new TestClient(proxy.address())) {
            assertThat(client.send(get("/badchunk")).readUntil("ZZ\r\n")).isEqualTo(upstream.sent());
            Await.until(() -> proxy.status().unread() == 1, () -> proxy.status().toLine());
        }
    }

    @Test
    void aClientThatEndsItsSideGetsTheWholeAnswer() throws IOException {
        try (TestClient client = new TestClient(proxy.address())) {
            client.send(get("/split"));
            client.socket.shutdownOutput();
            assertThat(client.readAll()).isEqualTo(upstream.sent() + "<EOF>").contains("000003");
        }
    }

    @Test
    void largeHeadsPassInBothDirections() throws IOException {
        assertSame(
                List.of(request("/head60k", "GET", "X-B: " + "b".repeat(60_000) + "\r\n", "")), List.of("\r\n\r\nok"));
    }

    @Test
    void compressedAnswersPassCompressed() throws IOException {
        byte[] packed = gzip("hello ".repeat(100));
        try (TestClient client = new TestClient(proxy.address())) {
            client.send(request("/gzip", "GET", "Accept-Encoding: gzip\r\n", ""));
            client.readUntil(
                    text -> text.contains("\r\n\r\n") && text.length() - text.indexOf("\r\n\r\n") - 4 >= packed.length);
            assertThat(client.text()).isEqualTo(upstream.sent());
        }
        assertThat(upstream.received()).contains("Accept-Encoding: gzip\r\n");
    }

    @Test
    void anotherProtocolPassesInBothDirectionsAfterAnUpgrade() throws IOException {
        try (TestClient client = new TestClient(proxy.address())) {
            client.send(request("/upgrade", "GET", "Upgrade: websocket\r\nConnection: Upgrade\r\n", ""));
            client.readUntil("\r\n\r\n");
            client.send("\0\1");
            assertThat(client.readAll()).isEqualTo(upstream.sent() + "<EOF>").endsWith("echo:\0\1<EOF>");
        }
    }

    @Test
    void requestsAfterAnUpgradeThatTheUpstreamIgnoresAreFollowed() throws IOException {
        String first = request("/cl", "GET", "Upgrade: h2c\r\nConnection: Upgrade\r\n", "");
        assertSame(List.of(first + get("/chunked")), List.of("0\r\n\r\n"));
    }

    @Test
    void aHostThatNamesTheUpstreamIsKeptAsItIs() throws IOException {
        String host = "hOsT:   127.0.0.1:" + upstream.port() + "\r\n";
        try (TestClient client = new TestClient(proxy.address())) {
            client.send("GET /cl HTTP/1.1\r\n" + host + "Authorization: Bearer k\r\n\r\n")
                    .readUntil("hello");
        }
        assertThat(upstream.received()).isEqualTo("GET /cl HTTP/1.1\r\n" + host + "Authorization: Bearer k\r\n\r\n");
    }

    @Test
    void requestIdsPassAndAreAddedOnlyWhenAsked() throws IOException {
        String post = "POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n";
        try (TestClient client = new TestClient(proxy.address())) {
            client.send(post + "\r\n").readUntil("\r\n\r\n");
        }
        assertThat(upstream.received().toLowerCase(java.util.Locale.ROOT)).doesNotContain("x-request-id");
        InetSocketAddress adding;
        try (Proxy other = Proxy.start(
                ProxySettings.of(upstream.uri()).withWarmUp(false).withRequestIdsAndTexts(true, false), sink)) {
            adding = other.address();
            try (TestClient client = new TestClient(adding)) {
                client.send(post + "X-Request-Id: mine\r\n\r\n").readUntil("\r\n\r\n");
                client.clear().send(post + "\r\n").readUntil("\r\n\r\n");
            }
        }
        assertThat(upstream.lines.get(1).received()).contains("X-Request-Id: mine\r\n");
        assertThat(upstream.lines.get(1).received()).containsPattern("x-request-id: [0-9a-f]{32}\r\n\r\n$");
    }
}
