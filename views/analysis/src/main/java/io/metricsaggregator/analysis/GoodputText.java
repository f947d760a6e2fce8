package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.ServiceClasses;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Whether the objectives of a run are met, in the words of every view. */
public final class GoodputText {
    private static final int NAME_MAX = 24;

    private GoodputText() {}

    private static String ofClasses(ServiceClasses classes, Predicate<Goodput> shown, Function<Goodput, String> text) {
        return classes.rows().stream()
                .filter(each -> shown.test(each.goodput()))
                .map(each -> Printable.escape(each.name(), NAME_MAX) + text.apply(each.goodput()))
                .collect(Collectors.joining("; "));
    }

    /** The target as a clause: whether it is met, and how many more samples may be bad or by how many it is missed. */
    public static String target(Goodput goodput) {
        if (goodput.classes() != null) {
            String missed = ofClasses(goodput.classes(), each -> each.judged() > 0 && !each.isMet(), each -> "");
            return missed.isEmpty() ? "no class misses its target" : "the target is MISSED by " + missed;
        }
        String target = Figures.share(goodput.targetShare());
        if (goodput.judged() == 0) {
            return "the target is " + target;
        }
        long left = goodput.budgetLeft();
        return left >= 0
                ? String.format(Locale.ROOT, "the target of %s is met, %,d more may be bad", target, left)
                : String.format(Locale.ROOT, "the target of %s is MISSED by %,d", target, -left);
    }

    /** The objectives: {@code ttft <= 300.00 ms, tpot <= 60.00 ms for 95.00% of requests}. */
    public static String stated(Goodput goodput) {
        if (goodput.classes() != null) {
            return ofClasses(goodput.classes(), each -> true, each -> ": " + stated(each));
        }
        return goodput.constraints().stream()
                .map(each -> each.name() + " <= " + Figures.duration(each.limitNanos()))
                .collect(Collectors.joining(", ", "", " for " + Figures.share(goodput.targetShare()) + " of requests"));
    }

    /** Each limit with the share of samples within it, such as {@code ttft <= 300.00 ms: 95.00%}. */
    public static String limits(Goodput goodput) {
        if (goodput.classes() != null) {
            return ofClasses(goodput.classes(), each -> true, each -> ": " + limits(each));
        }
        return goodput.constraints().stream()
                .map(each -> String.format(
                        Locale.ROOT,
                        "%s <= %s: %s",
                        each.name(),
                        Figures.duration(each.limitNanos()),
                        Figures.share(goodput.share(each))))
                .collect(Collectors.joining(", "));
    }
}
