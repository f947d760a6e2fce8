package io.metricsaggregator.simulation.net;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/** A peer that sends the bytes of an attack in two pieces. */
public final class HostilePeer implements Peer {
    private static final long PIECE_MAX_NANOS = 50_000_000L;

    private final LongSupplier clock;
    private final Attack attack;
    private final byte[] bytes;
    private final int firstPiece;
    private final long secondNanos;
    private int sent;
    private boolean closed;
    private long sentNanos;

    /** When it connects, in virtual nanoseconds. */
    public final long connectsNanos;

    /** A peer; times are virtual nanoseconds. */
    public HostilePeer(
            LongSupplier clock, SplittableRandom chance, Attack attack, long connectsNanos, int frameMaxBytes) {
        this.clock = clock;
        this.attack = attack;
        this.bytes = attack.bytes(chance, frameMaxBytes);
        this.firstPiece = chance.nextInt(bytes.length + 1);
        this.connectsNanos = connectsNanos;
        this.secondNanos = connectsNanos + chance.nextLong(PIECE_MAX_NANOS);
        this.sentNanos = connectsNanos;
    }

    /** When it next does something by itself; {@link Long#MAX_VALUE} if never. */
    public long nextNanos() {
        long now = clock.getAsLong();
        if (closed) {
            return Long.MAX_VALUE;
        }
        if (hasSent()) {
            return now;
        }
        return now < connectsNanos ? connectsNanos : now < secondNanos ? secondNanos : Long.MAX_VALUE;
    }

    private int available() {
        long now = clock.getAsLong();
        return now < connectsNanos ? 0 : now < secondNanos ? firstPiece : bytes.length;
    }

    private boolean hasEnded() {
        return attack.after == Attack.After.END && sent == bytes.length;
    }

    @Override
    public int send(ByteBuffer into) {
        if (hasEnded()) {
            return -1;
        }
        int size = Math.min(into.remaining(), available() - sent);
        into.put(bytes, sent, size);
        sent += size;
        sentNanos = size > 0 ? clock.getAsLong() : sentNanos;
        return size;
    }

    @Override
    public boolean hasSent() {
        return !closed && (hasEnded() || available() > sent);
    }

    @Override
    public int receive(ByteBuffer from) {
        if (!canReceive()) {
            return 0;
        }
        int size = from.remaining();
        from.position(from.limit());
        return size;
    }

    @Override
    public boolean canReceive() {
        return attack != Attack.PINGS_WITHOUT_READING;
    }

    @Override
    public void ended() {
        closed = true;
    }

    /**
     * Whether it should have been disconnected by now, and is not.
     *
     * @param handshakeNanos time for a handshake
     * @param patienceNanos time after which the process must have noticed
     */
    public boolean isTolerated(long handshakeNanos, long patienceNanos) {
        if (closed || clock.getAsLong() < connectsNanos) {
            return false;
        }
        return switch (attack.after) {
            case KEEP -> false;
            case STAY -> clock.getAsLong() - connectsNanos > handshakeNanos + patienceNanos;
            case END, BE_REFUSED -> clock.getAsLong() - Math.max(sentNanos, secondNanos) > patienceNanos;
        };
    }

    @Override
    public String toString() {
        return attack.toString();
    }
}
