package io.metricsaggregator.telemetry.operation;

import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.snapshot.telemetry.OperationSnapshot;
import io.metricsaggregator.snapshot.telemetry.ProxyStoreMetrics;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.fold.RowBudget;
import io.metricsaggregator.telemetry.fold.SnapshotRows;
import io.metricsaggregator.telemetry.fold.TelemetryFold;
import io.metricsaggregator.telemetry.fold.TelemetryLimits;
import io.metricsaggregator.telemetry.statistics.InterpolatedStatistics;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Folds operations with names and keys, such as ProxyStore's: of all sources together, by source and by key. A key beyond the limit evicts the least
 * recently used key, whose figures are added to the row {@code other}, so that sums stay complete. Belongs to the thread that applies events.
 */
public final class OperationFold implements TelemetryFold {
    static final int NAMES_MAX = 1024;
    static final int SOURCES_MAX = 256;

    private static final int KEPT_OF_SOURCE = 4096;
    private static final int KEPT_OF_KEY = 4096;
    /** Processes with {@code StoreMetrics} of their own; the times of further ones are added up. */
    static final int COMPAT_SOURCES_MAX = 64;
    /** Keys up to which a live snapshot holds ProxyStore's figures, whose cost grows with the keys. */
    private static final int COMPAT_LIVE_MAX = 5000;

    /** Keys and sources shown while the run is live. */
    private static final int KEYS_SHOWN_LIVE = 50;

    private static final int SOURCES_SHOWN_LIVE = 32;
    private static final int KEY_MAX = 1024;
    private static final int RULES_MAX = 16;
    private static final int RULE_MAX = 64;
    private static final String OTHER = OperationScope.OTHER;

    private final int keysMax;
    private final Allowance allowance;
    private final RowBudget rows;
    private final RowBudget keyBudget;
    private final RowBudget compatRows;
    private final OperationScope overall;
    private final Map<String, OperationScope> sources = new LinkedHashMap<>();
    private final Map<String, OperationScope> keys = new LinkedHashMap<>(16, 0.75f, true);
    private final OperationScope other;
    private final Map<String, StoreCompat> instances = new LinkedHashMap<>();
    /** Times of the sources beyond {@link #COMPAT_SOURCES_MAX}, by name. */
    private final Map<String, StoreCompat.TimeStats> furtherTimes = new LinkedHashMap<>();

    private long furtherRecords;
    private final Set<String> names = new HashSet<>();
    private final Map<String, Long> rules = new LinkedHashMap<>();
    private long evicted;
    private int compatKeys;
    private boolean any;

    /** A fold without records and without a limit of memory. */
    public OperationFold(int keysMax) {
        this(keysMax, TelemetryLimits.ample(), Allowance.unlimited());
    }

    /**
     * A fold without records.
     *
     * @param keysMax maximum number of keys with rows of their own, and of keys of all sources together in ProxyStore's figures
     * @param limits bounds on the rows of names by key and source
     * @param allowance memory that all telemetry shares
     */
    public OperationFold(int keysMax, TelemetryLimits limits, Allowance allowance) {
        this.keysMax = keysMax;
        this.allowance = allowance;
        this.rows = new RowBudget(limits.operationRows(), TelemetryLimits.ROW_BYTES, allowance);
        this.keyBudget = new RowBudget(keysMax, TelemetryLimits.KEY_BYTES, allowance);
        this.compatRows = new RowBudget(limits.operationCompatRows(), TelemetryLimits.COMPAT_ROW_BYTES, allowance);
        this.overall = scope(InterpolatedStatistics.KEPT_MAX);
        this.other = scope(KEPT_OF_SOURCE);
    }

    private OperationScope scope(int keptMax) {
        return new OperationScope(keptMax, rows, allowance);
    }

    @Override
    public List<String> categories() {
        return List.of("operation");
    }

