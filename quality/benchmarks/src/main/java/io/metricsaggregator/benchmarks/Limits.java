package io.metricsaggregator.benchmarks;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.SelfCost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Measures the cost of a journal, a steady stream at half of full speed, and the end of a run with very many values in a process of 2 GB.
 * {@code Limits LAUNCHER SPILL_DIR [quick|journal]}; {@code journal} is the first of the three.
 */
final class Limits {
    private static final int BATCH = 1000;

    private Limits() {}

    /** Runs the three measurements. */
    public static void main(String[] args) throws IOException {
        Path launcher = Path.of(args[0]).toAbsolutePath();
        String part = args.length > 2 ? args[2] : "";
        boolean quick = part.equals("quick");
        Files.createDirectories(Path.of(args[1]));
        Path work = Files.createTempDirectory("bench");
        try {
            System.out.println(Machine.describe());
            System.out.println();
            new JournalCost(launcher, work, Path.of(args[1])).measure(quick ? 1 : 3);
            if (part.equals("journal")) {
                return;
            }
            paced(new Bench(launcher, work), quick);
            Path second = Files.createDirectory(work.resolve("end"));
            List<String> spill = List.of("--max-values-memory", "1g", "--spill-dir", args[1]);
            end(new Bench(launcher, second, spill, "-Xmx512m"), quick);
        } finally {
            Machine.delete(work);
        }
    }

    private static void paced(Bench bench, boolean quick) throws IOException {
        Case full = Case.of(Case.Reader.DAEMON, false, BATCH, 1000, 400_000, 10);
        double half = 1e9 / bench.run(full).nanosPerRecord() / 2;
        int seconds = quick ? 10 : 60;
        int repetitions = (int) Math.ceil(seconds * half / full.samples() / Workload.RECORDS_PER_SAMPLE);
        Measured measured = bench.run(Case.of(Case.Reader.DAEMON, false, BATCH, 1000, full.samples(), repetitions)
                .rate(half));
        SelfCost self = Machine.self(measured);
        System.out.printf(
                Locale.ROOT,
                "half of full speed, %.2f M records/s for %.0f s: snapshots taken / skipped %s; tick lateness p99 %.2f ms, max %.2f ms;"
                        + " lag p99 %.2f ms, max %.2f ms; CPU of the main-loop thread %.0f %%; collections %d, %.0f ms; end %.2f s%n",
                half / 1e6,
                measured.records() / half,
                Machine.ticks(measured),
                self.tickLateP99Nanos() / 1e6,
                self.tickLateMaxNanos() / 1e6,
                self.lagP99Nanos() / 1e6,
                self.lagMaxNanos() / 1e6,
                100.0 * self.eventsCpuNanos() / (measured.records() / half * 1e9),
                self.gcPauses(),
                self.gcNanos() / 1e6,
                measured.endNanos() / 1e9);
    }

    private static void end(Bench bench, boolean quick) throws IOException {
        for (int millions : quick ? new int[] {2} : new int[] {2, 100}) {
            Measured measured = bench.run(Case.of(Case.Reader.DAEMON, false, BATCH, 1000, 1_000_000, millions));
            SelfCost self = Machine.self(measured);
            MetricsSnapshot last = measured.last();
            long values = 0;
            boolean exact = true;
            for (SeriesName name :
                    List.of(SeriesName.SAMPLE_LATENCY_NS, SeriesName.TTFT_NS, SeriesName.CHUNK_DELTA_NS)) {
                SeriesMetric series = last == null ? null : last.series(name);
                if (series != null && series.detail() != null) {
                    values += series.count();
                    exact &= series.detail().exact();
                }
            }
            System.out.printf(
                    Locale.ROOT,
                    "%,d samples, %,d values, -Xmx512m and 1 GiB for values: %.2f s from session.ended to the exit, exact %s;"
                            + " peak resident %.0f MiB; values %.2f bytes each, %,d MiB in memory and %,d MiB spilled; %.1f ns/record%n",
                    millions * 1_000_000L,
                    values,
                    measured.endNanos() / 1e9,
                    exact,
                    measured.readerMib(),
                    (double) (self.valuesBytes() + self.spilledBytes()) / values,
                    self.valuesBytes() >> 20,
                    self.spilledBytes() >> 20,
                    measured.nanosPerRecord());
        }
    }
}
