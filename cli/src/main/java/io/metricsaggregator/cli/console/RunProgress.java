package io.metricsaggregator.cli.console;

import java.io.PrintStream;
import java.util.function.LongSupplier;

/**
 * Prints how many of several runs a command has read or compared: a line a second on standard error if that is a terminal, nothing in the first second
 * and nothing otherwise. One thread.
 */
public final class RunProgress {
    private static final long EVERY_NANOS = 1_000_000_000L;

    private final String done;
    private final int total;
    private final boolean shown;
    private final LongSupplier nanos;
    private final PrintStream out;
    private long printedNanos;
    private int count;
    private boolean any;

    /**
     * Progress of a command on standard error.
     *
     * @param done what happened to each run, such as {@code read}
     * @param total number of runs
     */
    public static RunProgress onTerminal(String done, int total) {
        return new RunProgress(done, total, Terminal.isErrorOutput(), System::nanoTime, System.err);
    }

    /**
     * Progress from now on.
     *
     * @param shown whether to print at all
     * @param nanos monotonic clock in nanoseconds
     */
    RunProgress(String done, int total, boolean shown, LongSupplier nanos, PrintStream out) {
        this.done = done;
        this.total = total;
        this.shown = shown;
        this.nanos = nanos;
        this.out = out;
        this.printedNanos = nanos.getAsLong();
    }

    /** Counts one run more, and prints a line if a second has passed since the start or the last line. */
    public void step() {
        count++;
        long now = nanos.getAsLong();
        if (shown && now - printedNanos >= EVERY_NANOS) {
            printedNanos = now;
            any = true;
            out.println(done + " " + count + " of " + total + " runs");
        }
    }

    /**
     * Prints that all runs are done and what follows, if it printed anything before.
     *
     * @param next such as {@code merging}
     */
    public void end(String next) {
        if (any) {
            out.println(done + " all " + total + " runs; " + next);
        }
    }
}
