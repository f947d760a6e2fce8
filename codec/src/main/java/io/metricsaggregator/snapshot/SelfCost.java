package io.metricsaggregator.snapshot;

/**
 * What measuring costs: the daemon's own time, memory and delays, since its start where nothing else is said. Figures of the
 * process are up to a second old; −1 stands for what could not be had.
 *
 * @param lagP50Nanos median time from the receipt of a record to its application, at most
 * @param lagP99Nanos its 99th percentile
 * @param lagMaxNanos its largest
 * @param lagMaxRecentNanos its largest since the snapshot before
 * @param reads bursts of frames taken from sockets
 * @param waitingBytes bytes received and not applied: parts of frames
 * @param cpuNanos CPU time of the process
 * @param eventsCpuNanos CPU time of the thread that receives and folds
 * @param eventsAllocatedBytes Java objects that thread made
 * @param gcPauses collections
 * @param gcNanos time spent in them
 * @param heapBytes heap in use
 * @param valuesBytes memory of raw values, outside the heap
 * @param spilledBytes raw values in the spill file
 * @param residentBytes resident memory of the process
 * @param tickIntervalNanos time between snapshots now: longer than asked for when they cost too much
 * @param ticksLengthened how often it was made longer
 * @param tickLateP99Nanos how late ticks were taken, 99th percentile
 * @param tickLateMaxNanos the latest
 * @param freezeNanos what the last snapshot took of the thread that receives
 * @param renderNanos what it then took of another
 */
public record SelfCost(
        long lagP50Nanos,
        long lagP99Nanos,
        long lagMaxNanos,
        long lagMaxRecentNanos,
        long reads,
        long waitingBytes,
        long cpuNanos,
        long eventsCpuNanos,
        long eventsAllocatedBytes,
        long gcPauses,
        long gcNanos,
        long heapBytes,
        long valuesBytes,
        long spilledBytes,
        long residentBytes,
        long tickIntervalNanos,
        long ticksLengthened,
        long tickLateP99Nanos,
        long tickLateMaxNanos,
        long freezeNanos,
        long renderNanos) {}
