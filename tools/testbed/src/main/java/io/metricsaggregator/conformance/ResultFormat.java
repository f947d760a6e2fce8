package io.metricsaggregator.conformance;

import io.metricsaggregator.codec.JsonTree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The output formats of the checks. */
public enum ResultFormat {
    /** A line per case, and the failed rules with their remedies. */
    TEXT {
        @Override
        public String render(List<CaseResult> results, @Nullable String conclusion) {
            StringBuilder text = new StringBuilder();
            results.forEach(result -> text.append(caseAsText(result)));
            return text + (conclusion == null ? "" : conclusion + "\n");
        }
    },
    /** Test Anything Protocol, version 13. */
    TAP {
        @Override
        public String render(List<CaseResult> results, @Nullable String conclusion) {
            return tap(results, conclusion);
        }
    },
    /** JUnit XML: a suite per case, a test case per check. */
    JUNIT {
        @Override
        public String render(List<CaseResult> results, @Nullable String conclusion) {
            return junit(results);
        }
    },
    /** One JSON document. */
    JSON {
        @Override
        public String render(List<CaseResult> results, @Nullable String conclusion) {
            return json(results, conclusion);
        }
    };

    /**
     * Renders results.
     *
     * @param conclusion one line that sums them up; null for none
     */
    public abstract String render(List<CaseResult> results, @Nullable String conclusion);

    /** One case as text: a line, and lines for the checks that did not pass. */
    public static String caseAsText(CaseResult result) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%-4s %s: %d checks%n",
                result.isBad() ? "FAIL" : "PASS",
                result.name(),
                result.checks().size()));
        for (CaseResult.Check check : result.checks()) {
            if (check.status() == CaseResult.Status.PASS) {
                continue;
            }
            text.append("     ")
                    .append(check.status() == CaseResult.Status.KNOWN ? "known  " : "broken ")
                    .append(check.id())
                    .append(": ")
                    .append(check.message())
                    .append('\n');
            if (!check.remedy().isEmpty() && check.status().isBad()) {
                text.append("            Remedy: ").append(check.remedy()).append('\n');
            }
        }
        return text.toString();
    }

    private static String tap(List<CaseResult> results, @Nullable String conclusion) {
        StringBuilder text = new StringBuilder("TAP version 13\n");
        int number = 0;
        for (CaseResult result : results) {
            for (CaseResult.Check check : result.checks()) {
                number++;
                boolean passed = check.status() == CaseResult.Status.PASS;
                text.append(passed ? "ok " : "not ok ")
                        .append(number)
                        .append(" - ")
                        .append(result.name())
                        .append('/')
                        .append(check.id())
                        .append(check.status() == CaseResult.Status.KNOWN ? " # todo " + check.message() : "")
                        .append('\n');
                if (check.status().isBad()) {
                    text.append("# ").append(check.message()).append('\n');
                }
            }
        }
        text.append("1..").append(number).append('\n');
        return text + (conclusion == null ? "" : "# " + conclusion + "\n");
    }

    private static String junit(List<CaseResult> results) {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
        for (CaseResult result : results) {
            long failures = result.checks().stream()
                    .filter(check -> check.status().isBad())
                    .count();
            long skipped = result.checks().stream()
                    .filter(check -> check.status() == CaseResult.Status.KNOWN)
                    .count();
            xml.append(String.format(
                    Locale.ROOT,
                    "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" skipped=\"%d\">%n",
                    escape(result.name()),
                    result.checks().size(),
                    failures,
                    skipped));
            for (CaseResult.Check check : result.checks()) {
                String element = switch (check.status()) {
                    case PASS -> "";
                    case KNOWN -> "<skipped message=\"" + escape(check.message()) + "\"/>";
                    case FAIL, UNEXPECTED_PASS ->
                        "<failure message=\"" + escape(check.message()) + "\">" + escape(check.remedy()) + "</failure>";
                };
                xml.append("    <testcase classname=\"")
                        .append(escape(result.name()))
                        .append("\" name=\"")
                        .append(escape(check.id()))
                        .append("\">")
                        .append(element)
                        .append("</testcase>\n");
            }
            xml.append("  </testsuite>\n");
        }
        return xml.append("</testsuites>\n").toString();
    }

    /** Escapes text for XML; characters that XML 1.0 does not allow become U+FFFD. */
    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                default -> escaped.appendCodePoint(c < 0x20 || c == 0xfffe || c == 0xffff ? 0xfffd : c);
            }
        });
        return escaped.toString();
    }

    private static String json(List<CaseResult> results, @Nullable String conclusion) {
        List<Object> cases = new ArrayList<>();
        for (CaseResult result : results) {
            List<Object> checks = new ArrayList<>();
            for (CaseResult.Check check : result.checks()) {
                Map<String, Object> map = new LinkedHashMap<>();
                map.put("id", check.id());
                map.put("status", check.status().name().toLowerCase(Locale.ROOT));
                map.put("message", check.message());
                map.put("remedy", check.remedy());
                checks.add(map);
            }
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("name", result.name());
            map.put("passed", !result.isBad());
            map.put("checks", checks);
            cases.add(map);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("kit", Suite.VERSION);
        document.put("passed", results.stream().noneMatch(CaseResult::isBad));
        document.put("cases", cases);
        if (conclusion != null) {
            document.put("conclusion", conclusion);
        }
        return new String(JsonTree.write(document), StandardCharsets.UTF_8);
    }
}
