package io.metricsaggregator.sweep;

import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.verdict.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A point of a curve: one run, or the repeats of one concurrency, whose figures are medians.
 *
 * @param runs the repeats, at least one, of the same concurrency, basis and soundness
 */
public record SweepPoint(List<SweepRun> runs) {

    /** Smallest concurrency first; the Offline point and points without a concurrency last. */
    static final Comparator<SweepPoint> BY_CONCURRENCY =
            Comparator.comparing(SweepPoint::concurrency, Comparator.nullsLast(Comparator.naturalOrder()));

    public SweepPoint {
        runs = List.copyOf(runs);
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("a point needs a run");
        }
    }

    /**
     * The points of a curve by ascending concurrency. Runs with the same stated concurrency and basis are repeats of one point, but unsound runs stay
     * apart from sound ones. A derived concurrency never makes a repeat.
     */
    static List<SweepPoint> of(List<SweepRun> runs) {
        Map<Object, List<SweepRun>> groups = new LinkedHashMap<>();
        for (SweepRun run : runs) {
            SweepRun.Placement place = run.placement();
            boolean stated = place.offline() || (place.concurrency() != null && !place.derived());
            Object key = stated
                    ? List.of(place.offline(), String.valueOf(place.concurrency()), run.isSound(), run.basis())
                    : new Object();
            groups.computeIfAbsent(key, any -> new ArrayList<>()).add(run);
        }
        return groups.values().stream()
                .map(SweepPoint::new)
                .sorted(BY_CONCURRENCY)
                .toList();
    }

    /** Requests in flight; null for the Offline point and where unknown. */
    public @Nullable Double concurrency() {
        return runs.get(0).placement().concurrency();
    }

    /** Whether the concurrency is the measured mean in flight. */
    public boolean isDerived() {
        return runs.get(0).placement().derived();
    }

    /** Whether all queries were available at once. */
    public boolean isOffline() {
        return runs.get(0).placement().offline();
    }

    /** The samples that the figures cover. */
    public Basis basis() {
        return runs.get(0).basis();
    }

    /** Whether all runs are complete, none is invalid and the requests of none fail. */
    public boolean isSound() {
        return runs.get(0).isSound();
    }

    /** Whether so many requests of a run failed that its verdict counts it against it. */
    public boolean isFailing() {
        return runs.stream().anyMatch(SweepRun::failing);
    }

    /** Whether the session of every run ended and every text was counted. */
    public boolean isComplete() {
        return runs.stream().allMatch(SweepRun::complete);
    }

    /** Why the front cannot rest on the point, as a clause; empty if it can. */
    public String unsound() {
        if (isFailing()) {
            Double share = figure(PointFigure.ERROR_SHARE);
            return share == null
                    ? "requests fail"
                    : String.format(Locale.ROOT, "%.1f %% of the requests fail", 100 * share);
        }
        if (!isComplete()) {
            return "the run is not complete";
        }
        return isSound() ? "" : "the run is " + validity();
    }

    /** The worst verdict of the runs. */
    public Verdict.Validity validity() {
        return runs.stream()
                .map(SweepRun::validity)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** The intended requests a second of the first run that states them; null if none does. */
    public @Nullable Double rate() {
        return runs.stream()
                .map(each -> each.placement().rate())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** The GPUs of the first run whose number is known; null if none is. */
    public @Nullable Double gpus() {
        return runs.stream()
                .map(each -> each.placement().gpus())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** The largest required share of good samples; null without objectives. */
    public @Nullable Double targetShare() {
        return runs.stream()
                .map(SweepRun::targetShare)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
    }

    /** Whether no run's value of a figure is estimated from a histogram. */
    public boolean isExact(PointFigure figure) {
        return runs.stream().noneMatch(each -> each.marks().estimated().contains(figure));
    }

    /** Whether enough values bound the percentile of each run behind a figure; true for figures other than percentiles. */
    public boolean isCertain(PointFigure figure) {
        return runs.stream().noneMatch(each -> each.marks().uncertain().contains(figure));
    }

    /** A value of a figure with the marks of its percentile. */
    public String marked(PointFigure figure, String value) {
        return PercentileText.marked(value, isExact(figure), isCertain(figure));
    }

    /** The median of a figure over the runs that measured it; of an even number, the mean of the middle two. Null if none did. */
    public @Nullable Double figure(PointFigure figure) {
        List<Double> values = values(figure);
        int n = values.size();
        return n == 0 ? null : (Double) ((values.get((n - 1) / 2) + values.get(n / 2)) / 2);
    }

    /** The smallest value of a figure; null if no run measured it. */
    public @Nullable Double low(PointFigure figure) {
        List<Double> values = values(figure);
        return values.isEmpty() ? null : values.get(0);
    }

    /** The largest value of a figure; null if no run measured it. */
    public @Nullable Double high(PointFigure figure) {
        List<Double> values = values(figure);
        return values.isEmpty() ? null : values.get(values.size() - 1);
    }

    private List<Double> values(PointFigure figure) {
        return runs.stream()
                .map(each -> each.figures().get(figure))
                .filter(Objects::nonNull)
                .sorted()
                .toList();
    }
}
