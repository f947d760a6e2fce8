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
import java.net.StandardSocketOptions;
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

    @ParameterizedTest
    @ValueSource(strings = {"ipc", "tcp"})
    void aSubscriberThatBreaksOffAsAFrameIsSentCostsTheOthersNothing(String scheme) throws Exception {
        String place = place(scheme);
        try (Transport publisher = new ZmtpTransport(TransportOptions.defaults());
                Transport subscriber = new ZmtpTransport(TransportOptions.defaults())) {
            FrameSink sink =
                    publisher.openSink(List.of(Endpoint.parse("bind:" + place, true)), FrameSink.Kind.PUBLISH_LATEST);
            RawPeer breaking = new RawPeer(Endpoint.parse("connect:" + place, false)).shake("SUB");
            breaking.send(new byte[] {0, 1, 1});
            Polling.until("the first subscribes", () -> sink.peers() == 1, publisher);
            Received received = new Received();
            subscriber.openSource(List.of(Endpoint.parse("connect:" + place, false)), received);
            Polling.until("the second subscribes", () -> sink.peers() == 2, publisher, subscriber);
            if (scheme.equals("tcp")) {
                // The end comes as a reset, so that the next write fails.
                breaking.channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            breaking.close();
            for (byte i = 1; i <= 3; i++) {
                int count = i;
                sink.offer(new byte[] {i});
                Polling.until("received", () -> received.count() == count, publisher, subscriber);
                assertThat(received.frames.get(i - 1)).containsExactly(i);
            }
            assertThat(sink.peers()).isEqualTo(1);
            assertThat(publisher.stats().peersStalled).isZero();
        }
    }
}
