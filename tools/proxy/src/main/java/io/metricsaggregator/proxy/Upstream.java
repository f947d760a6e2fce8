package io.metricsaggregator.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server behind the proxy: its addresses, and connections to it. The thread {@code proxy-resolve} resolves its name every 30 s, every second
 * while it is unknown, so that no connection waits for a name server. Thread-safe.
 */
final class Upstream implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Upstream.class);
    private static final long RESOLVE_NANOS = 30_000_000_000L;
    private static final long UNKNOWN_NANOS = 1_000_000_000L;
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private final String host;
    private final int port;
    private final String authority;
    private final @Nullable SSLContext tls;
    private final long connectNanos;
    private final boolean literal;
    private volatile List<InetAddress> addresses = List.of();
    private volatile boolean closed;

    /** The upstream could not be connected. */
    static final class ConnectFailedException extends IOException {
        private static final long serialVersionUID = 1;

        private final int status;

        ConnectFailedException(int status, String message, @Nullable Throwable cause) {
            super(message, cause);
            this.status = status;
        }

        /** The status for the client: 502, or 504 when time ran out. */
        int status() {
            return status;
        }
    }

    /**
     * Prepares connections.
     *
     * @param ca PEM file of certificates to trust; null for those of the JDK
     * @throws IOException if the file cannot be read or has no certificate
     */
    Upstream(URI uri, @Nullable Path ca, long connectNanos) throws IOException {
        boolean secure = uri.getScheme().equals("https");
        String name = uri.getHost();
        this.host = name.startsWith("[") ? name.substring(1, name.length() - 1) : name;
        int usual = secure ? HTTPS_PORT : HTTP_PORT;
        this.port = uri.getPort() < 0 ? usual : uri.getPort();
        this.authority = name + (port == usual ? "" : ":" + port);
        this.tls = secure ? context(ca) : null;
        this.connectNanos = connectNanos;
        this.literal = host.indexOf(':') >= 0 || host.matches("[0-9.]+");
        resolve();
    }

    private static SSLContext context(@Nullable Path ca) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, ca == null ? null : trust(ca).getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS is not available: " + e.getMessage(), e);
        }
    }

    private static TrustManagerFactory trust(Path ca) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(ca)) {
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca-" + store.size(), each);
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(ca + " is not a PEM file of certificates: " + e.getMessage(), e);
        }
        if (store.size() == 0) {
            throw new IOException(ca + " has no certificate");
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory;
    }

    /** What {@code Host} says: the name, in brackets if it is an IPv6 address, and the port unless it is the usual one. */
    String authority() {
        return authority;
    }

    boolean isSecure() {
        return tls != null;
    }

    /** Whether a location of a redirect is on this server, and not a path. */
    boolean isAt(String location) {
        try {
            URI uri = new URI(location);
            int named = uri.getPort() < 0 ? "https".equals(uri.getScheme()) ? HTTPS_PORT : HTTP_PORT : uri.getPort();
            String name = uri.getHost();
            return name != null
                    && named == port
                    && name.replaceAll("^\\[|]$", "").equalsIgnoreCase(host);
        } catch (java.net.URISyntaxException e) {
            return false;
        }
    }

    void start() {
        if (!literal) {
            Thread thread = new Thread(this::run, "proxy-resolve");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run() {
        while (!closed) {
            LockSupport.parkNanos(this, addresses.isEmpty() ? UNKNOWN_NANOS : RESOLVE_NANOS);
            if (!closed) {
                resolve();
            }
        }
    }

    private void resolve() {
        try {
            List<InetAddress> found = List.of(InetAddress.getAllByName(host));
            if (!addresses.isEmpty() && !addresses.containsAll(found)) {
                LOG.info("upstream resolved anew host={} addresses={}", host, found);
            }
            addresses = found;
        } catch (UnknownHostException e) {
            if (addresses.isEmpty()) {
                LOG.warn("upstream not resolved host={}", host);
            }
        }
    }

    /**
     * Connects, with the handshake of TLS.
     *
     * @param deadlines ends a handshake that takes too long
     * @throws ConnectFailedException with the status for the client
     */
    Pipe connect(Deadlines deadlines) throws ConnectFailedException {
        long due = System.nanoTime() + connectNanos;
        List<InetAddress> candidates = addresses;
        if (candidates.isEmpty()) {
            throw new ConnectFailedException(502, "the name " + host + " of the upstream is unknown", null);
        }
        List<String> failures = new ArrayList<>();
        IOException last = null;
        for (InetAddress each : candidates) {
            long left = due - System.nanoTime();
            if (left <= 0) {
                break;
            }
            Socket tcp = new Socket();
            try {
                SocketPipe.configure(tcp);
                tcp.connect(new InetSocketAddress(each, port), (int) Math.max(1, left / 1_000_000));
                return tls == null ? new SocketPipe(tcp) : handshake(tls, tcp, deadlines, due - System.nanoTime());
            } catch (IOException e) {
                last = e;
                failures.add(each.getHostAddress() + ": " + e.getMessage());
                close(tcp);
            }
        }
        boolean late = last instanceof SocketTimeoutException || System.nanoTime() - due >= 0;
        throw new ConnectFailedException(
                late ? 504 : 502,
                "the upstream " + authority + " cannot be connected: " + String.join("; ", failures),
                last);
    }

    private Pipe handshake(SSLContext context, Socket tcp, Deadlines deadlines, long leftNanos) throws IOException {
        Deadlines.Deadline deadline = deadlines.add(() -> close(tcp));
        deadline.in(Math.max(0, leftNanos));
        try {
            SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(tcp, host, port, true);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            parameters.setApplicationProtocols(new String[] {"http/1.1"});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return new SocketPipe(tcp, socket);
        } catch (IOException e) {
            if (deadline.hasPassed()) {
                throw new SocketTimeoutException("the TLS handshake took too long");
            }
            throw new IOException("the TLS handshake failed: " + e.getMessage(), e);
        } finally {
            deadline.forget();
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // Nothing can be done about a socket that does not close.
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
