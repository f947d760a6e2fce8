package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.telemetry.ScrapeSnapshot;
import io.metricsaggregator.snapshot.telemetry.ServerFigure;
import io.metricsaggregator.snapshot.telemetry.ServerPanel;
import io.metricsaggregator.snapshot.telemetry.ServerRatio;
import io.metricsaggregator.snapshot.telemetry.ServerRole;
import io.metricsaggregator.snapshot.telemetry.ServerSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whether a lack of KV memory held a scraped server back: requests waited while the cache was full, or requests were preempted. Judged for each server, over
 * the steady window if there is one.
 *
 * @param heldBack whether it held any server back
 * @param evidence a clause with figures
 */
record ServerMemory(boolean heldBack, String evidence) {
    private static final double WAITING_SCRAPES_MIN = 0.5;
    private static final double USAGE_MIN = 0.95;
    private static final int SHOWN_MAX = 4;

    /** The judgement; null if no server exposes a KV cache or preemptions. */
    static @Nullable ServerMemory of(MetricsSnapshot snapshot) {
        ScrapeSnapshot scrape = snapshot.extensions() == null
                ? null
                : snapshot.extensions().telemetry().scrape();
        ServerSnapshot servers = scrape == null ? null : scrape.server();
        boolean known = false;
        List<String> held = new ArrayList<>();
        double highest = Double.NaN;
        for (ServerSnapshot.Target target : servers == null ? List.<ServerSnapshot.Target>of() : servers.targets()) {
            ServerPanel panel = target.steady() == null ? target.run() : target.steady();
            ServerFigure.Level usage = panel.level(ServerRole.KV_USAGE);
            if (usage != null) {
                highest = Double.isNaN(highest) ? usage.max() : Math.max(highest, usage.max());
            }
            known |= usage != null || panel.figures().containsKey(ServerRole.PREEMPTIONS);
            String evidence = held(panel);
            if (evidence != null) {
                held.add(Printable.escape(target.instance(), 64) + ": " + evidence);
            }
        }
        if (!known) {
            return null;
        }
        if (held.isEmpty()) {
            return new ServerMemory(
                    false,
                    Double.isNaN(highest)
                            ? "no request was preempted"
                            : String.format(
                                    Locale.ROOT, "did not hold requests back: at most %.0f%% in use", 100 * highest));
        }
        return new ServerMemory(
                true,
                "held requests back: " + String.join("; ", held.subList(0, Math.min(SHOWN_MAX, held.size())))
                        + (held.size() > SHOWN_MAX ? " and " + (held.size() - SHOWN_MAX) + " more servers" : ""));
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

    Finding finding() {
        return new Finding(heldBack ? Finding.Weight.REMARK : Finding.Weight.GOOD, "the servers' KV memory", evidence);
    }
}
