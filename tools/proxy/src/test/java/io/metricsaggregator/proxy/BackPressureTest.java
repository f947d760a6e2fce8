package io.metricsaggregator.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BackPressureTest {
    private static final int BYTES = 64 << 20;

    @Test
    void aSlowReaderStopsTheUpstreamAndCostsTheProxyNoMemory() throws IOException {
        AtomicLong written = new AtomicLong();
        byte[] piece = new byte[1 << 16];
        try (TestUpstream upstream = new TestUpstream(line -> {
                    line.head();
                    line.socket
                            .getOutputStream()
                            .write(("HTTP/1.1 200 OK\r\nContent-Length: " + BYTES + "\r\n\r\n").getBytes());
                    while (written.get() < BYTES) {
                        line.socket.getOutputStream().write(piece);
                        written.addAndGet(piece.length);
                    }
                });
                Proxy proxy = Proxy.start(ProxySettings.of(upstream.uri()).withWarmUp(false), new TestSink());
                TestClient client = new TestClient(proxy.address(), 16 << 10)) {
            System.gc();
            long before = used();
            client.send("GET /big HTTP/1.1\r\nHost: x\r\n\r\n");
            awaitStall(written);
            System.gc();
            assertThat(written.get()).as("what the buffers of sockets hold").isLessThan(BYTES / 2);
            assertThat(used() - before)
                    .as("heap of the proxy, and of this test")
                    .isLessThan(4 << 20);
            byte[] buffer = new byte[1 << 20];
            long read = 0;
            while (read < BYTES) {
                int count = client.socket.getInputStream().read(buffer);
                assertThat(count).as("read %s", read).isPositive();
                read += count;
            }
        }
    }

    private static long used() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** Waits until nothing was written for 300 ms. */
    private static void awaitStall(AtomicLong written) {
        Await.until(() -> written.get() > 0, () -> "the first bytes");
        long last = -1;
        while (last != written.get()) {
            last = written.get();
            long seen = last;
            Await.within(java.time.Duration.ofMillis(300), () -> written.get() != seen);
        }
    }
}
