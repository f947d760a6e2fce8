package io.metricsaggregator.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.JsonTree;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

class ResultFormatTest {
    private static final CaseResult MIXED = new CaseResult(
            "07_flood",
            List.of(
                    CaseResult.Check.pass("wire.one-frame"),
                    new CaseResult.Check("time.present", CaseResult.Status.FAIL, "<none> & \"no\"\u0007", "Send it."),
                    CaseResult.Check.fail("loss.none-or-told", "3 lost")));

    @TempDir
    Path directory;

    private KnownFailures known(String list) throws IOException {
        return KnownFailures.read(Files.writeString(directory.resolve("known"), list));
    }

    @Test
    void a_known_failure_of_a_check_does_not_fail_the_case() throws IOException {
        CaseResult marked = known("# comment\n\n*/time.*: cold start\n07_flood/loss.none-or-told: drops\n")
                .apply(MIXED);
        assertThat(marked.isBad()).isFalse();
        assertThat(marked.checks())
                .extracting(CaseResult.Check::status)
                .containsExactly(CaseResult.Status.PASS, CaseResult.Status.KNOWN, CaseResult.Status.KNOWN);
        assertThat(marked.checks().get(2).message()).isEqualTo("3 lost (known: drops)");
        assertThat(known("08_*: another case").apply(MIXED).isBad()).isTrue();
    }

    @Test
    void a_known_failure_of_a_case_covers_all_its_checks() throws IOException {
        assertThat(known("07_*: slow disk").apply(MIXED).isBad()).isFalse();
    }

    @Test
    void a_known_failure_that_passes_is_a_failure() throws IOException {
        CaseResult one = known("07_flood/*: reason").apply(MIXED);
        assertThat(one.checks().get(0).status()).isEqualTo(CaseResult.Status.UNEXPECTED_PASS);
        assertThat(one.isBad()).isTrue();
        CaseResult right = new CaseResult("01_minimal", List.of(CaseResult.Check.pass("wire.one-frame")));
        assertThat(known("01_minimal: reason").apply(right).isBad()).isTrue();
    }

    @Test
    void a_known_failure_needs_a_reason() {
        assertThatThrownBy(() -> known("07_flood"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'07_flood' is not GLOB: REASON");
    }

    @Test
    void tap_numbers_the_checks_and_marks_known_failures_as_todo() throws IOException {
        CaseResult marked = known("*/loss.*: drops").apply(MIXED);
        assertThat(ResultFormat.TAP.render(List.of(marked), "1 of 1 cases fail."))
                .isEqualTo("""
                        TAP version 13
                        ok 1 - 07_flood/wire.one-frame
                        not ok 2 - 07_flood/time.present
                        # <none> & "no"\u0007
                        not ok 3 - 07_flood/loss.none-or-told # todo 3 lost (known: drops)
                        1..3
                        # 1 of 1 cases fail.
                        """);
    }

    @Test
    void junit_xml_is_well_formed_whatever_a_message_contains() throws Exception {
        String xml = ResultFormat.JUNIT.render(List.of(MIXED), null);
        Element root = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)))
                .getDocumentElement();
        Element suite = (Element) root.getElementsByTagName("testsuite").item(0);
        assertThat(suite.getAttribute("tests")).isEqualTo("3");
        assertThat(suite.getAttribute("failures")).isEqualTo("2");
        assertThat(root.getElementsByTagName("failure")
                        .item(0)
                        .getAttributes()
                        .getNamedItem("message")
                        .getNodeValue())
                .isEqualTo("<none> & \"no\"\ufffd");
    }

    @Test
    void json_holds_every_check() throws IOException {
        Map<String, ?> document =
                JsonTree.read(ResultFormat.JSON.render(List.of(MIXED), "x").getBytes(StandardCharsets.UTF_8));
        assertThat(document.get("passed")).isEqualTo(false);
        Map<?, ?> first = (Map<?, ?>) ((List<?>) document.get("cases")).get(0);
        assertThat((List<?>) first.get("checks")).hasSize(3);
        assertThat(((Map<?, ?>) ((List<?>) first.get("checks")).get(1)).get("remedy"))
                .isEqualTo("Send it.");
    }

    @Test
    void text_shows_the_remedy_of_a_broken_rule() {
        assertThat(ResultFormat.caseAsText(MIXED))
                .startsWith("FAIL 07_flood: 3 checks")
                .contains("broken loss.none-or-told: 3 lost")
                .contains("Remedy: Send it.")
                .doesNotContain("wire.one-frame");
    }

    @Test
    void the_conclusion_names_the_highest_level_without_a_broken_rule() {
        assertThat(Conclusion.ofProducer(List.of(MIXED), Level.OURS))
                .isEqualTo("1 of 1 cases fail. The producer keeps level 2 (life). Broken: loss.none-or-told,"
                        + " time.present.");
        CaseResult right = new CaseResult("01_minimal", List.of(CaseResult.Check.pass("wire.one-frame")));
        assertThat(Conclusion.ofProducer(List.of(right), Level.TIME))
                .isEqualTo("All 1 cases pass. The producer keeps level 3 (time).");
    }

    @Test
    void tagged_integers_are_compared_exactly_and_floats_by_value() throws IOException {
        assertThat(difference("{\"a\": {\"$int\": \"9007199254740993\"}}", "{\"a\": {\"$int\": \"9007199254740992\"}}"))
                .startsWith("a is");
        assertThat(difference("{\"a\": {\"$float\": \"1e3\"}}", "{\"a\": {\"$float\": \"1000.0\"}}"))
                .isEmpty();
        assertThat(difference("{\"a\": {\"$float\": \"1.0\"}}", "{\"a\": {\"$int\": \"1\"}}"))
                .isEmpty();
        assertThat(difference("{\"a\": {\"$int\": \"1\"}}", "{\"a\": {\"$float\": \"1.0\"}}"))
                .startsWith("a is");
        assertThat(difference("{\"a\": {\"b\": [1]}}", "{\"a\": {\"b\": [1, 2], \"c\": 0}}"))
                .isEqualTo("a.b has 2 elements instead of 1");
        assertThat(difference("{\"a\": null}", "{}")).isEmpty();
        assertThat(difference("{\"a\": true}", "{}")).isEqualTo("a is missing");
    }

    private static String difference(String expected, String actual) throws IOException {
        return TaggedJson.difference(
                "",
                JsonTree.read(expected.getBytes(StandardCharsets.UTF_8)),
                JsonTree.read(actual.getBytes(StandardCharsets.UTF_8)));
    }
}
