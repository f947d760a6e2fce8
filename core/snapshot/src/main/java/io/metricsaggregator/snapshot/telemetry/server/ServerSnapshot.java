package io.metricsaggregator.snapshot.telemetry.server;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
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
    /** Without figures. */
    public static final ServerSnapshot BLANK = new ServerSnapshot(Figures.BLANK, null, List.of(), 0);

    /** Passes over its fields. */
    public static ServerSnapshot pass(Fields f, ServerSnapshot v) throws MalformedMessageException {
        return new ServerSnapshot(
                Figures.pass(f, v.run),
                f.absent("steady", v.steady, Steady::pass, Steady.BLANK),
                f.laterList("targets", v.targets, Target::pass, Target.BLANK),
                f.laterCount("targets_left_out", v.targetsLeftOut));
    }

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
            @Nullable Double e2eGapNanos) {
        static final Figures BLANK = new Figures(ServerPanel.NONE, null, null);

        static Figures pass(Fields f, Figures v) throws MalformedMessageException {
            return new Figures(
                    ServerPanel.pass(f, v.panel),
                    f.absentReal("server_ttft_gap_ns", v.ttftGapNanos),
                    f.absentReal("server_e2e_gap_ns", v.e2eGapNanos));
        }
    }

    /**
     * Figures of the steady window. Its edges are those of the grid on which scraped series are kept, inside the window.
     *
     * @param fromMillis start, on the clock of the scrapes
     * @param toMillis end, on the same clock
     */
    public record Steady(long fromMillis, long toMillis, Figures figures) {
        static final Steady BLANK = new Steady(0, 0, Figures.BLANK);

        static Steady pass(Fields f, Steady v) throws MalformedMessageException {
            return new Steady(
                    f.laterCount("from_ms", v.fromMillis),
                    f.laterCount("to_ms", v.toMillis),
                    Figures.pass(f, v.figures));
        }
    }

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
            @Nullable ServerPanel steady) {
        static final Target BLANK = new Target("", "", "", ServerPanel.NONE, null);

        static Target pass(Fields f, Target v) throws MalformedMessageException {
            return new Target(
                    f.laterText("job", v.job),
                    f.laterText("instance", v.instance),
                    f.laterText("engine", v.engine),
                    ServerPanel.pass(f, v.run),
                    f.absent("steady", v.steady, ServerPanel::pass, ServerPanel.NONE));
        }
    }
}
