package io.metricsaggregator.transport;

import io.metricsaggregator.transport.zmtp.ZmtpTransport;
import java.io.IOException;

class ZmtpTcpContractTest extends TransportContract {
    @Override
    protected Transport binding(TransportOptions options) throws IOException {
        return new ZmtpTransport(options);
    }

    @Override
    protected Endpoint newEndpoint() {
        return Endpoint.parse("tcp://127.0.0.1:0", true);
    }
}
