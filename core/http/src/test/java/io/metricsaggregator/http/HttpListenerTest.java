package io.metricsaggregator.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A listener over real sockets. */
@Timeout(60)
class HttpListenerTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final HttpLimits LIMITS =
            HttpLimits.SMALL.withBodyBytes(1000).withTimes(LONG, LONG, LONG);

    private final List<Peer> peers = new ArrayList<>();
    private HttpListener listener;

    private void serve(HttpLimits limits, HttpHandler handler) throws IOException {
        HttpConfig config =
                new HttpConfig("listener", limits, List.of("GET", "HEAD", "POST"), Map.of("X-Everywhere", "yes"));
        listener = HttpListener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), config, handler);
        listener.start();
    }

    private Peer peer() throws IOException {
        Peer peer = new Peer(listener);
        peers.add(peer);
        return peer;
    }

    @AfterEach
    void close() throws IOException {
        for (Peer peer : peers) {
            peer.close();
        }
        listener.close();
    }

    private static void echo(HttpExchange exchange) {
        exchange.text(
                200,
                exchange.method() + " " + exchange.path() + " " + exchange.query() + " "
                        + new String(exchange.body(), StandardCharsets.ISO_8859_1));
    }

    @Test
    void an_answer_has_a_length_and_the_connection_serves_further_requests_in_order() throws IOException {
        serve(LIMITS, HttpListenerTest::echo);
        Peer peer = peer();
        peer.send("GET /a?b=c HTTP/1.1~Host: localhost~~");
        assertThat(peer.until("GET /a b=c \n"))
                .startsWith("HTTP/1.1 200 OK\r\n")
                .containsIgnoringCase("content-type: text/plain; charset=us-ascii\r\n")
                .containsIgnoringCase("content-length: 12\r\n")
                .contains("X-Everywhere: yes\r\n");
        peer.send("POST / HTTP/1.1~Host: localhost~Content-Length: 4~~bodyHEAD /h HTTP/1.1~Host: localhost~~"
                + "POST / HTTP/1.1~Host: localhost~Transfer-Encoding: chunked~~2~ab~1;x=y~c~0~~"
                + "GET /last HTTP/1.1~Host: localhost~Connection: close~~");
        String all = peer.all();
        assertThat(all.indexOf("POST /  body\n")).isPositive();
        assertThat(all.indexOf("POST /  abc\n")).isGreaterThan(all.indexOf("body"));
        assertThat(all).doesNotContain("HEAD").endsWith("GET /last  \n");
        assertThat(all.split("HTTP/1.1 200 OK", -1)).hasSize(5);
        assertThat(listener.refused()).isZero();
    }

    @Test
    void pipelined_requests_are_handled_one_at_a_time_on_an_executor() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(4);
        CountDownLatch another = new CountDownLatch(1);
        serve(LIMITS, HttpHandler.on(executor, exchange -> {
            try {
                // The first one gives the others time to begin, which they must not.
                boolean beside = exchange.path().equals("/0") && another.await(300, TimeUnit.MILLISECONDS);
                another.countDown();
                exchange.text(200, beside ? "beside another" : "alone" + exchange.path());
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }));
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < 50; i++) {
            requests.append("GET /").append(i).append(" HTTP/1.1~Host: localhost~~");
        }
        Peer peer = peer();
        peer.send(requests.toString());
        for (int i = 0; i < 50; i++) {
            assertThat(peer.until("\r\n\r\n")).startsWith("HTTP/1.1 200 OK");
            assertThat(peer.until("\n")).isEqualTo("alone/" + i + "\n");
        }
        executor.shutdown();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET / HTTP/1.1~Host: evil.example~~                                                  | 403
            GET / HTTP/1.1~Host: localhost.evil.example:80~~                                     | 403
            GET / HTTP/1.1~~                                                                     | 403
            GET / HTTP/1.1~Host: localhost~Host: localhost~~                                     | 400
            PUT / HTTP/1.1~Host: localhost~~                                                     | 405
            CONNECT localhost:80 HTTP/1.1~Host: localhost~~                                      | 405
            GET http://localhost/ HTTP/1.1~Host: localhost~~                                     | 400
            GET * HTTP/1.1~Host: localhost~~                                                     | 400
            POST / HTTP/1.1~Host: localhost~Content-Length: 3~Transfer-Encoding: chunked~~0~~    | 400
            POST / HTTP/1.0~Host: localhost~Content-Length: 3~Transfer-Encoding: chunked~~0~~    | 400
            POST / HTTP/1.1~Host: localhost~Content-Length: 3~Content-Length: 4~~abc             | 400
            POST / HTTP/1.1~Host: localhost~Content-Length: 3~Content-Length: 3~~abc             | 400
            POST / HTTP/1.1~Host: localhost~Content-Length: -3~~abc                              | 400
            POST / HTTP/1.1~Host: localhost~Content-Length: 1001~~abc                            | 413
            POST / HTTP/1.1~Host: localhost~Content-Length: 99999999999999999999~~abc            | 400
            POST / HTTP/1.1~Host: localhost~Transfer-Encoding: gzip, chunked~~0~~                | 400
            POST / HTTP/1.1~Host: localhost~Transfer-Encoding: gzip~~0~~                         | 400
            POST / HTTP/1.1~Host: localhost~Transfer-Encoding: chunked~~zz~                      | 400
            GET / HTTP/2.0~Host: localhost~~                                                     | 400
            GET / RTSP/1.0~Host: localhost~~                                                     | 400
            GET /~~                                                                              | 400
            GET / HTTP/1.1~Host : localhost~~                                                    | 400
            GET / HTTP/1.1~Host: localhost~ folded: x~~                                          | 403
            \\u0016\\u0003\\u0001\\u0002                                                         | 400
            """)
    void ambiguous_foreign_and_malformed_requests_are_refused_and_the_connection_is_closed(String request, int status)
            throws IOException {
        serve(LIMITS, HttpListenerTest::echo);
        String bytes = request.startsWith("\\u") ? "\u0016\u0003\u0001\u0002\u0001~~" : request;
        assertThat(peer().send(bytes).all())
                .startsWith("HTTP/1.1 " + status + " ")
                .containsIgnoringCase("\r\nconnection: close\r\n")
                .contains("X-Everywhere: yes\r\n")
                .endsWith("\n")
                .doesNotContain("200 OK");
        assertThat(listener.refused()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:9"})
    void loopback_names_are_answered_with_any_port(String host) throws IOException {
        serve(LIMITS, HttpListenerTest::echo);
        assertThat(peer().send("GET / HTTP/1.0~Host: " + host + "~~").all()).startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void lines_that_end_without_a_carriage_return_are_refused_at_once() throws IOException {
        serve(LIMITS, HttpListenerTest::echo);
        assertThat(peer().send("GET / HTTP/1.1\nHost: localhost\n\n").all()).startsWith("HTTP/1.1 400 ");
    }

    @Test
    void lines_headers_and_bodies_beyond_the_limits_are_refused() throws IOException {
        serve(LIMITS, HttpListenerTest::echo);
        assertThat(peer().send("GET /" + "a".repeat(9000)).all()).startsWith("HTTP/1.1 414 ");
        assertThat(peer().send("GET / HTTP/1.1~Host: localhost~X: " + "a".repeat(9000))
                        .all())
                .startsWith("HTTP/1.1 431 ");
        StringBuilder many = new StringBuilder("GET / HTTP/1.1~Host: localhost~");
        for (int i = 0; i < 1000; i++) {
            many.append("X").append(i).append(": 0123456789~");
        }
        assertThat(peer().send(many.toString()).all()).startsWith("HTTP/1.1 431 ");
        assertThat(peer().send("POST / HTTP/1.1~Host: localhost~Transfer-Encoding: chunked~~" + "400~"
                                + "a".repeat(1024) + "~0~~")
                        .all())
                .startsWith("HTTP/1.1 413 ")
                .endsWith("the request body has more than 1000 bytes\n");
    }

    @Test
    void a_peer_gets_the_refusal_although_it_is_still_sending_a_large_body() throws IOException {
        serve(LIMITS, HttpListenerTest::echo);
        Peer peer = peer();
        peer.send("POST / HTTP/1.1~Host: localhost~Content-Length: 4000000~~");
        peer.send(new byte[4_000_000]);
        assertThat(peer.all()).startsWith("HTTP/1.1 413 ").endsWith("bytes\n");
    }

    @Test
    void a_body_is_asked_for_by_a_peer_that_expects_it_and_refused_before_it_is_sent_if_it_is_too_large()
            throws IOException {
        serve(LIMITS, HttpListenerTest::echo);
        Peer peer = peer();
        peer.send("POST / HTTP/1.1~Host: localhost~Expect: 100-continue~Content-Length: 2~~");
        assertThat(peer.until("\r\n\r\n")).startsWith("HTTP/1.1 100 ");
        peer.send("okHEAD / HTTP/1.1~Host: localhost~~GET /end HTTP/1.1~Host: localhost~Connection: close~~");
        assertThat(peer.all()).contains("POST /  ok\n").doesNotContain("HEAD").endsWith("GET /end  \n");
        assertThat(peer().send("POST / HTTP/1.1~Host: localhost~Expect: 100-continue~Content-Length: 2000~~")
                        .all())
                .startsWith("HTTP/1.1 413 ");
    }

    @Test
    void bodies_that_arrive_at_the_same_time_hold_a_bounded_number_of_bytes_and_return_them() throws IOException {
        serve(LIMITS, HttpListenerTest::echo);
        String most = "POST / HTTP/1.1~Host: localhost~Content-Length: 1000~~" + "a".repeat(999);
        for (int i = 0; i < HttpLimits.BODIES; i++) {
            Peer peer = peer();
            peer.send(most);
        }
        String refused = "";
        while (!refused.startsWith("HTTP/1.1 503 ")) {
            // Some of the others may not have been read yet.
            try (Peer one = new Peer(listener)) {
                refused = one.send(most + "a").until("\r\n\r\n");
            }
        }
        for (Peer peer : peers) {
            peer.send("a");
            assertThat(peer.until("\r\n\r\n")).startsWith("HTTP/1.1 200 OK");
        }
        assertThat(peer().send(most + "a").until("\r\n\r\n")).startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void a_request_that_drips_is_cut_off_at_an_absolute_deadline() throws Exception {
        serve(LIMITS.withTimes(SHORT, LONG, LONG), HttpListenerTest::echo);
        for (String begun : List.of("", "GET / HTTP/1.1~", "POST / HTTP/1.1~Host: localhost~Content-Length: 900~~")) {
            long start = System.nanoTime();
            Peer peer = peer();
            peer.send(begun);
            CountDownLatch closed = new CountDownLatch(1);
            Thread drip = new Thread(() -> {
                try {
                    while (!closed.await(50, TimeUnit.MILLISECONDS)) {
                        peer.send("X: y~");
                    }
                } catch (IOException | InterruptedException gone) {
                    closed.countDown();
                }
            });
            if (!begun.isEmpty()) {
                drip.start();
            }
            assertThat(peer.all()).isIn("", "<reset>");
            closed.countDown();
            drip.join();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(SHORT, SHORT.multipliedBy(20));
        }
    }

    @Test
    void a_connection_without_a_next_request_is_closed_and_the_next_request_has_its_own_deadline() throws IOException {
        serve(LIMITS.withTimes(SHORT, LONG, LONG), HttpListenerTest::echo);
        Peer half = peer();
        half.send("GET /a HTTP/1.1~Host: localhost~~").until("GET /a");
        assertThat(half.send("GET /b HTTP/1.1~").all()).doesNotContain("HTTP");
        listener.close();
        serve(LIMITS.withTimes(LONG, SHORT, LONG), HttpListenerTest::echo);
        Peer idle = peer();
        idle.send("GET /a HTTP/1.1~Host: localhost~~").until("GET /a");
        assertThat(idle.all()).doesNotContain("HTTP");
    }

    @Test
    void connections_beyond_the_limit_are_closed_and_places_become_free() throws IOException {
        serve(LIMITS.withConnections(2), HttpListenerTest::echo);
        Peer first = peer();
        first.send("GET / HTTP/1.1~Host: localhost~~").until("GET /");
        Peer second = peer();
        second.send("GET / HTTP/1.1~Host: localhost~~").until("GET /");
        assertThat(peer().all()).isIn("", "<reset>");
        assertThat(listener.refused()).isEqualTo(1);
        first.close();
        String answer = "";
        while (!answer.startsWith("HTTP/1.1 200")) {
            try (Peer next = new Peer(listener)) {
                answer = next.send("GET / HTTP/1.1~Host: localhost~Connection: close~~")
                        .all();
            } catch (IOException refused) {
                // The listener has not seen yet that the first one has gone.
                answer = "";
            }
        }
    }

    @Test
    void a_failed_handler_is_counted_and_answered_and_the_next_request_is_served() throws IOException {
        serve(LIMITS, exchange -> {
            if (exchange.path().equals("/broken")) {
                throw new StackOverflowError();
            }
            if (exchange.path().equals("/gone")) {
                throw new IOException("the peer has gone");
            }
            echo(exchange);
        });
        Peer peer = peer();
        assertThat(peer.send("GET /broken HTTP/1.1~Host: localhost~~").until("why\n"))
                .startsWith("HTTP/1.1 500 ");
        peer.send("GET / HTTP/1.1~Host: localhost~~").until("GET /");
        assertThat(listener.failures()).isEqualTo(1);
        assertThat(peer().send("GET /gone HTTP/1.1~Host: localhost~~").all()).isIn("", "<reset>");
        assertThat(listener.failures()).isEqualTo(1);
    }

    @Test
    void an_executor_that_takes_no_more_answers_503() throws IOException {
        serve(
                LIMITS,
                HttpHandler.on(
                        task -> {
                            throw new RejectedExecutionException();
                        },
                        HttpListenerTest::echo));
        assertThat(peer().send("GET / HTTP/1.1~Host: localhost~~").until("many requests\n"))
                .startsWith("HTTP/1.1 503 ");
    }

    @Test
    void a_second_answer_is_an_error_of_the_handler() throws Exception {
        List<Throwable> thrown = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        serve(LIMITS, exchange -> {
            exchange.text(200, "first");
            try {
                exchange.text(200, "second");
            } catch (IllegalStateException e) {
                thrown.add(e);
            }
            done.countDown();
        });
        peer().send("GET / HTTP/1.1~Host: localhost~~").until("first");
        assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(thrown).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Sec-Fetch-Site: cross-site  | true
            Sec-Fetch-Site: same-site   | true
            Sec-Fetch-Site: same-origin | false
            Sec-Fetch-Site: none        | false
            Origin: http://evil.example | true
            Origin: http://localhost:8  | true
            Origin: null                | true
            Origin: http://LocalHost:9  | false
            X: y                        | false
            """)
    void requests_from_pages_of_other_sites_are_recognised(String header, boolean foreign) throws IOException {
        serve(LIMITS, exchange -> exchange.text(200, Boolean.toString(exchange.isForeign())));
        assertThat(peer().send("GET / HTTP/1.0~Host: localhost:9~" + header + "~~")
                        .all())
                .endsWith(foreign + "\n");
    }

    @Test
    void an_address_in_use_is_an_error_and_a_closed_listener_frees_it() throws IOException {
        serve(LIMITS, HttpListenerTest::echo);
        InetSocketAddress same = new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port());
        HttpConfig config = new HttpConfig("other", LIMITS, HttpConfig.GET_AND_HEAD);
        assertThatThrownBy(() -> HttpListener.bind(same, config, HttpListenerTest::echo))
                .isInstanceOf(BindException.class)
                .hasMessageContaining("in use");
        Peer open = peer();
        open.send("GET / HTTP/1.1~Host: localhost~~").until("GET /");
        listener.close();
        assertThat(open.all()).doesNotContain("HTTP");
        listener.execute(() -> {
            throw new IllegalStateException("ran after close");
        });
        listener = HttpListener.bind(same, config, HttpListenerTest::echo);
        assertThat(listener.url()).isEqualTo("http://127.0.0.1:" + same.getPort() + "/");
    }

    @Test
    void actions_run_on_the_listeners_thread_and_their_failures_are_counted() throws Exception {
        serve(LIMITS, HttpListenerTest::echo);
        CountDownLatch ran = new CountDownLatch(1);
        List<String> names = new ArrayList<>();
        listener.execute(() -> {
            throw new IllegalStateException("broken action");
        });
        listener.schedule(
                () -> {
                    names.add(Thread.currentThread().getName());
                    ran.countDown();
                },
                1000);
        assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(names).containsExactly("listener");
        assertThat(listener.failures()).isEqualTo(1);
    }
}
