package io.metricsaggregator.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.registry.LongSeries;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.TwoThreads;
import io.metricsaggregator.registry.raw.SlabStore;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValueStorageTest {
    private static final int COUNT = 2_000_000;

    @TempDir
    private Path directory;

    private static SeriesMetric exact(Registry registry) {
        List<Metric> metrics = registry.renderExact(registry.newCopy(), false, new TwoThreads(), () -> false);
        return (SeriesMetric) metrics.get(0);
    }

    /** Records values no faster than the disk accepts them: the test is about reading back, not about the speed of the disk. */
    private static long[] record(LongSeries series, ValueStorage storage) {
        SplittableRandom random = new SplittableRandom(7);
        long[] values = new long[COUNT];
        for (int i = 0; i < COUNT; i++) {
            values[i] = random.nextLong(2_000_000_000L);
            series.record(values[i]);
            if (i % 60_000 == 0) {
                long before = storage.spilledBytes();
                long start = System.nanoTime();
                while (storage.spilledBytes() == before && System.nanoTime() - start < 20_000_000L) {
                    LockSupport.parkNanos(100_000);
                }
            }
        }
        Arrays.sort(values);
        return values;
    }

    private static void assertPercentiles(SeriesMetric metric, long[] sorted) {
        metric.percentiles().forEach((key, value) -> {
            int index = (int) Math.floor(Double.parseDouble(key) / 100.0 * (sorted.length - 1));
            assertThat(value).as("p%s", key).isEqualTo((double) sorted[index]);
        });
    }

    @Test
    void valuesBeyondTheMemoryGoToAnUnlinkedFileAndPercentilesStayExact() throws IOException {
        try (ValueStorage storage = new ValueStorage(2L << 20, directory)) {
            Registry registry = new Registry(3, 30, storage);
            long[] sorted = record(registry.longSeries(SeriesName.SAMPLE_LATENCY_NS), storage);
            SeriesMetric metric = exact(registry);
            assertThat(metric.detail().exact()).isTrue();
            assertPercentiles(metric, sorted);
            assertThat(storage.spilledBytes()).isGreaterThan(4L << 20);
            assertThat(storage.usedBytes()).isLessThanOrEqualTo(2L << 20);
            try (var left = Files.list(directory)) {
                assertThat(left).isEmpty();
            }
        }
    }

    @Test
    void a_series_that_begins_when_the_memory_is_full_keeps_its_values_too() throws IOException {
        // Full to the last byte by the first series: 4096 values that are staged, and seven slabs.
        try (ValueStorage storage = new ValueStorage((32L << 10) + 7L * SlabStore.SLAB_BYTES, directory)) {
            Registry registry = new Registry(3, 30, storage);
            record(registry.longSeries(SeriesName.SAMPLE_LATENCY_NS), storage);
            long[] sorted = record(registry.longSeries(SeriesName.TTFT_NS), storage);
            SeriesMetric late = registry.renderExact(registry.newCopy(), false, new TwoThreads(), () -> false).stream()
                    .filter(each -> each.name().equals("ttft_ns"))
                    .map(SeriesMetric.class::cast)
                    .findFirst()
                    .orElseThrow();
            assertThat(late.detail().exact()).isTrue();
            assertPercentiles(late, sorted);
        }
    }

    @Test
    void withoutADirectoryValuesBeyondTheMemoryAreDroppedAndTheSeriesIsMarked() throws IOException {
        try (ValueStorage storage = new ValueStorage(2L << 20, null)) {
            Registry registry = new Registry(3, 30, storage);
            record(registry.longSeries(SeriesName.SAMPLE_LATENCY_NS), storage);
            assertThat(exact(registry).detail().exact()).isFalse();
            assertThat(storage.usedBytes()).isZero();
        }
    }

    @Test
    void anUnwritableDirectoryDoesNotFailTheRun() throws IOException {
        try (ValueStorage storage = new ValueStorage(2L << 20, directory.resolve("missing"))) {
            Registry registry = new Registry(3, 30, storage);
            record(registry.longSeries(SeriesName.SAMPLE_LATENCY_NS), storage);
            SeriesMetric metric = exact(registry);
            assertThat(metric.count()).isEqualTo(COUNT);
            assertThat(metric.detail().exact()).isFalse();
        }
    }

    @Test
    void afterAWriteErrorEarlierValuesStayReadableAndNoFurtherSlabIsAllocated() throws IOException {
        ValueStorage storage = new ValueStorage(0, directory);
        SlabStore.@Nullable Slab first = storage.newSlab();
        assertThat(first).isNotNull();
        first.buffer().putLong(0, 42);
        storage.close();
        first.seal();
        long start = System.nanoTime();
        while (storage.newSlab() != null) {
            assertThat(System.nanoTime() - start).isLessThan(10_000_000_000L);
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(first.read(first.buffer()).getLong(0)).isEqualTo(42);
    }
}
