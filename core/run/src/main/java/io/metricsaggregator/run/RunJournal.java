package io.metricsaggregator.run;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.ingest.FrameLog;
import io.metricsaggregator.registry.Registry;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The journal of one live run: {@link JournalOnDisk}, or {@link NoJournal}, whose methods do nothing. Called in this order: {@link
 * #decoder}, {@link #register}, {@link #recover}, {@link #write}, then the methods of a running run. Belongs to the main loop.
 */
public sealed interface RunJournal extends Closeable permits JournalOnDisk, NoJournal {

    /**
     * Locks the journal's directory and finds the unfinished run in it that this process resumes.
     *
     * @param config null for a run without a journal
     * @param run configuration of this process; an unfinished run that was started with other settings is not resumed
     * @throws io.metricsaggregator.transport.LockFile.HeldException if another process uses the directory
     * @throws IOException if the directory cannot be used
     */
    static RunJournal open(DaemonConfig.@Nullable Journal config, RunConfig run) throws IOException {
        return open(config, run, () -> false);
    }

    /**
     * As {@link #open(DaemonConfig.Journal, RunConfig)}, for a process that may have to end while it reads the run back.
     *
     * @param stopping whether it has to: then it waits for no tokenizer
     */
    static RunJournal open(DaemonConfig.@Nullable Journal config, RunConfig run, BooleanSupplier stopping)
            throws IOException {
        return config == null ? new NoJournal() : JournalOnDisk.open(config, run, stopping);
    }

    /** Returns a decoder that hashes long sample ids as the run's earlier processes did. */
    EventDecoder decoder();

    /** Registers the counters of the journal; a run without a journal has none of them. */
    void register(Registry registry);

    /** Waits until every received frame survives this process; to be called before a snapshot is taken, and not within a burst. */
    void settle(long nowNanos);

    /** Updates the counters of the journal; to be called before a snapshot is taken. */
    void refreshCounters();

    /**
     * Applies the frames of the resumed run to {@code parts}; does nothing for a new run.
     *
     * @throws IOException if the run cannot be read
     */
    void recover(RunParts parts) throws IOException;

    /** Returns what was read back of the run; empty for a new run. */
    JournalRecovery recovery();

    /**
     * Starts to write.
     *
     * @return the log of the frames received from now on
     * @throws IOException if the run's folder or its first file cannot be created
     */
    FrameLog write(RunIdentity identity) throws IOException;

    /** Whether an earlier process received frames of this run. */
    boolean isResumed();

    /** Whether a frame that was read back may still kill the process. */
    boolean isSettling();

    /** Notes that all recovered frames have been applied and their texts counted: a later crash has another cause. */
    void settled();

    /** Notes that the process ends by an internal error, which a recovered frame may have caused. */
    void broken();

    /**
     * Records an outage: the time in which no process received the run's frames.
     *
     * @param fromWallNanos start, in nanoseconds since 1970 UTC
     * @param toWallNanos end, in nanoseconds since 1970 UTC
     */
    void outage(long fromWallNanos, long toWallNanos);

    /**
     * Marks the run as finished: its result is durable, and no process resumes it. A failure is logged; the next start then resumes the
     * run.
     *
     * @param nanos the monotonic clock at its terminal snapshot
     * @param wallNanos the wall clock at that time, in nanoseconds since 1970 UTC
     */
    void finish(long nanos, long wallNanos);

    /** The folder of the run; null without a journal, and before {@link #write}. */
    @Nullable
    Path folder();

    /**
     * Returns the journal of a new run in the same directory, under the lock of this one.
     *
     * @throws IllegalStateException without a journal: no run is resumed then
     */
    RunJournal next();

    /** Stops writing and leaves the run unfinished. A failure is logged. */
    void leave();

    /**
     * Stops writing before a frame was received, because the start was refused: removes the folder of a new run, which would hide the
     * run before it, and leaves a resumed one unfinished. A failure is logged.
     */
    void abandon();
}
