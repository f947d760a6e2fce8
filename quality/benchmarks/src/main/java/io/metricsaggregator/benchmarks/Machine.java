package io.metricsaggregator.benchmarks;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.SelfCost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Stream;

/** Describes the machine of a measurement. */
final class Machine {
    private Machine() {}

    /** Returns one line: date, processor, cores, memory, kernel, JVM. */
    static String describe() throws IOException {
        return String.format(
                Locale.ROOT,
                "%s, %d cores of %s, %d GiB, Linux %s, JDK %s",
                LocalDate.now(ZoneOffset.UTC),
                Runtime.getRuntime().availableProcessors(),
                first("/proc/cpuinfo", "model name"),
                Math.round(Long.parseLong(first("/proc/meminfo", "MemTotal").replaceAll("[^0-9]", "")) / 1048576.0),
                System.getProperty("os.version"),
                System.getProperty("java.version"));
    }

    private static String first(String file, String name) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse("unknown");
        }
    }

    /** Returns what the daemon reported of its own cost. */
    static SelfCost self(Measured measured) {
        MetricsSnapshot last = measured.last();
        SelfCost self = last == null ? null : last.extensions().self();
        if (self == null) {
            throw new IllegalStateException("the daemon did not report its cost");
        }
        return self;
    }

    /** Returns the snapshots taken and skipped, and the final interval in milliseconds. */
    static String ticks(Measured measured) {
        MetricsSnapshot last = measured.last();
        return last == null
                ? "-"
                : String.format(
                        Locale.ROOT,
                        "%d / %d | %.0f",
                        last.counter(CounterName.TICKS_PUBLISHED),
                        last.counter(CounterName.TICKS_SKIPPED),
                        self(measured).tickIntervalNanos() / 1e6);
    }

    /** Deletes a folder and its content. */
    static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(each -> {
                try {
                    Files.delete(each);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
