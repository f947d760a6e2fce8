package io.metricsaggregator.conformance;

import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportOptions;
import io.metricsaggregator.transport.Transports;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;

/** Publishes frames to a command until the command ends. One thread. */
final class Publication {
    private static final long TURN = 20_000_000L;
    private static final long SECOND = 1_000_000_000L;

    private Publication() {}

    /**
     * Binds the endpoint, waits for a subscriber, publishes the frames, and waits for the end of the command, which may also read the frames
     * from a file and never subscribe.
     *
     * @return what went wrong as one line; empty if the command ended with status 0 in time
     */
    static String perform(CaseDirectory place, Program program, List<byte[]> frames, long timeoutSeconds)
            throws IOException {
        long deadline = System.nanoTime() + timeoutSeconds * SECOND;
        try (Transport transport = Transports.open(TransportOptions.defaults())) {
            FrameSink sink =
                    transport.openSink(List.of(Endpoint.parse(place.endpoint(), true)), FrameSink.Kind.PUBLISH_QUEUED);
            ArrayDeque<byte[]> left = new ArrayDeque<>(frames);
            while (program.isAlive() && System.nanoTime() - deadline < 0) {
                while (sink.peers() > 0 && !left.isEmpty() && sink.offer(left.getFirst())) {
                    left.removeFirst();
                }
                transport.poll(TURN);
            }
        }
        if (program.isAlive()) {
            return "the command still runs after " + timeoutSeconds + " s" + program.complaint();
        }
        return program.status() == 0 ? "" : "the command ended with status " + program.status() + program.complaint();
    }
}
