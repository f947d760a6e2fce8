package io.metricsaggregator.simulation.life;

import io.metricsaggregator.simulation.machine.Machine;

/** What must have happened by now in virtual time, checked at every step: otherwise a process that only became slow would pass. */
final class Deadlines {
    private static final long MILLI = 1_000_000L;
    private static final long STOP_NANOS = 4_700 * MILLI;
    /** Beyond two intervals, for the steps of other threads. */
    private static final long SCHEDULING_NANOS = 50 * MILLI;

    private final Machine machine;
    private final Verdicts verdicts;
    private final long intervalNanos;
    private boolean pauses;
    private long offeredNanos;
    private long firstNanos;
    private int live;
    private boolean ticking;
    private long stopNanos;
    private boolean stopped;
    private int arrived;

    Deadlines(Machine machine, Verdicts verdicts, long intervalNanos) {
        this.machine = machine;
        this.verdicts = verdicts;
        this.intervalNanos = intervalNanos;
    }

    /**
     * A process begins.
     *
     * @param standsStill whether it may be paused, so that no deadline holds
     */
    void beginProcess(boolean standsStill) {
        pauses = standsStill;
        live = 0;
        ticking = false;
        stopped = false;
    }

    /**
     * A snapshot was offered.
     *
     * @param last whether it is the terminal one
     * @param ending whether no further live snapshot has to follow
     */
    void offered(boolean last, boolean ending) {
        step();
        if (live == 0) {
            firstNanos = machine.now();
        }
        live += last ? 0 : 1;
        // One more while the session drains, and one that was late.
        verdicts.require(
                pauses || live <= (machine.now() - firstNanos) / intervalNanos + 3,
                Invariant.TICKS_COME_IN_TIME,
                live + " snapshots within " + (machine.now() - firstNanos) / MILLI + " ms");
        ticking = !ending && !stopped;
        offeredNanos = machine.now();
    }

    /**
     * The process got SIGTERM.
     *
     * @param frames frames that it has received or could read from its sockets
     */
    void stopRequested(int frames) {
        if (!stopped) {
            stopped = true;
            stopNanos = machine.now();
            arrived = frames;
        }
        ticking = false;
    }

    boolean isStopped() {
        return stopped;
    }

    /** Whether the process was held up after SIGTERM, so that it may have ended without a result. */
    boolean isStoppedLate() {
        return stopped && pauses;
    }

    void step() {
        if (pauses) {
            return;
        }
        long now = machine.now();
        verdicts.require(
                !ticking || now - offeredNanos <= 2 * intervalNanos + SCHEDULING_NANOS,
                Invariant.TICKS_COME_IN_TIME,
                () -> (now - offeredNanos) / MILLI + " ms without a snapshot");
        verdicts.require(
                !stopped || now - stopNanos <= STOP_NANOS,
                Invariant.STOP_COMES_IN_TIME,
                () -> "the process runs " + (now - stopNanos) / MILLI + " ms after SIGTERM");
    }

    void ended() {
        ticking = false;
        step();
    }

    /**
     * Checks the frames of the final file after a SIGTERM.
     *
     * @param frames frames in the file
     * @param sessionEnded whether the run had ended: frames behind its end may be left in the sockets
     */
    void checkArrived(long frames, boolean sessionEnded) {
        verdicts.require(
                !stopped || pauses || sessionEnded || frames >= arrived,
                Invariant.ARRIVED_BEFORE_THE_SIGNAL,
                frames + " frames are in the final file, " + arrived + " had arrived");
    }
}