    @Override
    public void apply(TelemetryRecord observation) throws TelemetryRecord.Rejected {
        String action = observation.action();
        String name = observation.text("name");
        if (name == null || name.isEmpty() || name.length() > TelemetryRecord.NAME_MAX_CHARS) {
            throw new TelemetryRecord.Rejected(name == null ? "missing_name" : "invalid_name");
        }
        String key = key(observation);
        long at = observation.orderNanos();
        switch (action) {
            case "complete" -> {
                long nanos = observation.count("duration_ns");
                boolean ok = !Boolean.FALSE.equals(observation.fields().get("ok"));
                String known = known(name);
                scopes(observation, key).forEach(each -> each.took(known, nanos, ok, at));
                StoreCompat compat = ok ? instance(observation) : null;
                if (compat != null) {
                    compat.took(key, known, nanos, at);
                } else if (ok) {
                    StoreCompat.addOne(furtherTimes, known, nanos, at);
                }
            }
            case "count" -> {
                if (!(observation.fields().get("value") instanceof Long by)) {
                    throw new TelemetryRecord.Rejected(observation.has("value") ? "invalid_value" : "missing_value");
                }
                String known = known(name);
                scopes(observation, key).forEach(each -> each.counted(known, by));
                StoreCompat compat = instance(observation);
                if (compat != null) {
                    compat.counted(key, known, by);
                }
            }
            case "attr" -> {
                Object value = OperationScope.scalar(observation);
                String known = known(name);
                scopes(observation, key).forEach(each -> each.set(known, value, at));
                StoreCompat compat = instance(observation);
                if (compat != null) {
                    compat.set(key, known, value);
                }
            }
            default -> throw new TelemetryRecord.Rejected("unknown_type");
        }
        any = true;
        String reported = observation.text("rule");
        String rule = reported == null || reported.length() <= RULE_MAX ? reported : reported.substring(0, RULE_MAX);
        if (rule != null && (rules.containsKey(rule) || rules.size() < RULES_MAX)) {
            rules.merge(rule, 1L, Long::sum);
        }
    }

    private String known(String name) {
        if (names.contains(name)) {
            return name;
        }
        return names.size() < NAMES_MAX && names.add(name) ? name : OTHER;
    }

