package io.metricsaggregator.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.transport.zmtp.ZmtpTransport;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.zeromq.ZMQ;

/** The transport contract over tcp with CURVE keys, through the factory: JeroMQ behind a relay thread. */
class CurveContractTest extends TransportContract {
    private static final ZMQ.Curve.KeyPair SERVER = ZMQ.Curve.generateKeyPair();
    /** A pair of our own against one of JeroMQ. */
    private static final CurveKeyPair CLIENT = CurveKeyPair.generate();

    private static final CurveKeyPair STRANGER = CurveKeyPair.generate();

    @Override
    protected Transport binding(TransportOptions options) throws IOException {
        return Transports.open(TransportOptions.builder()
                .curve(new CurveKeys(SERVER.publicKey, SERVER.secretKey, null, Set.of(CLIENT.publicKey())))
                .build());
    }

    @Override
    protected Transport connecting(TransportOptions options) throws IOException {
        return client(CLIENT);
    }

    private static Transport client(CurveKeyPair keys) throws IOException {
        return Transports.open(TransportOptions.builder()
                .curve(new CurveKeys(keys.publicKey(), keys.secretKey(), SERVER.publicKey, Set.of()))
                .build());
    }

    @Override
    protected Endpoint newEndpoint() {
        return Endpoint.parse("tcp://127.0.0.1:0", true);
    }

    @Test
    void aClientWhoseKeyIsNotAllowedReceivesNothingAndIsCounted() throws IOException {
        try (Transport pub = binding(TransportOptions.defaults());
                Transport stranger = client(STRANGER);
                Transport plain = new ZmtpTransport(TransportOptions.defaults())) {
            FrameSink sink = pub.openSink(List.of(newEndpoint()), FrameSink.Kind.PUBLISH_LATEST);
            Endpoint place = Endpoint.parse(sink.endpoints().get(0).uri(), false);
            Received received = new Received();
            FrameSource source = stranger.openSource(List.of(place), received);
            FrameSource unencrypted = plain.openSource(List.of(place), received);
            Polling.until("refused", () -> pub.stats().peersRejectedUid > 0, pub, stranger, plain);
            Polling.until("the NULL peer is rejected", () -> plain.stats().handshakesAborted > 0, pub, stranger, plain);
            Polling.until("the NULL peer is counted", () -> pub.stats().handshakesAborted > 0, pub, stranger, plain);
            sink.offer(new byte[] {1});
            Polling.during(200_000_000L, pub, stranger, plain);
            assertThat(received.count()).isZero();
            assertThat(source.ready()).isFalse();
            assertThat(unencrypted.ready()).isFalse();
        }
    }

    @Test
    void bindingWithoutAListOfClientKeysIsRejected() throws IOException {
        try (Transport transport = Transports.open(TransportOptions.builder()
                .curve(new CurveKeys(SERVER.publicKey, SERVER.secretKey, null, Set.of()))
                .build())) {
            assertThatThrownBy(() -> transport.openSink(List.of(newEndpoint()), FrameSink.Kind.PUBLISH_LATEST))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("--curve-allow");
        }
    }
}
