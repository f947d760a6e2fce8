package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.fields.TreeValues.integer;
import static io.metricsaggregator.snapshot.fields.TreeValues.map;
import static io.metricsaggregator.snapshot.fields.TreeValues.real;
import static io.metricsaggregator.snapshot.fields.TreeValues.text;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts {@link Goodput} to and from maps. The maps also hold shares and budget, which reading ignores. */
final class GoodputCodec {
    private GoodputCodec() {}

    static Map<String, @Nullable Object> of(Goodput goodput) {
        Map<String, @Nullable Object> constraints = new LinkedHashMap<>();
        for (Goodput.Constraint each : goodput.constraints()) {
            Map<String, @Nullable Object> constraint = new LinkedHashMap<>();
            constraint.put("limit_ns", each.limitNanos());
            constraint.put("met", each.met());
            constraint.put("met_share", goodput.share(each));
            constraints.put(each.name(), constraint);
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("target_share", goodput.targetShare());
        tree.put("judged", goodput.judged());
        tree.put("good", goodput.good());
        tree.put("good_share", goodput.share());
        tree.put("budget_left", goodput.budgetLeft());
        tree.put("unjudged", goodput.unjudged());
        tree.put("constraints", constraints);
        return tree;
    }

    static Goodput read(Map<?, ?> tree) throws MalformedMessageException {
        List<Goodput.Constraint> constraints = new ArrayList<>();
        for (Map.Entry<?, ?> entry :
                map("goodput.constraints", tree.get("constraints")).entrySet()) {
            Map<?, ?> each = map("goodput.constraints", entry.getValue());
            constraints.add(new Goodput.Constraint(
                    text("goodput.constraints", entry.getKey()),
                    integer("goodput.limit_ns", each.get("limit_ns")),
                    integer("goodput.met", each.get("met"))));
        }
        return new Goodput(
                constraints,
                real("goodput.target_share", tree.get("target_share")),
                integer("goodput.judged", tree.get("judged")),
                integer("goodput.good", tree.get("good")),
                integer("goodput.unjudged", tree.get("unjudged")));
    }
}
