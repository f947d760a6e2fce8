package io.metricsaggregator.simulation.life;

import io.metricsaggregator.simulation.life.plan.Arrival;
import io.metricsaggregator.simulation.life.plan.DaemonSettings;
import io.metricsaggregator.simulation.machine.Machine;
import io.metricsaggregator.simulation.net.Attack;
import io.metricsaggregator.simulation.net.HostilePeer;
import io.metricsaggregator.simulation.net.NetCalls;
import io.metricsaggregator.simulation.net.Peer;
import io.metricsaggregator.simulation.net.ProducerPeer;
import io.metricsaggregator.transport.FrameHandler;
import io.metricsaggregator.transport.TransportOptions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The peers of the socket at which one process receives: a producer that may lose its connection, and hostile ones. */
final class Producers implements NetCalls.Callers {
    private static final long MILLI = 1_000_000L;
    private static final int FRAME_MAX_BYTES = 5 << 20;
    /** Time after which a process must have noticed what a peer did. */
    private static final long PATIENCE_NANOS = 1000 * MILLI;
    /** Largest number of frames before a connection is cut. */
    private static final int CUT_MAX = 200;

    /** Limits that lives can reach. */
    static final TransportOptions OPTIONS =
            TransportOptions.builder().frameMaxBytes(FRAME_MAX_BYTES).build();

    private final Machine machine;
    private final Verdicts verdicts;
    private final MeasuredRun run;
    private final SplittableRandom chance;
    private final boolean late;
    private final List<HostilePeer> hostile = new ArrayList<>();
    private final List<HostilePeer> coming = new ArrayList<>();
    private final boolean cuts;
    private final List<ProducerPeer.Due> frames;
    private ProducerPeer producer;
    private boolean accepted;
    private int inBurst;

    /**
     * Peers that connect to the process that runs.
     *
     * @param late whether it may be held up, so that it disconnects nobody in time
     */
    Producers(Machine machine, Verdicts verdicts, MeasuredRun run, SplittableRandom chance, boolean late) {
        this.machine = machine;
        this.verdicts = verdicts;
        this.run = run;
        this.chance = chance;
        this.late = late;
        this.cuts = chance.nextInt(3) == 0;
        this.frames = run.traffic.stream()
                .map(each -> new ProducerPeer.Due(each.atNanos(), each.frame()))
                .toList();
        this.producer = connect(200 * MILLI);
        Attack[] attacks = Attack.values();
        boolean hoards = chance.nextInt(6) == 0;
        for (int i = hoards ? chance.nextInt(4, 9) : chance.nextInt(6); i > 0; i--) {
            Attack attack = hoards ? Attack.MOST_OF_A_LARGE_FRAME : attacks[chance.nextInt(attacks.length - 1)];
            long connects = machine.now() + chance.nextLong(MILLI, 3000 * MILLI);
            hostile.add(new HostilePeer(machine::now, chance.split(), attack, connects, FRAME_MAX_BYTES));
        }
        coming.addAll(hostile);
        NetCalls.begin(DaemonSettings.INPUT_PORT, this);
    }

    /** A connection for the frames that are not on their way; those that are and did not come are lost. */
    private ProducerPeer connect(long within) {
        run.taken = Math.max(run.taken, run.onTheWay);
        run.onTheWay = run.taken;
        accepted = false;
        int cut = cuts ? run.taken + chance.nextInt(CUT_MAX) : Integer.MAX_VALUE;
        return new ProducerPeer(
                machine::now,
                frames,
                run.taken,
                frame -> run.onTheWay = frame + 1,
                chance.split(),
                machine.now() + chance.nextLong(MILLI, within),
                cut);
    }

    private void reconnect() {
        if (producer.isGone()) {
            producer = connect(100 * MILLI);
        }
    }

    @Override
    public @Nullable Peer accept() {
        reconnect();
        if (!accepted && producer.connectsNanos <= machine.now()) {
            accepted = true;
            return producer;
        }
        for (HostilePeer each : coming) {
            if (each.connectsNanos <= machine.now()) {
                coming.remove(each);
                return each;
            }
        }
        return null;
    }

    @Override
    public boolean isWaiting() {
        reconnect();
        return (!accepted && producer.connectsNanos <= machine.now())
                || coming.stream().anyMatch(each -> each.connectsNanos <= machine.now());
    }

    @Override
    public long nextNanos() {
        reconnect();
        long next = accepted ? producer.nextNanos() : Math.max(machine.now(), producer.connectsNanos);
        for (HostilePeer each : hostile) {
            next = Math.min(next, each.nextNanos());
        }
        return next;
    }

    boolean isSubscribed() {
        return producer.isSubscribed();
    }

    /** Frames that the process could read now. */
    int readable() {
        return producer.readable();
    }

    /** What a frame passes on its way to the process's own handler. */
    FrameHandler before(FrameHandler own, SimulatedNetwork.Wire wire) {
        return new FrameHandler() {
            @Override
            public void onFrame(ByteBuffer buffer, int start, int length) {
                Arrival next = wire.peek();
                verdicts.require(
                        next != null && ByteBuffer.wrap(next.frame()).equals(buffer.slice(start, length)),
                        Invariant.INTRUDERS_COST_NOTHING,
                        "a frame of " + length + " bytes came that is not the next one that was sent");
                if (next != null) {
                    wire.take();
                    inBurst++;
                }
                own.onFrame(buffer, start, length);
            }

            @Override
            public void onBurstEnd() {
                own.onBurstEnd();
                if (inBurst > 0) {
                    inBurst = 0;
                    wire.burst();
                    machine.step("burst");
                }
            }

            @Override
            public List<String> announced() {
                return own.announced();
            }
        };
    }

    /** The process polls, or closes its sockets: who should have been disconnected before is. */
    void check() {
        for (HostilePeer each : hostile) {
            verdicts.require(
                    late || coming.contains(each) || !each.isTolerated(OPTIONS.handshakeTimeoutNanos(), PATIENCE_NANOS),
                    Invariant.INTRUDERS_COST_NOTHING,
                    () -> "still connected: a peer that sent " + each);
        }
    }
}
