package io.metricsaggregator.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.Golden;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.codec.Seed;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ProgressState;
import io.metricsaggregator.snapshot.figures.Slices;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A reader of the successive snapshots of a run. */
class MsgpackSnapshotReaderTest {
    private final MsgpackSnapshotCodec codec = new MsgpackSnapshotCodec();
    private final SnapshotOutline outline = new SnapshotOutline();
    private final MsgpackSnapshotReader reader = new MsgpackSnapshotReader();

    private MetricsSnapshot read(byte[] bytes) throws MalformedMessageException {
        outline.read(bytes, bytes.length);
        return reader.read(outline);
    }

    /** A snapshot with workers, labels, slices and two series of a run that goes on. */
    private static MetricsSnapshot snapshot(int round, Random random) {
        MetricsSnapshot full = SnapshotCodecTest.full();
        List<Metric> metrics = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            metrics.add(new CounterMetric("counter_" + i, random.nextInt(100_000)));
        }
        full.series().forEach(metrics::add);
        metrics.add(series("live_ns", round == 0 ? 0 : random.nextInt(1000), random));
        metrics.add(series("other_ns", round, random));
        SnapshotExtensions from = full.extensions();
        List<SnapshotExtensions.WorkerRow> workers = new ArrayList<>();
        for (int i = 0; i < 3 + round % 3; i++) {
            workers.add(
                    new SnapshotExtensions.WorkerRow("w" + (i + round / 7), random.nextLong(), 2, 3, 0, 0, 0, 0, 1, 2));
        }
        SnapshotExtensions extensions = from.toBuilder()
                .inFlight(new SnapshotExtensions.InFlight(random.nextInt(50), 2, 1, 9, 77))
                .workers(workers)
                .slices(new Slices(5, 1_000_000_000, round, List.of(column("issued", random), column("p99", random))))
                .optional(from.optional().withLabels(labels(random)))
                .build();
        return new MetricsSnapshot(1 + round, 34 + round, SessionState.LIVE, round, metrics, extensions);
    }

    private static Slices.Column column(String name, Random random) {
        return new Slices.Column(
                name,
                random.longs(4)
                        .map(value -> value % 3 == 0 ? Slices.NOT_MEASURED : value >> random.nextInt(64))
                        .toArray());
    }

    private static SeriesMetric series(String name, long count, Random random) {
        byte[] hdr = new byte[20 + random.nextInt(300)];
        random.nextBytes(hdr);
        Map<String, Double> percentiles = new LinkedHashMap<>(Map.of("99.0", random.nextDouble()));
        percentiles.put("50.0", 3.0);
        return new SeriesMetric(
                name,
                count,
                random.nextLong(),
                random.nextBoolean() ? (Number) 2L : (Number) random.nextDouble(),
                random.nextLong(),
                random.nextDouble(),
                percentiles,
                List.of(new HistogramBucket(1, 10, 4), new HistogramBucket(10, 100, random.nextInt(9))),
                null,
                new SeriesDetail(
                        count == 0,
                        random.nextInt(3),
                        0,
                        random.nextBoolean() ? null : (Double) random.nextDouble(),
                        random.nextBoolean()
                                ? Map.of()
                                : Map.of("99.0", new Certificate(random.nextBoolean() ? null : 3.5, 7)),
                        random.nextBoolean() ? hdr : null));
    }

    private static LabelBreakdown labels(Random random) {
        List<LabelBreakdown.Value> values = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            LabelBreakdown.Durations durations = new LabelBreakdown.Durations(random.nextInt(9), 1, 2, 3, 4);
            values.add(new LabelBreakdown.Value(
                    "v" + i,
                    random.nextInt(70_000),
                    2,
                    3,
                    4,
                    5,
                    6,
                    random.nextBoolean() ? null : durations,
                    random.nextBoolean() ? null : durations,
                    random.nextBoolean() ? null : durations,
                    random.nextBoolean() ? null : (Long) 7L,
                    random.nextBoolean()
                            ? null
                            : new Progress.Target(
                                    ProgressState.OK, random.nextBoolean() ? null : (Long) 8L, 9, 10, 11)));
        }
        return new LabelBreakdown(List.of(new LabelBreakdown.Key("model", values)));
    }

    /** What a reader reads that has read nothing before; null if it refuses the bytes. */
    private static @Nullable MetricsSnapshot fresh(byte[] bytes) {
        try {
            return new MsgpackSnapshotReader().read(ByteBuffer.wrap(bytes));
        } catch (MalformedMessageException e) {
            return null;
        }
    }

    /** Equal bytes are equal snapshots, also where damaged parts are binaries and extensions, which equal only themselves. */
    private static void requireEqual(MetricsSnapshot read, MetricsSnapshot expected) {
        assertThat(new MsgpackSnapshotCodec().encode(read)).isEqualTo(new MsgpackSnapshotCodec().encode(expected));
    }

    @Test
    void successive_snapshots_of_a_run_are_read_as_they_were_written() throws IOException {
        Random random = Seed.random(MsgpackSnapshotReaderTest.class);
        for (int round = 0; round < 60; round++) {
            byte[] bytes = codec.encode(snapshot(round, random));
            assertThat(new MsgpackSnapshotCodec().encode(read(bytes))).isEqualTo(bytes);
        }
    }

    @Test
    void a_damaged_snapshot_is_refused_or_read_whatever_was_read_before_and_does_not_change_the_next()
            throws IOException {
        Random random = Seed.random(MsgpackSnapshotReaderTest.class);
        int refused = 0;
        int rounds = 4000;
        for (int round = 0; round < rounds; round++) {
            byte[] good = codec.encode(snapshot(round % 50, random));
            byte[] bad = good.clone();
            for (int i = random.nextInt(3); i >= 0; i--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
            }
            byte[] damaged = random.nextInt(8) == 0 ? Arrays.copyOf(bad, random.nextInt(bad.length)) : bad;
            MetricsSnapshot expected = fresh(damaged);
            refused += expected == null ? 1 : 0;
            if (expected == null) {
                assertThatThrownBy(() -> read(damaged)).isInstanceOf(MalformedMessageException.class);
            } else {
                requireEqual(read(damaged), expected);
            }
            if (round % 40 == 0) {
                assertThat(new MsgpackSnapshotCodec().encode(read(good))).isEqualTo(good);
            }
        }
        assertThat(refused).isBetween(rounds / 10, rounds * 9 / 10);
    }

    @Test
    void a_damaged_metric_is_refused_or_read_in_place_as_from_its_tree() throws IOException {
        Random random = Seed.random(MsgpackSnapshotReaderTest.class);
        int refused = 0;
        int rounds = 4000;
        for (int round = 0; round < rounds; round++) {
            MetricsSnapshot good = new MetricsSnapshot(
                    1, 2, SessionState.LIVE, 0, snapshot(round % 50, random).metrics(), SnapshotExtensions.NONE);
            byte[] bad = codec.encode(good);
            bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
            MetricsSnapshot inPlace = fresh(bad);
            MetricsSnapshot fromTree = fromTree(bad);
            refused += fromTree == null ? 1 : 0;
            assertThat(inPlace == null).as("refused in place, round %d", round).isEqualTo(fromTree == null);
            if (inPlace != null && fromTree != null) {
                requireEqual(inPlace, fromTree);
            }
        }
        assertThat(refused).isBetween(rounds / 20, rounds * 9 / 10);
    }

    /** The head as the reader has it, with metrics from their trees; null if either is refused. */
    private static @Nullable MetricsSnapshot fromTree(byte[] bytes) {
        try {
            SnapshotOutline head = new SnapshotOutline();
            head.read(bytes, bytes.length);
            List<?> parts = (List<?>) new MsgpackTree().read(ByteBuffer.wrap(bytes));
            List<Metric> metrics = new ArrayList<>();
            for (Object each : (List<?>) parts.get(4)) {
                metrics.add(MsgpackSnapshotReader.metric(each));
            }
            return new MetricsSnapshot(
                    head.counter(),
                    head.timestampNanos(),
                    head.state(),
                    head.pendingTasks(),
                    metrics,
                    SnapshotExtensions.NONE);
        } catch (MalformedMessageException | IllegalArgumentException e) {
            return null;
        }
    }

    @Test
    void snapshots_of_other_daemons_have_no_extensions_and_their_series_no_histogram() throws IOException {
        for (Object vector : (List<?>) Golden.vectors().get("metrics_snapshots")) {
            byte[] bytes = Golden.hex((String) ((Map<?, ?>) vector).get("hex"));
            MetricsSnapshot read = read(bytes);
            assertThat(outline.runId()).isNull();
            assertThat(read.extensions().isNone()).isTrue();
            assertThat(read.series())
                    .allSatisfy(each -> assertThat(each.detail()).isNull());
        }
    }

    @Test
    void the_outline_knows_the_run_before_the_snapshot_is_read() throws IOException {
        byte[] bytes = codec.encode(SnapshotCodecTest.full());
        outline.read(Arrays.copyOf(bytes, bytes.length + 100), bytes.length);
        assertThat(outline.runId()).isEqualTo("run");
        assertThatThrownBy(() -> outline.read(Arrays.copyOf(bytes, bytes.length + 1), bytes.length + 1))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("1 bytes after the message");
    }

    @Test
    void a_label_that_comes_twice_has_its_last_row() throws IOException {
        byte[] bytes = codec.encode(snapshot(1, new Random(1)));
        read(bytes);
        byte[] twice = replace(bytes, "v1", "v2");
        MetricsSnapshot expected = read(twice);
        assertThat(expected.extensions().optional().labels().keys().get(0).values())
                .hasSize(3);
    }

    private static byte[] replace(byte[] bytes, String from, String to) {
        byte[] changed = bytes.clone();
        for (int at = 0; at + 1 < bytes.length; at++) {
            if (bytes[at] == from.charAt(0) && bytes[at + 1] == from.charAt(1)) {
                changed[at + 1] = (byte) to.charAt(1);
            }
        }
        return changed;
    }
}
