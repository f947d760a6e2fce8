package io.metricsaggregator.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Measures how the daemon's cost grows with records, producers, subscribers and snapshots per second. {@code Growth LAUNCHER PLOT}
 * prints a table in Markdown and writes a plot as SVG.
 */
final class Growth {
    private static final int BATCH = 1000;
    private static final long SAMPLES = 200_000;

    private final Bench bench;
    private final Map<String, Map<Integer, Measured>> results = new LinkedHashMap<>();

    private Growth(Bench bench) {
        this.bench = bench;
    }

    /** Runs all cases, prints the table and writes the plot. */
    public static void main(String[] args) throws IOException {
        Path work = Files.createTempDirectory("bench");
        try {
            Growth growth = new Growth(new Bench(Path.of(args[0]).toAbsolutePath(), work));
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
        System.out.println(
                "| growing quantity | value | ns/record | MiB | end s | snapshots taken / skipped | interval ms |");
        System.out.println("|---|---|---|---|---|---|---|");
        measure(
                "million records",
                List.of(0, 1, 10, 100),
                millions ->
                        millions == 0 ? Case.of(Case.Reader.DAEMON, false, BATCH, 1000, 20_000, 1) : base(millions));
        measure("producers", List.of(1, 4, 16, 64), number -> base(20).producers(number));
        measure("subscribers", List.of(1, 10, 100), number -> base(20).subscribers(number));
        measure("snapshots per second", List.of(4, 10, 100, 1000), number -> base(20).tickHz(number));
    }

    private void measure(String what, List<Integer> sizes, IntFunction<Case> cases) throws IOException {
        Map<Integer, Measured> row = new LinkedHashMap<>();
        results.put(what, row);
        for (int size : sizes) {
            Measured measured = bench.run(cases.apply(size));
            row.put(size, measured);
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %s | %.1f | %.0f | %.2f | %s |%n",
                    what,
                    size == 0 ? "0.1" : Integer.toString(size),
                    measured.nanosPerRecord(),
                    measured.readerMib(),
                    measured.endNanos() / 1e9,
                    Machine.ticks(measured));
        }
    }

    /** Plots a panel per growing quantity: nanoseconds per record over its value. */
    private String plot() {
        int width = 260;
        int height = 180;
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"11\">%n"
                        + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                results.size() * width,
                height + 40));
        double top = results.values().stream()
                .flatMap(row -> row.values().stream())
                .mapToDouble(Measured::nanosPerRecord)
                .max()
                .orElse(1);
        int panel = 0;
        for (Map.Entry<String, Map<Integer, Measured>> each : results.entrySet()) {
            int left = panel++ * width + 40;
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
                        point.getKey() == 0 ? "0.1" : point.getKey().toString()));
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
        }
        return svg.append("</svg>\n").toString();
    }
}
