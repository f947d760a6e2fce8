package io.metricsaggregator.simulation.net;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * A producer that speaks ZMTP over bytes: once it is subscribed to, it sends the frames of a run as they become due, each in two pieces. It may end its
 * stream within a frame; that frame is lost.
 */
public final class ProducerPeer implements Peer {
    private static final long EARLY_MAX_NANOS = 3_000_000L;
    /** Handshake and subscription of a daemon are shorter. */
    private static final int ANSWER_MAX = 512;

    private final LongSupplier clock;
    private final List<Due> traffic;
    private final IntConsumer onTheWay;
    private final SplittableRandom chance;
    /** When it connects, in virtual nanoseconds. */
    public final long connectsNanos;
    /** The frame within which it ends its stream. */
    private final int cut;

    private final byte[] hello = ZmtpBytes.hello("PUB");
    private int helloSent;
    private final ByteArrayOutputStream answer = new ByteArrayOutputStream();
    private boolean subscribed;
    private boolean gone;

    /** The frame that it sends, its bytes, and how many of them it has sent and sends before the others. */
    private int frame;

    private byte[] bytes = {};
    private int sent;
    private int piece;
    private long pieceNanos;

    /**
     * A frame to send.
     *
     * @param atNanos virtual time from which the process can read it as a whole
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Due(long atNanos, byte[] frame) {}

    /**
     * A producer.
     *
     * @param first the frame with which it begins
     * @param onTheWay is shown each frame of which a byte is sent
     * @param cut the frame within which it ends its stream
     */
    public ProducerPeer(
            LongSupplier clock,
            List<Due> traffic,
            int first,
            IntConsumer onTheWay,
            SplittableRandom chance,
            long connectsNanos,
            int cut) {
        this.clock = clock;
        this.traffic = traffic;
        this.onTheWay = onTheWay;
        this.chance = chance;
        this.connectsNanos = connectsNanos;
        this.frame = first;
        this.cut = cut;
        begin();
    }

    private void begin() {
        if (frame < traffic.size()) {
            Due next = traffic.get(frame);
            bytes = ZmtpBytes.message(next.frame());
            sent = 0;
            piece = chance.nextInt(1, bytes.length);
            pieceNanos = next.atNanos() - chance.nextLong(EARLY_MAX_NANOS);
        }
    }

    /** Whether the process has subscribed to it, and their connection is open. */
    public boolean isSubscribed() {
        return subscribed && !gone;
    }

    /** Whether its connection has ended. */
    public boolean isGone() {
        return gone;
    }

    /** Frames that the process could read now as a whole. */
    public int readable() {
        int until = frame;
        while (until < Math.min(cut, traffic.size()) && traffic.get(until).atNanos() <= clock.getAsLong()) {
            until++;
        }
        return isSubscribed() ? until - frame : 0;
    }

    /** When it next does something by itself; {@link Long#MAX_VALUE} if never. */
    public long nextNanos() {
        long now = clock.getAsLong();
        if (gone) {
            return Long.MAX_VALUE;
        }
        if (now < connectsNanos) {
            return connectsNanos;
        }
        if (hasSent()) {
            return now;
        }
        if (!subscribed || frame >= traffic.size()) {
            return Long.MAX_VALUE;
        }
        return now < pieceNanos ? pieceNanos : traffic.get(frame).atNanos();
    }

    private int available() {
        long now = clock.getAsLong();
        if (!subscribed || frame >= traffic.size() || now < pieceNanos) {
            return 0;
        }
        return frame == cut || now < traffic.get(frame).atNanos() ? piece : bytes.length;
    }

    private boolean isCut() {
        return frame == cut && sent == piece;
    }

    @Override
    public int send(ByteBuffer into) {
        int before = into.position();
        int size = Math.min(into.remaining(), hello.length - helloSent);
        into.put(hello, helloSent, size);
        helloSent += size;
        size = Math.min(into.remaining(), available() - sent);
        while (size > 0) {
            into.put(bytes, sent, size);
            sent += size;
            onTheWay.accept(frame);
            if (sent == bytes.length) {
                frame++;
                begin();
            }
            size = frame < traffic.size() ? Math.min(into.remaining(), available() - sent) : 0;
        }
        if (into.position() == before && isCut()) {
            gone = true;
            return -1;
        }
        return into.position() - before;
    }

    @Override
    public boolean hasSent() {
        return !gone && (helloSent < hello.length || isCut() || available() > sent);
    }

    @Override
    public int receive(ByteBuffer from) {
        int size = from.remaining();
        byte[] some = new byte[size];
        from.get(some);
        if (answer.size() < ANSWER_MAX) {
            answer.write(some, 0, size);
            subscribed = ZmtpBytes.isSubscribed(answer.toByteArray());
        }
        return size;
    }

    @Override
    public boolean canReceive() {
        return true;
    }

    @Override
    public void ended() {
        gone = true;
    }
}
