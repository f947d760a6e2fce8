package io.metricsaggregator.transport;

import io.metricsaggregator.transport.jeromq.JeromqTransport;
import io.metricsaggregator.transport.zmtp.ZmtpTransport;
import java.io.IOException;

/**
 * Chooses the implementation of {@link Transport}: our own ZMTP peer for {@code ipc://} and plain {@code tcp://}, JeroMQ for
 * {@code tcp://} when CURVE keys are given.
 */
public final class Transports {
    private Transports() {}

    /**
     * Opens a transport for any mix of endpoints. It belongs to the thread that polls it.
     *
     * @throws IOException if the selector cannot be opened
     */
    public static Transport open(TransportOptions options) throws IOException {
        ZmtpTransport zmtp = new ZmtpTransport(options);
        if (options.curve() == null) {
            return zmtp;
        }
        return new RoutingTransport(zmtp, new RelayTransport(() -> new JeromqTransport(options), zmtp::wakeup));
    }
}
