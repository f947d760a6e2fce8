package io.metricsaggregator.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection over a real socket whose other end may not read. */
@Timeout(30)
class ConnectionTest {
    private static final long SECOND = 1_000_000_000L;

    private Selector selector;
    private Socket browser;
    private Connection connection;

    @BeforeEach
    void connect() throws Exception {
        selector = Selector.open();
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            browser =
                    new Socket(InetAddress.getLoopbackAddress(), server.socket().getLocalPort());
            // A test of broken code fails instead of waiting for ever.
            browser.setSoTimeout(20_000);
            SocketChannel channel = server.accept();
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            connection = new Connection(channel, key, 0);
        }
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
        browser.close();
        selector.close();
    }

    private static byte[] event(int number) {
        byte[] event = new byte[64 << 10];
        Arrays.fill(event, (byte) 'x');
        byte[] head = String.format("%08d", number).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(head, 0, event, 0, head.length);
        event[event.length - 1] = '\n';
        return event;
    }

    private void send(String text) throws Exception {
        browser.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        while (selector.select(1000) == 0) {
            assertThat(browser.isConnected()).isTrue();
        }
        selector.selectedKeys().clear();
    }

    @Test
    void a_viewer_that_does_not_read_misses_events_and_gets_the_latest_one_when_it_does() throws Exception {
        connection.stream(new byte[] {'\n'}, 0);
        int last = 2000;
        for (int i = 1; i <= last; i++) {
            connection.offerNow(event(i));
            // Never waits: the test would time out.
            assertThat(connection.write(0)).isTrue();
        }
        assertThat(connection.isIdle()).isFalse();
        long dropped = connection.takeDropped();
        assertThat(dropped).isBetween(1000L, (long) last);
        assertThat(connection.takeDropped()).isZero();
        InputStream in = browser.getInputStream();
        assertThat(in.read()).isEqualTo('\n');
        String number = "";
        for (int i = 0; i < last - dropped; i++) {
            while (!connection.isIdle() && in.available() == 0) {
                connection.write(0);
            }
            byte[] read = readEvent(in);
            String next = new String(read, 0, 8, StandardCharsets.US_ASCII);
            assertThat(next).isGreaterThan(number);
            number = next;
        }
        assertThat(number).isEqualTo(String.format("%08d", last));
        assertThat(connection.isIdle()).isTrue();
    }

    private byte[] readEvent(InputStream in) throws Exception {
        byte[] event = new byte[64 << 10];
        int length = 0;
        while (length < event.length) {
            if (in.available() == 0 && !connection.isIdle()) {
                connection.write(0);
            }
            length += in.read(event, length, Math.min(event.length - length, Math.max(1, in.available())));
        }
        return event;
    }

    @Test
    void a_viewer_that_takes_nothing_for_half_a_minute_is_overdue_and_an_idle_one_is_not() throws Exception {
        connection.stream(new byte[] {'\n'}, 0);
        connection.write(0);
        assertThat(connection.isOverdue(3600 * SECOND)).isFalse();
        for (int i = 0; i < 200; i++) {
            connection.offerNow(event(i));
            connection.write(SECOND);
        }
        assertThat(connection.isOverdue(25 * SECOND)).isFalse();
        assertThat(connection.isOverdue(32 * SECOND)).isTrue();
    }

    @Test
    void a_request_may_arrive_in_pieces_and_one_that_never_ends_is_overdue() throws Exception {
        send("GET / HTTP/1.1\r\nHost: local");
        assertThat(connection.read()).isZero();
        assertThat(connection.isOverdue(4 * SECOND)).isFalse();
        assertThat(connection.isOverdue(6 * SECOND)).isTrue();
        send("host\r\n\r");
        assertThat(connection.read()).isZero();
        send("\n");
        int length = connection.read();
        assertThat(length).isPositive();
        Request request = Request.parse(connection.input(), length);
        assertThat(request).isEqualTo(new Request("GET", "/", "localhost", null, false));
    }

    @Test
    void a_request_beyond_the_limit_is_recognised() throws Exception {
        send("GET /" + "a".repeat(Connection.REQUEST_MAX_BYTES));
        int read = connection.read();
        while (read == 0) {
            read = connection.read();
        }
        assertThat(read).isEqualTo(-2);
    }
}
