package io.metricsaggregator.simulation.life;

/**
 * An invariant that did not hold.
 *
 * @param what the values that contradict it
 * @param step number of the machine's step
 * @param nanos virtual time since the life's begin
 * @param process number of the process, from 1
 */
record Violation(Invariant invariant, String what, long step, long nanos, int process) {
    @Override
    public String toString() {
        return invariant + ": " + what + " [process " + process + ", step " + step + ", " + nanos / 1_000_000 + " ms]";
    }
}
