package io.metricsaggregator.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures the whole path in one run: what a socket delivers, what the daemon does, and what other aggregators do with the same bytes. {@code
 * EndToEnd LAUNCHER [quick]} prints a table in Markdown.
 */
final class EndToEnd {
    private static final int BATCH = 1000;

    private final Bench bench;
    private final boolean quick;
    private final Map<Case, Measured> results = new LinkedHashMap<>();

    private EndToEnd(Bench bench, boolean quick) {
        this.bench = bench;
        this.quick = quick;
    }

    /** Runs all cases and prints the table. */
    public static void main(String[] args) throws IOException {
        Path work = Files.createTempDirectory("bench");
        try {
            new EndToEnd(new Bench(Path.of(args[0]).toAbsolutePath(), work), args.length > 1).run();
        } finally {
            Machine.delete(work);
        }
    }

    private void run() throws IOException {
        List<Case> cases = new ArrayList<>();
        for (int batch : new int[] {BATCH, 1}) {
            for (boolean tcp : new boolean[] {false, true}) {
                cases.add(Case.of(Case.Reader.RAW, tcp, batch, 1000, samples(), repetitions()));
                cases.add(Case.of(Case.Reader.DAEMON, tcp, batch, 1000, samples(), repetitions()));
            }
            cases.add(Case.of(Case.Reader.JEROMQ, true, batch, 1000, samples(), repetitions()));
            if (System.getenv("METRICS_AGGREGATOR_PYTHON") != null) {
                cases.add(Case.of(Case.Reader.PYTHON, false, batch, 1000, samples() / 4, 4));
            }
            if (System.getenv("MLCOMMONS_ENDPOINTS") != null) {
                cases.add(Case.of(Case.Reader.REFERENCE, false, batch, 1000, samples() / 16, 4));
            }
        }
        cases.add(Case.of(Case.Reader.DAEMON, false, BATCH, 100_000, samples(), repetitions()));
        if (!quick) {
            cases.add(Case.of(Case.Reader.DAEMON, false, BATCH, 1_000_000, 3_000_000, 4));
        }
        System.out.println(Machine.describe());
        System.out.println();
        System.out.println(
                "| wire | reader | in flight | M records/s | ns/record | of raw | GB/s | reader CPU ns | sender CPU ns |"
                        + " reader MiB | bytes allocated/record |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|");
        for (Case each : cases) {
            Measured measured = bench.run(each);
            results.put(each, measured);
            System.out.println(row(each, measured));
        }
        System.out.println();
        targets();
    }

    private long samples() {
        return quick ? 200_000 : 1_000_000;
    }

    private int repetitions() {
        return quick ? 8 : 10;
    }

    private Measured find(Case.Reader reader, boolean tcp, int batch, int inFlight) {
        return results.entrySet().stream()
                .filter(each -> each.getKey().reader() == reader
                        && each.getKey().tcp() == tcp
                        && each.getKey().batch() == batch
                        && each.getKey().inFlight() == inFlight)
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }

    private String row(Case each, Measured measured) {
        Measured raw = find(Case.Reader.RAW, each.tcp(), each.batch(), 1000);
        return String.format(
                Locale.ROOT,
                "| %s | %s | %,d | %.2f | %.1f | %.2f | %.2f | %.0f | %.0f | %.0f | %s |",
                each.wire(),
                each.reader().label,
                each.inFlight(),
                measured.millionPerSecond(),
                measured.nanosPerRecord(),
                raw.nanosPerRecord() / measured.nanosPerRecord(),
                measured.gigabytesPerSecond(),
                measured.readerCpuNanos(),
                measured.senderCpuNanos(),
                measured.readerMib(),
                Double.isNaN(measured.allocatedPerRecord())
                        ? "-"
                        : String.format(Locale.ROOT, "%.3f", measured.allocatedPerRecord()));
    }

    private void targets() {
        Measured batched = find(Case.Reader.DAEMON, false, BATCH, 1000);
        Measured single = find(Case.Reader.DAEMON, false, 1, 1000);
        System.out.println("| target | goal | measured |");
        System.out.println("|---|---|---|");
        ratio("batched over ipc, relative to raw", 0.45, batched, find(Case.Reader.RAW, false, BATCH, 1000));
        ratio("single frames over ipc, relative to raw", 0.6, single, find(Case.Reader.RAW, false, 1, 1000));
        ratio("batched: tcp relative to ipc", 0.7, find(Case.Reader.DAEMON, true, BATCH, 1000), batched);
        ratio("single: tcp relative to ipc", 0.7, find(Case.Reader.DAEMON, true, 1, 1000), single);
        ratio("100,000 in flight relative to 1,000", 0.6, find(Case.Reader.DAEMON, false, BATCH, 100_000), batched);
        if (!quick) {
            ratio(
                    "1,000,000 in flight relative to 1,000",
                    0.45,
                    find(Case.Reader.DAEMON, false, BATCH, 1_000_000),
                    batched);
        }
        ratio(
                "batched over tcp, relative to JeroMQ",
                1.3,
                find(Case.Reader.DAEMON, true, BATCH, 1000),
                find(Case.Reader.JEROMQ, true, BATCH, 1000));
        ratio(
                "single over tcp, relative to JeroMQ",
                4,
                find(Case.Reader.DAEMON, true, 1, 1000),
                find(Case.Reader.JEROMQ, true, 1, 1000));
        for (Case.Reader other : List.of(Case.Reader.PYTHON, Case.Reader.REFERENCE)) {
            for (int batch : new int[] {BATCH, 1}) {
                results.forEach((each, measured) -> {
                    if (each.reader() == other && each.batch() == batch) {
                        ratio(
                                each.wire() + ", relative to " + other.label,
                                other == Case.Reader.PYTHON ? 10 : 50,
                                batch == 1 ? single : batched,
                                measured);
                    }
                });
            }
        }
    }

    private static void ratio(String name, double wanted, Measured ours, Measured other) {
        double ratio = other.nanosPerRecord() / ours.nanosPerRecord();
        System.out.printf(
                Locale.ROOT, "| %s | %.2f | %.2f%s |%n", name, wanted, ratio, ratio < wanted ? " (missed)" : "");
    }
}
