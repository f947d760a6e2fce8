package io.metricsaggregator.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Times of samples, beside those that the server notes itself, on the same clock. */
class TimesTest {
    private static final int REQUESTS = 200;
    private static final String HEAD =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String EVENT = chunk("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n");

    private static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    @Test
    void timesToTheFirstChunkAreThoseOfTheServerFromTheFirstRequestOn() throws IOException {
        List<Long> serverNanos = new CopyOnWriteArrayList<>();
        TestSink sink = new TestSink();
        try (TestUpstream upstream = new TestUpstream(line -> serve(line, serverNanos));
                Proxy proxy = Proxy.start(ProxySettings.of(upstream.uri()), sink);
                TestClient client = new TestClient(proxy.address())) {
            for (int i = 0; i < REQUESTS; i++) {
                client.clear()
                        .send("POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
                        .readUntil("0\r\n\r\n");
            }
            sink.awaitCompletions(REQUESTS);
            assertThat(proxy.status().forwardP99Nanos())
                    .isBetween(1L, Duration.ofSeconds(1).toNanos());
        }
        long[] issued = times(sink, EventType.SAMPLE_ISSUED);
        long[] first = times(sink, EventType.SAMPLE_RECV_FIRST);
        long[] added = new long[REQUESTS];
        for (int i = 0; i < REQUESTS; i++) {
            added[i] = first[i] - issued[i] - serverNanos.get(i);
        }
        long firstRequest = added[0];
        Arrays.sort(added);
        System.out.printf(
                "TTFT minus the server's: first request %.3f ms, median %.3f ms, p99 %.3f ms%n",
                firstRequest / 1e6, added[REQUESTS / 2] / 1e6, added[REQUESTS * 99 / 100] / 1e6);
        assertThat(added[REQUESTS / 2]).isBetween(0L, Duration.ofMillis(5).toNanos());
    }

    private static long[] times(TestSink sink, EventType type) {
        return sink.of(type).stream().mapToLong(EventRecord::timestampNanos).toArray();
    }

    private static void serve(TestUpstream.Line line, List<Long> nanos) throws IOException {
        for (String head = line.head(); head != null; head = line.head()) {
            line.body(head);
            long read = System.nanoTime();
            line.send(HEAD);
            LockSupport.parkNanos(3_000_000);
            long sent = System.nanoTime();
            line.send(EVENT);
            nanos.add(sent - read);
            line.send("0\r\n\r\n");
        }
    }
}
