package io.metricsaggregator.transport;

import io.metricsaggregator.transport.zmtp.ZmtpTransport;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class ZmtpIpcContractTest extends TransportContract {
    @TempDir
    Path directory;

    private int count;

    @Override
    protected Transport binding(TransportOptions options) throws IOException {
        return new ZmtpTransport(options);
    }

    @Override
    protected Endpoint newEndpoint() {
        return Endpoint.parse("bind:ipc://" + directory.resolve("s" + count++), true);
    }
}
