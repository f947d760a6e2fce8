package io.metricsaggregator.run;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Figures of this process, as of one moment.
 *
 * @param cpuNanos CPU time
 * @param eventsCpuNanos CPU time of one thread
 * @param eventsAllocatedBytes Java objects that thread made
 * @param gcPauses collections
 * @param gcNanos time in them
 * @param heapBytes heap in use
 * @param residentBytes resident memory
 */
record ProcessFigures(
        long cpuNanos,
        long eventsCpuNanos,
        long eventsAllocatedBytes,
        long gcPauses,
        long gcNanos,
        long heapBytes,
        long residentBytes) {

    /** Nothing is known yet. */
    static final ProcessFigures NONE = new ProcessFigures(-1, -1, -1, -1, -1, -1, -1);

    private static final Path STATM = Path.of("/proc/self/statm");
    private static final long PAGE_BYTES = 4096;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Asks the JVM and the kernel: some 50 µs, and the first time as many ms. Any thread. Unknown where a JVM does not tell. */
    static ProcessFigures sample(long eventsThreadId) {
        try {
            return ask(eventsThreadId);
        } catch (RuntimeException | LinkageError e) {
            return NONE;
        }
    }

    private static ProcessFigures ask(long eventsThreadId) {
        long pauses = 0;
        long millis = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            pauses += Math.max(0, collector.getCollectionCount());
            millis += Math.max(0, collector.getCollectionTime());
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Runtime runtime = Runtime.getRuntime();
        return new ProcessFigures(
                system.getProcessCpuTime(),
                threads.getThreadCpuTime(eventsThreadId),
                threads.getThreadAllocatedBytes(eventsThreadId),
                pauses,
                millis * NANOS_PER_MILLI,
                runtime.totalMemory() - runtime.freeMemory(),
                residentNow());
    }

    private static long residentNow() {
        try {
            String[] fields = Files.readString(STATM).split(" ", -1);
            return Long.parseLong(fields[1]) * PAGE_BYTES;
        } catch (IOException | RuntimeException e) {
            return -1;
        }
    }
}
