package io.metricsaggregator.proxy;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running proxy: clients that use its {@link #url()} instead of the upstream's are measured. Thread-safe.
 *
 * <pre>{@code
 * try (Proxy proxy = Proxy.start(ProxySettings.of(URI.create("http://server:8000")), sink)) {
 *     runTool(proxy.url());
 *     proxy.awaitDrained(Duration.ofSeconds(30));
 * }
 * }</pre>
 */
public final class Proxy implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Proxy.class);
    private static final int BACKLOG = 1024;
    private static final long PAUSE_NANOS = 5_000_000;
    private static final long ACCEPT_PAUSE_NANOS = 100_000_000;
    private static final long ENDING_NANOS = 2_000_000_000;
    private static final long RECORDS_NANOS = 10_000_000_000L;
    /** Share of the heap that bodies may take which are read whole. */
    private static final int BODIES_SHARE = 8;

    private final ProxySettings settings;
    private final Services services;
    private final RecordQueue records;
    private final ServerSocket server;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private Proxy(ProxySettings settings, RecordSink sink, ServerSocket server) throws IOException {
        this.settings = settings;
        this.server = server;
        ProxyCounts counts = new ProxyCounts();
        this.records = new RecordQueue(sink, counts);
        this.services = new Services(
                settings,
                new Upstream(
                        settings.upstream(),
                        settings.upstreamCa(),
                        settings.connectTimeout().toNanos()),
                new Samples(records, counts, settings.labels()),
                counts,
                new Deadlines(),
                new BodyBudget(Runtime.getRuntime().maxMemory() / BODIES_SHARE));
    }

    /**
     * Binds, warms up, and then accepts connections.
     *
     * @param sink takes the records; it is not closed with the proxy
     * @throws IOException if the address cannot be bound, or the file of authorities cannot be read
     */
    public static Proxy start(ProxySettings settings, RecordSink sink) throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            server.setReuseAddress(true);
            server.bind(settings.listen(), BACKLOG);
            Proxy proxy = new Proxy(settings, sink, server);
            if (settings.warmUp()) {
                WarmUp.run();
            }
            proxy.start();
            return proxy;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private void start() {
        services.deadlines().start();
        services.upstream().start();
        records.start();
        if (settings.warmUp() && services.upstream().isSecure()) {
            shakeHands();
        }
        Thread thread = new Thread(this::accept, "proxy-accept");
        thread.setDaemon(true);
        thread.start();
    }

    /** Loads what TLS needs, and says early that the upstream is not there. */
    private void shakeHands() {
        try {
            services.upstream().connect(services.deadlines()).close();
        } catch (Upstream.ConnectFailedException e) {
            LOG.warn("the upstream is not ready error=\"{}\"", e.getMessage());
        }
    }

    private void accept() {
        while (!closed) {
            try {
                take(server.accept());
            } catch (IOException e) {
                if (!closed) {
                    LOG.warn("a connection was not accepted error=\"{}\"", e.getMessage());
                    LockSupport.parkNanos(this, ACCEPT_PAUSE_NANOS);
                }
            }
        }
    }

    private void take(Socket socket) throws IOException {
        ProxyCounts counts = services.counts();
        try {
            SocketPipe.configure(socket);
        } catch (SocketException e) {
            socket.close();
            return;
        }
        Pipe client = new SocketPipe(socket);
        if (counts.open.incrementAndGet() > settings.connectionsMax()) {
            counts.open.decrementAndGet();
            turnAway(client);
            return;
        }
        Connection connection =
                new Connection(services, client, socket.getInetAddress().isLoopbackAddress(), this::over);
        connections.add(connection);
        try {
            connection.start();
            counts.connections.increment();
        } catch (OutOfMemoryError e) {
            // A limit of threads; those that run go on.
            over(connection);
            turnAway(client);
        }
        if (closed) {
            connection.abort();
        }
    }

    private void turnAway(Pipe client) throws IOException {
        services.counts().overLimit.increment();
        byte[] answer = OwnAnswers.refusal(503, "the proxy has as many connections as it may");
        try {
            client.write(answer, 0, answer.length);
        } finally {
            client.close();
        }
    }

    private void over(Connection connection) {
        if (connections.remove(connection)) {
            services.counts().open.decrementAndGet();
        }
    }

    /** Where clients connect. */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /** The URL that clients use instead of the upstream's: {@link #address()} with the path of the upstream. */
    public String url() {
        String host = address().getAddress().getHostAddress();
        String path = settings.upstream().getRawPath();
        return "http://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":"
                + address().getPort() + (path == null || path.equals("/") ? "" : path);
    }

    /** Counts and delays so far. */
    public ProxyStatus status() {
        return services.counts().status();
    }

    /** Time of the first measured request on the clock of {@link System#nanoTime}; 0 before it. */
    public long firstRequestNanos() {
        return services.samples().firstRequestNanos();
    }

    /** Waits until no request is in flight; false on timeout. */
    public boolean awaitDrained(Duration timeout) {
        long due = System.nanoTime() + timeout.toNanos();
        while (connections.stream().anyMatch(each -> !each.exchanges().isEmpty())) {
            if (System.nanoTime() - due >= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
        return true;
    }

    /**
     * Accepts no further connection, waits for requests in flight for at most the time of the settings, closes all connections, ends the session and
     * hands its last records to the sink. Samples that are open then fail.
     */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        server.close();
        awaitDrained(settings.drainTimeout());
        connections.forEach(Connection::abort);
        long due = System.nanoTime() + ENDING_NANOS;
        while (!connections.isEmpty() && System.nanoTime() - due < 0) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
        services.samples().end();
        if (!records.close(RECORDS_NANOS)) {
            LOG.warn("records were not published in time seconds={}", TimeUnit.NANOSECONDS.toSeconds(RECORDS_NANOS));
        }
        services.deadlines().close();
        services.upstream().close();
    }
}
