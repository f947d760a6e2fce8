package io.metricsaggregator.fold;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.DecodedLabels;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.ledger.WorkerCounts;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.snapshot.LabelBreakdown;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Breaks tracked samples down by the labels of their issue, one key at a time: {@value #KEYS_MAX} keys, {@value LabelKey#VALUES_MAX} values each,
 * the first that come; and by the worker that issued them. A row's labels are a few bits a key, in a column beside the table that exists from the
 * first labels or the first named worker of the run on. Belongs to the thread of the fold; allocates only for a new key or value.
 */
final class LabelFold {
    static final int KEYS_MAX = 8;
    /** The labels of a sample in a run without labels, and of one issued before the first labels. */
    static final long NO_LABELS = 0;

    private static final int BITS = 6;
    private static final int MASK = (1 << BITS) - 1;
    /** The place of the worker, behind those of the labels. */
    private static final int WORKER_SHIFT = KEYS_MAX * BITS;

    private final Registry registry;
    private final InFlightTable table;
    private final ProgressFold progress;
    private final boolean judged;
    private final List<LabelKey> keys = new ArrayList<>(KEYS_MAX);
    private final WorkerKey workers = new WorkerKey();
    private final RowColumn words = new RowColumn();
    private @Nullable LongCounter rejected;
    private @Nullable LongCounter overLimit;
    private boolean labelled;
    private boolean named;

    /**
     * A fold before the first sample.
     *
     * @param judged whether samples are judged by objectives
     * @param expected values of keys that have a row from the start, though no sample may have them; within the bounds
     */
    LabelFold(
            Registry registry,
            InFlightTable table,
            ProgressFold progress,
            boolean judged,
            Map<String, List<String>> expected) {
        this.registry = registry;
        this.table = table;
        this.progress = progress;
        this.judged = judged;
        expected.forEach((name, values) -> {
            LabelKey key = new LabelKey(name);
            values.forEach(key::add);
            keys.add(key);
        });
    }

    /** Counts an issue with labels that break a rule. */
    void rejected() {
        LongCounter counter = rejected;
        if (counter == null) {
            counter = registry.counter(CounterName.LABELS_REJECTED);
            rejected = counter;
        }
        counter.increment();
    }

    private void overLimit() {
        LongCounter counter = overLimit;
        if (counter == null) {
            counter = registry.counter(CounterName.LABELS_OVER_LIMIT);
            overLimit = counter;
        }
        counter.increment();
    }

    /** Whether any sample has a label or a named worker. */
    boolean isSeen() {
        return labelled || named;
    }

    /** The labels and the worker of a tracked row. */
    long of(int row) {
        long worker = named ? (long) table.worker(row) << WORKER_SHIFT : NO_LABELS;
        return labelled ? words.get(row) | worker : worker;
    }

    /** The code of a worker for {@link InFlightTable#track}; before the first named worker none has one. */
    int worker(WorkerCounts worker) {
        if (!named && worker.worker().isEmpty()) {
            return LabelKey.UNKNOWN;
        }
        named = true;
        return workers.code(worker);
    }

    /** Counts the issue of a tracked row by its labels and its worker. */
    void issued(DecodedEvent event, int row) {
        labelled |= event.hasLabels();
        if (labelled) {
            words.set(row, word(event));
        }
        long word = of(row);
        for (int k = 0; k <= keys.size(); k++) {
            LabelCounts counts = counts(word, k);
            if (counts != null) {
                counts.issued(progress);
            }
        }
    }

    private long word(DecodedEvent event) {
        long word = NO_LABELS;
        DecodedLabels labels = event.labels();
        int count = event.hasLabels() ? labels.count() : 0;
        for (int i = 0; i < count; i++) {
            int k = key(labels, i);
            if (k < 0) {
                overLimit();
                continue;
            }
            int code = keys.get(k).code(labels, i);
            if (code == LabelKey.OTHER) {
                overLimit();
            }
            word = (word & ~((long) MASK << shift(k))) | ((long) code << shift(k));
        }
        for (int k = 0; k < keys.size(); k++) {
            if (code(word, shift(k)) == LabelKey.UNKNOWN) {
                word |= (long) LabelKey.NONE << shift(k);
            }
        }
        return word;
    }

    private int key(DecodedLabels labels, int i) {
        for (int k = 0; k < keys.size(); k++) {
            if (keys.get(k).isKeyOf(labels, i)) {
                return k;
            }
        }
        if (keys.size() == KEYS_MAX) {
            return -1;
        }
        keys.add(new LabelKey(labels.key(i)));
        return keys.size() - 1;
    }

    private static int shift(int k) {
        return k * BITS;
    }

    private static int code(long word, int shift) {
        return (int) (word >>> shift) & MASK;
    }

    /** The counts of a sample for key {@code k}, or for its worker if k is the number of keys; null if it was issued before the key was known. */
    private @Nullable LabelCounts counts(long word, int k) {
        boolean ofWorker = k == keys.size();
        int code = code(word, ofWorker ? WORKER_SHIFT : shift(k));
        return code == LabelKey.UNKNOWN ? null : (ofWorker ? workers.key() : keys.get(k)).counts(code);
    }

    /** Takes a tracked sample out of those in flight: it completed, was evicted, or is issued again. */
    void left(int row) {
        long word = of(row);
        for (int k = 0; word != NO_LABELS && k <= keys.size(); k++) {
            LabelCounts counts = counts(word, k);
            if (counts != null) {
                counts.left();
            }
        }
    }

    /** Notes a chunk, a completion or an error of a tracked sample. */
    void answered(int row) {
        if (named) {
            int worker = table.worker(row);
            if (worker != LabelKey.UNKNOWN) {
                workers.key().counts(worker).answered(progress);
            }
        }
        if (labelled) {
            labelAnswered(words.get(row));
        }
    }

    private void labelAnswered(long word) {
        for (int k = 0; k < keys.size(); k++) {
            LabelCounts counts = counts(word, k);
            if (counts != null) {
                counts.answered(progress);
            }
        }
    }

    /** Ends the wait of every value at one time, and begins another at a later one; see {@link ProgressFold#blind}. */
    void rebase(long fromNanos, long toNanos) {
        keys.forEach(each -> each.rebase(fromNanos, toNanos, progress));
        workers.key().rebase(fromNanos, toNanos, progress);
    }

    /** Records the time to first token of a tracked sample. */
    void firstReceived(int row, long issued, long now) {
        long word = of(row);
        for (int k = 0; word != NO_LABELS && k <= keys.size(); k++) {
            LabelCounts counts = counts(word, k);
            if (counts != null) {
                counts.firstReceived(TimestampMath.saturatedBetween(issued, now));
            }
        }
    }

    /** Counts the completion of a tracked sample. */
    void completed(int row, boolean hasFailed, long issued, long now) {
        long word = of(row);
        for (int k = 0; word != NO_LABELS && k <= keys.size(); k++) {
            LabelCounts counts = counts(word, k);
            if (counts != null) {
                counts.completed(hasFailed, TimestampMath.saturatedBetween(issued, now));
            }
        }
    }

    /** Counts a sample that met the objectives, and had the labels {@code word}. */
    void good(long word) {
        for (int k = 0; word != NO_LABELS && k <= keys.size(); k++) {
            LabelCounts counts = counts(word, k);
            if (counts != null) {
                counts.good();
            }
        }
    }

    /** Adds the tokens of a prompt, whose sample had the labels {@code word}. */
    void input(long word, long tokens) {
        for (int k = 0; word != NO_LABELS && k <= keys.size(); k++) {
            LabelCounts counts = counts(word, k);
            if (counts != null) {
                counts.input(tokens);
            }
        }
    }

    /** Adds the tokens of an output, whose sample had the labels {@code word}. */
    void output(long word, long tokens) {
        for (int k = 0; word != NO_LABELS && k <= keys.size(); k++) {
            LabelCounts counts = counts(word, k);
            if (counts != null) {
                counts.output(tokens);
            }
        }
    }

    /** Records the time per output token, in nanoseconds, of a sample that had the labels {@code word}. */
    void timePerToken(long word, double nanos) {
        for (int k = 0; word != NO_LABELS && k <= keys.size(); k++) {
            LabelCounts counts = counts(word, k);
            if (counts != null) {
                counts.timePerToken(nanos);
            }
        }
    }

    /** Copies the counts; null before the first labels, unless values are expected or several workers issue samples. */
    @Nullable
    LabelBreakdown summary() {
        List<LabelBreakdown.Key> rows = new ArrayList<>();
        keys.forEach(each -> rows.add(each.summary(progress, judged)));
        // A label of the producer's takes precedence.
        if (workers.key().isDivided()
                && keys.stream().noneMatch(each -> each.name().equals(LabelBreakdown.WORKER))) {
            rows.add(workers.key().summary(progress, judged));
        }
        return rows.isEmpty() ? null : new LabelBreakdown(rows);
    }
}
