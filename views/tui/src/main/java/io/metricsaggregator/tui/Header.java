package io.metricsaggregator.tui;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.InFlightText;
import io.metricsaggregator.analysis.JournalText;
import io.metricsaggregator.analysis.OutageText;
import io.metricsaggregator.analysis.SampleCounts;
import io.metricsaggregator.analysis.SessionGap;
import io.metricsaggregator.analysis.StallText;
import io.metricsaggregator.analysis.fleet.FleetWait;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.SelfCost;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Renders the header: the run's state and age, its samples, its records. */
final class Header {
    private static final long SECOND = 1_000_000_000L;
    /** Publish intervals without a snapshot after which a live run is shown as late, and as stale. */
    private static final int LATE_TICKS = 3;

    private static final int STALE_TICKS = 10;
    /** Columns of a run's id on a narrow screen: ids of daemons have 16 characters, of merged runs 23. */
    private static final int ID_WIDTH = 24;
    /** Least width for the additional fields, in columns. */
    private static final int ROOMY = 110;

    private Header() {}

    static List<Line> lines(RenderContext context, Screen.@Nullable Expectation expected) {
        List<Line> lines = new ArrayList<>(List.of(state(context, expected), samples(context), records(context)));
        SessionGap gap = SessionGap.of(context.snapshot());
        if (gap != null) {
            lines.add(new Line()
                    .add(
                            " NOT TRACKED ",
                            context.snapshot().state() == SessionState.INITIALIZE ? Style.BAD : Style.WARN)
                    .add(gap.inShort() + ": " + gap.remedy(), Style.WARN));
        }
        String stall = StallText.now(context.snapshot());
        if (stall != null) {
            boolean stalled = StallText.isStalledNow(context.snapshot());
            lines.add(new Line()
                    .add(stalled ? " STALLED " : " waiting ", stalled ? Style.BAD : Style.WARN)
                    .add(stall, stalled ? Style.BAD : Style.WARN));
        }
        Line nodes = NodesPanel.headline(context);
        if (nodes != null) {
            lines.add(nodes);
        }
        FleetWait wait = FleetWait.of(context.snapshot());
        if (wait != null) {
            lines.add(new Line().add(" waiting ", Style.TITLE).add(wait.clause(), Style.WARN));
        }
        lines.add(outages(context));
        return lines;
    }

    /** The style of the snapshot's age: good, late or stale. */
    static Style age(RenderContext context) {
        if (context.snapshot().state().isTerminal() || context.view().isPaused()) {
            return Style.PLAIN;
        }
        SnapshotExtensions extensions = context.extensions();
        SelfCost self = extensions.self();
        long tick = self == null || self.tickIntervalNanos() <= 0 ? SECOND / 4 : self.tickIntervalNanos();
        long age = context.nowNanos() - context.shown().nanos;
        return age > STALE_TICKS * tick ? Style.BAD : age > LATE_TICKS * tick ? Style.WARN : Style.GOOD;
    }

    private static Line state(RenderContext context, Screen.@Nullable Expectation expected) {
        MetricsSnapshot snapshot = context.snapshot();
        SnapshotExtensions extensions = context.extensions();
        Line line = new Line();
        line.add(" RUN ", Style.TITLE)
                .add(extensions.isNone() ? "?" : id(extensions.run().runId(), context.width()))
                .add("  ");
        Style age = age(context);
        SessionState state = snapshot.state();
        if (age == Style.BAD) {
            line.add("STALE", Style.BAD).add(" (was " + FleetWait.state(snapshot) + ")");
        } else if (FleetWait.of(snapshot) != null) {
            line.add(FleetWait.STATE, Style.WARN);
        } else {
            line.add(state.name(), style(state));
        }
        if (state == SessionState.LIVE && isWarmUp(snapshot) && SessionGap.of(snapshot) == null) {
            line.add(" warm-up: nothing is tracked", Style.WARN);
        }
        if (context.view().isPaused()) {
            held(line, context);
        } else {
            line.add("  age ").add(tenths(Math.max(0, context.nowNanos() - context.shown().nanos)), age);
        }
        if (state == SessionState.DRAINING) {
            draining(line, context);
        }
        long total = snapshot.counter(CounterName.TOTAL_DURATION_NS);
        line.add("  " + Figures.duration(total));
        if (expected != null && !state.isTerminal()) {
            progress(line, context, expected, total);
        }
        line.add(String.format(Locale.ROOT, "  #%d", snapshot.counter()), Style.DIM);
        if (context.history().dropped() > 0) {
            line.add("  missed " + context.history().dropped(), Style.WARN);
        }
        return line;
    }

