package io.metricsaggregator.benchmarks;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * The result of a case.
 *
 * @param nanosPerRecord median of the repetitions
 * @param bestNanosPerRecord value of the fastest repetition
 * @param meanNanosPerRecord mean of all repetitions, warm-up included
 * @param bytesPerRecord bytes on the wire per record
 * @param readerCpuNanos CPU time of the reader per record, start-up and compilation included
 * @param senderCpuNanos CPU time of the sender per record
 * @param readerMib peak resident memory of the reader
 * @param allocatedPerRecord bytes of Java objects that the daemon's main-loop thread allocates per record; NaN if unknown
 * @param endNanos time from {@code session.ended} to the reader's exit
 * @param records number of records sent
 * @param last the daemon's final snapshot; null for other readers
 */
record Measured(
        double nanosPerRecord,
        double bestNanosPerRecord,
        double meanNanosPerRecord,
        double bytesPerRecord,
        double readerCpuNanos,
        double senderCpuNanos,
        double readerMib,
        double allocatedPerRecord,
        long endNanos,
        long records,
        @Nullable MetricsSnapshot last) {

    double millionPerSecond() {
        return 1e3 / nanosPerRecord;
    }

    double gigabytesPerSecond() {
        return bytesPerRecord / nanosPerRecord;
    }
}
