package io.metricsaggregator.simulation.machine;

/**
 * One fault of a life: strikes at the {@code nth} step whose label starts with {@code label} in one process of the life. A life's faults
 * are drawn before it begins, so that a violation can be repeated with fewer of them.
 *
 * @param process number of the process in the life, from 1
 * @param label prefix of the step's label, such as {@code rename final_snapshot.json}; empty for any step
 * @param nth number of the step among those with the label, from 1
 * @param nanos duration of {@link Kind#PAUSE}, {@link Kind#STALL}, {@link Kind#DISK_FULL} and {@link Kind#LYING_DISK}, and the way of {@link Kind#CLOCK_JUMP}, in virtual nanoseconds; what {@link Kind#DUPLICATE_START} shares; 0 for the others
 */
public record Fault(Kind kind, int process, String label, int nth, long nanos) {

    /** What happens. */
    public enum Kind {
        /** The process ends where it stands; the page cache stays. */
        KILL,
        /** The machine loses its power: the process ends, and of what was not fsynced any part may be lost. */
        POWER_CUT,
        /** The process gets SIGTERM. */
        SIGTERM,
        /** The whole process stands still. */
        PAUSE,
        /** The thread that runs stands still, and the others run on. */
        STALL,
        /** The thread that runs stands still for ever, and the others run on. */
        HANG,
        /** The wall clock is set forwards or back; the monotonic one is not. */
        CLOCK_JUMP,
        /** One disk call fails with EIO; a failed fsync drops the dirty pages. */
        IO_ERROR,
        /** One write writes a part of its bytes. */
        SHORT_WRITE,
        /** Writes fail with ENOSPC for some time. */
        DISK_FULL,
        /** For some time the disk reports calls of fsync as done and keeps nothing. */
        LYING_DISK,
        /** Another daemon is started on folders or sockets of the one that runs. */
        DUPLICATE_START
    }
}
