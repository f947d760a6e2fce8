package io.metricsaggregator.fold.label;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.fold.row.InFlightTable;
import io.metricsaggregator.fold.row.RowColumn;
import io.metricsaggregator.fold.row.SampleContext;
import io.metricsaggregator.fold.series.LateMetrics;
import io.metricsaggregator.parts.LabelSums;
import io.metricsaggregator.parts.LabelsPart;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Breaks tracked samples down by the labels of their issue, one key at a time, and by the worker that issued them, all by the codes of {@link LabelCodes}.
 * A row's labels are a few bits a key, in a column beside the table that exists from the first labels or the first named worker of the run on. Every sample
 * counts for one value of each key: those before the first with a key do not have it, and are copied from the sum of the workers when the key appears.
 * Belongs to the thread of the fold; allocates only for the first sample with a value.
 */
public final class LabelFold {
    public static final long NO_LABELS = LabelCodes.NO_LABELS;
    static final int KEYS_MAX = LabelCodes.KEYS_MAX;

    /** The place of the workers among the keys. */
    private static final int WORKERS = KEYS_MAX;

    private final LateMetrics metrics;
    private final InFlightTable table;
    private final ProgressFold progress;
    private final boolean judged;
    private final LabelCodes codes;
    private final @Nullable KeyCounts[] keys = new @Nullable KeyCounts[KEYS_MAX + 1];
    private final RowColumn words = new RowColumn();
    private boolean labelled;
    private boolean named;
    /** Keys up to the last one that a sample has. */
    private int length;

    /**
     * A fold before the first sample.
     *
     * @param judged whether samples are judged by objectives
     * @param codes the names of keys, values and workers by their codes
     */
    public LabelFold(
            LateMetrics metrics, InFlightTable table, ProgressFold progress, boolean judged, LabelCodes codes) {
        this.metrics = metrics;
        this.table = table;
        this.progress = progress;
        this.judged = judged;
        this.codes = codes;
    }

    /** Counts an issue with labels that break a rule. */
    public void rejected() {
        metrics.add(CounterName.LABELS_REJECTED, 1);
    }

    /** Whether any sample has a label or a named worker. */
    public boolean isSeen() {
        return labelled || named;
    }

    /** The labels and the worker of a tracked row. */
    public long of(int row) {
        long worker = named ? LabelCodes.ofWorker(table.worker(row)) : NO_LABELS;
        return labelled ? words.get(row) | worker : worker;
    }

    /** Counts the issue of a row by the labels and the worker of the stamp, which the row has by now. */
    public void issued(SampleContext stamp, int row) {
        if (stamp.labelsOver > 0) {
            metrics.add(CounterName.LABELS_OVER_LIMIT, stamp.labelsOver);
        }
        long labels = LabelCodes.withoutWorker(stamp.labels);
        if (labels != stamp.labels) {
            name();
        }
        labelled |= labels != NO_LABELS;
        if (labelled) {
            words.set(row, labels);
            widen(labels);
        }
        long word = of(row);
        for (int k = 0; k <= length; k++) {
            counts(word, k).issued(progress);
        }
    }

    /** Takes note that workers have names; answers of samples without one were not noted before. */
    private void name() {
        if (!named) {
            named = true;
            key(WORKERS).restart(progress);
        }
    }

    /** Makes room for the keys of labels that samples elsewhere have. */
    void widen(long word) {
        int keysSeen = LabelCodes.length(LabelCodes.withoutWorker(word));
        while (length < keysSeen) {
            key(length++).none(key(WORKERS), progress);
        }
    }

    /** The counts of a sample for key {@code k}, or for its worker if k is the number of keys. */
    private LabelCounts counts(long word, int k) {
        boolean ofWorker = k == length;
        return key(ofWorker ? WORKERS : k).of(ofWorker ? LabelCodes.worker(word) : LabelCodes.code(word, k));
    }

    private KeyCounts key(int k) {
        KeyCounts known = keys[k];
        if (known == null) {
            known = new KeyCounts();
            keys[k] = known;
        }
        return known;
    }

    /** Takes a tracked sample out of those in flight: it completed, was evicted, or is issued again. */
    public void left(int row) {
        long word = of(row);
        for (int k = 0; k <= length; k++) {
            counts(word, k).left();
        }
    }

    /** Notes a chunk, a completion or an error of a tracked sample. */
    public void answered(int row) {
        if (named) {
            key(WORKERS).of(table.worker(row)).answered(progress);
        }
        if (labelled) {
            labelAnswered(words.get(row));
        }
    }

