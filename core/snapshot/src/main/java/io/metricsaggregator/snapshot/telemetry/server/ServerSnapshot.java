package io.metricsaggregator.snapshot.telemetry.server;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The scraped inference servers.
 *
 * @param run all servers over the run, from the first scrape to the last
 * @param steady all servers over the steady window; null in a live snapshot and for a run that was not steady
 * @param targets one row for each server, by job and instance, at most 256
 * @param targetsLeftOut number of servers without a row
 */
public record ServerSnapshot(Figures run, @Nullable Steady steady, List<Target> targets, long targetsLeftOut) {
    public ServerSnapshot {
        targets = List.copyOf(targets);
    }

    /**
     * Figures of all servers. Levels: sums of the servers' means and last values, and the highest maximum of one server; ratios: the largest.
     *
     * @param panel the figures
     * @param ttftGapNanos mean time to first token of the tracked samples minus that of the servers; null without either
     * @param e2eGapNanos mean latency of the tracked samples minus that of the servers; null without either
     */
    public record Figures(
            ServerPanel panel,
            @Nullable Double ttftGapNanos,
            @Nullable Double e2eGapNanos) {}

    /**
     * Figures of the steady window. Its edges are those of the grid on which scraped series are kept, inside the window.
     *
     * @param fromMillis start, on the clock of the scrapes
     * @param toMillis end, on the same clock
     */
    public record Steady(long fromMillis, long toMillis, Figures figures) {}

    /**
     * One server.
     *
     * @param engine {@code vllm}, {@code sglang}, {@code trtllm}, {@code triton} or {@code dynamo}: the first whose names it exposes
     * @param run figures over the run
     * @param steady figures over the steady window; null as in {@link ServerSnapshot#steady()}
     */
    public record Target(
            String job,
            String instance,
            String engine,
            ServerPanel run,
            @Nullable ServerPanel steady) {}
}
