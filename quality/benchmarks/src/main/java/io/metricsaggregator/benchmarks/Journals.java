package io.metricsaggregator.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes journals of equal runs with the shipped daemon: {@code Journals LAUNCHER DIRECTORY RUNS SAMPLES}, each sample being five records. */
final class Journals {
    private Journals() {}

    /** Records the runs one after the other and prints what each took. */
    public static void main(String[] args) throws IOException {
        Path launcher = Path.of(args[0]).toAbsolutePath();
        int runs = Integer.parseInt(args[2]);
        long samples = Long.parseLong(args[3]);
        Path work = Files.createTempDirectory("bench");
        try {
            for (int i = 1; i <= runs; i++) {
                Path journal = Files.createDirectories(Path.of(args[1], "node" + i));
                Bench bench = new Bench(
                        launcher,
                        Files.createDirectory(work.resolve("node" + i)),
                        List.of("--journal", journal.toString(), "--node", "node" + i),
                        "");
                Measured measured = bench.run(Case.of(Case.Reader.DAEMON, false, 1000, 1000, samples, 1));
                System.out.printf(
                        "run %d of %d: %,d records, %.0f ns/record%n",
                        i, runs, measured.records(), measured.nanosPerRecord());
            }
        } finally {
            Machine.delete(work);
        }
    }
}
