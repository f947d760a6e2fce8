package io.metricsaggregator.fold;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.parts.PartHeader;
import io.metricsaggregator.parts.RunPart;
import io.metricsaggregator.registry.RawBudget;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.Workers;
import io.metricsaggregator.snapshot.Completeness;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A run folded as the daemon folds it, or by a head and partitions with all rows and events going through bytes. */
final class PartitionedRun {
    private final FoldOptions options;
    private final Registry registry = registry();
    private final RecordLedger ledger = new RecordLedger();
    private final LoadgenFold fold;
    private final StampBytes stamps = new StampBytes();
    private final List<SamplePartition> partitions = new ArrayList<>();
    private final Map<SampleKey, byte[]> rows = new HashMap<>();
    private final List<RunPart> parts = new ArrayList<>();

    private PartitionedRun(FoldOptions options) {
        this.options = options;
        this.fold = new LoadgenFold(registry, ledger, options);
    }

    static PartitionedRun whole(FoldOptions options) {
        return new PartitionedRun(options);
    }

    /** A run in {@code count} partitions, which are flushed now and then and whose rows move to another partition when they are. */
    static PartitionedRun partitioned(FoldOptions options, int count, Random random) {
        PartitionedRun run = new PartitionedRun(options);
        for (int i = 0; i < count; i++) {
            run.partitions.add(new SamplePartition(options, PartitionedRun::registry));
        }
        int[] moved = {0};
        run.fold.sendSamplesTo((event, stamp) -> {
            SampleKey key = SampleKey.of(event);
            int chosen = (key.partition(count) + moved[0]) % count;
            SamplePartition partition = run.partitions.get(chosen);
            byte[] row = partition.apply(run.rows.remove(key), run.stamps.write(event, stamp));
            if (row != null) {
                run.rows.put(key, row);
            }
            if (random.nextInt(100) == 0) {
                run.parts.add(partition.flush(header()));
                moved[0]++;
            }
        });
        return run;
    }

    private static Registry registry() {
        return new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
    }

    private static PartHeader header() {
        return PartHeader.of(identity(), SessionState.COMPLETE, false);
    }

    private static SnapshotExtensions.RunInfo identity() {
        return new SnapshotExtensions.RunInfo(
                SnapshotExtensions.RunInfo.SCHEMA_VERSION, "run", "1", 1, 1, List.of(), List.of(), Map.of(), Map.of());
    }

    /** Applies records; null stands for one that cannot be decoded. */
    void apply(List<EventRecord> records) {
        for (EventRecord each : records) {
            if (each != null) {
                fold.apply(new DecodedEvent[] {Events.decoded(each)}, 1);
            } else {
                ledger.receivedUndecoded();
                (fold.malformed() ? ledger.recordsMalformed : ledger.eventsLate).increment();
            }
        }
    }

    /** Gives up every sample that has a row. */
    void giveUpAll() {
        rows.forEach(
                (key, row) -> partitions.get(key.partition(partitions.size())).giveUp(row));
        rows.clear();
    }

    List<SamplePartition> partitions() {
        return partitions;
    }

    /** The snapshot of the run as leaves by path. */
    Map<String, Object> leaves() throws IOException {
        fold.refresh();
        Registry whole = registry;
        RunPart run = RunPart.ofRun(whole, fold.part(0), snapshot(whole), false);
        if (!partitions.isEmpty()) {
            List<RunPart> all = new ArrayList<>(parts);
            partitions.forEach(each -> all.add(each.flush(header())));
            all.add(run);
            for (int i = 0; i < all.size(); i++) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                all.get(i).write(bytes);
                all.set(i, RunPart.read(new ByteArrayInputStream(bytes.toByteArray()), new RawBudget(Long.MAX_VALUE)));
            }
            run = RunPart.sum(all, new RawBudget(Long.MAX_VALUE));
        }
        Map<String, Object> leaves = new TreeMap<>();
        MetricsSnapshot rendered = run.snapshot(Workers.NONE, () -> false);
        flatten("", JsonTree.read(new JsonSnapshotCodec().encode(rendered)), leaves);
        return leaves;
    }

    private MetricsSnapshot snapshot(Registry whole) {
        return new MetricsSnapshot(
                1,
                1,
                SessionState.COMPLETE,
                0,
                whole.renderExact(whole.newCopy(), false, () -> false),
                new SnapshotExtensions(
                        identity(),
                        fold.inFlight(0),
                        List.of(),
                        ledger.workers(),
                        fold.errors(),
                        List.of(),
                        fold.slices(),
                        fold.slowest(),
                        fold.goodput(),
                        TelemetrySnapshots.NONE,
                        null,
                        fold.session(),
                        List.of(),
                        fold.optional(),
                        Completeness.UNKNOWN));
    }

    private static void flatten(String path, @Nullable Object value, Map<String, Object> into) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> flatten(path + "/" + key, each, into));
        } else if (value instanceof List<?> list) {
            Map<String, Object> named = new LinkedHashMap<>();
            for (int i = 0; i < list.size(); i++) {
                boolean hasName = list.get(i) instanceof Map<?, ?> row && row.get("name") instanceof String;
                named.put(hasName ? (String) ((Map<?, ?>) list.get(i)).get("name") : Integer.toString(i), list.get(i));
            }
            named.forEach((key, each) -> flatten(path + "/" + key, each, into));
            if (path.endsWith("/metrics")) {
                into.put(path + "/order", List.copyOf(named.keySet()));
            }
        } else {
            into.put(path, String.valueOf(value));
        }
    }
}
