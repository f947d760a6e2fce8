package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.report.markup.Markup;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.verdict.Finding;
import io.metricsaggregator.verdict.Verdict;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * JUnit XML, which CI systems show as test results: one test case per check of the verdict, and one for the objectives ({@code run --slo}).
 * Findings that make the figures invalid, and a missed target, are failures; checks without data are skipped; remarks pass, with their evidence.
 */
public final class JunitXml implements Dialect {
    private static final double NANOS_PER_SECOND = 1e9;

    @Override
    public String render(Report report) {
        // The objectives have a case of their own, which fails.
        List<Finding> findings = Verdict.of(report.snapshot()).findings().stream()
                .filter(each -> !each.what().equals(Verdict.OBJECTIVES))
                .toList();
        Goodput goodput = goodput(report);
        long failures = findings.stream()
                        .filter(each -> each.weight() == Finding.Weight.BAD)
                        .count()
                + (goodput != null && isMissed(goodput) ? 1 : 0);
        long skipped = findings.stream()
                .filter(each -> each.weight() == Finding.Weight.UNKNOWN)
                .count();
        Long nanos = report.durationNanos();
        Markup xml = new Markup()
                .open(
                        "testsuite",
                        "name",
                        "metrics-aggregator",
                        "tests",
                        Integer.toString(findings.size() + (goodput == null ? 0 : 1)),
                        "failures",
                        Long.toString(failures),
                        "skipped",
                        Long.toString(skipped),
                        "time",
                        String.format(Locale.ROOT, "%.3f", nanos == null ? 0 : nanos / NANOS_PER_SECOND));
        Verdict verdict = Verdict.of(report.snapshot());
        xml.lineBreak().open("properties");
        xml.empty("property", "name", "verdict", "value", verdict.validity().name());
        xml.empty(
                "property", "name", "state", "value", report.snapshot().state().wireName());
        xml.close();
        findings.forEach(each -> finding(xml, each));
        if (goodput != null) {
            objectives(xml, goodput);
        }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + xml.close() + "\n";
    }

    private static void finding(Markup xml, Finding finding) {
        xml.lineBreak().open("testcase", "classname", "verdict", "name", finding.what());
        switch (finding.weight()) {
            case BAD -> xml.element("failure", finding.evidence(), "message", finding.evidence());
            case UNKNOWN -> xml.empty("skipped", "message", finding.evidence());
            case GOOD, NOTE, REMARK -> xml.element("system-out", finding.evidence());
        }
        xml.close();
    }

    private static @Nullable Goodput goodput(Report report) {
        SnapshotExtensions extensions = report.snapshot().extensions();
        return extensions.goodput();
    }

    private static boolean isMissed(Goodput goodput) {
        Double share = goodput.share();
        return share == null || share < goodput.targetShare() || (goodput.classes() != null && !goodput.isMet());
    }

    private static void objectives(Markup xml, Goodput goodput) {
        Double share = goodput.share();
        String evidence = String.format(
                Locale.ROOT,
                "%d of %d judged samples are good (%s); the target is %.2f%%",
                goodput.good(),
                goodput.judged(),
                share == null ? "none judged" : String.format(Locale.ROOT, "%.2f%%", 100 * share),
                100 * goodput.targetShare());
        xml.lineBreak().open("testcase", "classname", "objectives", "name", "share of good samples");
        if (isMissed(goodput)) {
            xml.element("failure", evidence, "message", evidence);
        } else {
            xml.element("system-out", evidence);
        }
        xml.close();
    }
}
