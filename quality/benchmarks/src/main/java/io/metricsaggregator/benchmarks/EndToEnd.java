package io.metricsaggregator.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Measures the whole path in one run: what a socket delivers, what the daemon does, and what other aggregators do with the same bytes. {@code
 * EndToEnd LAUNCHER [quick]} prints a table in Markdown.
 */
final class EndToEnd {
    private static final int BATCH = 1000;

    private final Bench bench;
    private final boolean quick;
    private final Rounds rounds = new Rounds();

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
        System.out.printf(
                "%d rounds in which all cases run in turn. A clock runs from the first byte sent after the warm-up to the last record"
                        + " applied, as the reader says.%n",
                rounds());
        System.out.println();
        for (int round = 1; round <= rounds(); round++) {
            for (Case each : cases) {
                System.err.println(
                        "round " + round + " of " + rounds() + ": " + each.reader().label + ", " + each.wire());
                rounds.add(each, bench.run(each));
            }
        }
        System.out.println(
                "| wire | reader | in flight | M records/s | ns/record | fastest to slowest | of raw | GB/s | reader CPU ns | sender CPU ns |"
                        + " reader MiB | bytes allocated/record |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|");
        for (Case each : cases) {
            System.out.println(row(each));
        }
        System.out.println();
        targets();
    }

    private int rounds() {
        return quick ? 3 : 5;
    }

    private long samples() {
        return quick ? 200_000 : 1_000_000;
    }

    private int repetitions() {
        return quick ? 8 : 10;
    }

    private Case find(Case.Reader reader, boolean tcp, int batch, int inFlight) {
        return rounds.cases().stream()
                .filter(each -> each.reader() == reader
                        && each.tcp() == tcp
                        && each.batch() == batch
                        && each.inFlight() == inFlight)
                .findFirst()
                .orElseThrow();
    }

    private String row(Case each) {
        Measured last = rounds.of(each).get(rounds.of(each).size() - 1);
        double nanos = rounds.median(each);
        return String.format(
                Locale.ROOT,
                "| %s | %s | %,d | %.2f | %.1f | %+.0f %% | %s | %.2f | %.0f | %.0f | %.0f | %s |",
                each.wire(),
                each.reader().label,
                each.inFlight(),
                1e3 / nanos,
                nanos,
                100 * rounds.spread(each),
                number(rounds.ofRaw(each)),
                last.bytesPerRecord() / nanos,
                last.readerCpuNanos(),
                last.senderCpuNanos(),
                last.readerMib(),
                Double.isNaN(last.allocatedPerRecord())
                        ? "-"
                        : String.format(Locale.ROOT, "%.3f", last.allocatedPerRecord()));
    }

    private static String number(OptionalDouble ratio) {
        return ratio.isPresent() ? String.format(Locale.ROOT, "%.2f", ratio.getAsDouble()) : "refused";
    }

    private void targets() {
        Case batched = find(Case.Reader.DAEMON, false, BATCH, 1000);
        Case single = find(Case.Reader.DAEMON, false, 1, 1000);
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
            for (Case each : rounds.cases()) {
                if (each.reader() == other) {
                    ratio(
                            each.wire() + ", relative to " + other.label,
                            other == Case.Reader.PYTHON ? 10 : 50,
                            each.batch() == 1 ? single : batched,
                            each);
                }
            }
        }
    }

    /** Says from how many rounds a ratio is, if not from all. */
    private String compared(Case ours, Case other) {
        int agree = rounds.comparable(ours, other).size();
        return agree == rounds()
                ? ""
                : String.format(Locale.ROOT, ", from the %d of %d rounds whose raw rows agree", agree, rounds());
    }

    private void ratio(String name, double wanted, Case ours, Case other) {
        OptionalDouble ratio = rounds.ratio(ours, other);
        System.out.printf(
                Locale.ROOT,
                "| %s | %.2f | %s |%n",
                name,
                wanted,
                ratio.isEmpty()
                        ? String.format(
                                Locale.ROOT, "refused: raw rows differ by more than %.0f %%", 100 * Rounds.RAW_SPREAD)
                        : number(ratio) + (ratio.getAsDouble() < wanted ? " (missed)" : "") + compared(ours, other));
    }
}