    /** The key of a record as text. A batch becomes a list of quoted keys; a single key that looks like a list, a quoted text or {@code other} is quoted. */
    private static String key(TelemetryRecord observation) throws TelemetryRecord.Rejected {
        boolean single = observation.has("key");
        if (single == observation.has("keys")) {
            throw new TelemetryRecord.Rejected(single ? "key_and_keys" : "missing_key");
        }
        if (single) {
            String key = observation.text("key");
            if (key == null || key.length() > KEY_MAX) {
                throw new TelemetryRecord.Rejected("invalid_key");
            }
            return key.startsWith("[") || key.startsWith("\"") || key.equals(OTHER) ? quoted(key) : key;
        }
        if (!(observation.fields().get("keys") instanceof List<?> list) || list.isEmpty()) {
            throw new TelemetryRecord.Rejected("invalid_keys");
        }
        List<String> all = new ArrayList<>();
        for (Object each : list) {
            if (!(each instanceof String text)) {
                throw new TelemetryRecord.Rejected("invalid_keys");
            }
            all.add(quoted(text));
        }
        String text = "[" + String.join(",", all) + "]";
        return text.length() <= KEY_MAX
                ? text
                : text.substring(0, 128) + "… " + all.size() + " keys, sha256 " + digest(text) + "]";
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    private List<OperationScope> scopes(TelemetryRecord observation, String key) {
        String source = observation.source();
        OperationScope ofSource = sources.get(source);
        if (ofSource == null) {
            ofSource = sources.computeIfAbsent(
                    sources.size() < SOURCES_MAX ? source : OTHER, each -> scope(KEPT_OF_SOURCE));
        }
        OperationScope ofKey = keys.get(key);
        if (ofKey == null) {
            while (!keyBudget.take() && !keys.isEmpty()) {
                evictOldest();
            }
            ofKey = scope(KEPT_OF_KEY);
            keys.put(key, ofKey);
        }
        return List.of(overall, ofSource, ofKey);
    }

    private void evictOldest() {
        Iterator<OperationScope> eldest = keys.values().iterator();
        OperationScope gone = eldest.next();
        // Released before it is added, so that the row `other` can take the rows.
        gone.release();
        other.addAll(gone);
        eldest.remove();
        keyBudget.giveBack(1);
        evicted++;
    }

    private @Nullable StoreCompat instance(TelemetryRecord observation) {
        StoreCompat known = instances.get(observation.source());
        if (known == null && instances.size() < COMPAT_SOURCES_MAX) {
            known = new StoreCompat(() -> compatKeys < keysMax && ++compatKeys > 0, compatRows);
            instances.put(observation.source(), known);
        }
        furtherRecords += known == null ? 1 : 0;
        return known;
    }

    @Override
    public boolean isEmpty() {
        return !any;
    }

    @Override
    public OperationSnapshot snapshot(boolean terminal) {
        Map<String, OperationScope> shown = keysShown(terminal);
        if (evicted > 0) {
            // Keys plus the row `other`, which no key can be named: such a key is quoted.
            Map<String, OperationScope> all = new LinkedHashMap<>(shown);
            all.put(OTHER, other);
            shown = all;
        }
        int compatKeysKept =
                instances.values().stream().mapToInt(StoreCompat::keys).sum();
        return new OperationSnapshot(
                overall.snapshot(terminal),
                SnapshotRows.of(sourcesShown(terminal), (name, each) -> each.snapshot(terminal), terminal),
                sources.size(),
                keys.size() + evicted,
                evicted,
                rows.refused(),
                new LinkedHashMap<>(rules),
                SnapshotRows.of(shown, (name, each) -> each.snapshot(terminal), terminal),
                terminal || compatKeysKept <= COMPAT_LIVE_MAX ? compat(terminal) : null);
    }

    private Map<String, OperationScope> sourcesShown(boolean terminal) {
        if (terminal || sources.size() <= SOURCES_SHOWN_LIVE) {
            return sources;
        }
        Map<String, OperationScope> first = new LinkedHashMap<>();
        sources.entrySet().stream()
                .limit(SOURCES_SHOWN_LIVE)
                .forEach(each -> first.put(each.getKey(), each.getValue()));
        return first;
    }

    /** A key with the nanoseconds of its operations. */
    private record Took(String key, OperationScope scope, long nanos) {}

    /** All keys; in a live snapshot those with the most time. */
    private Map<String, OperationScope> keysShown(boolean terminal) {
        if (terminal || keys.size() <= KEYS_SHOWN_LIVE) {
            return keys;
        }
        PriorityQueue<Took> most = new PriorityQueue<>(Comparator.comparingLong(Took::nanos));
        keys.forEach((key, scope) -> {
            long nanos = scope.topNanos();
            if (most.size() < KEYS_SHOWN_LIVE || nanos > most.element().nanos) {
                most.add(new Took(key, scope, nanos));
                if (most.size() > KEYS_SHOWN_LIVE) {
                    most.remove();
                }
            }
        });
        Map<String, OperationScope> shown = new LinkedHashMap<>();
        most.stream()
                .sorted(Comparator.comparingLong(each -> -each.nanos))
                .forEach(each -> shown.put(each.key, each.scope));
        return shown;
    }

    /** ProxyStore's figures: of all processes together, and in the last snapshot by process and key. */
    private ProxyStoreMetrics compat(boolean terminal) {
        Map<String, StoreCompat.TimeStats> merged = new LinkedHashMap<>();
        instances.forEach((name, each) -> StoreCompat.addAll(merged, each.aggregate()));
        StoreCompat.addAll(merged, furtherTimes);
        return new ProxyStoreMetrics(
                terminal ? SnapshotRows.of(instances, (name, each) -> each.snapshot(), true) : null,
                furtherRecords,
                StoreCompat.snapshot(merged));
    }
}
