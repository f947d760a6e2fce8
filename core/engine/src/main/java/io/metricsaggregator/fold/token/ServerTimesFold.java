package io.metricsaggregator.fold.token;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.event.server.DecodedServer;
import io.metricsaggregator.event.server.ServerKey;
import io.metricsaggregator.fold.row.InFlightTable;
import io.metricsaggregator.fold.row.RowColumn;
import io.metricsaggregator.fold.series.LateMetrics;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Folds the {@code server} of tracked samples: the time in the server's queue and to its first token, and what of the client's time to first token
 * neither covers. Sums by time to first token tell the parts of the slowest samples; their number is fixed. A run without the key
 * registers nothing. Belongs to the thread of the fold; allocates only to register, to grow, and once for the sums.
 */
public final class ServerTimesFold {
    private static final int SAMPLES = 0;
    private static final int TTFT = 1;
    private static final int QUEUE = 2;
    private static final int PREFILL = 3;
    private static final int TRANSFER = 4;
    private static final int WIDTH = 5;
    private static final long[] NONE = {};

    private final LateMetrics metrics;
    private final InFlightTable table;
    /** Nanoseconds of the longest transfer of a row and 1; 0 without one. */
    private final RowColumn transfers = new RowColumn();

    private boolean anyTransfer;
    private long[] sums = NONE;
    private long reported;
    private long failed;
    private long negative;
    private long transferred;
    private long kvBytes;
    private boolean anyBytes;

    ServerTimesFold(LateMetrics metrics, InFlightTable table) {
        this.metrics = metrics;
        this.table = table;
    }

    /** Counts a completion whose {@code server} breaks a rule. */
    void rejected() {
        metrics.add(CounterName.SERVER_REJECTED, 1);
    }

    /** Notes that a row begins anew: transfers of the sample before it, or of an earlier attempt, are not its own. */
    void forget(int row) {
        if (anyTransfer) {
            transfers.set(row, 0);
        }
    }

    /**
     * Joins a KV transfer with the sample that it was for, which has to be in flight. Of several transfers of a sample, as of
     * the ranks of one engine, the longest counts.
     *
     * @param row the row of the sample; {@link InFlightTable#NONE} if it is not in flight, which is counted
     * @param nanos duration of the transfer, at least 0
     */
    public void transferred(int row, long nanos) {
        if (row == InFlightTable.NONE) {
            metrics.add(CounterName.TRANSFERS_UNJOINED, 1);
            return;
        }
        anyTransfer = true;
        transfers.set(row, Math.max(transfers.get(row), TimestampMath.saturatedAdd(nanos, 1)));
    }

    /**
     * Records the times of a tracked sample that completed.
     *
     * @param row its row, before it is removed
     * @param hasFailed whether the sample had an error: it is counted only
     * @param issuedNanos issue of the attempt that had the first chunk
     */
    public void completed(DecodedEvent event, int row, boolean hasFailed, long issuedNanos) {
        DecodedServer server = event.server();
        long joined = anyTransfer ? transfers.get(row) - 1 : DecodedServer.ABSENT;
        if (!server.isPresent() && joined < 0) {
            return;
        }
        reported += server.isPresent() ? 1 : 0;
        if (hasFailed) {
            failed += server.isPresent() ? 1 : 0;
            return;
        }
        long queue = server.number(ServerKey.QUEUE_NS);
        long prefill = server.number(ServerKey.TTFT_NS);
        long transfer = server.number(ServerKey.KV_TRANSFER_NS);
        if (transfer == DecodedServer.ABSENT && joined >= 0) {
            transfer = joined;
            transferred++;
        }
        record(SeriesName.SERVER_QUEUE_NS, queue);
        record(SeriesName.SERVER_TTFT_NS, prefill);
        record(SeriesName.KV_TRANSFER_NS, transfer);
        if (server.has(ServerKey.KV_BYTES)) {
            anyBytes = true;
            kvBytes = TimestampMath.saturatedAdd(kvBytes, server.number(ServerKey.KV_BYTES));
        }
        long first = table.hasFirstReceived(row) ? table.firstReceived(row) : issuedNanos;
        if (queue < 0 || prefill < 0 || !table.hasFirstReceived(row) || !TimestampMath.fits(issuedNanos, first)) {
            return;
        }
        long outside = TimestampMath.saturatedBetween(TimestampMath.saturatedAdd(queue, prefill), first - issuedNanos);
        if (outside < 0) {
            negative++;
            return;
        }
        record(SeriesName.OUTSIDE_TTFT_NS, outside);
        add(first - issuedNanos, queue, prefill, Math.min(Math.max(0, transfer), outside));
    }

    private void add(long ttft, long queue, long prefill, long transfer) {
        if (sums.length == 0) {
            sums = new long[ServerTimeFigures.Bucket.COUNT * WIDTH];
        }
        int at = ServerTimeFigures.Bucket.of(ttft) * WIDTH;
        sums[at + SAMPLES]++;
        add(at + TTFT, ttft);
        add(at + QUEUE, queue);
        add(at + PREFILL, prefill);
        add(at + TRANSFER, transfer);
    }

    private void add(int at, long nanos) {
        sums[at] = TimestampMath.saturatedAdd(sums[at], nanos);
    }

    private void record(SeriesName name, long nanos) {
        if (nanos >= 0) {
            metrics.series(name).record(nanos);
        }
    }

    /** Copies the figures; null before the first sample with times. */
    @Nullable
    ServerTimeFigures summary() {
        if (reported == 0 && transferred == 0) {
            return null;
        }
        List<ServerTimeFigures.Bucket> buckets = new ArrayList<>();
        for (int i = 0; i < sums.length / WIDTH; i++) {
            int at = i * WIDTH;
            if (sums[at + SAMPLES] > 0) {
                buckets.add(new ServerTimeFigures.Bucket(
                        ServerTimeFigures.Bucket.from(i),
                        sums[at + SAMPLES],
                        sums[at + TTFT],
                        sums[at + QUEUE],
                        sums[at + PREFILL],
                        sums[at + TRANSFER]));
            }
        }
        return new ServerTimeFigures(
                reported, failed, negative, transferred, anyBytes ? (Long) kvBytes : null, buckets);
    }
}
