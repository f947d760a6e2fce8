package io.metricsaggregator.fold;

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
    private static final long MANY = 4096;

    private final Map<String, ObservationFold> folds = new LinkedHashMap<>();
    private final Map<String, Long> rejected = new LinkedHashMap<>();
    private Map<String, Object> frozen = Map.of();
    private long frozenNanos = Long.MIN_VALUE;
    private long frozenAt = -1;
    private long applied;

    /** All kinds, with nothing in them. */
    public Observations() {
        List.of(new TransferFold()).forEach(each -> folds.put(each.category(), each));
    }

    /** Whether there is a kind of that category. */
    public boolean knows(String category) {
        return folds.containsKey(category);
    }

    /** Whether there has been any. */
    public boolean any() {
        return applied > 0;
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
            String reason = observation.category() + "." + e.reason();
            boolean known = rejected.containsKey(reason) || rejected.size() < REASONS_MAX;
            rejected.merge(known ? reason : "other", 1L, Long::sum);
            return false;
        }
    }

    /** It is now so late, on the receiver's clock. */
    public void tick(long nowNanos) {
        if (any()) {
            folds.values().forEach(fold -> fold.tick(nowNanos));
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
    public Map<String, Object> freeze(long nowNanos, boolean terminal) {
        boolean due = frozenNanos == Long.MIN_VALUE
                || nowNanos - frozenNanos >= (applied > MANY ? FREEZE_MANY_NANOS : FREEZE_NANOS);
        if (terminal || (due && frozenAt != applied)) {
            Map<String, Object> tree = new LinkedHashMap<>();
            folds.forEach((category, fold) -> {
                if (!fold.isEmpty()) {
                    Map<String, @Nullable Object> known = fold.freeze(terminal);
                    tree.put(category, known);
                }
            });
            frozen = tree;
            frozenNanos = nowNanos;
            frozenAt = applied;
        }
        return frozen;
    }
}
