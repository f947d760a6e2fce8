package io.metricsaggregator.benchmarks;

import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Whether the event path makes objects, by JMH's gc profiler: decoding must make none, and folding none but the memory in which
 * values are kept. Exits with 1 otherwise.
 */
final class AllocationCheck {
    /** The smallest object has 16 bytes; JMH itself makes up to 0.2 a record. */
    private static final double DECODE_MAX_BYTES = 1;
    /** Each record keeps at most one value, here in heap slabs: 4 bytes, and what is made ahead. */
    private static final double FOLD_MAX_BYTES = 8;

    private AllocationCheck() {}

    /** Starts it. */
    public static void main(String[] args) throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include("EventPathBenchmark.(decode|ingestBatches)")
                        .addProfiler(GCProfiler.class)
                        .warmupIterations(2)
                        .warmupTime(TimeValue.seconds(1))
                        .measurementIterations(3)
                        .measurementTime(TimeValue.seconds(1))
                        .forks(1)
                        .build())
                .run();
        boolean right = results.size() == 2;
        for (RunResult each : results) {
            String name = each.getParams().getBenchmark();
            double limit = name.endsWith("decode") ? DECODE_MAX_BYTES : FOLD_MAX_BYTES;
            double allocated = Objects.requireNonNull(each.getSecondaryResults().get("gc.alloc.rate.norm"))
                    .getScore();
            boolean within = allocated <= limit;
            right &= within;
            System.out.printf(
                    Locale.ROOT,
                    "%s: %.3f bytes allocated a record, at most %.1f: %s%n",
                    name,
                    allocated,
                    limit,
                    within ? "kept" : "BROKEN");
        }
        System.exit(right ? 0 : 1);
    }
}
