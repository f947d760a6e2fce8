package io.metricsaggregator.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that are sent piece by piece, over real sockets whose other end may not read. */
@Timeout(60)
class ResponseStreamTest {
    private static final String GET = "GET / HTTP/1.1~Host: localhost~~";
    private static final int PIECE_BYTES = 64 << 10;

    private HttpListener listener;

    private void serve(HttpLimits limits, HttpHandler handler) throws IOException {
        HttpConfig config = new HttpConfig("listener", limits, HttpConfig.GET_AND_HEAD);
        listener = HttpListener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), config, handler);
        listener.start();
    }

    @AfterEach
    void close() {
        listener.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] piece() {
        byte[] piece = new byte[PIECE_BYTES];
        Arrays.fill(piece, (byte) 'x');
        return piece;
    }

    @Test
    void each_piece_is_one_chunk_and_the_connection_serves_the_next_request_after_the_end() throws IOException {
        serve(HttpLimits.SMALL, exchange -> {
            ResponseStream stream = exchange.stream("text/event-stream", true);
            stream.send(bytes("data: 1\n\n"));
            stream.send(bytes("data: 2\n\n"));
            stream.end();
        });
        try (Peer peer = new Peer(listener)) {
            for (int i = 0; i < 2; i++) {
                peer.send(GET);
                assertThat(peer.until("\r\n\r\n"))
                        .startsWith("HTTP/1.1 200 OK\r\n")
                        .containsIgnoringCase("transfer-encoding: chunked\r\n");
                assertThat(peer.until("0\r\n\r\n")).isEqualTo("9\r\ndata: 1\n\n\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\n");
            }
        }
        try (Peer old = new Peer(listener)) {
            assertThat(old.send("GET / HTTP/1.0~Host: localhost~~").all()).endsWith("\r\n\r\ndata: 1\n\ndata: 2\n\n");
        }
    }

    @Test
    void an_aborted_stream_has_no_last_chunk() throws IOException {
        serve(HttpLimits.SMALL, exchange -> {
            ResponseStream stream = exchange.stream("text/plain", true);
            stream.send(bytes("begun"));
            stream.abort();
        });
        try (Peer peer = new Peer(listener)) {
            assertThat(peer.send(GET).all()).endsWith("begun\r\n");
        }
    }

    @Test
    void a_stream_is_not_writable_while_a_peer_does_not_read_and_calls_back_when_it_is_again() throws Exception {
        AtomicInteger sent = new AtomicInteger();
        CompletableFuture<ResponseStream> started = new CompletableFuture<>();
        serve(HttpLimits.SMALL.withPendingBytes(1), exchange -> {
            ResponseStream stream = exchange.stream("text/plain", false);
            Runnable more = () -> {
                while (stream.isWritable() && sent.get() < 2000) {
                    sent.incrementAndGet();
                    stream.send(piece());
                }
                if (sent.get() == 2000) {
                    stream.end();
                }
            };
            stream.onWritable(more);
            more.run();
            started.complete(stream);
        });
        try (Peer peer = new Peer(listener)) {
            peer.send(GET);
            ResponseStream stream = started.get(20, TimeUnit.SECONDS);
            // 2,000 pieces are 125 MiB, more than the sockets of both sides hold.
            assertThat(stream.isWritable()).isFalse();
            assertThat(sent.get()).isLessThan(1000);
            assertThat(peer.all().length()).isGreaterThan(2000 * PIECE_BYTES);
        }
        assertThat(sent.get()).isEqualTo(2000);
    }

    @Test
    void a_blocking_sender_waits_for_its_peer_and_fails_when_the_peer_goes() throws Exception {
        AtomicInteger sent = new AtomicInteger();
        CompletableFuture<Exception> failure = new CompletableFuture<>();
        serve(HttpLimits.SMALL, exchange -> {
            ResponseStream stream = exchange.stream("text/plain", true);
            Thread sender = new Thread(() -> {
                try {
                    while (true) {
                        stream.write(piece());
                        sent.incrementAndGet();
                    }
                } catch (IOException | InterruptedException e) {
                    failure.complete(e);
                }
            });
            sender.start();
        });
        try (Peer peer = new Peer(listener)) {
            peer.send(GET).until("xxx");
            int before = -1;
            while (sent.get() != before) {
                before = sent.get();
                assertThat(failure.isDone()).isFalse();
                new CountDownLatch(1).await(200, TimeUnit.MILLISECONDS);
            }
            assertThat(before).isLessThan(1000);
            peer.until("xxx");
        }
        assertThat(failure.get(20, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
    }

    @Test
    void a_piece_is_written_out_when_the_peer_has_room_for_it_and_fails_when_the_peer_goes() throws Exception {
        CompletableFuture<Long> written = new CompletableFuture<>();
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        byte[] large = new byte[16 << 20];
        serve(HttpLimits.SMALL, exchange -> {
            ResponseStream stream = exchange.stream("text/plain", true);
            new Thread(() -> {
                        try {
                            written.complete(stream.writeOut(large));
                            while (true) {
                                stream.writeOut(large);
                            }
                        } catch (IOException | InterruptedException e) {
                            failure.complete(e);
                        }
                    })
                    .start();
        });
        try (Peer peer = new Peer(listener)) {
            peer.send(GET).until("\r\n\r\n");
            long began = System.nanoTime();
            peer.until("1000000\r\n");
            for (int i = 0; i < large.length; i++) {
                peer.read();
            }
            assertThat(written.get(20, TimeUnit.SECONDS) - began).isPositive();
        }
        assertThat(failure.get(20, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
    }

    @Test
    void a_request_arrives_with_its_last_byte() throws Exception {
        CompletableFuture<Long> arrived = new CompletableFuture<>();
        HttpConfig config = new HttpConfig("listener", HttpLimits.SMALL.withBodyBytes(10), List.of("POST"));
        listener = HttpListener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), config, exchange -> {
            arrived.complete(exchange.arrivedNanos());
            exchange.text(200, "ok");
        });
        listener.start();
        try (Peer peer = new Peer(listener)) {
            peer.send("POST / HTTP/1.1~Host: localhost~Content-Length: 1~Expect: 100-continue~~")
                    .until("\r\n\r\n");
            long continued = System.nanoTime();
            peer.send("x").until("ok");
            assertThat(arrived.get(20, TimeUnit.SECONDS)).isBetween(continued, System.nanoTime());
        }
    }

    @Test
    void a_peer_that_takes_nothing_of_a_stream_is_disconnected_and_one_for_which_nothing_waits_is_not()
            throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        CompletableFuture<ResponseStream> quiet = new CompletableFuture<>();
        serve(HttpLimits.SMALL.withStall(Duration.ofMillis(400)), exchange -> {
            ResponseStream stream = exchange.stream("text/plain", false);
            if (exchange.path().equals("/quiet")) {
                quiet.complete(stream);
                return;
            }
            stream.onClose(closed::countDown);
            for (int i = 0; i < 500; i++) {
                stream.send(piece());
            }
        });
        try (Peer idle = new Peer(listener);
                Peer stalled = new Peer(listener)) {
            idle.send("GET /quiet HTTP/1.1~Host: localhost~~").until("\r\n\r\n");
            long start = System.nanoTime();
            stalled.send(GET);
            assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(300));
            ResponseStream stream = quiet.get(20, TimeUnit.SECONDS);
            assertThat(stream.isOpen()).isTrue();
            stream.send(bytes("still here"));
            idle.until("still here");
        }
    }

    @Test
    void a_peer_that_closes_its_side_ends_the_last_stream_of_its_connection_at_once() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        serve(HttpLimits.SMALL, exchange -> exchange.stream("text/plain", false).onClose(closed::countDown));
        try (Peer peer = new Peer(listener)) {
            peer.send(GET).until("\r\n\r\n");
            peer.send("ignored");
            peer.socket.shutdownOutput();
            assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }
}
