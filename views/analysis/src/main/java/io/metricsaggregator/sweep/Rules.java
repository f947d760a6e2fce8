package io.metricsaggregator.sweep;

import io.metricsaggregator.analysis.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The checks of a curve by the rules of MLPerf Endpoints (draft of 2026-05-05): number and place of the points, their durations and samples. They say
 * whether a sweep has the form of a submission, not whether its figures are right.
 *
 * @param regions the regions of the curve; null without two different stated concurrencies
 * @param checks one per rule
 */
public record Rules(@Nullable Regions regions, List<Check> checks) {
    /** Fewest points at fixed concurrency. */
    static final int POINTS_MIN = 7;
    /** Most points, the Offline point included. */
    static final int POINTS_MAX = 32;

    private static final double ULTRA_LOW_SECONDS = 600;
    private static final double SECONDS = 1200;
    private static final double OFFLINE_SHARE = 0.98;
    private static final int NAMES_SHOWN = 8;
    private static final int NAME_MAX = 80;

    public Rules {
        checks = List.copyOf(checks);
    }

    /** The result of a check. */
    public enum Outcome {
        MET,
        NOT_MET,
        /** The runs do not say. */
        UNKNOWN
    }

    /**
     * A check.
     *
     * @param rule what is demanded
     * @param outcome whether it is met
     * @param evidence what was found
     */
    public record Check(String rule, Outcome outcome, String evidence) {}

    static Rules of(List<SweepPoint> points) {
        List<SweepPoint> fixed = points.stream()
                .filter(each -> each.concurrency() != null && !each.isOffline())
                .toList();
        List<Check> checks = new ArrayList<>();
        checks.add(new Check(
                "at least " + POINTS_MIN + " points at fixed concurrency",
                outcome(concurrencies(fixed).size() >= POINTS_MIN),
                count(concurrencies(fixed).size())));
        checks.add(offline(points, fixed));
        checks.add(new Check(
                "at most " + POINTS_MAX + " points", outcome(points.size() <= POINTS_MAX), count(points.size())));
        checks.add(place("a point in the ultra-low region", fixed, 1, Regions.ULTRA_LOW_TO));
        Regions regions = regions(fixed);
        if (regions == null || !regions.isRegular()) {
            checks.add(new Check(
                    "a point in each region of concurrency",
                    Outcome.UNKNOWN,
                    "regions need a smallest concurrency of 1 to 32 and a largest above 32"));
        } else {
            checks.add(place("a point in the low region", fixed, regions.from() + 1, regions.lowTo()));
            checks.add(place("a point in the medium region", fixed, regions.lowTo() + 1, regions.mediumTo()));
            checks.add(place("a point in the high region", fixed, regions.mediumTo() + 1, regions.to()));
        }
        checks.add(every("concurrency stated, not derived", points, each -> !each.isDerived()));
        checks.add(duration(fixed));
        checks.add(samples(points));
        checks.add(every("state complete", points, SweepPoint::isComplete));
        return new Rules(regions, checks);
    }

    private static @Nullable Regions regions(List<SweepPoint> fixed) {
        List<Long> all = concurrencies(fixed);
        return all.size() < 2 || all.get(0) < 1 ? null : Regions.of(all.get(0), all.get(all.size() - 1));
    }

    private static List<Long> concurrencies(List<SweepPoint> fixed) {
        return fixed.stream()
                .map(SweepPoint::concurrency)
                .filter(Objects::nonNull)
                .map(each -> (long) Math.rint(each))
                .distinct()
                .sorted()
                .toList();
    }

    private static String count(int points) {
        return points == 1 ? "1 point" : points + " points";
    }

    private static Outcome outcome(boolean met) {
        return met ? Outcome.MET : Outcome.NOT_MET;
    }

