package io.metricsaggregator.runs;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.snapshot.MergeSettings;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far runs overlap in time, by the wall clocks of their hosts. Rates add up only if they measured at the same time.
 *
 * @param kind how far they overlap
 * @param text a sentence with the time of each run
 */
public record RunOverlap(Kind kind, String text) {
    /**
     * Runs are not side by side if all together take longer than the longest by more than this share, or if less than half of a run lies
     * within the longest.
     */
    private static final double SLACK_SHARE = 0.1;

    private static final int TIMES_SHOWN = 4;

    /** How far runs overlap. */
    public enum Kind {
        /** Side by side: all lie within the longest, with a tolerance. */
        WHOLE,
        /** The runs overlap in part. */
        PARTIAL,
        /** The runs do not overlap. */
        NONE,
        /** At least one run has no time. */
        UNKNOWN;

        /** The name in snapshots, see {@link MergeSettings#OVERLAP}. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Whether rates add up and time slices are aligned at the session start. Runs without times count as side by side: the user merged them. */
        boolean sideBySide() {
            return this == WHOLE || this == UNKNOWN;
        }
    }

    /** Compares the times of runs; merged runs may be among them. */
    public static RunOverlap of(List<MetricsSnapshot> runs) {
        List<RunTime> times = new ArrayList<>();
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        for (MetricsSnapshot each : runs) {
            RunTime time = RunTime.of(each);
            if (time == null) {
                return new RunOverlap(Kind.UNKNOWN, text(Kind.UNKNOWN, List.of()));
            }
            times.add(time);
            addOwn(kinds, each);
        }
        times.sort(Comparator.comparingLong(RunTime::startNanos).thenComparing(RunTime::name));
        if (kinds.isEmpty() || times.size() > 1) {
            kinds.add(kind(times));
        }
        Kind kind = together(kinds);
        return new RunOverlap(kind, text(kind, times));
    }

    /** Takes into account that a merged run may consist of runs that did not overlap. */
    private static void addOwn(Set<Kind> kinds, MetricsSnapshot run) {
        SnapshotExtensions extensions = run.extensions();
        String word = extensions.run().settings().get(MergeSettings.OVERLAP);
        for (Kind each : Kind.values()) {
            if (each.word().equals(word)) {
                kinds.add(each);
            }
        }
    }

    /** Combines the kinds of two groups of runs: a mixture overlaps in part. */
    private static Kind together(Set<Kind> kinds) {
        if (kinds.size() == 1) {
            return kinds.iterator().next();
        }
        return kinds.contains(Kind.PARTIAL) || kinds.contains(Kind.NONE) ? Kind.PARTIAL : Kind.UNKNOWN;
    }

    private static Kind kind(List<RunTime> ascending) {
        RunTime longest = ascending.get(0);
        boolean anyOverlap = ascending.size() == 1;
        double covered = 0;
        long until = Long.MIN_VALUE;
        for (RunTime each : ascending) {
            longest = each.length() > longest.length() ? each : longest;
            anyOverlap |= each.startNanos() < until;
            covered += Math.max(0.0, (double) each.endNanos() - Math.max(until, each.startNanos()));
            until = Math.max(until, each.endNanos());
        }
        if (!anyOverlap) {
            return Kind.NONE;
        }
        RunTime whole = longest;
        boolean within = ascending.stream().allMatch(each -> each.shared(whole) >= each.length() / 2);
        return within && covered <= longest.length() * (1 + SLACK_SHARE) ? Kind.WHOLE : Kind.PARTIAL;
    }

    private static String text(Kind kind, List<RunTime> times) {
        return switch (kind) {
            case WHOLE -> "the runs measured at the same time; durations of the whole are the longest";
            case UNKNOWN -> "whether the runs measured at the same time is unknown; their rates are added";
            case PARTIAL -> "the runs measured at the same time only in part" + apart(times);
            case NONE -> "the runs did not measure at the same time" + apart(times);
        };
    }

    private static String apart(List<RunTime> times) {
        StringBuilder text = new StringBuilder(": ");
        for (int i = 0; i < Math.min(TIMES_SHOWN, times.size()); i++) {
            RunTime each = times.get(i);
            text.append(i == 0 ? "" : ", ")
                    .append(Printable.escape(each.name(), 32))
                    .append(" at ")
                    .append(instant(each.startNanos()))
                    .append(" for ")
                    .append(Figures.duration(each.length()));
        }
        if (times.size() > TIMES_SHOWN) {
            text.append(" and ").append(times.size() - TIMES_SHOWN).append(" more");
        }
        return text.append(
                        "; durations add up, so rates are the mean of the runs and not their sum; time slices are left out")
                .toString();
    }

    private static Instant instant(long wallNanos) {
        return EpochNanos.toInstant(wallNanos).truncatedTo(ChronoUnit.SECONDS);
    }

    /**
     * The measuring time of a run, in nanoseconds since 1970 UTC.
     *
     * @param name its id
     */
    private record RunTime(String name, long startNanos, long endNanos) {
        /** Tolerance for the two clocks of a host, which are read one after the other. */
        private static final long SLACK_NANOS = 1_000_000_000L;

        double length() {
            return (double) endNanos - startNanos;
        }

        /** Nanoseconds that both runs share. */
        double shared(RunTime other) {
            return Math.max(0.0, (double) Math.min(endNanos, other.endNanos) - Math.max(startNanos, other.startNanos));
        }

        /**
         * The session, if its monotonic times convert to the wall clock (same host as the daemon); else from the start of the daemon to its last
         * snapshot. Null if the snapshot has neither.
         */
        static @Nullable RunTime of(MetricsSnapshot snapshot) {
            SnapshotExtensions extensions = snapshot.extensions();
            if (extensions.isNone()) {
                return null;
            }
            RunInfo run = extensions.run();
            long start = run.startedWallNanos();
            long end = run.wallNanos();
            if (start <= 0 || end < start) {
                return null;
            }
            long length = snapshot.counter(CounterName.TOTAL_DURATION_NS);
            if (extensions.slices().length() > 0 && length > 0) {
                long session = extensions.slices().startNanos() + (end - snapshot.timestampNanos());
                if (session >= start && session <= end && length <= end - session + SLACK_NANOS) {
                    return new RunTime(run.runId(), session, session + length);
                }
            }
            return new RunTime(run.runId(), start, end);
        }
    }
}
