package io.metricsaggregator.simulation.machine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A hash of everything that happened in a life, and its last lines in words if they are kept. */
public final class Trace {
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private final int kept;
    private final Deque<String> last = new ArrayDeque<>();
    private final Set<String> threads = new TreeSet<>();
    private long hash = 1;

    /**
     * An empty trace.
     *
     * @param kept how many lines to keep; 0 for the hash alone
     */
    public Trace(int kept) {
        this.kept = kept;
    }

    /** Adds a step to the hash and to the lines. */
    void step(long nanos, String thread, String what) {
        hash = (Long.rotateLeft(hash, 7) ^ what.hashCode()) * FACTOR;
        hash = (Long.rotateLeft(hash, 7) ^ nanos) * FACTOR;
        line(nanos, thread, what);
    }

    /** Adds bytes that the process has made to the hash. */
    void bytes(byte[] made) {
        for (byte each : made) {
            hash = (Long.rotateLeft(hash, 7) ^ each) * FACTOR;
        }
    }

    /** Adds a line that is not part of the hash. */
    void line(long nanos, String thread, String what) {
        if (kept > 0) {
            last.add(String.format("%14.6f ms  %-14s %s", nanos / 1e6, thread, what));
            if (last.size() > kept) {
                last.poll();
            }
        }
    }

    /** Notes the name of a thread that runs. */
    void thread(String name) {
        threads.add(name);
    }

    /** Names of the threads that have run. */
    public Set<String> threads() {
        return threads;
    }

    /** Whether lines are kept. */
    public boolean isKept() {
        return kept > 0;
    }

    /** The hash of all steps, times and bytes so far. */
    public long hash() {
        return hash;
    }

    /** The last lines, the oldest first. */
    public List<String> lines() {
        return List.copyOf(last);
    }
}
