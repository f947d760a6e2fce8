package io.metricsaggregator.report.sweep;

import io.metricsaggregator.codec.CsvRow;
import io.metricsaggregator.sweep.Curve;
import io.metricsaggregator.sweep.Front;
import io.metricsaggregator.sweep.PointFigure;
import io.metricsaggregator.sweep.Sweep;
import io.metricsaggregator.sweep.SweepPoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** One row per point at full precision, medians where a point has repeats; empty cells for unmeasured values. The columns are always the same. */
final class SweepCsv {
    private SweepCsv() {}

    static String render(Sweep sweep) {
        List<String> head =
                new ArrayList<>(List.of("curve", "concurrency", "derived", "offline", "rate", "gpus", "basis", "runs"));
        Arrays.stream(PointFigure.values()).forEach(each -> head.add(each.key()));
        head.addAll(List.of("verdict", "complete", "on_front", "knee", "estimated", "uncertain", "notes"));
        StringBuilder out = new StringBuilder().append(new CsvRow().names(head));
        for (Curve curve : sweep.curves()) {
            curve.points().forEach(each -> out.append(row(curve, each)));
        }
        return out.toString();
    }

    private static CsvRow row(Curve curve, SweepPoint point) {
        CsvRow row = new CsvRow()
                .text(curve.name())
                .value(point.concurrency())
                .value(point.isDerived())
                .value(point.isOffline())
                .value(point.rate())
                .value(point.gpus())
                .name(point.basis().wireName())
                .value(point.runs().size());
        for (PointFigure each : PointFigure.values()) {
            row.value(point.figure(each));
        }
        Front.Step knee = curve.front().knee();
        return row.name(point.validity().name().toLowerCase(Locale.ROOT))
                .value(point.isComplete())
                .value(curve.front().has(point))
                .value(knee != null && knee.point().equals(point))
                .text(figures(point, each -> !point.isExact(each)))
                .text(figures(point, each -> !point.isCertain(each)))
                .text(point.runs().stream()
                        .flatMap(each -> each.marks().notes().stream())
                        .distinct()
                        .collect(Collectors.joining("; ")));
    }

    /** The keys of the figures of a point with a mark, separated by spaces. */
    private static String figures(SweepPoint point, Predicate<PointFigure> marked) {
        return Arrays.stream(PointFigure.values())
                .filter(each -> point.figure(each) != null && marked.test(each))
                .map(PointFigure::key)
                .collect(Collectors.joining(" "));
    }
}
