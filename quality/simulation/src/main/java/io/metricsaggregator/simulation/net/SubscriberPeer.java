package io.metricsaggregator.simulation.net;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/** A subscriber that speaks ZMTP 3.0 over bytes: it connects, subscribes to everything, and reads, stands still once or again and again, or leaves. */
public final class SubscriberPeer implements Peer {
    private static final int LONG_HEADER = 9;

    private final LongSupplier clock;
    private final SplittableRandom chance;
    /** When it connects, in virtual nanoseconds. */
    public final long connectsNanos;
    /** From when it reads nothing, in virtual nanoseconds. */
    public final long stillNanos;

    /** When it reads again, in virtual nanoseconds. */
    public final long readsAgainNanos;

    /** Time from one standing still to the next; {@link Long#MAX_VALUE} if it stands still once. */
    private final long everyNanos;

    private final long leavesNanos;
    /** Bytes that its socket takes while it reads nothing. */
    private final int socketBytes;

    private final byte[] hello;
    private int sent;
    private int heldBytes;
    /** How often it had stood still before it held these bytes. */
    private long heldAt;

    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private int parsed = ZmtpBytes.GREETING;
    private final List<Got> frames = new ArrayList<>();
    private long headNanos;
    private boolean closed;

    /**
     * A frame that it has received.
     *
     * @param startedNanos when its first byte was taken
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by content where it matters
    public record Got(long startedNanos, byte[] frame) {}

    /** A subscriber; times are virtual nanoseconds, {@link Long#MAX_VALUE} for never. */
    public SubscriberPeer(
            LongSupplier clock,
            SplittableRandom chance,
            long connectsNanos,
            long stillNanos,
            long readsAgainNanos,
            long everyNanos,
            long leavesNanos) {
        this.clock = clock;
        this.chance = chance;
        this.connectsNanos = connectsNanos;
        this.stillNanos = stillNanos;
        this.readsAgainNanos = readsAgainNanos;
        this.everyNanos = everyNanos;
        this.leavesNanos = leavesNanos;
        this.socketBytes = chance.nextInt(1, 20_000);
        this.hello = ZmtpBytes.join(ZmtpBytes.hello("SUB"), ZmtpBytes.message(new byte[] {1}));
    }

    /** When it next does something by itself; {@link Long#MAX_VALUE} if never. */
    public long nextNanos() {
        long now = clock.getAsLong();
        long next = Long.MAX_VALUE;
        long again = isStill() ? now - stoodFor() + readsAgainNanos - stillNanos : Long.MAX_VALUE;
        for (long each : new long[] {connectsNanos, again, leavesNanos}) {
            next = each > now ? Math.min(next, each) : next;
        }
        return closed ? Long.MAX_VALUE : next;
    }

    private boolean isStill() {
        long now = clock.getAsLong();
        return now >= stillNanos && (readsAgainNanos == Long.MAX_VALUE || stoodFor() < readsAgainNanos - stillNanos);
    }

    /** Time since it last began to stand still, which it has done once. */
    private long stoodFor() {
        return (clock.getAsLong() - stillNanos) % everyNanos;
    }

    /** Whether it stands still more than once. */
    public boolean isDrowsy() {
        return everyNanos != Long.MAX_VALUE;
    }

    /** Bytes that its socket holds now while it stands still. */
    private int heldBytes() {
        long times = (clock.getAsLong() - stillNanos) / everyNanos;
        heldBytes = isStill() && times == heldAt ? heldBytes : 0;
        heldAt = times;
        return heldBytes;
    }

    private boolean hasLeft() {
        return clock.getAsLong() >= leavesNanos;
    }

    /** Frames in the order in which they came. */
    public List<Got> frames() {
        return frames;
    }

    /** Whether it is connected and reads at a time, and until the process closes the connection. */
    public boolean isReadingFrom(long nanos) {
        return connectsNanos < nanos
                && leavesNanos == Long.MAX_VALUE
                && (stillNanos == Long.MAX_VALUE || readsAgainNanos < nanos || isDrowsy());
    }

    @Override
    public int send(ByteBuffer into) {
        if (hasLeft()) {
            return -1;
        }
        int size = Math.min(into.remaining(), hello.length - sent);
        if (size > 0) {
            size = chance.nextInt(1, size + 1);
            into.put(hello, sent, size);
            sent += size;
        }
        return size;
    }

    @Override
    public boolean hasSent() {
        return hasLeft() || sent < hello.length;
    }

    @Override
    public int receive(ByteBuffer from) throws IOException {
        if (hasLeft()) {
            throw new IOException("Broken pipe");
        }
        int room = isStill() ? socketBytes - heldBytes() : Integer.MAX_VALUE;
        int size = Math.min(from.remaining(), room);
        if (size > 0) {
            byte[] some = new byte[size];
            from.get(some);
            heldBytes += isStill() ? size : 0;
            if (received.size() <= parsed) {
                headNanos = clock.getAsLong();
            }
            received.write(some, 0, size);
            parse();
        }
        return size;
    }

    private void parse() {
        byte[] bytes = received.toByteArray();
        while (true) {
            if (bytes.length < parsed + LONG_HEADER
                    && (bytes.length < parsed + 2 || (bytes[parsed] & ZmtpBytes.FLAG_LONG) != 0)) {
                return;
            }
            ByteBuffer in = ByteBuffer.wrap(bytes, parsed, bytes.length - parsed);
            int flags = in.get();
            long length = (flags & ZmtpBytes.FLAG_LONG) != 0 ? in.getLong() : in.get() & 0xff;
            if (in.remaining() < length) {
                return;
            }
            byte[] body = new byte[(int) length];
            in.get(body);
            parsed = in.position();
            if ((flags & ZmtpBytes.FLAG_COMMAND) == 0) {
                frames.add(new Got(headNanos, body));
            }
            headNanos = clock.getAsLong();
        }
    }

    @Override
    public boolean canReceive() {
        return hasLeft() || !isStill() || heldBytes() < socketBytes;
    }

    @Override
    public void ended() {
        closed = true;
    }
}
