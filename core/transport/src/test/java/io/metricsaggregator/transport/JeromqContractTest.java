package io.metricsaggregator.transport;

import io.metricsaggregator.transport.jeromq.JeromqTransport;
import java.io.IOException;

class JeromqContractTest extends TransportContract {
    @Override
    protected Transport binding(TransportOptions options) throws IOException {
        return new JeromqTransport(options);
    }

    @Override
    protected Endpoint newEndpoint() {
        return Endpoint.parse("tcp://127.0.0.1:0", true);
    }
}