    private static Check place(String rule, List<SweepPoint> fixed, long from, long to) {
        List<Long> inside = concurrencies(fixed).stream()
                .filter(each -> each >= from && each <= to)
                .toList();
        // Bounds that rounding makes equal leave a region of one level, at the bound.
        boolean met = !inside.isEmpty() || (from > to && concurrencies(fixed).contains(to));
        return new Check(
                rule + (from > to ? " (" + to + ")" : " (" + from + " to " + to + ")"),
                outcome(met),
                met ? "at " + shown(inside.isEmpty() ? List.of(to) : inside) : "none");
    }

    private static Check offline(List<SweepPoint> points, List<SweepPoint> fixed) {
        String rule = "an Offline point, unless the benchmark is agentic or the largest concurrency is elected for it";
        SweepPoint offline =
                points.stream().filter(SweepPoint::isOffline).findFirst().orElse(null);
        if (offline == null) {
            return new Check(rule, Outcome.UNKNOWN, "none: label its run concurrency=offline");
        }
        Double own = offline.figure(PointFigure.SYSTEM_TPS);
        Double last = fixed.isEmpty() ? null : fixed.get(fixed.size() - 1).figure(PointFigure.SYSTEM_TPS);
        if (own == null || last == null) {
            return new Check(
                    rule, Outcome.UNKNOWN, "its system_tps, or that at the largest concurrency, is not measured");
        }
        return new Check(
                rule,
                outcome(own >= OFFLINE_SHARE * last),
                String.format(
                        Locale.ROOT,
                        "its system_tps is %.1f %% of that at the largest concurrency; at least 98 %% is demanded",
                        100 * own / last));
    }

    private static Check every(String rule, List<SweepPoint> points, Predicate<SweepPoint> test) {
        List<String> bad = names(points, test.negate());
        return new Check(
                rule,
                points.isEmpty() ? Outcome.UNKNOWN : outcome(bad.isEmpty()),
                bad.isEmpty() ? "all points" : "not at " + shown(bad));
    }

    private static Check duration(List<SweepPoint> fixed) {
        List<String> bad = names(
                fixed,
                point -> point.runs().stream().anyMatch(run -> {
                    Double concurrency = point.concurrency();
                    boolean low = concurrency != null && concurrency <= Regions.ULTRA_LOW_TO;
                    return run.seconds() == null || run.seconds() < (low ? ULTRA_LOW_SECONDS : SECONDS);
                }));
        return new Check(
                "600 s up to concurrency 32, 1200 s above",
                fixed.isEmpty() ? Outcome.UNKNOWN : outcome(bad.isEmpty()),
                bad.isEmpty() ? "all points" : "shorter at " + shown(bad));
    }

    private static Check samples(List<SweepPoint> points) {
        String rule = "samples issued are a multiple of the dataset size";
        boolean unknown = points.isEmpty()
                || points.stream()
                        .flatMap(each -> each.runs().stream())
                        .anyMatch(run -> run.placement().datasetSize() == null);
        List<String> bad = names(
                points,
                point -> point.runs().stream().anyMatch(run -> {
                    Long size = run.placement().datasetSize();
                    return size != null && (run.issued() == 0 || run.issued() % size != 0);
                }));
        if (!bad.isEmpty()) {
            return new Check(rule, Outcome.NOT_MET, "not at " + shown(bad));
        }
        return unknown
                ? new Check(rule, Outcome.UNKNOWN, "the size is unknown: label the runs dataset_size=N")
                : new Check(rule, Outcome.MET, "all points");
    }

    private static List<String> names(List<SweepPoint> points, Predicate<SweepPoint> which) {
        return points.stream().filter(which).map(Rules::name).toList();
    }

    private static String name(SweepPoint point) {
        Double concurrency = point.concurrency();
        return point.isOffline()
                ? "the Offline point"
                : concurrency == null
                        ? Printable.escape(point.runs().get(0).name(), NAME_MAX)
                        : Rounded.of(concurrency);
    }

    private static String shown(List<?> values) {
        String first = String.join(
                ", ", values.stream().limit(NAMES_SHOWN).map(String::valueOf).toList());
        return values.size() > NAMES_SHOWN ? first + " and " + (values.size() - NAMES_SHOWN) + " more" : first;
    }
}
