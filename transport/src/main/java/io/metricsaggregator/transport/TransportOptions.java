package io.metricsaggregator.transport;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a transport behaves.
 *
 * @param frameMaxBytes a frame that declares more closes its connection
 * @param receiveBudgetBytes memory for frames being received, over all connections
 * @param sendQueueMaxBytes memory for frames being sent, for each peer of a queued sink
 * @param connectionsMax connections at a time
 * @param handshakeTimeoutNanos how long a peer may take until it is ready
 * @param stallTimeoutNanos how long a peer may take nothing of what waits for it
 * @param allowedUids users whose processes may be peers on ipc, besides this process's own and root
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
    }

    private static void requireAtLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(name + " " + value + " is below " + least);
        }
    }

    /** These options with another limit of connections. */
    public TransportOptions withConnectionsMax(int connections) {
        return new TransportOptions(
                frameMaxBytes,
                receiveBudgetBytes,
                sendQueueMaxBytes,
                connections,
                handshakeTimeoutNanos,
                stallTimeoutNanos,
                allowedUids,
                insecureSocketDir,
                insecureBind,
                zmtpMinorVersion,
                curve);
    }

    /** 128 MiB a frame, 512 MiB for all, 1024 connections, 5 s for a handshake, 10 s for a stalled peer, ZMTP 3.1, no CURVE. */
    public static TransportOptions defaults() {
        return builder().build();
    }

    /** Starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects options; what is not set keeps its default. */
    public static final class Builder {
        private long frameMaxBytes = 128 * MIB;
        private long sendQueueMaxBytes = 64 * MIB;
        private int connectionsMax = 1024;
        private long handshakeTimeoutNanos = 5 * SECOND;
        private long stallTimeoutNanos = 10 * SECOND;
        private Set<Integer> allowedUids = Set.of();
        private boolean insecureSocketDir;
        private boolean insecureBind;
        private int zmtpMinorVersion = 1;
        private @Nullable CurveKeys curve;

        private Builder() {}

        /** A frame that declares more closes its connection. */
        public Builder frameMaxBytes(long bytes) {
            frameMaxBytes = bytes;
            return this;
        }

        /** Memory for frames being sent, for each peer of a queued sink. */
        public Builder sendQueueMaxBytes(long bytes) {
            sendQueueMaxBytes = bytes;
            return this;
        }

        /** Connections at a time. */
        public Builder connectionsMax(int connections) {
            connectionsMax = connections;
            return this;
        }

        /** How long a peer may take until it is ready. */
        public Builder handshakeTimeoutNanos(long nanos) {
            handshakeTimeoutNanos = nanos;
            return this;
        }

        /** How long a peer may take nothing of what waits for it. */
        public Builder stallTimeoutNanos(long nanos) {
            stallTimeoutNanos = nanos;
            return this;
        }

        /** Users besides this process's own and root whose processes may be peers on ipc. */
        public Builder allowedUids(Set<Integer> uids) {
            allowedUids = uids;
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

        /** The 3.x version this side claims. */
        public Builder zmtpMinorVersion(int minor) {
            zmtpMinorVersion = minor;
            return this;
        }

        /** Keys for tcp. */
        public Builder curve(@Nullable CurveKeys keys) {
            curve = keys;
            return this;
        }

        /** The options, with room for four of the largest frames. */
        public TransportOptions build() {
            return new TransportOptions(
                    frameMaxBytes,
                    4 * frameMaxBytes,
                    sendQueueMaxBytes,
                    connectionsMax,
                    handshakeTimeoutNanos,
                    stallTimeoutNanos,
                    allowedUids,
                    insecureSocketDir,
                    insecureBind,
                    zmtpMinorVersion,
                    curve);
        }
    }
}
