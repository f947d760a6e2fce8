package io.metricsaggregator.snapshot.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.Golden;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.codec.Seed;
import io.metricsaggregator.snapshot.Certificate;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.HistogramBucket;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotCodec;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotCodecTest;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ProgressState;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** The reader of successive snapshots of a run beside the codec of single ones. */
class RunSnapshotReaderTest {
    private final MsgpackSnapshotCodec codec = new MsgpackSnapshotCodec();
    private final SnapshotOutline outline = new SnapshotOutline();
    private final RunSnapshotReader reader = new RunSnapshotReader();

    private RunSnapshot read(byte[] bytes) throws MalformedMessageException {
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
        SnapshotExtensions extensions = new SnapshotExtensions(
                from.run(),
                new SnapshotExtensions.InFlight(random.nextInt(50), 2, 1, 9, 77),
                from.rates(),
                workers,
                from.errors(),
                from.malformed(),
                new Slices(5, 1_000_000_000, round, List.of(column("issued", random), column("p99", random))),
                from.slowest(),
                from.goodput(),
                from.telemetry(),
                from.self(),
                from.session(),
                from.outages(),
                from.optional().withLabels(labels(random)),
                from.completeness());
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

    /** What the codec reads, in the form of the reader. */
    private static RunSnapshot reduced(MetricsSnapshot from) {
        Map<String, Long> counters = new LinkedHashMap<>();
        from.counters().forEach(each -> counters.put(each.name(), each.value()));
        return new RunSnapshot(
                from.counter(),
                from.timestampNanos(),
                from.state(),
                from.pendingTasks(),
                counters,
                from.series().stream().map(SeriesFigures::of).toList(),
                from.extensions());
    }

    /** A tree's bytes: damaged parts of it may be binaries and extensions, which equal only themselves. */
    private static byte[] packed(Object tree) {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(tree, packer);
            return packer.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("packing into memory", e);
        }
    }

    private static void requireEqual(RunSnapshot read, RunSnapshot expected) {
        assertThat(read)
                .usingRecursiveComparison()
                .withEqualsForType(
                        (a, b) -> Arrays.equals(packed(a.tree()), packed(b.tree())), TelemetrySnapshots.class)
                .withEqualsForType(ByteBuffer::equals, ByteBuffer.class)
                .ignoringFields("series.hdr")
                .isEqualTo(expected);
        for (int i = 0; i < expected.series().size(); i++) {
            assertThat(read.series().get(i).hdr())
                    .isEqualTo(expected.series().get(i).hdr());
        }
    }

    @Test
    void successive_snapshots_are_read_as_the_codec_reads_each_of_them() throws IOException {
        Random random = Seed.random(RunSnapshotReaderTest.class);
        for (int round = 0; round < 60; round++) {
            byte[] bytes = codec.encode(snapshot(round, random));
            requireEqual(read(bytes), reduced(codec.decode(ByteBuffer.wrap(bytes))));
        }
    }

    @Test
    void a_damaged_snapshot_is_refused_or_read_as_the_codec_reads_it_and_does_not_change_the_next() throws IOException {
        Random random = Seed.random(RunSnapshotReaderTest.class);
        int refused = 0;
        int rounds = 4000;
        for (int round = 0; round < rounds; round++) {
            byte[] good = codec.encode(snapshot(round % 50, random));
            byte[] bad = good.clone();
            for (int i = random.nextInt(3); i >= 0; i--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
            }
            bad = random.nextInt(8) == 0 ? Arrays.copyOf(bad, random.nextInt(bad.length)) : bad;
            RunSnapshot expected = decoded(bad);
            refused += expected == null ? 1 : 0;
            if (expected == null) {
                byte[] damaged = bad;
                assertThatThrownBy(() -> read(damaged)).isInstanceOf(MalformedMessageException.class);
            } else {
                requireEqual(read(bad), expected);
            }
            if (round % 40 == 0) {
                requireEqual(read(good), reduced(codec.decode(ByteBuffer.wrap(good))));
            }
        }
        assertThat(refused).isBetween(rounds / 10, rounds * 9 / 10);
    }

    @Test
    void a_list_in_place_of_a_text_is_refused_if_the_codec_refuses_it_in_sections_that_are_not_read_too()
            throws IOException {
        byte[] good = codec.encode(snapshot(3, Seed.random(RunSnapshotReaderTest.class)));
        int refused = 0;
        for (int at = 0; at < good.length; at++) {
            if ((good[at] & 0xf0) == 0xa0) {
                byte[] bad = good.clone();
                // A list of as many integers as the text has ASCII characters.
                bad[at] = (byte) (0x90 | good[at] & 0x0f);
                boolean isRefused = decoded(bad) == null;
                assertThat(isRefused(bad)).as("byte %d is 0x%02x", at, bad[at]).isEqualTo(isRefused);
                refused += isRefused ? 1 : 0;
            }
        }
        assertThat(refused).isGreaterThan(100);
    }

    private boolean isRefused(byte[] bytes) {
        try {
            read(bytes);
            return false;
        } catch (MalformedMessageException e) {
            return true;
        }
    }

    private @Nullable RunSnapshot decoded(byte[] bytes) {
        try {
            return reduced(codec.decode(ByteBuffer.wrap(bytes)));
        } catch (MalformedMessageException e) {
            return null;
        }
    }

    @Test
    void snapshots_of_other_daemons_have_no_extensions_and_their_series_no_histogram() throws IOException {
        for (Object vector : (List<?>) Golden.vectors().get("metrics_snapshots")) {
            byte[] bytes = Golden.hex((String) ((Map<?, ?>) vector).get("hex"));
            RunSnapshot read = read(bytes);
            assertThat(outline.runId()).isNull();
            assertThat(read.extensions()).isNull();
            requireEqual(read, reduced(codec.decode(ByteBuffer.wrap(bytes))));
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
    void a_label_that_comes_twice_has_its_last_row_as_in_the_codec() throws IOException {
        byte[] bytes = codec.encode(snapshot(1, new Random(1)));
        read(bytes);
        byte[] twice = replace(bytes, "v1", "v2");
        RunSnapshot expected = reduced(codec.decode(ByteBuffer.wrap(twice)));
        assertThat(expected.extensions().optional().labels().keys().get(0).values())
                .hasSize(3);
        requireEqual(read(twice), expected);
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
