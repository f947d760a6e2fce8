package io.metricsaggregator.benchmarks;

import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Checks the allocation of the event path with JMH's gc profiler: decoding must allocate nothing, also of records with optional keys, and
 * folding only the memory of raw values. Exits with 1 if a limit is exceeded.
 */
final class AllocationCheck {
    /** Maximum bytes per record for decoding: the smallest object has 16 bytes; JMH itself allocates up to 0.2 per record. */
    private static final double DECODE_MAX_BYTES = 1;
    /** Benchmarks that must have run, so that one whose name changes is missed. */
    private static final Set<String> EXPECTED =
            Set.of("decode", "decodeOwn", "decodeJava", "ingestBatches", "optionalKeys", "frames");

    /** Maximum bytes per record for folding: a record keeps at most one value, here in heap slabs of 4 bytes per value and some reserve. */
    private static final double FOLD_MAX_BYTES = 8;

    private AllocationCheck() {}

    /** Runs the benchmarks and checks the limits. */
    public static void main(String[] args) throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include(
                                "EventPathBenchmark.(decode(Own|Java)?|ingestBatches)$|OptionalKeysBenchmark|ChunkBenchmark.frames")
                        .addProfiler(GCProfiler.class)
                        // With more samples in flight, making room for them is most of what a second allocates.
                        .param("inFlight", "1000")
                        .warmupIterations(2)
                        .warmupTime(TimeValue.seconds(1))
                        // One long iteration: on a busy machine, what prepares it is much of what a short one
                        // allocates.
                        .measurementIterations(1)
                        .measurementTime(TimeValue.seconds(4))
                        .forks(1)
                        .build())
                .run();
        Set<String> ran = new HashSet<>();
        boolean right = true;
        for (RunResult each : results) {
            String name = each.getParams().getBenchmark();
            ran.add(name.substring(name.lastIndexOf('.') + 1));
            double limit =
                    name.endsWith("ingestBatches") || name.endsWith("frames") ? FOLD_MAX_BYTES : DECODE_MAX_BYTES;
            double allocated = Objects.requireNonNull(each.getSecondaryResults().get("gc.alloc.rate.norm"))
                    .getScore();
            boolean within = allocated <= limit;
            right &= within;
            System.out.printf(
                    Locale.ROOT,
                    "%s: %.3f bytes allocated per record, at most %.1f: %s%n",
                    name,
                    allocated,
                    limit,
                    within ? "kept" : "BROKEN");
        }
        if (!ran.equals(EXPECTED)) {
            right = false;
            System.out.printf("benchmarks that ran: %s, expected: %s: BROKEN%n", ran, EXPECTED);
        }
        System.exit(right ? 0 : 1);
    }
}
