package io.metricsaggregator.report.sweep;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.sweep.Curve;
import io.metricsaggregator.sweep.Front;
import io.metricsaggregator.sweep.PointFigure;
import io.metricsaggregator.sweep.Regions;
import io.metricsaggregator.sweep.Requirement;
import io.metricsaggregator.sweep.Rules;
import io.metricsaggregator.sweep.Sweep;
import io.metricsaggregator.sweep.SweepPoint;
import io.metricsaggregator.sweep.SweepRun;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A sweep as JSON for programs: null for unmeasured values, units in names. */
final class SweepJson {
    private static final long SCHEMA_VERSION = 1;

    private SweepJson() {}

    static String render(Sweep sweep) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("schema_version", SCHEMA_VERSION);
        tree.put("x", sweep.options().x().key());
        tree.put("y", sweep.options().y().key());
        Requirement requirement = sweep.options().requirement();
        tree.put("require", requirement == null ? null : requirement.toString());
        Front.Range range = sweep.commonRange();
        tree.put("auc_from", range == null ? null : range.from());
        tree.put("auc_to", range == null ? null : range.to());
        tree.put(
                "curves",
                sweep.curves().stream().map(each -> curve(sweep, each)).toList());
        tree.put("notes", sweep.notes());
        tree.put("differences", sweep.differences());
        return new String(JsonTree.write(tree), StandardCharsets.UTF_8) + "\n";
    }

    private static Map<String, @Nullable Object> curve(Sweep sweep, Curve curve) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("name", curve.name());
        tree.put(
                "points",
                curve.points().stream().map(each -> point(curve, each)).toList());
        tree.put("front", front(sweep, curve));
        Front.Step knee = curve.front().knee();
        tree.put("knee", knee == null ? null : step(knee));
        tree.put("saturation_concurrency", concurrency(curve.saturation()));
        SweepPoint best = curve.bestGoodput();
        tree.put("goodput_concurrency", concurrency(best));
        tree.put("goodput_per_s", best == null ? null : best.figure(PointFigure.GOODPUT_PER_S));
        Requirement.Answer required = curve.required();
        tree.put("required_concurrency", required == null ? null : concurrency(required.point()));
        tree.put("required_missed", required == null ? null : required.missed());
        tree.put("regions", regions(curve.rules().regions()));
        List<Object> checks = new ArrayList<>();
        for (Rules.Check each : curve.rules().checks()) {
            Map<String, Object> check = new LinkedHashMap<>();
            check.put("rule", each.rule());
            check.put("outcome", each.outcome().name().toLowerCase(Locale.ROOT));
            check.put("evidence", each.evidence());
            checks.add(check);
        }
        tree.put("checks", checks);
        return tree;
    }

    private static Map<String, @Nullable Object> front(Sweep sweep, Curve curve) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("auc", sweep.areas().get(curve.name()));
        tree.put("steps", curve.front().steps().stream().map(SweepJson::step).toList());
        return tree;
    }

    private static Map<String, @Nullable Object> step(Front.Step step) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("concurrency", step.point().concurrency());
        tree.put("x", step.x());
        tree.put("y", step.y());
        return tree;
    }

    private static @Nullable Double concurrency(@Nullable SweepPoint point) {
        return point == null ? null : point.concurrency();
    }

    private static @Nullable Map<String, Object> regions(@Nullable Regions regions) {
        if (regions == null || !regions.isRegular()) {
            return null;
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("low", List.of(regions.from() + 1, regions.lowTo()));
        tree.put("medium", List.of(regions.lowTo() + 1, regions.mediumTo()));
        tree.put("high", List.of(regions.mediumTo() + 1, regions.to()));
        tree.put("margin_to", regions.marginTo());
        return tree;
    }

    private static Map<String, @Nullable Object> point(Curve curve, SweepPoint point) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("concurrency", point.concurrency());
        tree.put("derived", point.isDerived());
        tree.put("offline", point.isOffline());
        tree.put("rate", point.rate());
        tree.put("gpus", point.gpus());
        tree.put("basis", point.basis().wireName());
        tree.put("verdict", point.validity().name().toLowerCase(Locale.ROOT));
        tree.put("complete", point.isComplete());
        tree.put("on_front", curve.front().has(point));
        tree.put("place", PointTable.place(curve, point));
        Map<String, @Nullable Object> figures = new LinkedHashMap<>();
        for (PointFigure each : PointFigure.values()) {
            figures.put(each.key(), figure(point, each));
        }
        tree.put("figures", figures);
        tree.put("runs", point.runs().stream().map(SweepJson::run).toList());
        return tree;
    }

    private static @Nullable Map<String, @Nullable Object> figure(SweepPoint point, PointFigure figure) {
        Double median = point.figure(figure);
        if (median == null) {
            return null;
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("median", median);
        tree.put("min", point.low(figure));
        tree.put("max", point.high(figure));
        tree.put("exact", point.isExact(figure));
        tree.put("certain", point.isCertain(figure));
        return tree;
    }

    private static Map<String, @Nullable Object> run(SweepRun run) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("name", run.name());
        tree.put("verdict", run.validity().name().toLowerCase(Locale.ROOT));
        tree.put("complete", run.complete());
        tree.put("duration_s", run.seconds());
        tree.put("issued", run.issued());
        tree.put("notes", run.marks().notes());
        return tree;
    }
}
