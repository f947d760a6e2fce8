package io.metricsaggregator.imports.journal;

import io.metricsaggregator.imports.SummarySeries;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Figures that the summary of a tool does not have, with the reason. Stateless. */
final class UnknownFigures {
    /** Percentiles that reports show. */
    private static final List<Double> SHOWN = List.of(50.0, 90.0, 95.0, 99.0);

    private UnknownFigures() {}

    /** The reasons by the name of the figure, such as {@code min}. */
    static Map<String, String> of(List<SummarySeries> summaries) {
        Map<String, String> unknown = new LinkedHashMap<>();
        put(unknown, "mean", summaries, each -> each.mean() == null);
        put(unknown, "min", summaries, each -> each.min() == null);
        put(unknown, "max", summaries, each -> each.max() == null);
        put(unknown, "std_dev", summaries, each -> each.standardDeviation() == null);
        String lacking = SHOWN.stream()
                .filter(percent ->
                        summaries.stream().anyMatch(each -> !each.percentiles().containsKey(percent)))
                .map(percent -> "p" + percent.intValue())
                .collect(Collectors.joining(", "));
        if (!lacking.isEmpty()) {
            unknown.put(
                    "percentiles",
                    "the file has no " + lacking + " of "
                            + names(summaries.stream()
                                    .filter(each -> !each.percentiles().keySet().containsAll(SHOWN))));
        }
        return unknown;
    }

    private static void put(
            Map<String, String> unknown, String figure, List<SummarySeries> summaries, Predicate<SummarySeries> lacks) {
        String names = names(summaries.stream().filter(lacks));
        if (!names.isEmpty()) {
            unknown.put(figure, "the file has none of " + names);
        }
    }

    private static String names(Stream<SummarySeries> series) {
        return String.join(", ", series.map(SummarySeries::name).collect(Collectors.toCollection(TreeSet::new)));
    }
}
