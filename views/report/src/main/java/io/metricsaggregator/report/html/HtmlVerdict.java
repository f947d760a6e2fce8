package io.metricsaggregator.report.html;

import io.metricsaggregator.report.markup.Markup;
import io.metricsaggregator.verdict.Finding;
import io.metricsaggregator.verdict.Verdict;
import java.util.List;
import java.util.Locale;

/** The verdict on a run: its summary, the findings behind it, and the notes. */
final class HtmlVerdict {
    private HtmlVerdict() {}

    /**
     * Appends the summary in the colour of its validity, which it also states in words.
     *
     * @param before words before the summary; may be empty
     */
    static void summary(Markup out, String before, Verdict verdict) {
        String kind = switch (verdict.validity()) {
            case VALID -> "good";
            case QUESTIONABLE -> "warn";
            case INVALID -> "bad";
        };
        out.element("p", before + verdict.summary(), "class", "verdict " + kind);
    }

    private static String tone(Finding finding) {
        return finding.isFailure() ? "bad" : finding.weight().name().toLowerCase(Locale.ROOT);
    }

    /**
     * Appends the findings, the worst first, then the notes.
     *
     * @param least findings of less weight are left out
     */
    static void findings(Markup out, Verdict verdict, Finding.Weight least, List<String> notes) {
        List<Finding> findings = verdict.findings().stream()
                .filter(each -> each.weight().compareTo(least) >= 0)
                .toList();
        if (findings.isEmpty() && notes.isEmpty()) {
            return;
        }
        out.open("ul", "class", "findings");
        for (Finding each : findings) {
            String mark = switch (each.weight()) {
                case GOOD -> "ok";
                case UNKNOWN -> "unknown";
                case NOTE -> "note";
                case REMARK -> each.isFailure() ? "missed" : "remark";
                case BAD -> "bad";
            };
            out.open("li")
                    .element("b", mark, "class", "mark " + tone(each))
                    .open("span")
                    .element("b", each.what())
                    .text(": " + each.evidence())
                    .close()
                    .close();
        }
        for (String note : notes) {
            out.open("li")
                    .element("b", "note", "class", "mark remark")
                    .element("span", note)
                    .close();
        }
        out.close();
    }
}
