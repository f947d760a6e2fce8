package io.metricsaggregator.proxy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a proxy runs. Immutable.
 *
 * @param upstream {@code http} or {@code https} with a host; a path becomes part of the address that clients use and is not added to requests
 * @param upstreamCa PEM file of the authorities that may sign the upstream's certificate; null for those of the JDK
 * @param listen where clients connect; port 0 for any free one
 * @param addRequestIds whether measured requests without {@code x-request-id} get one
 * @param keepTexts whether records carry prompts and answers
 * @param labels of every sample; at most 8
 * @param connectionsMax connections of clients; each takes two threads
 * @param headTimeout longest time from the first byte of a request's head to its last
 * @param connectTimeout longest time to connect to the upstream, with the handshake of TLS
 * @param drainTimeout longest time that {@link Proxy#close} waits for requests in flight
 * @param warmUp whether the proxy sends itself requests before it accepts connections: without it, the first ones are slower by 100 ms
 */
public record ProxySettings(
        URI upstream,
        @Nullable Path upstreamCa,
        InetSocketAddress listen,
        boolean addRequestIds,
        boolean keepTexts,
        Map<String, String> labels,
        int connectionsMax,
        Duration headTimeout,
        Duration connectTimeout,
        Duration drainTimeout,
        boolean warmUp) {
    /** Label that says where the times of a sample were measured. */
    public static final String MEASURED_AT = "measured_at";

    /** The usual {@link #headTimeout}. */
    public static final Duration HEAD_TIMEOUT = Duration.ofSeconds(10);

    private static final int CONNECTIONS_MAX = 16_384;

    public ProxySettings {
        String scheme = String.valueOf(upstream.getScheme());
        if ((!scheme.equals("http") && !scheme.equals("https")) || upstream.getHost() == null) {
            throw new IllegalArgumentException(
                    "upstream '" + upstream + "' is not http://HOST[:PORT] or https://HOST[:PORT]");
        }
        if (upstream.getRawUserInfo() != null || upstream.getRawQuery() != null || upstream.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "upstream '" + upstream.getHost() + "' has a user, a query or a fragment");
        }
        if (connectionsMax < 1 || connectionsMax > CONNECTIONS_MAX) {
            throw new IllegalArgumentException(
                    "connections " + connectionsMax + " are not from 1 to " + CONNECTIONS_MAX);
        }
        labels = Map.copyOf(labels);
    }

    /** The usual settings: any free port of the loopback address, the label {@code measured_at: proxy}, no texts. */
    public static ProxySettings of(URI upstream) {
        return new ProxySettings(
                upstream,
                null,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                false,
                false,
                Map.of(MEASURED_AT, "proxy"),
                4096,
                HEAD_TIMEOUT,
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                true);
    }

    /** Returns a copy that listens elsewhere. */
    public ProxySettings withListen(InetSocketAddress address) {
        return new ProxySettings(
                upstream,
                upstreamCa,
                address,
                addRequestIds,
                keepTexts,
                labels,
                connectionsMax,
                headTimeout,
                connectTimeout,
                drainTimeout,
                warmUp);
    }

    /** Returns a copy that trusts other authorities; null for those of the JDK. */
    public ProxySettings withUpstreamCa(@Nullable Path file) {
        return new ProxySettings(
                upstream,
                file,
                listen,
                addRequestIds,
                keepTexts,
                labels,
                connectionsMax,
                headTimeout,
                connectTimeout,
                drainTimeout,
                warmUp);
    }

    /** Returns a copy with other choices of what is added and kept. */
    public ProxySettings withRequestIdsAndTexts(boolean requestIds, boolean texts) {
        return new ProxySettings(
                upstream,
                upstreamCa,
                listen,
                requestIds,
                texts,
                labels,
                connectionsMax,
                headTimeout,
                connectTimeout,
                drainTimeout,
                warmUp);
    }

    /** Returns a copy with other limits. */
    public ProxySettings withLimits(int connections, Duration head, Duration connect, Duration drain) {
        return new ProxySettings(
                upstream,
                upstreamCa,
                listen,
                addRequestIds,
                keepTexts,
                labels,
                connections,
                head,
                connect,
                drain,
                warmUp);
    }

    /** Returns a copy that warms up or does not. */
    public ProxySettings withWarmUp(boolean before) {
        return new ProxySettings(
                upstream,
                upstreamCa,
                listen,
                addRequestIds,
                keepTexts,
                labels,
                connectionsMax,
                headTimeout,
                connectTimeout,
                drainTimeout,
                before);
    }
}