    /**
     * How many rows {@link #answered(int[], int)} needs of chunks that arrived together: where one tells as much as all of them, it is the first.
     *
     * @param alike whether all of them are of tracked samples of one worker
     */
    public int rowsNeeded(int chunks, boolean alike) {
        if (!isSeen()) {
            return 0;
        }
        return alike && !labelled ? 1 : chunks;
    }

    /** Notes chunks that arrived together, of samples in flight: after the first with the same labels and worker, the others tell nothing more. */
    public void answered(int[] rows, int size) {
        boolean noted = false;
        long last = NO_LABELS;
        for (int i = 0; i < size; i++) {
            if (table.isTracked(rows[i])) {
                long word = of(rows[i]);
                if (!noted || word != last) {
                    answered(rows[i]);
                    noted = true;
                    last = word;
                }
            }
        }
    }

    private void labelAnswered(long word) {
        for (int k = 0; k < length; k++) {
            counts(word, k).answered(progress);
        }
    }

    /** Ends the wait of every value at one time, and begins another at a later one; see {@link ProgressFold#blind}. */
    void rebase(long fromNanos, long toNanos) {
        for (int k = 0; k <= WORKERS; k++) {
            KeyCounts each = keys[k];
            if (each != null && (k < WORKERS || named)) {
                each.rebase(fromNanos, toNanos, progress);
            }
        }
    }

    /** Interrupts the wait of every value; see {@link LabelCounts#outage}. */
    void outage(@Nullable Long receivedNanos, long readyNanos) {
        for (KeyCounts each : keys) {
            if (each != null) {
                each.outage(receivedNanos, readyNanos, progress);
            }
        }
    }

    /** Records the time to first token of a tracked sample that succeeded. */
    public void firstReceived(int row, long issued, long first) {
        long word = of(row);
        for (int k = 0; k <= length; k++) {
            counts(word, k).firstReceived(TimestampMath.saturatedBetween(issued, first));
        }
    }

    /** Counts the completion of a tracked sample. */
    public void completed(int row, boolean hasFailed, long issued, long now) {
        long word = of(row);
        for (int k = 0; k <= length; k++) {
            counts(word, k).completed(hasFailed, TimestampMath.saturatedBetween(issued, now));
        }
    }

    /** Counts a sample that met the objectives, and had the labels {@code word}. */
    public void good(long word) {
        for (int k = 0; k <= length; k++) {
            counts(word, k).good();
        }
    }

    /** Adds the tokens of a prompt, whose sample had the labels {@code word}. */
    public void input(long word, long tokens) {
        for (int k = 0; k <= length; k++) {
            counts(word, k).input(tokens);
        }
    }

    /** Adds the tokens of an output, whose sample had the labels {@code word}. */
    public void output(long word, long tokens) {
        for (int k = 0; k <= length; k++) {
            counts(word, k).output(tokens);
        }
    }

    /** Records the time per output token, in nanoseconds, of a sample that had the labels {@code word}. */
    public void timePerToken(long word, double nanos) {
        for (int k = 0; k <= length; k++) {
            counts(word, k).timePerToken(nanos);
        }
    }

    /** Copies the counts; null before the first labels, unless values are expected or several workers issue samples. */
    @Nullable
    public LabelBreakdown summary() {
        List<LabelBreakdown.Key> rows = new ArrayList<>();
        List<LabelKey> known = codes.keys();
        for (int k = 0; k < known.size(); k++) {
            if (k >= length) {
                // An expected key that no sample has.
                key(k).none(key(WORKERS), progress);
            }
            rows.add(key(k).summary(known.get(k), progress, judged));
        }
        // A label of the producer's takes precedence.
        KeyCounts workers = key(WORKERS);
        if (codes.workers().values().size() + (workers.hasNone() ? 1 : 0) > 1
                && known.stream().noneMatch(each -> each.name().equals(LabelBreakdown.WORKER))) {
            rows.add(workers.summary(codes.workers(), progress, judged));
        }
        return rows.isEmpty() ? null : new LabelBreakdown(rows);
    }

    /** Copies the counts of a partition, or the names behind the codes, which the head of the run has. */
    public LabelsPart part() {
        Map<Integer, LabelSums> sums = new TreeMap<>();
        for (int k = 0; k <= WORKERS; k++) {
            KeyCounts each = keys[k];
            if (each != null) {
                each.addTo(k, sums);
            }
        }
        return new LabelsPart(codes.names(), sums, judged);
    }
}
