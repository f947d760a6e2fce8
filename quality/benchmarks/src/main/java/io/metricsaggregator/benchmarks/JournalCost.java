package io.metricsaggregator.benchmarks;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Measures the daemon without and with a journal in turn, and between them the disk alone. Each run with a journal writes 4.8 GB, which are deleted. */
final class JournalCost {
    private static final double GOAL = 0.5;
    private static final int DISK_FILES = 8;

    private final Path launcher;
    private final Path work;
    private final Path disk;

    /**
     * Prepares a measurement.
     *
     * @param work a private folder for sockets and results
     * @param disk a folder on the disk to measure
     */
    JournalCost(Path launcher, Path work, Path disk) {
        this.launcher = launcher;
        this.work = work;
        this.disk = disk;
    }

    /** Runs all rounds, and prints a line for each and one for their medians. */
    void measure(int rounds) throws IOException {
        Case what = Case.of(Case.Reader.DAEMON, false, 1000, 1000, 400_000, 8);
        double[] off = new double[rounds];
        double[] on = new double[rounds];
        double[] ratios = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            Measured without = run(what, i, "off", List.of());
            Path journals = Files.createTempDirectory(disk, "journal-");
            Measured with;
            try {
                with = run(what, i, "on", List.of("--journal", journals.toString()));
            } finally {
                Machine.delete(journals);
            }
            off[i] = without.nanosPerRecord();
            on[i] = with.nanosPerRecord();
            ratios[i] = off[i] / on[i];
            DiskLimit limit = new DiskLimit(disk, DISK_FILES);
            double direct = limit.bytesPerSecond(true);
            double cached = limit.bytesPerSecond(false);
            System.out.printf(
                    Locale.ROOT,
                    "journal off %.1f, on %.1f ns/record: %.2f of the speed; CPU of the daemon %.0f, %.0f ns/record, of main-loop"
                            + " %.0f, %.0f; the journal took"
                            + " %.0f MB/s; the disk alone %.0f MB/s with direct I/O, %.0f through the page cache%n",
                    off[i],
                    on[i],
                    ratios[i],
                    without.readerCpuNanos(),
                    with.readerCpuNanos(),
                    mainLoopNanos(without),
                    mainLoopNanos(with),
                    1e3 * with.bytesPerRecord() / on[i],
                    direct / 1e6,
                    cached / 1e6);
        }
        System.out.printf(
                Locale.ROOT,
                "journal, medians of %d rounds: off %.1f, on %.1f ns/record, %.2f of the speed (goal %.2f)%n",
                rounds,
                median(off),
                median(on),
                median(ratios),
                GOAL);
    }

    private Measured run(Case what, int round, String name, List<String> arguments) throws IOException {
        return new Bench(launcher, Files.createDirectory(work.resolve(name + round)), arguments, "").run(what);
    }

    /** CPU of the receiving thread for each record, warm-up included. */
    private static double mainLoopNanos(Measured measured) {
        MetricsSnapshot last = Objects.requireNonNull(measured.last());
        return (double) Machine.self(measured).eventsCpuNanos() / last.counter(CounterName.RECORDS_RECEIVED);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
