package io.metricsaggregator.report.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.figures.Conversations;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A run with failures under one label only, and one whose conversations have single turns. */
class LabelSectionTest {
    private static final LabelBreakdown.Durations DURATIONS =
            new LabelBreakdown.Durations(9, 100_000_000L, 100_000_000L, 100_000_000L, 100_000_000L);

    private static Report with(OptionalFigures figures) {
        MetricsSnapshot plain = ExampleRuns.hostile(1, SessionState.COMPLETE);
        return Report.of(new MetricsSnapshot(
                1, 1, plain.state(), 0, plain.metrics(), plain.extensions().withOptional(figures)));
    }

    private static Report failuresOfOneLabel() {
        return with(OptionalFigures.NONE.withLabels(new LabelBreakdown(List.of(new LabelBreakdown.Key(
                "endpoint",
                List.of(
                        new LabelBreakdown.Value("good", 9, 9, 0, 0, 90, 70, DURATIONS, DURATIONS),
                        new LabelBreakdown.Value("bad", 5, 5, 5, 0, 0, 0, null, null)))))));
    }

    private static String line(String text, String start) {
        return text.lines()
                .filter(each -> each.strip().startsWith(start))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void text_has_no_durations_and_no_tokens_of_a_value_without_successes() {
        String text = ReportFormat.FULL.render(failuresOfOneLabel(), false);
        assertThat(line(text, "bad ").strip().split(" +"))
                .startsWith("bad", "5", "0", "5", "0", "-", "-", "-", "-", "-");
        assertThat(line(text, "good ").strip().split(" +"))
                .startsWith("good", "9", "9", "0", "0", "90", "70", "100.00");
    }

    @Test
    void json_has_null_for_a_value_without_successes() throws Exception {
        Map<?, ?> json = JsonTree.read(
                ReportFormat.JSON.render(failuresOfOneLabel(), false).getBytes(StandardCharsets.UTF_8));
        Map<?, ?> key = (Map<?, ?>) ((List<?>) json.get("by_label")).get(0);
        Map<?, ?> bad = (Map<?, ?>) ((List<?>) key.get("values")).get(1);
        assertThat(bad.get("succeeded")).isEqualTo(0L);
        assertThat(bad.get("failed")).isEqualTo(5L);
        assertThat(bad.get("input_tokens")).isNull();
        assertThat(bad.get("output_tokens")).isNull();
        assertThat(bad.get("latency_ms")).isNull();
        assertThat(bad.get("ttft_ms")).isNull();
    }

    @Test
    void conversations_of_single_turns_have_no_section() {
        assertThat(ReportFormat.FULL.render(with(conversations(1)), false)).doesNotContain("Turn");
        assertThat(ReportFormat.MD.render(with(conversations(1)), false)).doesNotContain("### Conversations");
        assertThat(ReportFormat.HTML.render(with(conversations(1)), false)).doesNotContain("<h2>Conversations");
        assertThat(ReportFormat.FULL.render(with(conversations(2)), false)).contains("Turn");
    }

    private static OptionalFigures conversations(int turns) {
        Conversations.Tokens none = new Conversations.Tokens(0, 0);
        List<Conversations.Turns> rows = new ArrayList<>();
        for (int i = 1; i <= turns; i++) {
            rows.add(new Conversations.Turns(i, i, 3, 3, 0, none, none, 0, 0, DURATIONS, DURATIONS));
        }
        Conversations of = new Conversations(3, 0, 0, 1, 1.0, 3, 0, 0.5, null, rows);
        return new OptionalFigures(null, null, null, null, of, null, null);
    }
}
