package io.metricsaggregator.simulation.life;

import io.metricsaggregator.simulation.machine.Machine;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.FrameHandler;
import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.FrameSource;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportStats;
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

    private final Machine machine;
    private final Wire wire;
    private final SplittableRandom chance;
    private final TransportStats stats = new TransportStats();
    private final Thread owner;
    private final long connectedNanos;
    private @Nullable FrameHandler handler;
    private boolean woken;
    private boolean closed;

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

    /** Sockets whose peers connect within 200 ms. */
    SimulatedNetwork(Machine machine, Wire wire, SplittableRandom chance) {
        this.machine = machine;
        this.wire = wire;
        this.chance = chance;
        this.owner = machine.currentThread();
        this.connectedNanos = machine.now() + chance.nextLong(1_000_000, CONNECT_MAX_NANOS);
    }

    @Override
    public FrameSource openSource(List<Endpoint> endpoints, FrameHandler to) {
        handler = to;
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
        return machine.now() >= connectedNanos;
    }

    /** Whether frames that wait at their producers now can be read. */
    boolean isReceiving() {
        return handler != null && isConnected() && !closed;
    }

    @Override
    public FrameSink openSink(List<Endpoint> endpoints, FrameSink.Kind kind) {
        return new FrameSink() {
            @Override
            public List<Endpoint> endpoints() {
                return endpoints;
            }

            @Override
            public boolean offer(byte[] frame) {
                machine.step("offer");
                wire.published(frame, false);
                return true;
            }

            @Override
            public void offerLast(byte[] frame) {
                machine.step("offer-last");
                wire.published(frame, true);
            }

            @Override
            public void repeatLast() {}

            @Override
            public int peers() {
                return 1;
            }

            @Override
            public boolean flushed() {
                return true;
            }
        };
    }

    @Override
    public int poll(long timeoutNanos) {
        machine.step("poll");
        int frames = receive();
        if (frames > 0 || woken || timeoutNanos == 0) {
            woken = false;
            return frames;
        }
        machine.parkUntil(Math.min(machine.now() + timeoutNanos, nextNanos()));
        woken = false;
        return receive();
    }

    private long nextNanos() {
        Arrival next = wire.peek();
        long readable = next == null ? Long.MAX_VALUE : next.atNanos();
        return isConnected() ? readable : Math.max(connectedNanos, next == null ? connectedNanos : readable);
    }

    private int receive() {
        FrameHandler to = handler;
        int most = chance.nextInt(1, 64);
        int frames = 0;
        while (to != null && frames < most && isReceiving()) {
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
        return stats;
    }

    @Override
    public void close(long lingerNanos) {
        machine.step("close");
        closed = true;
    }
}
