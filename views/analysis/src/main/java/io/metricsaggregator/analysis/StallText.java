package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ProgressState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Describes how long the endpoints of a run have not answered. */
public final class StallText {
    /** Keys of labels whose values are endpoints. */
    private static final Set<String> ENDPOINT_KEYS = Set.of("endpoint", "gpu");

    private static final int NAME_MAX = 64;
    private static final int NAMES_MAX = 4;

    private StallText() {}

    /** The waits of a snapshot; null if it has none. */
    public static @Nullable Progress of(MetricsSnapshot snapshot) {
        return snapshot.extensions().optional().progress();
    }

    /** A duration as minutes and seconds, with hours if there are any, such as {@code 0:41}; rounded down. */
    public static String clock(long nanos) {
        return Figures.clock(nanos / 1_000_000_000L, false);
    }

    /**
     * A clause on a wait that is too long now, such as {@code no answer for 0:41, 64 in flight, endpoint b}; null if the run, and each of its
     * endpoints by label, answers.
     */
    public static @Nullable String now(MetricsSnapshot snapshot) {
        Progress progress = of(snapshot);
        if (progress == null || snapshot.extensions().isNone()) {
            return null;
        }
        List<String> silent = silent(snapshot);
        Long idle = progress.idleNanos();
        boolean waits = switch (progress.state()) {
            case OK, IDLE, BLIND -> false;
            case SLOW, STALLED, CLIENT_GONE -> true;
        };
        if (waits && idle != null) {
            String text = String.format(
                    Locale.ROOT,
                    "no answer for %s, %,d in flight",
                    clock(idle),
                    snapshot.extensions().inFlight().count());
            return progress.state() == ProgressState.CLIENT_GONE
                    ? text + ", no producer is connected"
                    : silent.isEmpty() ? text : text + ", " + String.join(", ", silent);
        }
        return silent.isEmpty() ? null : "no answer from " + String.join(", ", silent);
    }

    /** Whether {@link #now} describes a stall, rather than an endpoint that is slow or a client that is gone. */
    public static boolean isStalledNow(MetricsSnapshot snapshot) {
        Progress progress = of(snapshot);
        return progress != null
                && (progress.state() == ProgressState.STALLED
                        || !silent(snapshot).isEmpty());
    }

    /** The endpoints that are stalled now, such as {@code endpoint b}; at most {@value #NAMES_MAX}, then how many more. */
    private static List<String> silent(MetricsSnapshot snapshot) {
        List<String> names = new ArrayList<>();
        for (LabelBreakdown.Key key : endpoints(snapshot)) {
            for (LabelBreakdown.Value each : key.values()) {
                Progress.Target target = each.progress();
                if (target != null && target.state() == ProgressState.STALLED) {
                    names.add(name(key, each));
                }
            }
        }
        return shortened(names);
    }

    /** The first {@value #NAMES_MAX} names, then how many more there are. */
    public static List<String> shortened(List<String> names) {
        if (names.size() <= NAMES_MAX) {
            return names;
        }
        List<String> few = new ArrayList<>(names.subList(0, NAMES_MAX));
        few.add((names.size() - NAMES_MAX) + " more");
        return few;
    }

    private static String name(LabelBreakdown.Key key, LabelBreakdown.Value value) {
        return key.name() + " " + Printable.escape(value.value(), NAME_MAX);
    }

    private static List<LabelBreakdown.Key> endpoints(MetricsSnapshot snapshot) {
        LabelBreakdown labels = snapshot.extensions().optional().labels();
        return labels == null
                ? List.of()
                : labels.keys().stream()
                        .filter(each -> ENDPOINT_KEYS.contains(each.name()))
                        .toList();
    }

    /** The stalls of a run in a clause, such as {@code 2 stalls, 1:23 in all, the longest wait 0:42}; null without a stall. */
    public static @Nullable String total(MetricsSnapshot snapshot) {
        Progress progress = of(snapshot);
        return progress == null || progress.endpointStalls() == 0
                ? null
                : String.format(
                        Locale.ROOT,
                        "%,d stall%s, %s in all, the longest wait %s",
                        progress.endpointStalls(),
                        progress.endpointStalls() == 1 ? "" : "s",
                        clock(progress.stalledNanos()),
                        clock(progress.longestIdleNanos()));
    }

    /** The stalls of single endpoints, such as {@code endpoint b: 1 stall, 0:42}; empty without any. */
    public static List<String> byEndpoint(MetricsSnapshot snapshot) {
        List<String> lines = new ArrayList<>();
        for (LabelBreakdown.Key key : endpoints(snapshot)) {
            for (LabelBreakdown.Value each : key.values()) {
                Progress.Target target = each.progress();
                if (target != null && target.endpointStalls() > 0) {
                    lines.add(String.format(
                            Locale.ROOT,
                            "%s: %,d stall%s, %s",
                            name(key, each),
                            target.endpointStalls(),
                            target.endpointStalls() == 1 ? "" : "s",
                            clock(target.stalledNanos())));
                }
            }
        }
        return lines;
    }

    /** Whether the run was interrupted because no endpoint answered. */
    public static boolean hasInterrupted(MetricsSnapshot snapshot) {
        Progress progress = of(snapshot);
        return progress != null && progress.interruptedBy() != null;
    }
}
