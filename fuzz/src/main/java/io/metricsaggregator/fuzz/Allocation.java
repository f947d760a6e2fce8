package io.metricsaggregator.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Holds what is made for an input to a bound: memory follows what was received, not what it declares. */
final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long SLACK_BYTES = 64 * 1024;

    private final long before = THREADS.getCurrentThreadAllocatedBytes();

    /** Throws if more was made since this object than {@code factor} times the input and 64 KiB. */
    void check(int inputBytes, int factor) {
        long made = THREADS.getCurrentThreadAllocatedBytes() - before;
        if (made > SLACK_BYTES + (long) factor * inputBytes) {
            throw new IllegalStateException(made + " bytes were allocated for an input of " + inputBytes);
        }
    }
}
