package io.metricsaggregator.cli.audit;

import io.metricsaggregator.cli.audit.Figure.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a tool in one scenario.
 *
 * @param status exit status of the tool
 * @param served requests that reached the server
 * @param before requests of them before the load
 * @param problem why there are no figures, or fewer; null if there is nothing to say
 * @param figures of the tool
 */
record AuditedRun(
        Scenario scenario,
        int status,
        int served,
        int before,
        @Nullable String problem,
        List<Figure> figures) {
    AuditedRun {
        figures = List.copyOf(figures);
    }

    /** Whether a figure misleads. */
    boolean isBad() {
        return figures.stream().anyMatch(each -> each.verdict().isBad());
    }

    long number(Verdict verdict) {
        return figures.stream().filter(each -> each.verdict() == verdict).count();
    }

    /** The verdict in a few words, such as {@code exact 3, within 20, wrong 2}. */
    String summary() {
        StringBuilder text = new StringBuilder();
        for (Verdict each : Verdict.values()) {
            if (number(each) > 0) {
                text.append(text.isEmpty() ? "" : ", ")
                        .append(each.name().toLowerCase(Locale.ROOT))
                        .append(' ')
                        .append(number(each));
            }
        }
        return text.isEmpty() ? "no figures" : text.toString();
    }

    /** A difference as text, such as {@code wrong by −60.00 ms}. */
    static String verdict(Figure figure) {
        Double difference = figure.difference();
        return figure.verdict() == Verdict.WRONG && difference != null
                ? String.format(Locale.ROOT, "wrong by %+,.2f %s", difference, figure.unit())
                        .strip()
                : figure.verdict().name().toLowerCase(Locale.ROOT);
    }

    Map<String, Object> toTree() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", scenario.name());
        tree.put("summary", summary());
        tree.put("misleading", isBad());
        tree.put("exit_status", (long) status);
        tree.put("served", (long) served);
        tree.put("before_load", (long) before);
        if (problem != null) {
            tree.put("problem", problem);
        }
        tree.put("figures", figures.stream().map(AuditedRun::toTree).toList());
        return tree;
    }

    private static Map<String, Object> toTree(Figure figure) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", figure.name());
        tree.put("unit", figure.unit());
        tree.put("tool", figure.tool());
        Double server = figure.server();
        if (server != null) {
            tree.put("server", server);
        }
        Double ours = figure.ours();
        if (ours != null) {
            tree.put("ours", ours);
        }
        tree.put("verdict", figure.verdict().name().toLowerCase(Locale.ROOT));
        tree.put("note", figure.note());
        return tree;
    }
}
