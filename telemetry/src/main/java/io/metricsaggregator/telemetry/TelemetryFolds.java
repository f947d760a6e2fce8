package io.metricsaggregator.telemetry;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.event.TelemetryRecord;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.fold.TelemetryFold;
import io.metricsaggregator.telemetry.fold.TelemetryLimits;
import io.metricsaggregator.telemetry.metric.MetricFold;
import io.metricsaggregator.telemetry.operation.OperationFold;
import io.metricsaggregator.telemetry.resource.ResourceFold;
import io.metricsaggregator.telemetry.scrape.ScrapeFold;
import io.metricsaggregator.telemetry.transfer.TransferFold;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of observation beside the load generator's events, each with its fold. Belongs to the thread of the fold. What they know is
 * frozen at most once a second, and every ten seconds where there is much of it: it is worked out from the values themselves.
 */
public final class TelemetryFolds {
    private static final int REASONS_MAX = 64;
    private static final long FREEZE_NANOS = 1_000_000_000L;
    private static final long FREEZE_MANY_NANOS = 10 * FREEZE_NANOS;
    private static final long MANY = 100_000;

    private final TelemetryLimits limits;
    private final List<TelemetryFold> kinds;
    private final Map<String, TelemetryFold> folds = new LinkedHashMap<>();
    private final Map<String, Long> rejected = new LinkedHashMap<>();
    private Map<String, @Nullable Object> frozen = Map.of();
    private long frozenNanos = Long.MIN_VALUE;
    private long applied;
    private Runnable alive = () -> {};

    /** All kinds, with nothing in them. */
    public TelemetryFolds() {
        this(TelemetryOptions.DEFAULT);
    }

    /** All kinds, with nothing in them, and the limits of this heap. */
    public TelemetryFolds(TelemetryOptions options) {
        this(options, TelemetryLimits.ofThisHeap());
    }

    /**
     * All kinds, with nothing in them.
     *
     * @param limits bounds on what is kept of them
     */
    public TelemetryFolds(TelemetryOptions options, TelemetryLimits limits) {
        this.limits = limits;
        Allowance allowance = new Allowance(limits.bytes());
        kinds = List.of(
                new TransferFold(limits, allowance),
                new ResourceFold(options.expectedNodes(), limits, allowance),
                new OperationFold(Math.min(options.keysMax(), limits.operationKeys()), limits, allowance),
                new ScrapeFold(options.scrape(), limits, allowance, () -> alive.run()),
                new MetricFold(limits, allowance));
        kinds.forEach(kind -> kind.categories().forEach(each -> folds.put(each, kind)));
    }

    /** The bounds on what is kept. */
    public TelemetryLimits limits() {
        return limits;
    }

    /** Calls {@code sign} now and then during work that can take long, such as closing many windows. */
    public void signsTo(Runnable sign) {
        alive = sign;
    }

    /** Whether there is a kind of that category. */
    public boolean knows(String category) {
        return folds.containsKey(category);
    }

    /** Whether there has been any. */
    public boolean any() {
        return applied > 0;
    }

    /** A record was larger than {@link TelemetryLimits#recordBytes}. */
    public void tooLarge() {
        reject("observation.too_large");
    }

    private void reject(String reason) {
        boolean known = rejected.containsKey(reason) || rejected.size() < REASONS_MAX;
        rejected.merge(known ? reason : "other", 1L, Long::sum);
    }

    /** Applies an observation of a known category; false if it is rejected, which is counted by reason. */
    public boolean apply(TelemetryRecord observation) {
        TelemetryFold fold = folds.get(observation.category());
        if (fold == null) {
            throw new IllegalArgumentException("no kind takes " + observation.type());
        }
        try {
            fold.apply(observation);
            applied++;
            alive.run();
            return true;
        } catch (TelemetryRecord.Rejected e) {
            reject(observation.category() + "." + e.reason());
            return false;
        }
    }

    /** The same value where it is finite, and views of maps and lists: sums of numbers that producers chose can overflow. */
    private static @Nullable Object view(@Nullable Object value) {
        if (value instanceof Double number) {
            return Double.isFinite(number) ? number : null;
        }
        if (value instanceof Map<?, ?> map) {
            return LazyTree.map(map, (key, each) -> view(each));
        }
        return value instanceof List<?> list ? LazyTree.list(list, TelemetryFolds::view) : value;
    }

    /** A copy, with the same change. */
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
    public List<SnapshotExtensions.MalformedRow> rejected() {
        List<SnapshotExtensions.MalformedRow> rows = new ArrayList<>();
        rejected.forEach((reason, count) -> rows.add(new SnapshotExtensions.MalformedRow(reason, count)));
        return rows;
    }

    /**
     * What is known, by kind.
     *
     * @param terminal whether the run ends with it: then it is of this moment, and large parts of it are views (see {@link LazyTree}) that
     *     are computed when they are read, so nothing may be applied any more
     */
    public Map<String, @Nullable Object> freeze(long nowNanos, boolean terminal) {
        boolean due = frozenNanos == Long.MIN_VALUE
                || nowNanos - frozenNanos >= (applied > MANY ? FREEZE_MANY_NANOS : FREEZE_NANOS);
        if (terminal || due) {
            Map<String, @Nullable Object> tree = new LinkedHashMap<>();
            kinds.forEach(kind -> {
                if (!kind.isEmpty()) {
                    Map<String, @Nullable Object> known = kind.freeze(terminal);
                    tree.put(kind.categories().get(0), terminal ? view(known) : plain(known));
                    alive.run();
                }
            });
            frozen = tree;
            frozenNanos = nowNanos;
        }
        return frozen;
    }
}
