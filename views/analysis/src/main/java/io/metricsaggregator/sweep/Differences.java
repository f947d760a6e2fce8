package io.metricsaggregator.sweep;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Lists in what the runs of a sweep differ besides their place on its axis. */
final class Differences {
    private static final int VALUES_SHOWN = 6;
    private static final int RUNS_SHOWN = 4;

    private Differences() {}

    /** One line for each name with more than one value, such as {@code streaming: true (a, b and 3 more), auto (c)}. */
    static List<String> of(List<SweepRun> runs) {
        Set<String> names = new LinkedHashSet<>();
        runs.forEach(each -> names.addAll(each.context().keySet()));
        List<String> lines = new ArrayList<>();
        for (String name : names) {
            Map<String, List<String>> byValue = new LinkedHashMap<>();
            for (SweepRun run : runs) {
                byValue.computeIfAbsent(run.context().getOrDefault(name, "-"), any -> new ArrayList<>())
                        .add(run.name());
            }
            add(lines, name, byValue);
        }
        Map<String, List<String>> bases = new LinkedHashMap<>();
        runs.forEach(each -> bases.computeIfAbsent(each.basis().wireName(), any -> new ArrayList<>())
                .add(each.name()));
        add(lines, "basis", bases);
        return lines;
    }

    private static void add(List<String> lines, String name, Map<String, List<String>> byValue) {
        if (byValue.size() < 2) {
            return;
        }
        List<String> parts = new ArrayList<>();
        byValue.entrySet().stream()
                .limit(VALUES_SHOWN)
                .forEach(each -> parts.add(each.getKey() + " (" + shown(each.getValue()) + ")"));
        if (byValue.size() > VALUES_SHOWN) {
            parts.add("and " + (byValue.size() - VALUES_SHOWN) + " more values");
        }
        lines.add(name + ": " + String.join(", ", parts));
    }

    private static String shown(List<String> runs) {
        String first = String.join(", ", runs.stream().limit(RUNS_SHOWN).toList());
        return runs.size() > RUNS_SHOWN ? first + " and " + (runs.size() - RUNS_SHOWN) + " more" : first;
    }
}
