package io.metricsaggregator.simulation.life;

import io.metricsaggregator.simulation.life.plan.Arrival;
import io.metricsaggregator.simulation.life.plan.LifePlan;
import io.metricsaggregator.simulation.machine.Machine;
import io.metricsaggregator.simulation.net.NetCalls;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.FrameHandler;
import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.FrameSource;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportException;
import io.metricsaggregator.transport.TransportOptions;
import io.metricsaggregator.transport.TransportStats;
import io.metricsaggregator.transport.zmtp.ZmtpTransport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The sockets of one process: frames wait at their producers until the process polls, and a subscriber takes every snapshot. Frames that
 * were handed over are lost with the process, as those that a real one has read from its sockets.
 */
final class SimulatedNetwork implements Transport {
    private static final long CONNECT_MAX_NANOS = 200_000_000L;
    /** Bytes before and behind a frame in the receive buffer, as of other frames. */
    private static final int BEFORE = 3;

    private static final int AROUND = 7;
    /** Interval in which the transport checks its peers. */
    private static final long CHECK_NANOS = 100_000_000L;

    private final Machine machine;
    private final Wire wire;
    private final SplittableRandom chance;
    private final TransportStats stats = new TransportStats();
    private final Thread owner;
    private final long connectedNanos;
    private @Nullable FrameHandler handler;
    private boolean woken;
    private boolean closed;
    /** Whether the terminal snapshot was offered. */
    private boolean serving;

    /** What is at the other end of the sockets. */
    interface Wire {

        /** The next frame; null if all have been taken. */
        @Nullable
        Arrival peek();

        /** The process takes the next frame. */
        void take();

        /** The process has ended a burst. */
        void burst();

        /** A subscriber has received a snapshot. */
        void published(byte[] frame, boolean last);
    }

    /** The daemon's own sockets; null if nobody speaks ZMTP. */
    private @Nullable Transport zmtp;

    private @Nullable Subscribers subscribers;
    private @Nullable Producers producers;

    /** Sockets whose peers connect within 200 ms. */
    SimulatedNetwork(Machine machine, Wire wire, SplittableRandom chance) {
        this.machine = machine;
        this.wire = wire;
        this.chance = chance;
        this.owner = machine.currentThread();
        this.connectedNanos = machine.now() + chance.nextLong(1_000_000, CONNECT_MAX_NANOS);
    }

    /** Opens sockets of the daemon's own for those of a life that speak ZMTP, subscribers, producers or both. */
    void overZmtp(LifePlan plan, TransportOptions options, MeasuredRun run, Verdicts verdicts, Bounds bounds)
            throws IOException {
        if (!plan.subscribed() && !plan.wired()) {
            return;
        }
        NetCalls.begin();
        TransportOptions limits = plan.wired() ? Producers.OPTIONS : options;
        ZmtpTransport sockets = new ZmtpTransport(limits);
        zmtp = sockets;
        bounds.of(sockets, limits);
        long seed = machine.now() + plan.seed();
        if (plan.subscribed()) {
            subscribers = new Subscribers(machine, verdicts, new SplittableRandom(seed));
        }
        if (plan.wired()) {
            producers = new Producers(machine, verdicts, run, new SplittableRandom(seed + 1), plan.isLate());
        }
    }

    /** The process has ended; see {@link Subscribers#ended}. */
    void ended(boolean regularly, boolean late) {
        if (subscribers != null) {
            subscribers.ended(regularly, late);
        }
    }

    @Override
    public FrameSource openSource(List<Endpoint> endpoints, FrameHandler to) throws TransportException {
        handler = to;
        if (zmtp != null && producers != null) {
            return zmtp.openSource(endpoints, producers.before(to, wire));
        }
        return new FrameSource() {
            @Override
            public List<Endpoint> endpoints() {
                return endpoints;
            }

            @Override
            public boolean ready() {
                return isConnected();
            }

            @Override
            public int peers() {
                return isConnected() ? 1 : 0;
            }
        };
    }

    private boolean isConnected() {
        return producers == null ? machine.now() >= connectedNanos : producers.isSubscribed();
    }

    /** Whether frames that wait at their producers now can be read. */
    boolean isReceiving() {
        return handler != null && isConnected() && !closed;
    }

