package io.metricsaggregator.transport;

import io.metricsaggregator.transport.jeromq.JeromqTransport;
import io.metricsaggregator.transport.zmtp.ZmtpTransport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The one place that chooses an implementation: our own ZMTP peer for {@code ipc://} and plain {@code tcp://}, JeroMQ for
 * {@code tcp://} when CURVE keys are given.
 */
public final class Transports {
    private Transports() {}

    /** Opens a transport for any endpoints. */
    public static Transport open(TransportOptions options) throws IOException {
        ZmtpTransport zmtp = new ZmtpTransport(options);
        if (options.curve() == null) {
            return zmtp;
        }
        return new Routing(zmtp, new RelayTransport(() -> new JeromqTransport(options), zmtp::wakeup));
    }

    /** tcp goes one way, ipc the other; the owner waits on our own selector, which the relay wakes. */
    private record Routing(Transport own, Transport encrypted) implements Transport {

        @Override
        public FrameSource openSource(List<Endpoint> endpoints, FrameHandler handler) throws TransportException {
            List<FrameSource> parts = new ArrayList<>();
            for (Route route : routes(endpoints)) {
                parts.add(route.transport().openSource(route.endpoints(), handler));
            }
            return new Sources(parts);
        }

        @Override
        public FrameSink openSink(List<Endpoint> endpoints, FrameSink.Kind kind) throws TransportException {
            List<FrameSink> parts = new ArrayList<>();
            for (Route route : routes(endpoints)) {
                parts.add(route.transport().openSink(route.endpoints(), kind));
            }
            return new Sinks(parts);
        }

        private record Route(Transport transport, List<Endpoint> endpoints) {}

        private List<Route> routes(List<Endpoint> endpoints) {
            List<Endpoint> ipc = new ArrayList<>();
            List<Endpoint> tcp = new ArrayList<>();
            for (Endpoint endpoint : endpoints) {
                (endpoint.scheme() == Endpoint.Scheme.IPC ? ipc : tcp).add(endpoint);
            }
            List<Route> routes = new ArrayList<>();
            if (!ipc.isEmpty()) {
                routes.add(new Route(own, ipc));
            }
            if (!tcp.isEmpty()) {
                routes.add(new Route(encrypted, tcp));
            }
            return routes;
        }

        @Override
        public int poll(long timeoutNanos) throws IOException {
            int relayed = encrypted.poll(0);
            int received = own.poll(relayed > 0 ? 0 : timeoutNanos);
            return relayed + received + encrypted.poll(0);
        }

        @Override
        public void wakeup() {
            own.wakeup();
        }

        @Override
        public TransportStats stats() {
            TransportStats sum = new TransportStats();
            sum.add(own.stats());
            sum.add(encrypted.stats());
            return sum;
        }

        @Override
        public void close(long lingerNanos) {
            encrypted.close(lingerNanos);
            own.close(lingerNanos);
        }
    }

    private record Sources(List<FrameSource> parts) implements FrameSource {
        @Override
        public List<Endpoint> endpoints() {
            return parts.stream().flatMap(part -> part.endpoints().stream()).toList();
        }

        @Override
        public boolean ready() {
            return parts.stream().allMatch(FrameSource::ready);
        }

        @Override
        public int peers() {
            return parts.stream().mapToInt(FrameSource::peers).sum();
        }
    }

    private record Sinks(List<FrameSink> parts) implements FrameSink {
        @Override
        public List<Endpoint> endpoints() {
            return parts.stream().flatMap(part -> part.endpoints().stream()).toList();
        }

        @Override
        public boolean offer(byte[] frame) {
            boolean taken = true;
            for (FrameSink part : parts) {
                taken &= part.offer(frame);
            }
            return taken;
        }

        @Override
        public void offerLast(byte[] frame) {
            parts.forEach(part -> part.offerLast(frame));
        }

        @Override
        public int peers() {
            return parts.stream().mapToInt(FrameSink::peers).sum();
        }

        @Override
        public boolean flushed() {
            return parts.stream().allMatch(FrameSink::flushed);
        }
    }
}
