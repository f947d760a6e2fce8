package io.metricsaggregator.telemetry.server;

import io.metricsaggregator.snapshot.telemetry.server.ServerFigure;
import io.metricsaggregator.snapshot.telemetry.server.ServerPanel;
import io.metricsaggregator.snapshot.telemetry.server.ServerRole;
import io.metricsaggregator.snapshot.telemetry.server.ServerSnapshot;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.promql.ScrapeSeries;
import io.metricsaggregator.telemetry.statistics.TimeGrid;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sorts scraped series into the roles of inference servers, and computes their figures over the run and over the steady window. Counters and histograms
 * are read from the series; only gauges have a course of their own. Belongs to the thread that applies events.
 */
public final class ServerFold {
    /** Most servers with figures of their own. */
    static final int TARGETS_MAX = 256;

    private static final long MILLI = 1_000_000L;

    private final TimeGrid grid;
    private final Allowance allowance;
    private final Map<String, ServerTarget> targets = new LinkedHashMap<>();
    private final Set<String> leftOut = new HashSet<>();
    private ServerReference reference = ServerReference.NONE;

    /**
     * A fold without servers.
     *
     * @param grid the grid of the scraped series
     * @param allowance memory that all telemetry shares
     */
    public ServerFold(TimeGrid grid, Allowance allowance) {
        this.grid = grid;
        this.allowance = allowance;
    }

    /** Takes note of a new series; one that belongs to no role is ignored. */
    public void add(String job, String instance, ScrapeSeries made) {
        if (RoleTable.places(made.name).isEmpty()) {
            return;
        }
        String key = job + "\0" + instance;
        ServerTarget target = targets.get(key);
        if (target == null && targets.size() == TARGETS_MAX) {
            leftOut.add(key);
            return;
        }
        if (target == null) {
            target = new ServerTarget(job, instance, grid, allowance);
            targets.put(key, target);
        }
        target.add(made);
    }

    /** Takes note of a scrape whose samples have been added to their series. */
    public void scraped(String job, String instance, long atMillis, long stalenessMillis) {
        ServerTarget target = targets.get(job + "\0" + instance);
        if (target != null) {
            target.scraped(atMillis, stalenessMillis);
        }
    }

    /** Sets what the next snapshots are compared with. */
    public void compareWith(ServerReference other) {
        reference = other;
    }

    /** Number of gauge values for whose course there was no memory. */
    public long levelsLeftOut() {
        return targets.values().stream().mapToLong(ServerTarget::levelsLeftOut).sum();
    }

    /**
     * The figures; null while no target exposes a role.
     *
     * @param wallClock whether scrapes have times of the wall clock
     */
    public @Nullable ServerSnapshot snapshot(boolean wallClock) {
        List<ServerTarget> servers =
                targets.values().stream().filter(ServerTarget::isServer).toList();
        if (servers.isEmpty()) {
            return null;
        }
        ServerReference.Window window = reference.steady();
        long offset = window == null || !wallClock ? 0 : window.wallOffsetNanos();
        TimeGrid.Span span =
                window == null ? null : grid.within(window.fromNanos() + offset, window.toNanos() + offset);
        List<Map<ServerRole, RoleReading>> run = new ArrayList<>();
        List<Map<ServerRole, RoleReading>> steady = new ArrayList<>();
        List<ServerSnapshot.Target> rows = new ArrayList<>();
        for (ServerTarget each : servers) {
            Map<ServerRole, RoleReading> whole = each.readings(null);
            run.add(whole);
            ServerPanel inWindow = null;
            if (span != null) {
                Map<ServerRole, RoleReading> part = each.readings(span);
                steady.add(part);
                inWindow = ServerPanels.of(List.of(part));
            }
            rows.add(new ServerSnapshot.Target(
                    each.job, each.instance, each.engine(), ServerPanels.of(List.of(whole)), inWindow));
        }
        return new ServerSnapshot(
                figures(run, reference.runTtftNanos(), reference.runLatencyNanos()),
                span == null || window == null
                        ? null
                        : new ServerSnapshot.Steady(
                                span.fromNanos() / MILLI,
                                span.toNanos() / MILLI,
                                figures(steady, window.ttftNanos(), window.latencyNanos())),
                rows,
                leftOut.size());
    }

    private static ServerSnapshot.Figures figures(
            List<Map<ServerRole, RoleReading>> servers, @Nullable Double ttftNanos, @Nullable Double latencyNanos) {
        ServerPanel panel = ServerPanels.of(servers);
        return new ServerSnapshot.Figures(
                panel, gap(ttftNanos, panel, ServerRole.TTFT), gap(latencyNanos, panel, ServerRole.E2E));
    }

    private static @Nullable Double gap(@Nullable Double clientNanos, ServerPanel panel, ServerRole role) {
        ServerFigure.Distribution server = panel.distribution(role);
        Double mean = server == null ? null : server.mean();
        return clientNanos == null || mean == null ? null : (Double) (clientNanos - 1e9 * mean);
    }
}
