package io.metricsaggregator.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventType;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections to the upstream: refused, late, by TLS, by IPv6. */
class UpstreamConnectionTest {
    private static final String REQUEST = "POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}";

    private final TestSink sink = new TestSink();

    @TempDir
    private Path folder;

    private static void serve(TestUpstream.Line line) throws IOException {
        for (String head = line.head(); head != null; head = line.head()) {
            line.body(head);
            line.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nup");
        }
    }

    private ProxySettings settings(URI upstream) {
        return ProxySettings.of(upstream)
                .withWarmUp(false)
                .withLimits(50, Duration.ofSeconds(5), Duration.ofMillis(700), Duration.ZERO);
    }

    private String ask(ProxySettings settings) throws IOException {
        try (Proxy proxy = Proxy.start(settings, sink);
                TestClient client = new TestClient(proxy.address())) {
            String answer = client.send(REQUEST).readUntil(text -> text.endsWith("up"));
            sink.awaitCompletions(1);
            return answer;
        }
    }

    private String error() {
        return sink.of(EventType.ERROR_GENERIC).get(0).data() instanceof ErrorData error
                ? error.errorType() + " " + error.errorMessage()
                : "";
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void aRefusedConnectionIs502WithItsReason() throws IOException {
        assertThat(ask(settings(URI.create("http://127.0.0.1:" + freePort()))))
                .startsWith("HTTP/1.1 502 ")
                .contains("refused\n<EOF>");
        assertThat(error()).startsWith("HTTP 502 the upstream 127.0.0.1:").contains("refused");
    }

    @Test
    void anUnknownNameIs502AndDoesNotKeepTheProxyFromStarting() throws IOException {
        assertThat(ask(settings(URI.create("http://nosuch.invalid:1"))))
                .startsWith("HTTP/1.1 502 ")
                .contains("nosuch.invalid");
    }

    @Test
    void aConnectionThatIsNotAcceptedInTimeIs504() throws IOException {
        List<Socket> filling = new ArrayList<>();
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            InetSocketAddress address = new InetSocketAddress("127.0.0.1", full.getLocalPort());
            boolean isFull = false;
            for (int i = 0; i < 8 && !isFull; i++) {
                Socket socket = new Socket();
                filling.add(socket);
                try {
                    socket.connect(address, 300);
                } catch (IOException e) {
                    isFull = true;
                }
            }
            assumeTrue(isFull, "this system queues more connections than it was told to");
            long start = System.nanoTime();
            assertThat(ask(settings(URI.create("http://127.0.0.1:" + full.getLocalPort()))))
                    .startsWith("HTTP/1.1 504 ");
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(700), Duration.ofSeconds(4));
        } finally {
            for (Socket each : filling) {
                each.close();
            }
        }
    }

    @Test
    void anUpstreamThatListensLaterIsConnectedThen() throws IOException {
        int port = freePort();
        try (Proxy proxy = Proxy.start(settings(URI.create("http://127.0.0.1:" + port)), sink);
                TestClient client = new TestClient(proxy.address())) {
            Await.until(() -> proxy.status().connections() == 1, () -> "the connection to be accepted");
            try (TestUpstream upstream = new TestUpstream(
                    new ServerSocket(port, 10, InetAddress.getByName("127.0.0.1")), UpstreamConnectionTest::serve)) {
                assertThat(client.send(REQUEST).readUntil("up")).endsWith("up");
                assertThat(upstream.lines).hasSize(1);
            }
        }
    }

    @Test
    void theUpstreamIsConnectedBeforeTheFirstRequest() throws IOException {
        try (TestUpstream upstream = new TestUpstream(UpstreamConnectionTest::serve);
                Proxy proxy = Proxy.start(settings(upstream.uri()), sink);
                TestClient client = new TestClient(proxy.address())) {
            Await.until(() -> upstream.lines.size() == 1, () -> "a connection without a request");
            assertThat(client.send(REQUEST).readUntil("up")).endsWith("up");
        }
    }

    @Test
    void ipv6AddressesHaveBracketsInHostAndUrl() throws IOException {
        InetAddress address = InetAddress.getByName("::1");
        ServerSocket server;
        try {
            server = new ServerSocket(0, 10, address);
        } catch (IOException e) {
            assumeTrue(false, "no IPv6 here: " + e.getMessage());
            return;
        }
        try (TestUpstream upstream = new TestUpstream(server, UpstreamConnectionTest::serve)) {
            URI uri = URI.create("http://[::1]:" + upstream.port());
            try (Proxy proxy = Proxy.start(settings(uri).withListen(new InetSocketAddress(address, 0)), sink);
                    TestClient client = new TestClient(proxy.address())) {
                assertThat(client.send(REQUEST).readUntil("up")).endsWith("up");
                assertThat(proxy.url()).startsWith("http://[0:0:0:0:0:0:0:1]:");
            }
            assertThat(upstream.received()).contains("Host: [::1]:" + upstream.port() + "\r\n");
        }
    }

    @Test
    void thePathOfTheUpstreamIsPartOfTheUrlForClients() throws IOException {
        try (TestUpstream upstream = new TestUpstream(UpstreamConnectionTest::serve);
                Proxy proxy = Proxy.start(settings(URI.create(upstream.uri() + "/openai/v1")), sink)) {
            assertThat(proxy.url())
                    .isEqualTo("http://127.0.0.1:" + proxy.address().getPort() + "/openai/v1");
        }
    }

    @Test
    void redirectsToTheUpstreamAreCounted() throws IOException {
        try (TestUpstream upstream = new TestUpstream(line -> {
                    line.body(line.head());
                    line.send("HTTP/1.1 307 Elsewhere\r\nLocation: http://127.0.0.1:" + line.socket.getLocalPort()
                            + "/other\r\nContent-Length: 0\r\n\r\n");
                });
                Proxy proxy = Proxy.start(settings(upstream.uri()), sink);
                TestClient client = new TestClient(proxy.address())) {
            client.send(REQUEST).readAll();
            Await.until(
                    () -> proxy.status().redirects() == 1, () -> proxy.status().toLine());
        }
    }

    /** A server with a certificate for localhost that it signed itself. */
    private SSLContext selfSigned(String name) throws Exception {
        Path store = folder.resolve(name + ".p12");
        Path certificate = folder.resolve(name + ".pem");
        keytool(
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=dns:" + name,
                "-keystore",
                store.toString(),
                "-storepass",
                "secret",
                "-validity",
                "2");
        keytool(
                "-exportcert",
                "-rfc",
                "-alias",
                "a",
                "-file",
                certificate.toString(),
                "-keystore",
                store.toString(),
                "-storepass",
                "secret");
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, "secret".toCharArray());
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, "secret".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
    }

    private static void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor()).as("keytool").isZero();
    }

    @Test
    void tlsIsSpokenToAnUpstreamWhoseAuthorityIsTrusted() throws Exception {
        SSLContext context = selfSigned("localhost");
        selfSigned("other");
        ServerSocket server =
                context.getServerSocketFactory().createServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
        try (TestUpstream upstream = new TestUpstream(server, UpstreamConnectionTest::serve)) {
            URI uri = URI.create("https://localhost:" + upstream.port());
            assertThat(ask(settings(uri).withUpstreamCa(folder.resolve("localhost.pem"))))
                    .endsWith("up");
            assertThat(upstream.received()).contains("Host: localhost:" + upstream.port());
            sink.records.clear();
            assertThat(ask(settings(uri).withUpstreamCa(folder.resolve("other.pem"))))
                    .startsWith("HTTP/1.1 502 ")
                    .contains("the TLS handshake failed");
            sink.records.clear();
            URI byAddress = URI.create("https://127.0.0.1:" + upstream.port());
            assertThat(ask(settings(byAddress).withUpstreamCa(folder.resolve("localhost.pem"))))
                    .as("the certificate is of another name")
                    .startsWith("HTTP/1.1 502 ");
        }
    }

    @Test
    void anUpstreamThatDoesNotShakeHandsInTimeIs504() throws Exception {
        selfSigned("localhost");
        try (TestUpstream silent = new TestUpstream(line -> {
            while (line.read() >= 0) {
                // Never answers.
            }
        })) {
            URI uri = URI.create("https://localhost:" + silent.port());
            assertThat(ask(settings(uri).withUpstreamCa(folder.resolve("localhost.pem"))))
                    .startsWith("HTTP/1.1 504 ")
                    .contains("handshake");
        }
    }

    @Test
    void aFileWithoutCertificatesIsRefusedAtTheStart() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty.pem"), "");
        assertThatThrownBy(() ->
                        Proxy.start(settings(URI.create("https://localhost:1")).withUpstreamCa(empty), sink))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("empty.pem");
        assertThatThrownBy(() -> ProxySettings.of(URI.create("ftp://localhost")))
                .hasMessageContaining("ftp://localhost");
    }
}
