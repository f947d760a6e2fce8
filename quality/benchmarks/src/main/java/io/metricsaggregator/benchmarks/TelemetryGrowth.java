package io.metricsaggregator.benchmarks;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.telemetry.TelemetryFolds;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Map;

/**
 * Measures how the memory of telemetry grows: operation keys up to a million, a thousand scraped series over hours, nodes, custom metrics.
 * Prints a table in Markdown: heap in use after a collection, cost of a record, time of a snapshot. Exits with 1 if memory keeps growing
 * beyond a limit.
 */
final class TelemetryGrowth {
    private static final long MIB = 1 << 20;
    private static final long SECOND = 1_000_000_000L;
    /** Maximum growth in bytes per record beyond a limit. */
    private static final long SLACK_BYTES = 24 * MIB;

    private boolean kept = true;

    private interface Feed {
        void feed(TelemetryFolds to, int number);
    }

    /** Measures each telemetry kind. */
    public static void main(String[] args) throws IOException {
        TelemetryGrowth growth = new TelemetryGrowth();
        System.out.println(Machine.describe());
        System.out.println();
        System.out.println("| growing quantity | value | heap MiB | µs/record | live snapshot ms | last snapshot ms |");
        System.out.println("|---|---|---|---|---|---|");
        growth.measure(
                "keys of operations",
                new int[] {1_000, 10_000, 100_000, 1_000_000},
                10_000,
                (to, number) -> apply(to, TelemetryRecords.operation(number, number)));
        growth.measure(
                "scrapes of 1000 series, 5 s apart",
                new int[] {12, 120, 720, 2880},
                720,
                (to, number) -> apply(to, TelemetryRecords.scrape(number)));
        growth.measure(
                "samples of 100 nodes",
                new int[] {10_000, 100_000, 500_000},
                100_000,
                (to, number) -> apply(to, TelemetryRecords.node(number)));
        growth.measure(
                "transfers",
                new int[] {10_000, 100_000, 1_000_000},
                100_000,
                (to, number) -> apply(to, TelemetryRecords.transfer(number)));
        growth.measure(
                "custom metrics by name",
                new int[] {1_000, 10_000, 100_000},
                10_000,
                (to, number) -> apply(to, TelemetryRecords.metric(number, Integer.MAX_VALUE)));
        System.out.println();
        System.out.println(growth.kept ? "every limit holds" : "a limit is EXCEEDED");
        System.exit(growth.kept ? 0 : 1);
    }

    /** Measures each size; from {@code bound} on memory must not grow. */
    private void measure(String what, int[] sizes, int bound, Feed feed) {
        TelemetryFolds telemetry = new TelemetryFolds();
        int done = 0;
        long atBound = -1;
        for (int size : sizes) {
            long start = System.nanoTime();
            int before = done;
            for (; done < size; done++) {
                feed.feed(telemetry, done);
            }
            double micros = (System.nanoTime() - start) / 1e3 / (done - before);
            long now = 100 * SECOND * size;
            long live = time(() -> telemetry.freeze(now, false));
            long last = time(() -> telemetry.freeze(now, true));
            // The tree of the final snapshot is not part of the state; the next live snapshot replaces it.
            telemetry.freeze(now + 50 * SECOND, false);
            long heap = heap();
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %,d | %,.1f | %.2f | %.1f | %.1f |%n",
                    what,
                    size,
                    (double) heap / MIB,
                    micros,
                    live / 1e6,
                    last / 1e6);
            if (size >= bound && atBound < 0) {
                atBound = heap;
            }
            if (atBound >= 0 && heap > atBound + SLACK_BYTES) {
                kept = false;
            }
        }
        if (telemetry.freeze(0, false).isEmpty()) {
            throw new IllegalStateException("no record was accepted: " + telemetry.rejected());
        }
    }

    private static long time(Runnable what) {
        long start = System.nanoTime();
        what.run();
        return System.nanoTime() - start;
    }

    private static long heap() {
        for (int i = 0; i < 3; i++) {
            ManagementFactory.getMemoryMXBean().gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static void apply(TelemetryFolds to, Map<String, ?> fields) {
        byte[] bytes = TelemetryRecords.encode(fields);
        TelemetryRecord read = TelemetryRecord.read(new MsgpackTree(), ByteBuffer.wrap(bytes), 0, bytes.length, 0);
        if (read == null || !to.apply(read)) {
            throw new IllegalStateException("rejected: " + fields + " " + to.rejected());
        }
    }
}
