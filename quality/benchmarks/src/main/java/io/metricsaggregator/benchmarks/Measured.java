package io.metricsaggregator.benchmarks;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * The result of a case.
 *
 * @param nanosPerRecord from the first byte sent after the warm-up to the last record applied, by the reader's own account
 * @param bytesPerRecord bytes on the wire per record
 * @param readerCpuNanos CPU time of the reader per record after the warm-up
 * @param senderCpuNanos CPU time of the sender per record after the warm-up
 * @param readerMib peak resident memory of the reader
 * @param allocatedPerRecord bytes of Java objects that the daemon's main-loop thread allocates per record; NaN if unknown
 * @param endNanos time from the last record applied to the reader's exit
 * @param records number of records sent after the warm-up
 * @param last the daemon's final snapshot; null for other readers
 */
record Measured(
        double nanosPerRecord,
        double bytesPerRecord,
        double readerCpuNanos,
        double senderCpuNanos,
        double readerMib,
        double allocatedPerRecord,
        long endNanos,
        long records,
        @Nullable MetricsSnapshot last) {}
