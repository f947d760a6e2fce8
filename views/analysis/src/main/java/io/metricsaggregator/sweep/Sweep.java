package io.metricsaggregator.sweep;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A sweep: one curve, or one for each value of a label.
 *
 * @param options what it draws and asks
 * @param curves by the name of the label's value
 * @param differences settings, labels and bases in which the runs differ, one line each
 */
public record Sweep(SweepOptions options, List<Curve> curves, List<String> differences) {

    public Sweep {
        curves = List.copyOf(curves);
        differences = List.copyOf(differences);
    }

    /**
     * Makes the curves of runs.
     *
     * @throws IllegalArgumentException if there are no runs, or an axis is a figure of which less is better
     */
    public static Sweep of(List<SweepRun> runs, SweepOptions options) {
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("a sweep needs at least one run");
        }
        Map<String, List<SweepRun>> groups = new TreeMap<>();
        for (SweepRun run : runs) {
            groups.computeIfAbsent(run.curve(), any -> new ArrayList<>()).add(run);
        }
        List<Curve> curves = new ArrayList<>();
        groups.forEach((name, own) -> curves.add(Curve.of(name, own, options)));
        return new Sweep(options, curves, Differences.of(runs));
    }

    /** What figures of runs cover besides what their names say, a line for each run and note. */
    public List<String> notes() {
        return curves.stream()
                .flatMap(each -> each.points().stream())
                .flatMap(each -> each.runs().stream())
                .flatMap(run -> run.marks().notes().stream().map(note -> run.name() + ": " + note))
                .toList();
    }

    /** The curve of a name; null if there is none. */
    public @Nullable Curve curve(String name) {
        return curves.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** The range of the horizontal axis that all fronts share; null if they share none or one has no steps. */
    public Front.@Nullable Range commonRange() {
        Front.Range common = null;
        for (Curve each : curves) {
            Front.Range own = each.front().range();
            if (own == null) {
                return null;
            }
            common = common == null ? own : common.and(own);
        }
        return common == null || common.to() <= common.from() ? null : common;
    }

    /** The area below each front over {@link #commonRange}, by the name of the curve; empty without one. */
    public Map<String, Double> areas() {
        Map<String, Double> areas = new LinkedHashMap<>();
        Front.Range common = commonRange();
        for (Curve each : curves) {
            Double area = common == null ? null : each.front().area(common);
            if (area != null) {
                areas.put(each.name(), area);
            }
        }
        return areas;
    }
}
