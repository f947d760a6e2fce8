package io.metricsaggregator.transport.zmtp;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.Polling;
import io.metricsaggregator.transport.Received;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitingSubscriberTest {
    @TempDir
    Path directory;

    private String place(String scheme) throws IOException {
        if (scheme.equals("ipc")) {
            return "ipc://" + directory.resolve("s");
        }
        try (ServerSocket free = new ServerSocket(0)) {
            return "tcp://127.0.0.1:" + free.getLocalPort();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ipc", "tcp"})
    void aSubscriberThatWaitedLongReceivesTheLastFrameOfAPublisherThatClosesAtOnce(String scheme) throws Exception {
        String place = place(scheme);
        try (Transport waiting = new ZmtpTransport(TransportOptions.defaults())) {
            Received received = new Received();
            waiting.openSource(List.of(Endpoint.parse("connect:" + place, false)), received);
            // By now the reconnect backoff has reached its maximum.
            Polling.during(1_200_000_000L, waiting);
            Transport publisher = new ZmtpTransport(TransportOptions.defaults());
            FrameSink sink =
                    publisher.openSink(List.of(Endpoint.parse("bind:" + place, true)), FrameSink.Kind.PUBLISH_LATEST);
            sink.offerLast(new byte[] {42});
            Thread closer = new Thread(() -> publisher.close(1_000_000_000L));
            closer.start();
            Polling.until("received", () -> received.count() == 1, waiting);
            closer.join();
            assertThat(received.frames.get(0)).containsExactly(42);
        }
    }
}
