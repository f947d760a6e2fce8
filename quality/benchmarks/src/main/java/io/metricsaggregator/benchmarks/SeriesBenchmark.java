package io.metricsaggregator.benchmarks;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.registry.LongSeries;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.RegistryCopy;
import io.metricsaggregator.snapshot.Metric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Recording and rendering of six series of a million values. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseSerialGC", "-Xmx4g", "-XX:MaxDirectMemorySize=4g"})
public class SeriesBenchmark {
    private static final int SERIES = 6;
    private static final int VALUES = 1_000_000;
    private static final int RECORDED = 10_000;
    private static final int BLOCK = 250;

    private final long[] values = values();
    private final long[][] blocks = new long[RECORDED / BLOCK][];
    private final List<LongSeries> all = new ArrayList<>();
    private final Registry full = full();
    private final RegistryCopy copy = full.newCopy();
    private LongSeries recorded = newSeries();

    private static long[] values() {
        SplittableRandom random = new SplittableRandom(1);
        return random.longs(RECORDED, 1_000_000, 2_000_000_000).toArray();
    }

    private static LongSeries newSeries() {
        return ValueMemory.newRegistry().longSeries(SeriesName.SAMPLE_LATENCY_NS);
    }

    private Registry full() {
        SplittableRandom random = new SplittableRandom(2);
        Registry registry = ValueMemory.newRegistry();
        for (int i = 0; i < SERIES; i++) {
            LongSeries series = registry.longSeries(SeriesName.values()[i]);
            all.add(series);
            for (int k = 0; k < VALUES; k++) {
                series.record((long) Math.exp(13 + 7 * random.nextDouble()));
            }
        }
        registry.copyInto(registry.newCopy());
        return registry;
    }

    /** Parts the values. */
    @Setup
    public void part() {
        Arrays.setAll(blocks, i -> Arrays.copyOfRange(values, i * BLOCK, (i + 1) * BLOCK));
    }

    /** Creates a new series, so that values do not accumulate without limit. */
    @Setup(Level.Iteration)
    public void renew() {
        recorded = newSeries();
    }

    /** Records one value: sums, histogram, raw value. */
    @Benchmark
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    @OperationsPerInvocation(RECORDED)
    public void record() {
        for (int i = 0; i < RECORDED; i++) {
            recorded.record(values[i]);
        }
    }

    /** Records a value in blocks, as frames of chunks do. */
    @Benchmark
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    @OperationsPerInvocation(RECORDED)
    public void recordBlocks() {
        for (long[] block : blocks) {
            recorded.record(block, block.length);
        }
    }

    /** The part of a tick on the receiving thread after all series have changed. */
    @Benchmark
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public void copy() {
        for (int i = 0; i < all.size(); i++) {
            // Unchanged series are not copied.
            all.get(i).record(values[i]);
        }
        full.copyInto(copy);
    }

    /** The part of a tick on the rendering thread, without encoding. */
    @Benchmark
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public List<Metric> render() {
        full.copyInto(copy);
        return copy.render();
    }

    /** Exact percentiles and display buckets at the end, per value, on one thread. */
    @Benchmark
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    @OperationsPerInvocation(SERIES * VALUES)
    public List<Metric> exact() {
        return full.renderExact(copy, false, () -> false);
    }
}
