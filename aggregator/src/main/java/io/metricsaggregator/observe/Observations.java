package io.metricsaggregator.observe;

import io.metricsaggregator.event.Observation;
import io.metricsaggregator.snapshot.Additions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of observation beside the load generator's events, each with its fold. Belongs to the thread of the fold. What they know is
 * frozen at most once a second, and every ten seconds where there is much of it: it is worked out from the values themselves.
 */
public final class Observations {
    private static final int REASONS_MAX = 64;
    private static final long FREEZE_NANOS = 1_000_000_000L;
    private static final long FREEZE_MANY_NANOS = 10 * FREEZE_NANOS;
    private static final long MANY = 100_000;

    private final List<ObservationFold> kinds;
    private final Map<String, ObservationFold> folds = new LinkedHashMap<>();
    private final Map<String, Long> rejected = new LinkedHashMap<>();
    private Map<String, @Nullable Object> frozen = Map.of();
    private long frozenNanos = Long.MIN_VALUE;
    private long applied;

    /** All kinds, with nothing in them. */
    public Observations() {
        this(ObservationOptions.DEFAULT);
    }

    /** All kinds, with nothing in them. */
    public Observations(ObservationOptions options) {
        kinds = List.of(
                new TransferFold(),
                new ResourceFold(options.expectedNodes()),
                new OperationFold(options.keysMax()),
                new ScrapeFold(options.scrape()),
                new MetricFold());
        kinds.forEach(kind -> kind.categories().forEach(each -> folds.put(each, kind)));
    }

    /** Whether there is a kind of that category. */
    public boolean knows(String category) {
        return folds.containsKey(category);
    }

    /** Whether there has been any. */
    public boolean any() {
        return applied > 0;
    }

    /** A record was larger than {@link Observation#BYTES_MAX}. */
    public void tooLarge() {
        reject("observation.too_large");
    }

    private void reject(String reason) {
        boolean known = rejected.containsKey(reason) || rejected.size() < REASONS_MAX;
        rejected.merge(known ? reason : "other", 1L, Long::sum);
    }

    /** Applies an observation of a known category; false if it is rejected, which is counted by reason. */
    public boolean apply(Observation observation) {
        ObservationFold fold = folds.get(observation.category());
        if (fold == null) {
            throw new IllegalArgumentException("no kind takes " + observation.type());
        }
        try {
            fold.apply(observation);
            applied++;
            return true;
        } catch (Observation.Rejected e) {
            reject(observation.category() + "." + e.reason());
            return false;
        }
    }

    /** A copy in which what is not finite is null: sums of numbers that producers chose can overflow. */
    private static @Nullable Object plain(@Nullable Object value) {
        if (value instanceof Double number) {
            return Double.isFinite(number) ? number : null;
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> copy = new LinkedHashMap<>();
            map.forEach((key, each) -> copy.put(String.valueOf(key), plain(each)));
            return copy;
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> copy = new ArrayList<>(list.size());
            list.forEach(each -> copy.add(plain(each)));
            return copy;
        }
        return value;
    }

    /** It is now so late, on the receiver's clock. */
    public void tick(long nowNanos) {
        if (any()) {
            kinds.forEach(kind -> kind.tick(nowNanos));
        }
    }

    /** Why observations were rejected. */
    public List<Additions.MalformedRow> rejected() {
        List<Additions.MalformedRow> rows = new ArrayList<>();
        rejected.forEach((reason, count) -> rows.add(new Additions.MalformedRow(reason, count)));
        return rows;
    }

    /**
     * What is known, by kind.
     *
     * @param terminal whether the run ends with it: then it is of this moment
     */
    public Map<String, @Nullable Object> freeze(long nowNanos, boolean terminal) {
        boolean due = frozenNanos == Long.MIN_VALUE
                || nowNanos - frozenNanos >= (applied > MANY ? FREEZE_MANY_NANOS : FREEZE_NANOS);
        if (terminal || due) {
            Map<String, @Nullable Object> tree = new LinkedHashMap<>();
            kinds.forEach(kind -> {
                if (!kind.isEmpty()) {
                    tree.put(kind.categories().get(0), plain(kind.freeze(terminal)));
                }
            });
            frozen = tree;
            frozenNanos = nowNanos;
        }
        return frozen;
    }
}
