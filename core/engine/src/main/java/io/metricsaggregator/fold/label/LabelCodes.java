package io.metricsaggregator.fold.label;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.DecodedLabels;
import io.metricsaggregator.fold.row.SampleContext;
import io.metricsaggregator.ledger.WorkerCounts;
import io.metricsaggregator.parts.LabelsPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Assigns codes to the labels and the workers of tracked issues, the first that come: {@value #KEYS_MAX} keys, {@value LabelKey#VALUES_MAX} values each,
 * as many workers. The codes of a sample are {@value #BITS} bits a key in one word, and then those of its worker. Belongs to the thread of the fold;
 * allocates only for a new key, value or worker.
 */
public final class LabelCodes {
    static final int KEYS_MAX = 8;
    /** The word of a sample in a run without labels and named workers, and of one issued before the first of either. */
    static final long NO_LABELS = 0;

    private static final int BITS = 6;
    /** Codes of a key. */
    public static final int CODES = 1 << BITS;

    private static final int MASK = CODES - 1;
    /** The place of the worker, behind those of the labels. */
    private static final int WORKER_SHIFT = KEYS_MAX * BITS;

    private final List<LabelKey> keys = new ArrayList<>(KEYS_MAX);
    private final WorkerKey workers = new WorkerKey();
    private boolean labelled;
    private boolean named;

    /**
     * Codes before the first sample.
     *
     * @param expected values of keys that have a code from the start, though no sample may have them; within the bounds
     */
    public LabelCodes(Map<String, List<String>> expected) {
        expected.forEach((name, values) -> {
            LabelKey key = new LabelKey(name);
            values.forEach(key::add);
            keys.add(key);
        });
    }

    /** Sets the codes of a tracked issue in the stamp of the run, and the number of its labels without a code of their own. */
    public void stamp(DecodedEvent event, WorkerCounts worker, SampleContext stamp) {
        long word = NO_LABELS;
        stamp.labelsOver = 0;
        labelled |= event.hasLabels();
        if (labelled) {
            word = word(event, stamp);
        }
        if (named || !worker.worker().isEmpty()) {
            named = true;
            word |= (long) workers.code(worker) << WORKER_SHIFT;
        }
        stamp.labels = word;
    }

    private long word(DecodedEvent event, SampleContext stamp) {
        long word = NO_LABELS;
        DecodedLabels labels = event.labels();
        int count = event.hasLabels() ? labels.count() : 0;
        for (int i = 0; i < count; i++) {
            int k = key(labels, i);
            if (k < 0) {
                stamp.labelsOver++;
                continue;
            }
            int code = keys.get(k).code(labels, i);
            if (code == LabelKey.OTHER) {
                stamp.labelsOver++;
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

    /**
     * Assigns a code to a value of a key, unless it has one; to be called before the first sample. Returns the place of the key and the code.
     *
     * @throws IllegalArgumentException if there is no room beside the expected values
     */
    public int[] reserve(String name, String value) {
        int k = keys.stream().map(LabelKey::name).toList().indexOf(name);
        if (k < 0) {
            k = keys.size();
            keys.add(new LabelKey(name));
        }
        LabelKey key = keys.get(k);
        int at = key.values().indexOf(value);
        if (k >= KEYS_MAX || (at < 0 && key.isFull())) {
            throw new IllegalArgumentException(
                    "no room for the class " + name + "=" + value + " beside --expect-label");
        }
        return new int[] {k, at < 0 ? key.add(value) : LabelKey.FIRST + at};
    }

    /** The code of a word for key {@code k}, below {@value #CODES}. */
    public static int code(long word, int k) {
        return (int) (word >>> shift(k)) & MASK;
    }

    /** Number of keys up to the last one that a word has a code for. */
    static int length(long labels) {
        return (Long.SIZE - Long.numberOfLeadingZeros(labels) + BITS - 1) / BITS;
    }

    /** The code of a word for the worker. */
    public static int worker(long word) {
        return (int) (word >>> WORKER_SHIFT) & MASK;
    }

    /** The word with the code of a worker and no labels. */
    static long ofWorker(int code) {
        return (long) code << WORKER_SHIFT;
    }

    /** The word without the worker. */
    static long withoutWorker(long word) {
        return word & ((1L << WORKER_SHIFT) - 1);
    }

    /** The keys in the order of their first sample. */
    List<LabelKey> keys() {
        return keys;
    }

    /** The workers that issue samples, as the values of a key. */
    LabelKey workers() {
        return workers.key();
    }

    /** Copies the names behind the codes, the workers last; empty before the first code. */
    List<LabelsPart.Names> names() {
        List<LabelsPart.Names> names = new ArrayList<>();
        if (!keys.isEmpty() || !workers().values().isEmpty()) {
            keys.forEach(each -> names.add(new LabelsPart.Names(each.name(), each.values())));
            names.add(new LabelsPart.Names(workers().name(), workers().values()));
        }
        return names;
    }
}
