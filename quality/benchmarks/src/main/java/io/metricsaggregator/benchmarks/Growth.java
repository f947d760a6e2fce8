package io.metricsaggregator.benchmarks;

import io.metricsaggregator.snapshot.figures.SelfCost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * Measures how the daemon's cost grows with records, samples in flight, connections, workers, labels, series, kinds of telemetry, subscribers
 * and snapshots per second. {@code Growth LAUNCHER PLOT [quick]} prints a table in Markdown and writes a plot as SVG.
 */
final class Growth {
    private static final int BATCH = 1000;
    private static final long SAMPLES = 200_000;
    /** Panels beside each other in the plot. */
    private static final int COLUMNS = 3;

    private final Bench bench;
    private final Map<String, Map<Integer, Measured>> results = new LinkedHashMap<>();

    private final int rounds;

    private final List<String> only;

    private Growth(Bench bench, int rounds, List<String> only) {
        this.bench = bench;
        this.rounds = rounds;
        this.only = only;
    }

    /** Runs all cases, or those of the quantities that are named, prints the table and writes the plot. */
    public static void main(String[] args) throws IOException {
        List<String> more = new ArrayList<>(List.of(args).subList(2, args.length));
        int rounds = more.remove("quick") ? 1 : 3;
        Path work = Files.createTempDirectory("bench");
        try {
            Growth growth = new Growth(new Bench(Path.of(args[0]).toAbsolutePath(), work), rounds, more);
            growth.run();
            Files.writeString(Path.of(args[1]), growth.plot());
        } finally {
            Machine.delete(work);
        }
    }

    private static Case base(int repetitions) {
        return Case.of(Case.Reader.DAEMON, false, BATCH, 1000, SAMPLES, repetitions);
    }

    private void run() throws IOException {
        System.out.println(Machine.describe());
        System.out.println();
        System.out.printf("The least of %d runs, nanoseconds of a record of a sample.%n%n", rounds);
        System.out.println(
                "| growing quantity | value | ns/record | reader CPU ns | MiB | freeze ms | render ms | end s | snapshots taken / skipped |"
                        + " interval ms |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|");
        measure(
                "million records",
                List.of(0, 1, 10, 100),
                millions ->
                        millions == 0 ? Case.of(Case.Reader.DAEMON, false, BATCH, 1000, 20_000, 1) : base(millions));
        measure(
                "samples in flight",
                List.of(10, 1000, 10_000, 100_000, 1_000_000),
                number -> Case.of(
                        Case.Reader.DAEMON,
                        false,
                        BATCH,
                        number,
                        Math.max(SAMPLES, 2L * number),
                        20_000_000 / (Workload.RECORDS_PER_SAMPLE * Math.max((int) SAMPLES, 2 * number))));
        measure("connections", List.of(1, 4, 16, 64), number -> base(20).producers(number));
        measure("workers", List.of(0, 1, 16, 256), number -> base(20).traits(new Traits(number, 0, 0, 0)));
        measure("labels", List.of(0, 1, 4, 8), number -> base(20).traits(new Traits(0, number, 0, 0)));
        measure("series", List.of(0, 10, 100, 1000), number -> base(20).traits(new Traits(0, 0, number, 0)));
        measure("kinds of telemetry", List.of(0, 1, 2, 3, 4), number -> base(20).traits(new Traits(0, 0, 0, number)));
        measure("subscribers", List.of(1, 10, 100), number -> base(20).subscribers(number));
        measure("snapshots per second", List.of(4, 10, 100, 1000), number -> base(20).tickHz(number));
    }

    private void measure(String what, List<Integer> sizes, IntFunction<Case> cases) throws IOException {
        if (!only.isEmpty() && !only.contains(what)) {
            return;
        }
        Map<Integer, Measured> row = new LinkedHashMap<>();
        results.put(what, row);
        for (int round = 0; round < rounds; round++) {
            for (int size : sizes) {
                System.err.println(what + " " + size + ", run " + (round + 1) + " of " + rounds);
                row.merge(
                        size, bench.run(cases.apply(size)), (a, b) -> a.nanosPerRecord() < b.nanosPerRecord() ? a : b);
            }
        }
        for (int size : sizes) {
            print(what, size, Objects.requireNonNull(row.get(size)));
        }
    }

    private static void print(String what, int size, Measured measured) {
        SelfCost self = Machine.self(measured);
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %.1f | %.1f | %.0f | %.2f | %.2f | %.2f | %s |%n",
                what,
                size(what, size),
                measured.nanosPerRecord(),
                measured.readerCpuNanos(),
                measured.readerMib(),
                self.freezeNanos() / 1e6,
                self.renderNanos() / 1e6,
                measured.endNanos() / 1e9,
                Machine.ticks(measured));
    }

    private static String size(String what, int size) {
        return size == 0 && what.startsWith("million") ? "0.1" : String.format(Locale.ROOT, "%,d", size);
    }

    /** Plots a panel per growing quantity: nanoseconds per record over its value. */
    private String plot() {
        int width = 260;
        int height = 180;
        int rows = (results.size() + COLUMNS - 1) / COLUMNS;
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"11\">%n"
                        + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                COLUMNS * width,
                rows * (height + 60)));
        double top = results.values().stream()
                .flatMap(row -> row.values().stream())
                .mapToDouble(Measured::nanosPerRecord)
                .max()
                .orElse(1);
        int panel = 0;
        for (Map.Entry<String, Map<Integer, Measured>> each : results.entrySet()) {
            int left = 40;
            svg.append(String.format(
                    Locale.ROOT,
                    "<g transform=\"translate(%d %d)\">%n",
                    panel % COLUMNS * width,
                    panel / COLUMNS * (height + 60)));
            panel++;
            svg.append(
                    String.format(Locale.ROOT, "<text x=\"%d\" y=\"14\">%s: ns/record</text>%n", left, each.getKey()));
            List<String> points = new ArrayList<>();
            int step = (width - 80) / Math.max(1, each.getValue().size() - 1);
            int x = left;
            for (Map.Entry<Integer, Measured> point : each.getValue().entrySet()) {
                double nanos = point.getValue().nanosPerRecord();
                int y = (int) (20 + height - nanos / top * (height - 20));
                points.add(x + "," + y);
                svg.append(String.format(
                        Locale.ROOT,
                        "<circle cx=\"%d\" cy=\"%d\" r=\"3\" fill=\"#0072b2\"/><text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%.0f</text>"
                                + "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
                        x,
                        y,
                        x,
                        y - 6,
                        nanos,
                        x,
                        height + 34,
                        size(each.getKey(), point.getKey())));
                x += step;
            }
            svg.append(String.format(
                    Locale.ROOT,
                    "<polyline fill=\"none\" stroke=\"#0072b2\" points=\"%s\"/><line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\""
                            + " stroke=\"#888\"/>%n",
                    String.join(" ", points),
                    left - 10,
                    height + 20,
                    left + width - 60,
                    height + 20));
            svg.append("</g>\n");
        }
        return svg.append("</svg>\n").toString();
    }
}
