package io.metricsaggregator.transport;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Limits, timeouts and security settings of a transport.
 *
 * @param frameMaxBytes largest frame accepted; a frame that declares more closes its connection
 * @param receiveBudgetBytes memory for frames being received, over all connections
 * @param sendQueueMaxBytes memory for frames being sent, for each peer of a queued sink
 * @param connectionsMax maximum number of open connections
 * @param handshakeTimeoutNanos maximum time for a peer's handshake
 * @param stallTimeoutNanos maximum time without progress while a peer has output waiting
 * @param allowedUids users whose processes may be peers on ipc, besides this process's own and root
 * @param socketMode permissions of bound ipc sockets; a peer needs write permission to connect
 * @param insecureSocketDir whether an ipc socket may be bound in a directory others can write to
 * @param insecureBind whether a tcp socket without CURVE may be bound to other than loopback addresses
 * @param zmtpMinorVersion the 3.x version this side claims: 0 or 1
 * @param curve keys for tcp; null for no encryption
 */
public record TransportOptions(
        long frameMaxBytes,
        long receiveBudgetBytes,
        long sendQueueMaxBytes,
        int connectionsMax,
        long handshakeTimeoutNanos,
        long stallTimeoutNanos,
        Set<Integer> allowedUids,
        Set<PosixFilePermission> socketMode,
        boolean insecureSocketDir,
        boolean insecureBind,
        int zmtpMinorVersion,
        @Nullable CurveKeys curve) {

    private static final long SECOND = 1_000_000_000L;
    private static final long MIB = 1L << 20;

    public TransportOptions {
        requireAtLeast("frameMaxBytes", frameMaxBytes, 64);
        requireAtLeast("receiveBudgetBytes", receiveBudgetBytes, frameMaxBytes);
        requireAtLeast("sendQueueMaxBytes", sendQueueMaxBytes, 1);
        requireAtLeast("connectionsMax", connectionsMax, 1);
        requireAtLeast("handshakeTimeoutNanos", handshakeTimeoutNanos, 1);
        requireAtLeast("stallTimeoutNanos", stallTimeoutNanos, 1);
        if (frameMaxBytes > Integer.MAX_VALUE / 2) {
            throw new IllegalArgumentException("frameMaxBytes " + frameMaxBytes + " is above 1 GiB");
        }
        if (zmtpMinorVersion != 0 && zmtpMinorVersion != 1) {
            throw new IllegalArgumentException("zmtpMinorVersion " + zmtpMinorVersion + " is neither 0 nor 1");
        }
        allowedUids = Set.copyOf(allowedUids);
        socketMode = Set.copyOf(socketMode);
    }

    /**
     * Refuses to bind a tcp endpoint that anyone could connect to. Other endpoints pass. Looks up the host's name.
     *
     * @throws TransportException UNSAFE without CURVE beyond loopback, unless {@link #insecureBind}, and with CURVE that names no client;
     *     UNAVAILABLE if the host is unknown
     */
    public void requireSafe(Endpoint endpoint) throws TransportException {
        if (!endpoint.bind() || endpoint.scheme() != Endpoint.Scheme.TCP) {
            return;
        }
        if (curve != null && curve.allowedClients().isEmpty()) {
            throw new TransportException(
                    TransportException.Reason.UNSAFE,
                    "binding " + endpoint.uri() + " with CURVE and no allowed client keys would let any key in;"
                            + " list them with --curve-allow");
        }
        if (curve == null && !insecureBind && !isLoopback(endpoint)) {
            throw new TransportException(
                    TransportException.Reason.UNSAFE,
                    "binding " + endpoint.uri() + " would let anyone who reaches this host publish and read. Bind a"
                            + " loopback address, use CURVE keys (--curve-key), or --insecure-bind");
        }
    }

    private static boolean isLoopback(Endpoint endpoint) throws TransportException {
        try {
            return !endpoint.address().equals("*")
                    && InetAddress.getByName(endpoint.address()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new TransportException(
                    TransportException.Reason.UNAVAILABLE, "cannot bind " + endpoint.uri() + ": " + e.getMessage(), e);
        }
    }

    private static void requireAtLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(name + " " + value + " is below " + least);
        }
    }

    /** Returns these options with another connection limit. */
    public TransportOptions withConnectionsMax(int connections) {
        return new TransportOptions(
                frameMaxBytes,
                receiveBudgetBytes,
                sendQueueMaxBytes,
                connections,
                handshakeTimeoutNanos,
                stallTimeoutNanos,
                allowedUids,
                socketMode,
                insecureSocketDir,
                insecureBind,
                zmtpMinorVersion,
                curve);
    }

    /**
     * 128 MiB a frame, 512 MiB for all, 1024 connections, 5 s for a handshake, 10 s for a stalled peer, sockets of mode 0600, ZMTP 3.1,
     * no CURVE.
     */
    public static TransportOptions defaults() {
        return builder().build();
    }

    /** Returns a builder that holds the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds options; an option that is not set keeps its default. */
    public static final class Builder {
        private long frameMaxBytes = 128 * MIB;
        private long sendQueueMaxBytes = 64 * MIB;
        private int connectionsMax = 1024;
        private long handshakeTimeoutNanos = 5 * SECOND;
        private long stallTimeoutNanos = 10 * SECOND;
        private Set<Integer> allowedUids = Set.of();
        private Set<PosixFilePermission> socketMode = PosixFilePermissions.fromString("rw-------");
        private boolean insecureSocketDir;
        private boolean insecureBind;
        private int zmtpMinorVersion = 1;
        private @Nullable CurveKeys curve;

        private Builder() {}

        /** Largest frame accepted, in bytes; a frame that declares more closes its connection. */
        public Builder frameMaxBytes(long bytes) {
            frameMaxBytes = bytes;
            return this;
        }

        /** Send queue limit in bytes, for each peer of a queued sink. */
        public Builder sendQueueMaxBytes(long bytes) {
            sendQueueMaxBytes = bytes;
            return this;
        }

        /** Maximum number of open connections. */
        public Builder connectionsMax(int connections) {
            connectionsMax = connections;
            return this;
        }

        /** Maximum time for a peer's handshake, in nanoseconds. */
        public Builder handshakeTimeoutNanos(long nanos) {
            handshakeTimeoutNanos = nanos;
            return this;
        }

        /** Maximum time without progress while a peer has output waiting, in nanoseconds. */
        public Builder stallTimeoutNanos(long nanos) {
            stallTimeoutNanos = nanos;
            return this;
        }

        /** Users besides this process's own and root whose processes may be peers on ipc. */
        public Builder allowedUids(Set<Integer> uids) {
            allowedUids = uids;
            return this;
        }

        /** Permissions of bound ipc sockets; the owner alone by default. */
        public Builder socketMode(Set<PosixFilePermission> mode) {
            socketMode = mode;
            return this;
        }

        /** Whether an ipc socket may be bound in a directory others can write to. */
        public Builder insecureSocketDir(boolean allowed) {
            insecureSocketDir = allowed;
            return this;
        }

        /** Whether a tcp socket without CURVE may be bound to other than loopback addresses. */
        public Builder insecureBind(boolean allowed) {
            insecureBind = allowed;
            return this;
        }

        /** The ZMTP 3.x version this side announces: 0 or 1. */
        public Builder zmtpMinorVersion(int minor) {
            zmtpMinorVersion = minor;
            return this;
        }

        /** CURVE keys for tcp; null for no encryption. */
        public Builder curve(@Nullable CurveKeys keys) {
            curve = keys;
            return this;
        }

        /** Builds the options. The receive budget is four of the largest frames. */
        public TransportOptions build() {
            return new TransportOptions(
                    frameMaxBytes,
                    4 * frameMaxBytes,
                    sendQueueMaxBytes,
                    connectionsMax,
                    handshakeTimeoutNanos,
                    stallTimeoutNanos,
                    allowedUids,
                    socketMode,
                    insecureSocketDir,
                    insecureBind,
                    zmtpMinorVersion,
                    curve);
        }
    }
}