    /** Those of the frames that wait at their producers that can be read now. */
    int readable(int waiting) {
        return producers == null ? waiting : producers.readable();
    }

    /** Whether the process has begun to close its sockets. */
    boolean isClosed() {
        return closed;
    }

    @Override
    public FrameSink openSink(List<Endpoint> endpoints, FrameSink.Kind kind) throws TransportException {
        FrameSink to = zmtp == null || subscribers == null ? null : zmtp.openSink(endpoints, kind);
        return new FrameSink() {
            @Override
            public List<Endpoint> endpoints() {
                return endpoints;
            }

            @Override
            public boolean offer(byte[] frame) {
                machine.step("offer");
                wire.published(frame, false);
                if (to != null && subscribers != null) {
                    subscribers.offered(frame, false);
                    return to.offer(frame);
                }
                return true;
            }

            @Override
            public void offerLast(byte[] frame) {
                machine.step("offer-last");
                serving = true;
                wire.published(frame, true);
                if (to != null && subscribers != null) {
                    subscribers.offered(frame, true);
                    to.offerLast(frame);
                }
            }

            @Override
            public void repeatLast() {
                if (to != null) {
                    to.repeatLast();
                }
            }

            @Override
            public int peers() {
                return to == null ? 1 : to.peers();
            }

            @Override
            public boolean allAnnounce(String topic) {
                return to != null && to.allAnnounce(topic);
            }

            @Override
            public boolean flushed() {
                return to == null || to.flushed();
            }
        };
    }

    @Override
    public int poll(long timeoutNanos) throws IOException {
        machine.step(serving ? "serve" : "poll");
        int frames = receive() + serve();
        if (frames > 0 || woken || timeoutNanos == 0) {
            woken = false;
            return frames;
        }
        machine.parkUntil(Math.min(machine.now() + timeoutNanos, nextNanos()));
        woken = false;
        return receive() + serve();
    }

    /** Serves the peers that speak ZMTP; returns the frames that came from them. */
    private int serve() throws IOException {
        if (producers != null) {
            producers.check();
        }
        return zmtp == null ? 0 : zmtp.poll(0);
    }

    private long nextNanos() {
        long frames = nextFrameNanos();
        if (zmtp == null) {
            return frames;
        }
        return Math.min(Math.min(frames, NetCalls.nextNanos()), machine.now() + CHECK_NANOS);
    }

    private long nextFrameNanos() {
        if (producers != null) {
            return Long.MAX_VALUE;
        }
        Arrival next = wire.peek();
        long readable = next == null ? Long.MAX_VALUE : next.atNanos();
        return isConnected() ? readable : Math.max(connectedNanos, next == null ? connectedNanos : readable);
    }

    private int receive() {
        FrameHandler to = handler;
        int most = chance.nextInt(1, 64);
        int frames = 0;
        while (to != null && producers == null && frames < most && isReceiving()) {
            Arrival next = wire.peek();
            if (next == null || next.atNanos() > machine.now()) {
                break;
            }
            wire.take();
            frames++;
            handOver(to, next.frame());
            if (chance.nextInt(4) == 0) {
                endBurst(to);
            }
        }
        if (to != null && frames > 0) {
            endBurst(to);
        }
        return frames;
    }

    private void handOver(FrameHandler to, byte[] frame) {
        byte[] buffer = new byte[frame.length + AROUND];
        System.arraycopy(frame, 0, buffer, BEFORE, frame.length);
        stats.framesReceived++;
        stats.bytesReceived += frame.length;
        to.onFrame(ByteBuffer.wrap(buffer), BEFORE, frame.length);
    }

    private void endBurst(FrameHandler to) {
        to.onBurstEnd();
        wire.burst();
        machine.step("burst");
    }

    @Override
    public void wakeup() {
        woken = true;
        machine.unpark(owner);
    }

    @Override
    public TransportStats stats() {
        return zmtp == null || producers == null ? stats : zmtp.stats();
    }

    @Override
    public void close(long lingerNanos) {
        machine.step("close");
        closed = true;
        if (zmtp != null) {
            zmtp.close(lingerNanos);
        }
    }
}
