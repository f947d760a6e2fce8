package io.metricsaggregator.proxy;

import io.metricsaggregator.event.EventRecord;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests through a proxy of its own, with a server of its own behind it: without that, the first request of a run would wait for classes
 * and for interpreted code, within its measured time. Once for each process.
 */
final class WarmUp {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
    private static final int REQUESTS = 200;
    private static final int PER_CONNECTION = 10;
    private static final int CHUNKS = 20;
    private static final int TIMEOUT_MILLIS = 5000;
    private static final AtomicBoolean DONE = new AtomicBoolean();

    private static final byte[] REQUEST = ascii("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/json\r\nContent-Length: 15\r\n\r\n{\"stream\":true}");
    private static final byte[] END = ascii("\r\n0\r\n\r\n");

    private WarmUp() {}

    /** Runs once; a failure is logged, since only the first requests suffer from it. */
    static void run() {
        if (!DONE.compareAndSet(false, true)) {
            return;
        }
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket server = new ServerSocket(0, 50, loopback)) {
            Thread thread = new Thread(() -> accept(server), "proxy-warm-up");
            thread.setDaemon(true);
            thread.start();
            URI upstream = URI.create("http://127.0.0.1:" + server.getLocalPort());
            ProxySettings settings = ProxySettings.of(upstream)
                    .withWarmUp(false)
                    .withLimits(16, Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofSeconds(1));
            try (Proxy proxy = Proxy.start(settings, new Discard())) {
                for (int i = 0; i < REQUESTS / PER_CONNECTION; i++) {
                    ask(proxy.address());
                }
            }
        } catch (IOException e) {
            LOG.warn("the proxy did not warm up; its first requests are slower error=\"{}\"", e.getMessage());
        }
    }

    /** Records of the warm-up belong to no run. */
    private static final class Discard implements RecordSink {
        @Override
        public void publish(EventRecord event) {}

        @Override
        public void telemetry(Map<String, ?> telemetry) {}
    }

    private static void ask(InetSocketAddress proxy) throws IOException {
        try (Socket socket = new Socket(proxy.getAddress(), proxy.getPort())) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            for (int i = 0; i < PER_CONNECTION; i++) {
                socket.getOutputStream().write(REQUEST);
                awaitEnd(socket.getInputStream(), END);
            }
        }
    }

    private static boolean awaitEnd(InputStream in, byte[] end) throws IOException {
        int matched = 0;
        while (matched < end.length) {
            int next = in.read();
            if (next < 0) {
                return false;
            }
            matched = next == end[matched] ? matched + 1 : next == end[0] ? 1 : 0;
        }
        return true;
    }

    private static void accept(ServerSocket server) {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread thread = new Thread(() -> serve(socket), "proxy-warm-up-server");
                thread.setDaemon(true);
                thread.start();
            }
        } catch (IOException e) {
            // The warm-up is over.
        }
    }

    private static void serve(Socket socket) {
        byte[] chunk = chunk(
                "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"model\":\"m\",\"choices\":[{\"index\":0,"
                        + "\"delta\":{\"content\":\" a\"},\"finish_reason\":null}]}\n\n");
        byte[] last = chunk("data: {\"id\":\"1\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],"
                + "\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":20}}\n\ndata: [DONE]\n\n");
        byte[] end = ascii("{\"stream\":true}");
        try (socket) {
            socket.setTcpNoDelay(true);
            while (awaitEnd(socket.getInputStream(), end)) {
                socket.getOutputStream()
                        .write(
                                ascii(
                                        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"));
                for (int i = 0; i < CHUNKS; i++) {
                    socket.getOutputStream().write(chunk);
                }
                socket.getOutputStream().write(last);
                socket.getOutputStream().write(ascii("0\r\n\r\n"));
            }
        } catch (IOException e) {
            // The client of the warm-up sees it.
        }
    }

    private static byte[] chunk(String text) {
        return ascii(Integer.toHexString(text.length()) + "\r\n" + text + "\r\n");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
