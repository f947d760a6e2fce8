package io.metricsaggregator.runs;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.steady.ChangePoint;
import io.metricsaggregator.verdict.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The figures of runs over time, and where their level changed. A change is the most likely one by Pettitt's test, and then those on either side of it,
 * each at half the significance of the one before; levels are medians of at least {@value #LEVEL_MIN} runs that differ by at least 3 %.
 */
public final class History {
    /** Runs that a level has at least. */
    public static final int LEVEL_MIN = 5;

    private static final double EFFECT_MIN = 0.03;
    private static final double ALPHA = 0.05;

    private final List<Run> runs = new ArrayList<>();
    private final List<LeftOut> leftOut = new ArrayList<>();
    private final List<String> by;

    /** A run, with its figures by key. */
    public record Run(String name, long startedWallNanos, String group, Map<String, Value> figures) {}

    /** A figure of a run. */
    public record Value(double value, String unit, boolean higherIsBetter) {}

    /**
     * A run whose figures say nothing about the system.
     *
     * @param group null if it cannot be read: it may be of any
     */
    public record LeftOut(
            String name, long startedWallNanos, @Nullable String group, String reason) {}

    /**
     * A change of level.
     *
     * @param at number of values before it
     * @param before median of the level before it
     * @param after median of the level after it
     * @param p approximate p value of Pettitt's test
     */
    public record Change(int at, double before, double after, double p) {
        /** The difference as a share of the level before; infinite from 0. */
        public double effect() {
            return before == after ? 0 : (after - before) / Math.abs(before);
        }
    }

    /**
     * A figure of the runs of a group, oldest first.
     *
     * @param runs the runs that have it
     * @param changes in the order of time
     */
    public record Track(
            String group,
            String figure,
            String unit,
            boolean higherIsBetter,
            List<Run> runs,
            List<Double> values,
            List<Change> changes) {
        /** Whether a change made the figure better. */
        public boolean isBetter(Change change) {
            return change.after > change.before == higherIsBetter;
        }

        /** The present level: the values since the last change. */
        public Level level() {
            return Level.of(values, changes);
        }

        /** The medians between the changes, one more than these. */
        public List<Double> levels() {
            List<Double> levels = new ArrayList<>();
            int from = 0;
            for (int i = 0; i <= changes.size(); i++) {
                int to = i == changes.size() ? values.size() : changes.get(i).at;
                levels.add(middle(values.subList(from, to).stream()
                        .mapToDouble(each -> each)
                        .toArray()));
                from = to;
            }
            return levels;
        }

        /** The newest value. */
        public double newest() {
            return values.get(values.size() - 1);
        }

        /** The level that runs before the newest had last. */
        public Level levelBefore() {
            List<Double> earlier = values.subList(0, values.size() - 1);
            return Level.of(earlier, History.changes(earlier));
        }
    }

    /**
     * A level.
     *
     * @param runs number of its runs
     * @param median of their values; NaN without one
     * @param mad median of the distances from it; not scaled
     */
    public record Level(int runs, double median, double mad) {
        private static Level of(List<Double> values, List<Change> changes) {
            int from = changes.isEmpty() ? 0 : changes.get(changes.size() - 1).at;
            double[] level = values.subList(from, values.size()).stream()
                    .mapToDouble(each -> each)
                    .toArray();
            double median = middle(level);
            return new Level(
                    level.length,
                    median,
                    middle(Arrays.stream(level)
                            .map(each -> Math.abs(each - median))
                            .toArray()));
        }
    }

    /**
     * A history of no run.
     *
     * @param by labels whose values separate the runs into groups; empty for one group
     */
    public History(List<String> by) {
        this.by = List.copyOf(by);
    }

    /**
     * Adds a run, unless it is not complete or its verdict is invalid.
     *
     * @param writtenWallNanos its time if it tells none
     */
    public void add(String name, MetricsSnapshot snapshot, long writtenWallNanos) {
        RunInfo run = snapshot.extensions().run();
        long started = run.startedWallNanos() == 0 ? writtenWallNanos : run.startedWallNanos();
        String group = by.stream()
                .map(label -> label + "=" + run.labels().getOrDefault(label, "(none)"))
                .collect(Collectors.joining(" "));
        Verdict verdict = Verdict.of(snapshot);
        if (snapshot.state() != SessionState.COMPLETE) {
            String state = snapshot.state().name().toLowerCase(Locale.ROOT);
            leftOut.add(new LeftOut(name, started, group, "its state is " + state));
        } else if (verdict.validity() == Verdict.Validity.INVALID) {
            leftOut.add(new LeftOut(name, started, group, "its verdict is invalid: " + verdict.reason()));
        } else {
            Map<String, Value> figures = new LinkedHashMap<>();
            for (Measure each : Measure.of(snapshot)) {
                figures.put(each.key(), new Value(each.value(), each.unit(), each.higherIsBetter()));
            }
            runs.add(new Run(name, started, group, figures));
        }
    }

    /** Notes a run that cannot be read. */
    public void addUnreadable(String name, String reason, long writtenWallNanos) {
        leftOut.add(new LeftOut(name, writtenWallNanos, null, reason));
    }

    /** The runs, oldest first. */
    public List<Run> runs() {
        return runs.stream()
                .sorted(Comparator.comparingLong(Run::startedWallNanos).thenComparing(Run::name))
                .toList();
    }

    /** The runs that were left out. */
    public List<LeftOut> leftOut() {
        return List.copyOf(leftOut);
    }

    /** Why the last value of a track is not that of the newest run of its group; null if it is. */
    @Nullable
    String missed(Track track) {
        Run last = track.runs.get(track.runs.size() - 1);
        for (LeftOut each : leftOut) {
            if (each.startedWallNanos > last.startedWallNanos
                    && (each.group == null || each.group.equals(track.group))) {
                return "a newer run is left out: " + each.name + ", " + each.reason;
            }
        }
        for (Run each : runs) {
            if (each.startedWallNanos > last.startedWallNanos && each.group.equals(track.group)) {
                return "a newer run does not have the figure: " + each.name;
            }
        }
        return null;
    }

    /** The figures of each group, in the order of their first run. */
    public List<Track> tracks() {
        Map<List<String>, List<Run>> having = new LinkedHashMap<>();
        for (Run run : runs()) {
            run.figures
                    .keySet()
                    .forEach(figure -> having.computeIfAbsent(List.of(run.group, figure), key -> new ArrayList<>())
                            .add(run));
        }
        List<Track> tracks = new ArrayList<>();
        having.forEach((key, of) -> {
            String figure = key.get(1);
            List<Value> measured = of.stream()
                    .map(each -> Objects.requireNonNull(each.figures.get(figure)))
                    .toList();
            List<Double> values = measured.stream().map(Value::value).toList();
            Value newest = measured.get(measured.size() - 1);
            tracks.add(new Track(key.get(0), figure, newest.unit, newest.higherIsBetter, of, values, changes(values)));
        });
        return tracks;
    }

    /** The changes of level among values in the order of time; each has the medians of the levels beside it. */
    static List<Change> changes(List<Double> values) {
        double[] all = values.stream().mapToDouble(each -> each).toArray();
        NavigableMap<Integer, Double> found = new TreeMap<>();
        search(all, 0, all.length, ALPHA, found);
        while (true) {
            List<Change> changes = between(all, found);
            Change least = changes.stream()
                    .min(Comparator.comparingDouble(each -> Math.abs(each.effect())))
                    .orElse(null);
            if (least == null || Math.abs(least.effect()) >= EFFECT_MIN) {
                return changes;
            }
            // Levels apart before a change between them was found.
            found.remove(least.at);
        }
    }

    /** The changes at positions with their p values. */
    private static List<Change> between(double[] all, NavigableMap<Integer, Double> found) {
        List<Change> changes = new ArrayList<>();
        found.forEach((at, p) -> {
            Integer before = found.lowerKey(at);
            Integer after = found.higherKey(at);
            changes.add(new Change(
                    at,
                    middle(Arrays.copyOfRange(all, before == null ? 0 : before, at)),
                    middle(Arrays.copyOfRange(all, at, after == null ? all.length : after)),
                    p));
        });
        return changes;
    }

    private static void search(double[] all, int from, int to, double alpha, NavigableMap<Integer, Double> found) {
        if (to - from < 2 * LEVEL_MIN) {
            return;
        }
        ChangePoint point = ChangePoint.of(Arrays.copyOfRange(all, from, to));
        int at = from + point.position();
        if (point.p() >= alpha || at - from < LEVEL_MIN || to - at < LEVEL_MIN) {
            return;
        }
        found.put(at, point.p());
        search(all, from, at, alpha / 2, found);
        search(all, at, to, alpha / 2, found);
    }

    private static double middle(double[] values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
