package io.metricsaggregator.simulation.life;

import io.metricsaggregator.simulation.life.plan.DaemonSettings;
import io.metricsaggregator.simulation.machine.Machine;
import io.metricsaggregator.simulation.net.NetCalls;
import io.metricsaggregator.simulation.net.Peer;
import io.metricsaggregator.simulation.net.SubscriberPeer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Subscribers of one process: at least one that always reads, and others that are slow, never read again, stand still again and again, leave or come late. */
final class Subscribers implements NetCalls.Callers {
    private static final long MILLI = 1_000_000L;
    /** Frames that may be on their way to a subscriber that stands still: one in its socket, and one in the buffer of a write. */
    private static final int ON_THE_WAY = 2;

    private final Machine machine;
    private final Verdicts verdicts;
    private final List<SubscriberPeer> peers = new ArrayList<>();
    private final ArrayDeque<SubscriberPeer> coming = new ArrayDeque<>();
    private final List<Offered> offered = new ArrayList<>();
    private boolean last;

    @SuppressWarnings("ArrayRecordComponent") // compared by content
    private record Offered(long nanos, byte[] frame) {}

    /** Subscribers that connect to the process that runs. */
    Subscribers(Machine machine, Verdicts verdicts, SplittableRandom chance) {
        this.machine = machine;
        this.verdicts = verdicts;
        long now = machine.now();
        for (int i = chance.nextInt(1, 5); i >= 0; i--) {
            long connects = now + chance.nextLong(MILLI, i == 0 ? 100 * MILLI : 2000 * MILLI);
            long still = Long.MAX_VALUE;
            long again = Long.MAX_VALUE;
            long leaves = Long.MAX_VALUE;
            int kind = i == 0 ? 0 : chance.nextInt(4);
            if (kind == 1 || kind == 2) {
                still = connects + chance.nextLong(MILLI, 1500 * MILLI);
                again = kind == 2 ? Long.MAX_VALUE : still + chance.nextLong(600 * MILLI, 3000 * MILLI);
            } else if (kind == 3) {
                leaves = connects + chance.nextLong(MILLI, 3000 * MILLI);
            }
            peers.add(new SubscriberPeer(machine::now, chance.split(), connects, still, again, Long.MAX_VALUE, leaves));
        }
        if (chance.nextInt(3) > 0) {
            peers.add(drowsy(now + chance.nextLong(MILLI, 100 * MILLI), chance));
        }
        peers.sort((a, b) -> Long.compare(a.connectsNanos, b.connectsNanos));
        coming.addAll(peers);
        NetCalls.begin(DaemonSettings.OUTPUT_PORT, this);
    }

    /** One that stands still again and again, so that often the end finds it so, with a snapshot on its way; each time for less than a daemon waits for it. */
    private SubscriberPeer drowsy(long connects, SplittableRandom chance) {
        long still = connects + chance.nextLong(MILLI, 500 * MILLI);
        long again = still + chance.nextLong(50 * MILLI, 400 * MILLI);
        long every = again - still + chance.nextLong(50 * MILLI, 400 * MILLI);
        return new SubscriberPeer(machine::now, chance.split(), connects, still, again, every, Long.MAX_VALUE);
    }

    @Override
    public @Nullable Peer accept() {
        return isWaiting() ? coming.poll() : null;
    }

    @Override
    public boolean isWaiting() {
        SubscriberPeer next = coming.peek();
        return next != null && next.connectsNanos <= machine.now();
    }

    @Override
    public long nextNanos() {
        return peers.stream().mapToLong(SubscriberPeer::nextNanos).min().orElse(Long.MAX_VALUE);
    }

    /** The process offers a frame. */
    void offered(byte[] frame, boolean isLast) {
        offered.add(new Offered(machine.now(), frame));
        last |= isLast;
    }

    /**
     * The process has ended.
     *
     * @param closed whether it closed its sockets, so that what was offered must have come
     * @param late whether it was held up: then two snapshots may follow each other so fast that one replaces the other
     */
    void ended(boolean closed, boolean late) {
        boolean regularly = closed && !late;
        for (SubscriberPeer each : peers) {
            List<Integer> numbers = new ArrayList<>();
            each.frames().forEach(got -> numbers.add(number(got.frame())));
            boolean inOrder = true;
            boolean gapless = true;
            for (int i = 1; i < numbers.size(); i++) {
                inOrder &= numbers.get(i) > numbers.get(i - 1);
                gapless &= numbers.get(i) == numbers.get(i - 1) + 1;
            }
            verdicts.require(
                    inOrder && !numbers.contains(-1),
                    Invariant.SUBSCRIBERS_GET_THE_LATEST,
                    "a subscriber got other frames than were offered, or in another order: " + numbers);
            boolean always = each.stillNanos == Long.MAX_VALUE;
            verdicts.require(
                    gapless || late || !always,
                    Invariant.SUBSCRIBERS_GET_THE_LATEST,
                    "a subscriber that always reads got only " + numbers + " of " + offered.size());
            if (!each.isDrowsy()) {
                checkLatest(each);
            }
            if (regularly && last && mustGetTheLast(each)) {
                verdicts.require(
                        !numbers.isEmpty() && numbers.get(numbers.size() - 1) == offered.size() - 1,
                        Invariant.SUBSCRIBERS_GET_THE_LATEST,
                        "a subscriber that reads did not get the terminal snapshot, number " + (offered.size() - 1)
                                + ", but " + numbers);
            }
        }
    }

    /** Whether it was connected at the end, and read soon enough for a process that waits up to a second for it. */
    private boolean mustGetTheLast(SubscriberPeer peer) {
        long offeredNanos = offered.get(offered.size() - 1).nanos();
        long servedNanos = machine.now() - 1500 * MILLI;
        return peer.connectsNanos < Math.max(offeredNanos - MILLI, servedNanos)
                && peer.isReadingFrom(Math.max(offeredNanos + 500 * MILLI, servedNanos));
    }

    /** Index of a frame among those offered; −1 if it was not. */
    private int number(byte[] frame) {
        for (int i = offered.size() - 1; i >= 0; i--) {
            if (Arrays.equals(offered.get(i).frame(), frame)) {
                return i;
            }
        }
        return -1;
    }

    /** After standing still a subscriber gets what was on its way, and then nothing older than the newest of that time. */
    private void checkLatest(SubscriberPeer peer) {
        int newest = 0;
        while (newest < offered.size() && offered.get(newest).nanos() <= peer.readsAgainNanos) {
            newest++;
        }
        int old = 0;
        for (SubscriberPeer.Got each : peer.frames()) {
            boolean late = each.startedNanos() >= peer.readsAgainNanos;
            old += late && number(each.frame()) < newest - 1 ? 1 : 0;
        }
        verdicts.require(
                old <= ON_THE_WAY,
                Invariant.SUBSCRIBERS_GET_THE_LATEST,
                "a subscriber that stood still got " + old + " old snapshots first");
    }
}
