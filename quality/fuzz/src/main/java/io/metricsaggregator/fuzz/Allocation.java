package io.metricsaggregator.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Limits allocations for an input: memory must be proportional to the received bytes, not to declared sizes. */
public final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long SLACK_BYTES = 64 * 1024;

    private final long before = THREADS.getCurrentThreadAllocatedBytes();

    /** Throws if more than {@code factor} times the input plus 64 KiB was allocated since this object was created. */
    public void check(int inputBytes, int factor) {
        long made = THREADS.getCurrentThreadAllocatedBytes() - before;
        if (made > SLACK_BYTES + (long) factor * inputBytes) {
            throw new IllegalStateException(made + " bytes were allocated for an input of " + inputBytes);
        }
    }
}