    /** The run's id: whole where there is room, otherwise its first characters and a mark. */
    private static String id(String id, int width) {
        return RenderContext.narrow(id, width >= ROOMY ? 64 : ID_WIDTH);
    }

    private static void held(Line line, RenderContext context) {
        line.add("  HELD", Style.WARN);
        History.Entry newest = context.history().newest();
        if (newest != null) {
            line.add(" " + tenths(newest.nanos - context.shown().nanos) + " behind, the run is "
                    + newest.snapshot.state().name());
        }
    }

    /** Seconds with one decimal, which stay readable while they change ten times a second; from a minute on as a duration. */
    private static String tenths(long nanos) {
        return nanos >= 60 * SECOND ? Figures.duration(nanos) : String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }

    private static boolean isWarmUp(MetricsSnapshot snapshot) {
        return snapshot.counter(CounterName.TOTAL_SAMPLES_ISSUED) > 0
                && snapshot.counter(CounterName.TRACKED_SAMPLES_ISSUED) == 0;
    }

    private static Style style(SessionState state) {
        return switch (state) {
            case INITIALIZE -> Style.DIM;
            case LIVE -> Style.GOOD;
            case DRAINING -> Style.WARN;
            case COMPLETE -> Style.GOOD;
            case INTERRUPTED -> Style.BAD;
        };
    }

    private static void progress(Line line, RenderContext context, Screen.Expectation expected, long total) {
        long issued = context.snapshot().counter(CounterName.TOTAL_SAMPLES_ISSUED);
        double share = expected.nanos() > 0
                ? (double) total / (double) expected.nanos()
                : (double) issued / (double) Math.max(1, expected.samples());
        double done = Math.max(0, Math.min(1, share));
        int bar = context.width() >= ROOMY ? 20 : 8;
        int filled = (int) Math.round(done * bar);
        line.add(expected.nanos() > 0 ? " / " + Figures.duration(expected.nanos()) : "");
        line.add(" [" + "#".repeat(filled) + "-".repeat(bar - filled) + "] ");
        line.add(String.format(Locale.ROOT, "%.0f%%", 100 * done));
        if (share > 0.01 && share < 1) {
            line.add("  ETA " + Figures.duration((long) (total / share * (1 - share))));
        }
    }

    private static void draining(Line line, RenderContext context) {
        long pending = context.snapshot().pendingTasks();
        line.add(String.format(Locale.ROOT, "  %,d to be counted", pending), Style.WARN);
        History.Span window = context.window();
        if (window != null && window.seconds() > 0) {
            double perSecond = (window.from().snapshot.pendingTasks() - pending) / window.seconds();
            if (perSecond > 0) {
                line.add(String.format(Locale.ROOT, ", %,.0f/s, ETA %s", perSecond, Figures.duration((long)
                        (pending / perSecond * 1e9))));
            }
        }
    }

    /** Samples: issued = succeeded + failed + completed outside tracked windows + in flight + unaccounted. */
    private static Line samples(RenderContext context) {
        MetricsSnapshot snapshot = context.snapshot();
        SnapshotExtensions extensions = context.extensions();
        long issued = snapshot.counter(CounterName.TOTAL_SAMPLES_ISSUED);
        long done = snapshot.counter(CounterName.TOTAL_SAMPLES_COMPLETED);
        SampleCounts counts = SampleCounts.of(snapshot);
        Line line = new Line().add(" samples ", Style.TITLE).add(String.format(Locale.ROOT, "issued %,d = ", issued));
        if (counts.succeeded() == null) {
            line.add(String.format(Locale.ROOT, "done %,d, failed ones too", done));
        } else {
            long failed = completedFailed(snapshot) + failedOpen(snapshot);
            line.add(String.format(Locale.ROOT, "succeeded %,d", counts.succeeded()))
                    .add(" + failed ")
                    .add(
                            String.format(Locale.ROOT, "%,d (%s)", failed, Figures.share(failed, issued)),
                            failed == 0 ? Style.PLAIN : Style.WARN);
            long untracked = counts.untracked() + Math.max(0, -failedEvicted(snapshot));
            if (untracked > 0) {
                line.add(String.format(Locale.ROOT, " + untracked %,d", untracked));
            }
        }
        if (!extensions.isNone()) {
            SnapshotExtensions.InFlight inFlight = extensions.inFlight();
            line.add(" + in flight "
                    + (InFlightText.isKnown(snapshot) ? String.format(Locale.ROOT, "%,d", counts.inFlight()) : "-"));
            accounts(line, snapshot, issued - done - inFlight.count());
            return context.width() < ROOMY ? line : line.add("  " + inFlight(snapshot, inFlight));
        }
        return line;
    }

