package io.metricsaggregator.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.http.HttpConfig;
import io.metricsaggregator.http.HttpLimits;
import io.metricsaggregator.http.HttpListener;
import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A viewer over a real socket whose other end may not read. */
@Timeout(60)
class ViewerTest {
    private static final int EVENT_BYTES = 64 << 10;
    private static final int LAST = 2000;

    private final CompletableFuture<Viewer> connected = new CompletableFuture<>();
    private HttpListener listener;
    private Socket browser;
    private Viewer viewer;

    @BeforeEach
    void connect() throws Exception {
        HttpConfig config = new HttpConfig("web", HttpLimits.SMALL.withPendingBytes(1), HttpConfig.GET_AND_HEAD);
        listener = HttpListener.bind(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                config,
                exchange -> connected.complete(new Viewer(exchange.stream("text/plain", false), 10)));
        listener.start();
        browser = new Socket(InetAddress.getLoopbackAddress(), listener.port());
        browser.setSoTimeout(20_000);
        browser.getOutputStream()
                .write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        viewer = connected.get(20, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() throws Exception {
        browser.close();
        listener.close();
    }

    private static byte[] event(int number) {
        byte[] event = new byte[EVENT_BYTES];
        Arrays.fill(event, (byte) 'x');
        byte[] head = String.format("%08d", number).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(head, 0, event, 0, head.length);
        return event;
    }

    @Test
    void a_viewer_that_does_not_read_misses_events_and_gets_the_latest_one_when_it_does() throws Exception {
        CompletableFuture<Long> dropped = new CompletableFuture<>();
        listener.execute(() -> {
            for (int i = 1; i <= LAST; i++) {
                viewer.offer(event(i), null, i);
            }
            assertThat(viewer.isIdle()).isFalse();
            dropped.complete(viewer.takeDropped());
            assertThat(viewer.takeDropped()).isZero();
            viewer.end();
        });
        long missed = dropped.get(20, TimeUnit.SECONDS);
        assertThat(missed).isBetween(1000L, (long) LAST);
        DataInputStream in = new DataInputStream(browser.getInputStream());
        String head = "";
        while (!head.endsWith("\r\n\r\n")) {
            head += (char) in.readByte();
        }
        String number = "";
        byte[] event = new byte[EVENT_BYTES];
        for (int i = 0; i < LAST - missed; i++) {
            in.readFully(event);
            String next = new String(event, 0, 8, StandardCharsets.US_ASCII);
            assertThat(next).isGreaterThan(number);
            number = next;
        }
        assertThat(number).isEqualTo(String.format("%08d", LAST));
        assertThat(in.read()).isEqualTo(-1);
        assertThat(listener.failures()).isZero();
    }
}
