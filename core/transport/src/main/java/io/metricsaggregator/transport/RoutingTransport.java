package io.metricsaggregator.transport;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Routes tcp endpoints to one transport and ipc endpoints to the other. The owning thread waits on the selector of {@code own};
 * {@code encrypted} wakes it.
 *
 * @param own serves ipc
 * @param encrypted serves tcp
 */
record RoutingTransport(Transport own, Transport encrypted) implements Transport {

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
        public void repeatLast() {
            parts.forEach(FrameSink::repeatLast);
        }

        @Override
        public int peers() {
            return parts.stream().mapToInt(FrameSink::peers).sum();
        }

        @Override
        public boolean allAnnounce(String topic) {
            return peers() > 0 && parts.stream().allMatch(part -> part.peers() == 0 || part.allAnnounce(topic));
        }

        @Override
        public boolean flushed() {
            return parts.stream().allMatch(FrameSink::flushed);
        }
    }
}
