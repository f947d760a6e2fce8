package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;

/**
 * What measuring costs: the daemon's own CPU time, memory and delays, since its start unless stated. Figures of the process are up to
 * a second old; −1 stands for a figure that the platform does not provide.
 *
 * @param lagP50Nanos upper bound of the median time from the receipt of a record to its application
 * @param lagP99Nanos upper bound of the 99th percentile of that time
 * @param lagMaxNanos the longest such time
 * @param lagMaxRecentNanos the longest such time since the previous snapshot
 * @param reads bursts of frames taken from sockets
 * @param waitingBytes bytes of incomplete frames, received and not yet applied
 * @param cpuNanos CPU time of the process
 * @param eventsCpuNanos CPU time of the thread that receives and folds
 * @param eventsAllocatedBytes bytes of Java objects that thread allocated
 * @param gcPauses garbage collections
 * @param gcNanos time spent in garbage collections
 * @param heapBytes bytes of the heap in use
 * @param valuesBytes bytes of raw values in memory outside the heap
 * @param spilledBytes bytes of raw values in the spill file
 * @param residentBytes bytes of resident memory of the process
 * @param tickIntervalNanos current publish interval; longer than configured while snapshots cost too much
 * @param ticksLengthened how often the daemon lengthened the interval
 * @param tickLateP99Nanos 99th percentile of the delay of ticks
 * @param tickLateMaxNanos the longest delay of a tick
 * @param freezeNanos time that the last snapshot took on the receiving thread
 * @param renderNanos time that the last snapshot then took on the rendering thread
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
        long renderNanos) {
    public static final SelfCost BLANK = new SelfCost(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** The fields; see {@link Fields.Shape}. */
    public static SelfCost pass(Fields f, SelfCost v) throws MalformedMessageException {
        return new SelfCost(
                f.count("ingest_lag_p50_ns", v.lagP50Nanos()),
                f.count("ingest_lag_p99_ns", v.lagP99Nanos()),
                f.count("ingest_lag_max_ns", v.lagMaxNanos()),
                f.count("ingest_lag_max_recent_ns", v.lagMaxRecentNanos()),
                f.count("reads", v.reads()),
                f.count("waiting_bytes", v.waitingBytes()),
                f.count("cpu_ns", v.cpuNanos()),
                f.count("events_cpu_ns", v.eventsCpuNanos()),
                f.count("events_allocated_bytes", v.eventsAllocatedBytes()),
                f.count("gc_pauses", v.gcPauses()),
                f.count("gc_ns", v.gcNanos()),
                f.count("heap_bytes", v.heapBytes()),
                f.count("values_bytes", v.valuesBytes()),
                f.count("spilled_bytes", v.spilledBytes()),
                f.count("resident_bytes", v.residentBytes()),
                f.count("tick_interval_ns", v.tickIntervalNanos()),
                f.count("ticks_lengthened", v.ticksLengthened()),
                f.count("tick_late_p99_ns", v.tickLateP99Nanos()),
                f.count("tick_late_max_ns", v.tickLateMaxNanos()),
                f.count("freeze_ns", v.freezeNanos()),
                f.count("render_ns", v.renderNanos()));
    }
}