    private static long completedFailed(MetricsSnapshot snapshot) {
        Long succeeded = SampleCounts.of(snapshot).succeeded();
        return snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED) - (succeeded == null ? 0 : succeeded);
    }

    /** Tracked samples that failed and did not complete; 0 for daemons that do not count them. */
    private static long failedOpen(MetricsSnapshot snapshot) {
        Long failed = SampleCounts.of(snapshot).failed();
        return failed == null || !snapshot.has(CounterName.TRACKED_SAMPLES_ERRORED)
                ? 0
                : Math.max(0, failed - completedFailed(snapshot));
    }

    /** Samples that are among the failed and among the evicted; negative: failed samples in flight that are not tracked. */
    private static long failedEvicted(MetricsSnapshot snapshot) {
        return snapshot.extensions().isNone()
                ? 0
                : failedOpen(snapshot) - snapshot.extensions().inFlight().failed();
    }

    private static String inFlight(MetricsSnapshot snapshot, SnapshotExtensions.InFlight inFlight) {
        return String.format(
                Locale.ROOT,
                "oldest %s  peak %,d",
                inFlight.count() == 0 || !InFlightText.isKnown(snapshot)
                        ? "-"
                        : Figures.duration(inFlight.oldestAgeNanos()),
                inFlight.peak());
    }

    /** The terms between issued and done + in flight; the bare difference for daemons that do not count them. */
    private static void accounts(Line line, MetricsSnapshot snapshot, long rest) {
        long again = snapshot.counter(CounterName.SAMPLES_REISSUED);
        long evicted = snapshot.counter(CounterName.INFLIGHT_EVICTED);
        long orphan = snapshot.counter(CounterName.COMPLETIONS_ORPHAN);
        List<String> parts = new ArrayList<>();
        aside(parts, "+ reissued", again);
        aside(parts, "+ evicted", evicted - Math.max(0, failedEvicted(snapshot)));
        aside(parts, "- completed without issue", orphan);
        parts.forEach(each -> line.add(" " + each, Style.WARN));
        long unexplained = rest - again - evicted + orphan;
        if (unexplained != 0) {
            line.add(String.format(Locale.ROOT, " + lost or repeated %,d", unexplained), Style.WARN);
        }
    }

    private static Line records(RenderContext context) {
        MetricsSnapshot snapshot = context.snapshot();
        Line line = new Line().add(" records ", Style.TITLE);
        SnapshotExtensions extensions = context.extensions();
        if (extensions.isNone()) {
            return line.add("not reported by this daemon");
        }
        Ledger ledger = Ledger.of(snapshot);
        line.add(String.format(Locale.ROOT, "%,d = applied %,d", ledger.received(), ledger.applied()));
        List<String> aside = new ArrayList<>();
        aside(aside, "malformed", ledger.malformed());
        aside(aside, "unknown", ledger.unknown());
        aside(aside, "duplicate", ledger.duplicate());
        aside(aside, "orphan", ledger.orphan());
        aside(aside, "late", ledger.late());
        aside(aside, "without a sample", ledger.anonymous());
        aside.forEach(each -> line.add(" + " + each, Style.WARN));
        if (!ledger.balanced()) {
            line.add("  DOES NOT ADD UP", Style.BAD);
        }
        long lost = extensions.recordsLost();
        if (lost > 0) {
            line.add(String.format(Locale.ROOT, "  lost in transit %,d", lost), Style.BAD);
        }
        for (JournalText.Count each : JournalText.of(snapshot)) {
            line.add("  " + each, each.effect() == JournalText.Effect.LOST ? Style.BAD : Style.WARN);
        }
        if (context.width() < ROOMY) {
            line.add("  in flight: " + inFlight(snapshot, extensions.inFlight()));
        }
        if (snapshot.pendingTasks() > 0) {
            line.add(String.format(Locale.ROOT, "  texts to count %,d", snapshot.pendingTasks()));
        }
        return line;
    }

    /** The outages of the daemon; an empty list if there were none. */
    private static Line outages(RenderContext context) {
        String text = OutageText.brief(OutageText.of(context.snapshot()));
        return text.isEmpty()
                ? new Line()
                : new Line()
                        .add(" resumed ", Style.TITLE)
                        .add(RenderContext.narrow(text, context.width() - 10), Style.BAD);
    }

    private static void aside(List<String> parts, String what, long count) {
        if (count > 0) {
            parts.add(String.format(Locale.ROOT, "%s %,d", what, count));
        }
    }
}
