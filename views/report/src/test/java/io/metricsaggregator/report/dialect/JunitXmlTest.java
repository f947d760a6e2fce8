package io.metricsaggregator.report.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.verdict.Finding;
import io.metricsaggregator.verdict.Verdict;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

class JunitXmlTest {
    private static Element suite(Report report) throws Exception {
        byte[] file = new JunitXml().render(report).getBytes(StandardCharsets.UTF_8);
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(file))
                .getDocumentElement();
    }

    private static void assertEachFindingIsACase(Report report, long objectives) throws Exception {
        Element suite = suite(report);
        Verdict verdict = Verdict.of(report.snapshot());
        long bad = count(verdict, Finding.Weight.BAD);
        assertThat(suite.getTagName()).isEqualTo("testsuite");
        assertThat(suite.getElementsByTagName("testcase").getLength())
                .isEqualTo(verdict.findings().size() + (int) objectives);
        assertThat(suite.getElementsByTagName("skipped").getLength())
                .isEqualTo((int) count(verdict, Finding.Weight.UNKNOWN));
        long failures = suite.getElementsByTagName("failure").getLength();
        assertThat(failures).isBetween(bad, bad + objectives);
        assertThat(suite.getAttribute("failures")).isEqualTo(Long.toString(failures));
        assertThat(suite.getAttribute("tests"))
                .isEqualTo(
                        Integer.toString(suite.getElementsByTagName("testcase").getLength()));
    }

    private static long count(Verdict verdict, Finding.Weight weight) {
        return verdict.findings().stream()
                .filter(each -> each.weight() == weight)
                .count();
    }

    @Test
    void each_check_of_the_verdict_is_a_test_case_and_text_of_producers_stays_text() throws Exception {
        Report report = Report.of(ExampleRuns.hostile(1, SessionState.COMPLETE));
        assertEachFindingIsACase(
                report,
                ExampleRuns.hostile(1, SessionState.COMPLETE).extensions().goodput() == null ? 0 : 1);
    }

    @Test
    void an_interrupted_run_has_a_failed_case() throws Exception {
        Report report = Report.of(ExampleRuns.hostile(1, SessionState.INTERRUPTED));
        assertThat(suite(report).getElementsByTagName("failure").getLength()).isPositive();
    }
}
