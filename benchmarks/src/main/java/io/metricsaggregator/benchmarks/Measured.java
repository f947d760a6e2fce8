package io.metricsaggregator.benchmarks;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * What came out of a case.
 *
 * @param nanosPerRecord median over the repetitions
 * @param bestNanosPerRecord of the quickest repetition
 * @param meanNanosPerRecord over all of them, warming up included
 * @param bytesPerRecord on the wire
 * @param readerCpuNanos CPU of the reader for each record, start-up and compilation included
 * @param senderCpuNanos CPU of the sender for each record
 * @param readerMib most memory the reader ever had
 * @param allocatedPerRecord bytes of Java objects made by the daemon's event thread for each record; NaN where unknown
 * @param endNanos from {@code session.ended} to the reader's exit
 * @param records sent in all
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
