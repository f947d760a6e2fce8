package io.metricsaggregator.transport;

import io.metricsaggregator.transport.jeromq.JeromqTransport;
import io.metricsaggregator.transport.zmtp.ZmtpTransport;
import java.io.IOException;

/** Interoperability of both implementations: JeroMQ connects, as the independent peer. */
class ZmtpBindsJeromqConnectsContractTest extends TransportContract {
    @Override
    protected Transport binding(TransportOptions options) throws IOException {
        return new ZmtpTransport(options);
    }

    @Override
    protected Transport connecting(TransportOptions options) throws IOException {
        return new JeromqTransport(options);
    }

    @Override
    protected Endpoint newEndpoint() {
        return Endpoint.parse("tcp://127.0.0.1:0", true);
    }
}
