package io.metricsaggregator.telemetry;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.EnergyUse;
import io.metricsaggregator.snapshot.telemetry.TelemetryKind;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshot;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import io.metricsaggregator.telemetry.energy.EnergyFold;
import io.metricsaggregator.telemetry.energy.EnergyWindows;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.fold.TelemetryFold;
import io.metricsaggregator.telemetry.fold.TelemetryLimits;
import io.metricsaggregator.telemetry.metric.MetricFold;
import io.metricsaggregator.telemetry.operation.OperationFold;
import io.metricsaggregator.telemetry.resource.ResourceFold;
import io.metricsaggregator.telemetry.scrape.ScrapeFold;
import io.metricsaggregator.telemetry.server.ServerReference;
import io.metricsaggregator.telemetry.transfer.TransferFold;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One fold per telemetry kind, and the routing of records to them. Belongs to the thread that applies events. A live snapshot is at most a
 * second old, or ten seconds after {@value #MANY} records: each one is computed from the values themselves.
 */
public final class TelemetryFolds {
    private static final int REASONS_MAX = 64;
    private static final long FREEZE_NANOS = 1_000_000_000L;
    private static final long FREEZE_MANY_NANOS = 10 * FREEZE_NANOS;
    private static final long MANY = 100_000;

    private final TelemetryLimits limits;
    private final List<TelemetryFold> kinds;
    private final Map<String, TelemetryFold> folds = new LinkedHashMap<>();
    private final EnergyFold energy;
    private final Map<String, Long> rejected = new LinkedHashMap<>();
    private TelemetrySnapshots frozen = TelemetrySnapshots.NONE;
    private long frozenNanos = Long.MIN_VALUE;
    private long applied;
    private long sessionNanos = Long.MIN_VALUE;
    private Runnable alive = () -> {};

    /** Folds of all kinds without records, with default options and the limits of this heap. */
    public TelemetryFolds() {
        this(TelemetryOptions.DEFAULT);
    }

    /** Folds of all kinds without records, with the limits of this heap. */
    public TelemetryFolds(TelemetryOptions options) {
        this(options, TelemetryLimits.ofThisHeap());
    }

    /**
     * Folds of all kinds without records.
     *
     * @param limits bounds on the rows and bytes that the folds keep
     */
    public TelemetryFolds(TelemetryOptions options, TelemetryLimits limits) {
        this.limits = limits;
        Allowance allowance = new Allowance(limits.bytes());
        kinds = Arrays.stream(TelemetryKind.values())
                .map(kind -> fold(kind, options, limits, allowance))
                .toList();
        energy = new EnergyFold(options.scrape(), allowance);
        kinds.forEach(kind -> kind.categories().forEach(each -> folds.put(each, kind)));
    }

    private TelemetryFold fold(
            TelemetryKind kind, TelemetryOptions options, TelemetryLimits bounds, Allowance allowance) {
        return switch (kind) {
            case TRANSFER -> new TransferFold(bounds, allowance);
            case RESOURCE -> new ResourceFold(options.expectedNodes(), bounds, allowance);
            case OPERATION -> new OperationFold(Math.min(options.keysMax(), bounds.operationKeys()), bounds, allowance);
            case SCRAPE -> new ScrapeFold(options.scrape(), bounds, allowance, () -> alive.run());
            case METRIC -> new MetricFold(bounds, allowance);
        };
    }

    /** The bounds on the rows and bytes that the folds keep. */
    public TelemetryLimits limits() {
        return limits;
    }

    /** Calls {@code sign} repeatedly during work that can take seconds, such as closing many windows, so that the supervision sees progress. */
    public void signsTo(Runnable sign) {
        alive = sign;
    }

    /** Whether a fold takes topics of that category. */
    public boolean knows(String category) {
        return folds.containsKey(category);
    }

    /** Whether a record has been applied. */
    public boolean any() {
        return applied > 0;
    }

    /** Counts a record larger than {@link TelemetryLimits#recordBytes} as rejected. */
    public void tooLarge() {
        reject("observation.too_large");
    }

    /** Counts a rejected record by its reason, such as {@code tool.invalid_name}. */
    public void reject(String reason) {
        boolean known = rejected.containsKey(reason) || rejected.size() < REASONS_MAX;
        rejected.merge(known ? reason : "other", 1L, Long::sum);
    }

    /** Applies a record that is received at its own time, before any event of a producer. */
    public boolean apply(TelemetryRecord observation) {
        return apply(observation, observation.timestampNanos(), Long.MIN_VALUE);
    }

    /**
     * Applies a record of a known category; false if it is malformed, which is counted by reason.
     *
     * @param receivedNanos monotonic time of receipt
     * @param newestNanos time of the producers' newest event; {@link Long#MIN_VALUE} before the first
     */
    public boolean apply(TelemetryRecord observation, long receivedNanos, long newestNanos) {
        TelemetryFold fold = folds.get(observation.category());
        if (fold == null) {
            throw new IllegalArgumentException("no kind takes " + observation.type());
        }
        try {
            if (fold instanceof ScrapeFold scrape) {
                scrape.sessionAge(sessionNanos == Long.MIN_VALUE ? -1 : Math.max(0, receivedNanos - sessionNanos));
            }
            fold.apply(observation);
            energy.observe(observation, receivedNanos, newestNanos);
            applied++;
            alive.run();
            return true;
        } catch (TelemetryRecord.Rejected e) {
            reject(observation.category() + "." + e.reason());
            return false;
        }
    }

    /**
     * Notes that the session has begun.
     *
     * @param receivedNanos monotonic time at which its first event was received
     */
    public void sessionBegan(long receivedNanos) {
        sessionNanos = receivedNanos;
        kinds.forEach(kind -> {
            if (kind instanceof ScrapeFold scrape) {
                scrape.sessionAge(0);
            }
        });
    }

    /** Lets the folds act on the receiver's monotonic clock. Called about once a second. */
    public void tick(long nowNanos) {
        if (any()) {
            kinds.forEach(kind -> kind.tick(nowNanos));
        }
    }

    /**
     * The energy of the windows of a run; null if no source of energy was seen.
     *
     * @param nowNanos the receiver's monotonic clock
     * @param terminal whether this is the run's last snapshot
     */
    public @Nullable EnergyUse energy(EnergyWindows windows, long nowNanos, boolean terminal) {
        return energy.measure(windows, nowNanos, terminal);
    }

    /** Sets what figures of scraped servers in the next snapshots are compared with. */
    public void compareWith(ServerReference reference) {
        kinds.forEach(kind -> {
            if (kind instanceof ScrapeFold scrape) {
                scrape.compareWith(reference);
            }
        });
    }

    /** Number of rejected records by reason. */
    public List<SnapshotExtensions.MalformedRow> rejected() {
        List<SnapshotExtensions.MalformedRow> rows = new ArrayList<>();
        rejected.forEach((reason, count) -> rows.add(new SnapshotExtensions.MalformedRow(reason, count)));
        return rows;
    }

    /**
     * The state of every kind that has received records.
     *
     * @param terminal whether this is the run's last snapshot: then it is current, and large parts of it are views (see {@link LazyTree}) that
     *     are computed when they are read, so no further record may be applied
     */
    public TelemetrySnapshots freeze(long nowNanos, boolean terminal) {
        boolean due = frozenNanos == Long.MIN_VALUE
                || nowNanos - frozenNanos >= (applied > MANY ? FREEZE_MANY_NANOS : FREEZE_NANOS);
        if (terminal || due) {
            List<TelemetrySnapshot> states = new ArrayList<>();
            kinds.forEach(kind -> {
                if (!kind.isEmpty()) {
                    states.add(kind.snapshot(terminal));
                    alive.run();
                }
            });
            frozen = TelemetrySnapshots.of(states);
            frozenNanos = nowNanos;
        }
        return frozen;
    }
}
