package io.metricsaggregator.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Limits allocations for an input: memory must be proportional to the received bytes, not to declared sizes. */
public final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long SLACK_BYTES = 64 * 1024;

    private static final int TRIES = 5;

    private final long before = THREADS.getCurrentThreadAllocatedBytes();

    /**
     * Runs a reading, again if it allocated too much: what a run does once, such as linking a string concatenation of a rare error, is no memory of the
     * input.
     *
     * @throws IllegalStateException if each run allocated more than {@code factor} times the input plus 64 KiB
     */
    public static void check(Runnable reading, int inputBytes, int factor) {
        for (int i = 1; ; i++) {
            Allocation run = new Allocation();
            reading.run();
            try {
                run.check(inputBytes, factor);
                return;
            } catch (IllegalStateException e) {
                if (i == TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Throws if more than {@code factor} times the input plus 64 KiB was allocated since this object was created. */
    public void check(int inputBytes, int factor) {
        long made = THREADS.getCurrentThreadAllocatedBytes() - before;
        if (made > SLACK_BYTES + (long) factor * inputBytes) {
            throw new IllegalStateException(made + " bytes were allocated for an input of " + inputBytes);
        }
    }
}
