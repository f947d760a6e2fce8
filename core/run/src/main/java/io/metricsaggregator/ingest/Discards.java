package io.metricsaggregator.ingest;

import io.metricsaggregator.event.Malformation;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the first discarded batch, frame of chunks or record of each kind with an excerpt of its bytes, and counts malformed records by reason. Belongs
 * to the thread that receives.
 */
final class Discards {
    private static final Logger LOG = LoggerFactory.getLogger(Discards.class);

    private final long[] malformed = new long[Malformation.values().length];
    private boolean loggedBatch;
    private boolean loggedChunks;
    private boolean loggedUnknown;
    private boolean loggedRejected;

    /** Logs the first batch that is not an array of binaries; it is discarded with all its records. */
    void batch(ByteBuffer buffer, int start, int length) {
        if (!loggedBatch) {
            loggedBatch = true;
            LOG.warn(
                    "malformed batch discarded bytes={} excerpt={}: not an array of binaries. Further ones are only counted",
                    length,
                    Excerpt.of(buffer, start, length));
        }
    }

    /** Logs the first malformed frame of chunks; it is discarded with all its chunks. */
    void chunks(ByteBuffer buffer, int start, int length) {
        if (!loggedChunks) {
            loggedChunks = true;
            LOG.warn(
                    "malformed frame of chunks discarded bytes={} excerpt={}. Further ones are only counted",
                    length,
                    Excerpt.of(buffer, start, length));
        }
    }

    /** Counts a malformed record, and logs the first of each reason. */
    void malformed(Malformation reason, ByteBuffer buffer, int start, int length) {
        if (malformed[reason.ordinal()]++ == 0) {
            LOG.warn(
                    "malformed record discarded reason=\"{}\" excerpt={}. Further ones are only counted",
                    reason.text(),
                    Excerpt.of(buffer, start, length));
        }
    }

    /** Logs the first record of an unknown type. */
    void unknown(ByteBuffer buffer, int start, int length) {
        if (!loggedUnknown) {
            loggedUnknown = true;
            LOG.warn(
                    "record of an unknown event_type received excerpt={}. Further ones are only counted",
                    Excerpt.of(buffer, start, length));
        }
    }

    /** Logs the first telemetry record that its fold rejected, with the reasons counted so far. */
    void rejected(List<SnapshotExtensions.MalformedRow> reasons, ByteBuffer buffer, int start, int length) {
        if (!loggedRejected) {
            loggedRejected = true;
            LOG.warn(
                    "telemetry record rejected reasons={} excerpt={}. Further ones are only counted under malformed",
                    reasons,
                    Excerpt.of(buffer, start, length));
        }
    }

    /** Returns the reasons for which records were malformed, with their counts. */
    List<SnapshotExtensions.MalformedRow> rows() {
        List<SnapshotExtensions.MalformedRow> rows = new ArrayList<>();
        for (Malformation reason : Malformation.values()) {
            if (malformed[reason.ordinal()] > 0) {
                rows.add(new SnapshotExtensions.MalformedRow(reason.reason(), malformed[reason.ordinal()]));
            }
        }
        return rows;
    }
}
