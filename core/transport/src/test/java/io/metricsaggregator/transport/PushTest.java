package io.metricsaggregator.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.transport.zmtp.ZmtpTransport;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

class PushTest {

    @Test
    void aPushedFrameWaitsForItsPeerAndArrivesOnce() throws IOException {
        int port;
        try (ZContext context = new ZContext()) {
            port = context.createSocket(SocketType.PULL).bindToRandomPort("tcp://127.0.0.1");
        }
        try (Transport transport = new ZmtpTransport(TransportOptions.defaults());
                ZContext context = new ZContext()) {
            FrameSink sink = transport.openSink(
                    List.of(Endpoint.parse("connect:tcp://127.0.0.1:" + port, false)), FrameSink.Kind.PUSH);
            assertThat(sink.offer(new byte[] {1})).isTrue();
            Polling.during(20_000_000L, transport);
            assertThat(sink.flushed()).isFalse();
            ZMQ.Socket pull = context.createSocket(SocketType.PULL);
            pull.bind("tcp://127.0.0.1:" + port);
            Polling.until("sent", sink::flushed, transport);
            transport.close(1_000_000_000L);
            pull.setReceiveTimeOut(10_000);
            assertThat(pull.recv()).isEqualTo(new byte[] {1});
            pull.setReceiveTimeOut(50);
            assertThat(pull.recv()).isNull();
        }
    }
}
