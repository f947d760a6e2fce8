package io.metricsaggregator.cli.files;

import io.metricsaggregator.cli.console.Terminal;
import io.metricsaggregator.imports.ImportSource;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;

/** Prints how much of an import was read: a line a second on standard error if that is a terminal, nothing otherwise. One thread. */
final class ImportProgress {
    private static final long EVERY_NANOS = 1_000_000_000L;
    private static final double MIB = 1 << 20;

    private final List<ImportSource> sources;
    private final boolean shown = Terminal.isInteractive();
    private long printedNanos = System.nanoTime();
    private boolean any;

    ImportProgress(List<ImportSource> sources) {
        this.sources = sources;
    }

    /** Prints a line if the last one is a second old. */
    void tick() {
        if (!shown || System.nanoTime() - printedNanos < EVERY_NANOS) {
            return;
        }
        printedNanos = System.nanoTime();
        any = true;
        long read = sources.stream().mapToLong(ImportSource::bytes).sum();
        System.err.printf(Locale.ROOT, "read %,.0f of %s MiB%n", read / MIB, total());
    }

    private String total() {
        double bytes = 0;
        for (ImportSource source : sources) {
            if (source.file() == null) {
                return "an unknown number of";
            }
            try {
                bytes += Files.size(source.file());
            } catch (IOException e) {
                return "an unknown number of";
            }
        }
        return String.format(Locale.ROOT, "%,.0f", bytes / MIB);
    }

    /** Prints that reading is over, if anything was printed before. */
    void end() {
        if (any) {
            System.err.println("read all; ordering events and writing the run");
        }
    }
}
