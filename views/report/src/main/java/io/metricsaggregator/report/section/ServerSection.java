package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.TargetNames;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.telemetry.ScrapeSnapshot;
import io.metricsaggregator.snapshot.telemetry.server.ServerFigure;
import io.metricsaggregator.snapshot.telemetry.server.ServerPanel;
import io.metricsaggregator.snapshot.telemetry.server.ServerRatio;
import io.metricsaggregator.snapshot.telemetry.server.ServerRole;
import io.metricsaggregator.snapshot.telemetry.server.ServerSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Describes the scraped inference servers: all of them over the run and the steady window, and a row for each. Text of exporters is escaped. */
public final class ServerSection {
    private static final int NAME_MAX = 40;
    private static final int ROWS_MAX = 64;
    private static final double UNACCOUNTED_MAX = 0.01;
    private static final String NONE = "-";

    private ServerSection() {}

    /** The section; null if no server was scraped. */
    static @Nullable Section of(Report report) {
        List<Section.Block> blocks = blocks(report.snapshot());
        return blocks.isEmpty() ? null : new Section("Servers", "Servers", blocks);
    }

    /** The tables and remarks; empty if no server was scraped. */
    public static List<Section.Block> blocks(MetricsSnapshot snapshot) {
        ScrapeSnapshot scrape = snapshot.extensions().telemetry().scrape();
        ServerSnapshot servers = scrape == null ? null : scrape.server();
        if (servers == null || servers.targets().isEmpty()) {
            return List.of();
        }
        List<Section.Block> blocks = new ArrayList<>();
        blocks.add(all(servers));
        if (servers.targets().size() > 1) {
            blocks.add(byServer(servers));
        }
        remarks(blocks, servers);
        return blocks;
    }

    private static Section.Table all(ServerSnapshot servers) {
        boolean one = servers.targets().size() == 1;
        ServerSnapshot.Target first = servers.targets().get(0);
        List<Section.Column> columns = new ArrayList<>();
        columns.add(new Section.Column(
                one
                        ? first.engine() + " " + Printable.escape(first.instance(), NAME_MAX)
                        : servers.targets().size() + " servers",
                Section.Align.LEFT));
        columns.add(new Section.Column("run", Section.Align.LEFT));
        ServerSnapshot.Steady steady = servers.steady();
        if (steady != null) {
            columns.add(new Section.Column("steady window", Section.Align.LEFT));
        }
        List<List<String>> rows = new ArrayList<>();
        for (ServerRow row : ServerRow.values()) {
            String run = row.cell(servers.run());
            String window = steady == null ? NONE : row.cell(steady.figures());
            if (!run.equals(NONE) || !window.equals(NONE)) {
                rows.add(steady == null ? List.of(row.title(), run) : List.of(row.title(), run, window));
            }
        }
        return new Section.Table(columns, rows);
    }

    private static Section.Table byServer(ServerSnapshot servers) {
        List<String> titles = List.of(
                "By server",
                "engine",
                "running",
                "waiting",
                "KV max",
                "preempted",
                "output tok.",
                "prefix hits",
                "accepted",
                "queue",
                "TTFT",
                "request");
        TargetNames names = TargetNames.ofServers(servers);
        List<List<String>> rows = servers.targets().stream()
                .limit(ROWS_MAX)
                .map(each -> row(each, names))
                .toList();
        return Section.Table.ofNumbers(titles, rows);
    }

    private static List<String> row(ServerSnapshot.Target target, TargetNames names) {
        ServerPanel panel = target.run();
        ServerFigure.Level usage = panel.level(ServerRole.KV_USAGE);
        return List.of(
                names.name(target.job(), target.instance(), NAME_MAX),
                target.engine(),
                mean(panel, ServerRole.RUNNING),
                mean(panel, ServerRole.WAITING),
                usage == null ? NONE : ServerRow.percent(usage.max()),
                count(panel.growth(ServerRole.PREEMPTIONS)),
                count(panel.growth(ServerRole.OUTPUT_TOKENS)),
                ServerRow.hits(panel),
                ServerRow.percent(panel.ratio(ServerRatio.ACCEPTANCE)),
                meanTime(panel, ServerRole.QUEUE),
                meanTime(panel, ServerRole.TTFT),
                meanTime(panel, ServerRole.E2E));
    }

    private static void remarks(List<Section.Block> blocks, ServerSnapshot servers) {
        ServerPanel panel = servers.run().panel();
        long hidden = servers.targetsLeftOut() + Math.max(0, servers.targets().size() - ROWS_MAX);
        if (hidden > 0) {
            blocks.add(new Section.Line(String.format(Locale.ROOT, "%,d more servers are not shown", hidden)));
        }
        if (panel.isPrefixHitApproximate()) {
            blocks.add(
                    new Section.Line("≈: not counted by tokens; lookups of a waiting request can count several times"));
        }
        Double unaccounted = panel.ratio(ServerRatio.PROMPT_UNACCOUNTED);
        if (unaccounted != null && Math.abs(unaccounted) > UNACCOUNTED_MAX) {
            blocks.add(new Section.Line(String.format(
                    Locale.ROOT,
                    "cached and computed prompt tokens do not add up: %.1f%% of the prompt tokens are %s",
                    100 * Math.abs(unaccounted),
                    unaccounted > 0 ? "of no source" : "counted twice")));
        }
    }

    private static String count(@Nullable Double value) {
        return value == null ? NONE : Figures.count(value);
    }

    private static String mean(ServerPanel panel, ServerRole role) {
        ServerFigure.Level level = panel.level(role);
        return level == null ? NONE : String.format(Locale.ROOT, "%,.1f", level.mean());
    }

    private static String meanTime(ServerPanel panel, ServerRole role) {
        ServerFigure.Distribution times = panel.distribution(role);
        return times == null || times.mean() == null ? NONE : Figures.duration(1e9 * times.mean());
    }
}
