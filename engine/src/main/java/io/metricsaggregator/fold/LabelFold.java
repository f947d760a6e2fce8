package io.metricsaggregator.fold;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.DecodedLabels;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.snapshot.LabelBreakdown;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Breaks tracked samples down by the labels of their issue, one key at a time: {@value #KEYS_MAX} keys, {@value LabelKey#VALUES_MAX} values each,
 * the first that come. A row's labels are one byte a key, in a column beside the table that exists from the first labels of the run on. Belongs to
 * the thread of the fold; allocates only for a new key or value.
 */
final class LabelFold {
    static final int KEYS_MAX = 8;
    /** The labels of a sample in a run without labels, and of one issued before the first labels. */
    static final long NO_LABELS = 0;

    private static final int BITS = 8;
    private static final int MASK = 0xff;

    private final Registry registry;
    private final List<LabelKey> keys = new ArrayList<>(KEYS_MAX);
    private final RowColumn words = new RowColumn();
    private @Nullable LongCounter rejected;
    private @Nullable LongCounter overLimit;
    private boolean seen;

    LabelFold(Registry registry) {
        this.registry = registry;
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

    /** The labels of a tracked row, one byte a key. */
    long of(int row) {
        return seen ? words.get(row) : NO_LABELS;
    }

    /** Counts the issue of a tracked sample by its labels. */
    void issued(DecodedEvent event, int row) {
        if (!seen && !event.hasLabels()) {
            return;
        }
        seen = true;
        long word = word(event);
        words.set(row, word);
        for (int k = 0; k < keys.size(); k++) {
            keys.get(k).counts(code(word, k)).issued();
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
            if (code(word, k) == LabelKey.UNKNOWN) {
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

    private static int code(long word, int k) {
        return (int) (word >>> shift(k)) & MASK;
    }

    /** Takes a tracked sample out of those in flight: it completed, was evicted, or is issued again. */
    void left(int row) {
        long word = of(row);
        for (int k = 0; word != NO_LABELS && k < keys.size(); k++) {
            if (code(word, k) != LabelKey.UNKNOWN) {
                keys.get(k).counts(code(word, k)).left();
            }
        }
    }

    /** Records the time to first token of a tracked sample. */
    void firstReceived(int row, long issued, long now) {
        long word = of(row);
        for (int k = 0; word != NO_LABELS && k < keys.size(); k++) {
            if (code(word, k) != LabelKey.UNKNOWN) {
                keys.get(k).counts(code(word, k)).firstReceived(TimestampMath.saturatedBetween(issued, now));
            }
        }
    }

    /** Counts the completion of a tracked sample. */
    void completed(int row, boolean hasFailed, long issued, long now) {
        long word = of(row);
        for (int k = 0; word != NO_LABELS && k < keys.size(); k++) {
            if (code(word, k) != LabelKey.UNKNOWN) {
                keys.get(k).counts(code(word, k)).completed(hasFailed, TimestampMath.saturatedBetween(issued, now));
            }
        }
    }

    /** Adds the tokens of a prompt, whose sample had the labels {@code word}. */
    void input(long word, long tokens) {
        for (int k = 0; word != NO_LABELS && k < keys.size(); k++) {
            if (code(word, k) != LabelKey.UNKNOWN) {
                keys.get(k).counts(code(word, k)).input(tokens);
            }
        }
    }

    /** Adds the tokens of an output, whose sample had the labels {@code word}. */
    void output(long word, long tokens) {
        for (int k = 0; word != NO_LABELS && k < keys.size(); k++) {
            if (code(word, k) != LabelKey.UNKNOWN) {
                keys.get(k).counts(code(word, k)).output(tokens);
            }
        }
    }

    /** Copies the counts; null before the first labels. */
    @Nullable
    LabelBreakdown summary() {
        return seen ? new LabelBreakdown(keys.stream().map(LabelKey::summary).toList()) : null;
    }
}
