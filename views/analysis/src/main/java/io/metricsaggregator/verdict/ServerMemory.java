package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.Printable;
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

/**
 * Whether a lack of KV memory held a scraped server back: requests waited while the cache was full, or requests were preempted. Judged for each server, over
 * the steady window if there is one.
 */
final class ServerMemory implements Check {
    private static final double WAITING_SCRAPES_MIN = 0.5;
    private static final double USAGE_MIN = 0.95;
    private static final int SHOWN_MAX = 4;

    @Override
    public String name() {
        return "the servers' KV memory";
    }

    @Override
    public String effect() {
        return "for each scraped server, over the steady window if there is one: requests waited in more than "
                + Check.percent(WAITING_SCRAPES_MIN) + " of the scrapes while more than " + Check.percent(USAGE_MIN)
                + " of the KV cache was in use at some time, or requests were preempted: questionable, and limited by the server;"
                + " waiting requests by reason are named";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        ScrapeSnapshot scrape = snapshot.extensions().telemetry().scrape();
        ServerSnapshot servers = scrape == null ? null : scrape.server();
        boolean known = false;
        List<String> held = new ArrayList<>();
        double highest = Double.NaN;
        TargetNames names = servers == null ? null : TargetNames.ofServers(servers);
        for (ServerSnapshot.Target target : servers == null ? List.<ServerSnapshot.Target>of() : servers.targets()) {
            ServerPanel panel = target.steady() == null ? target.run() : target.steady();
            ServerFigure.Level usage = panel.level(ServerRole.KV_USAGE);
            if (usage != null) {
                highest = Double.isNaN(highest) ? usage.max() : Math.max(highest, usage.max());
            }
            known |= usage != null || panel.figures().containsKey(ServerRole.PREEMPTIONS);
            String evidence = held(panel);
            if (evidence != null && names != null) {
                held.add(names.name(target.job(), target.instance(), 64) + ": " + evidence);
            }
        }
        if (!known) {
            return List.of();
        }
        if (held.isEmpty()) {
            return List.of(new Finding(
                    Finding.Weight.GOOD,
                    name(),
                    Double.isNaN(highest)
                            ? "no request was preempted"
                            : String.format(
                                    Locale.ROOT, "did not hold requests back: at most %.0f%% in use", 100 * highest)));
        }
        Finding finding = new Finding(
                Finding.Weight.REMARK,
                name(),
                "held requests back: " + String.join("; ", held.subList(0, Math.min(SHOWN_MAX, held.size())))
                        + (held.size() > SHOWN_MAX ? " and " + (held.size() - SHOWN_MAX) + " more servers" : ""));
        return List.of(finding.limitedBy(Finding.Limit.SERVER));
    }

    private static @Nullable String held(ServerPanel panel) {
        List<String> parts = new ArrayList<>();
        Double waiting = panel.ratio(ServerRatio.WAITING_SCRAPES);
        ServerFigure.Level usage = panel.level(ServerRole.KV_USAGE);
        if (waiting != null && usage != null && waiting > WAITING_SCRAPES_MIN && usage.max() > USAGE_MIN) {
            parts.add(String.format(
                    Locale.ROOT,
                    "requests waited in %.0f%% of scrapes%s with up to %.1f%% of the KV cache in use",
                    100 * waiting,
                    reasons(panel),
                    100 * usage.max()));
        }
        Double preempted = panel.growth(ServerRole.PREEMPTIONS);
        ServerFigure.Level paused = panel.level(ServerRole.PREEMPTIONS);
        if (preempted != null && preempted > 0) {
            parts.add(String.format(Locale.ROOT, "%,.0f preemptions", preempted));
        } else if (paused != null && paused.max() > 0) {
            parts.add(String.format(Locale.ROOT, "up to %,.0f requests preempted at a time", paused.max()));
        }
        return parts.isEmpty() ? null : String.join(", ", parts);
    }

    private static String reasons(ServerPanel panel) {
        List<String> reasons = new ArrayList<>();
        panel.parts(ServerRole.WAITING_BY_REASON).forEach((reason, figure) -> {
            if (figure instanceof ServerFigure.Level level && level.mean() > 0) {
                reasons.add(String.format(Locale.ROOT, "%.1f for %s", level.mean(), Printable.escape(reason, 32)));
            }
        });
        return reasons.isEmpty() ? "" : " (on average " + String.join(", ", reasons) + ")";
    }
}
