package io.metricsaggregator.cli.audit;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.conformance.CaseResult;
import io.metricsaggregator.conformance.ResultFormat;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How the results of an audit are written. */
enum AuditFormat {
    /** A table for each scenario. */
    TEXT {
        @Override
        String render(String tool, Map<String, String> about, List<AuditedRun> runs, boolean isVerbose) {
            StringBuilder text = new StringBuilder();
            for (AuditedRun run : runs) {
                text.append(String.format(
                        Locale.ROOT,
                        "%-14s %s%s%n",
                        run.scenario().name(),
                        run.isBad() ? "MISLEADING: " + run.summary() : run.summary(),
                        run.problem() == null ? "" : "; " + run.problem()));
                run.figures().stream()
                        .filter(each -> isVerbose || each.verdict().compareTo(Figure.Verdict.WRONG) >= 0)
                        .forEach(each -> text.append(line(each)));
            }
            long bad = runs.stream().filter(AuditedRun::isBad).count();
            return text.append((tool + " " + about.getOrDefault("tool_version", "")).strip())
                    .append(": ")
                    .append(
                            bad == 0
                                    ? "no figure misleads"
                                    : "misleading in " + bad + " of " + runs.size() + " scenarios")
                    .append('\n')
                    .toString();
        }
    },
    /** One JSON document. */
    JSON {
        @Override
        String render(String tool, Map<String, String> about, List<AuditedRun> runs, boolean isVerbose) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("tool", tool);
            document.putAll(about);
            document.put("misleading", runs.stream().anyMatch(AuditedRun::isBad));
            document.put("scenarios", runs.stream().map(AuditedRun::toTree).toList());
            return new String(JsonTree.write(document), StandardCharsets.UTF_8);
        }
    },
    /** JUnit XML: a suite for each scenario, a test case for each figure. */
    JUNIT {
        @Override
        String render(String tool, Map<String, String> about, List<AuditedRun> runs, boolean isVerbose) {
            return ResultFormat.JUNIT.render(
                    runs.stream().map(AuditFormat::suite).toList(), null);
        }
    };

    /**
     * Renders results.
     *
     * @param about version, date and machine
     * @param isVerbose whether figures without a fault are listed too
     */
    abstract String render(String tool, Map<String, String> about, List<AuditedRun> runs, boolean isVerbose);

    private static String line(Figure figure) {
        return String.format(
                Locale.ROOT,
                "    %-36s tool %s  server %s  ours %s  %s%s%n",
                figure.name(),
                number(figure.tool()),
                number(figure.server()),
                number(figure.ours()),
                AuditedRun.verdict(figure),
                figure.note().isEmpty() ? "" : " (" + figure.note() + ")");
    }

    private static String number(@Nullable Double value) {
        return String.format(Locale.ROOT, "%10s", value == null ? "-" : String.format(Locale.ROOT, "%,.2f", value));
    }

    private static CaseResult suite(AuditedRun run) {
        return new CaseResult(
                run.scenario().name(),
                run.figures().stream()
                        .map(each -> new CaseResult.Check(each.name(), status(each), message(each), each.note()))
                        .toList());
    }

    private static CaseResult.Status status(Figure figure) {
        return switch (figure.verdict()) {
            case EXACT, WITHIN -> CaseResult.Status.PASS;
            case WRONG, SILENT -> CaseResult.Status.FAIL;
            case UNKNOWN -> CaseResult.Status.KNOWN;
        };
    }

    private static String message(Figure figure) {
        return String.format(
                        Locale.ROOT,
                        "%s: tool %s, server %s %s",
                        AuditedRun.verdict(figure),
                        number(figure.tool()).strip(),
                        number(figure.server()).strip(),
                        figure.unit())
                .strip();
    }
}
