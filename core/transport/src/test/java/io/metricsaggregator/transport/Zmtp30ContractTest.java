package io.metricsaggregator.transport;

import io.metricsaggregator.transport.zmtp.ZmtpTransport;
import java.io.IOException;

/** One side announces ZMTP 3.0: no commands in traffic, subscriptions as messages. */
class Zmtp30ContractTest extends TransportContract {
    @Override
    protected Transport binding(TransportOptions options) throws IOException {
        return new ZmtpTransport(TransportOptions.builder().zmtpMinorVersion(0).build());
    }

    @Override
    protected Transport connecting(TransportOptions options) throws IOException {
        return new ZmtpTransport(options);
    }

    @Override
    protected Endpoint newEndpoint() {
        return Endpoint.parse("tcp://127.0.0.1:0", true);
    }
}
