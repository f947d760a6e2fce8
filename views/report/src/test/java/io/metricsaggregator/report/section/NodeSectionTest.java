package io.metricsaggregator.report.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.ExampleFleet;
import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.report.text.SectionText;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.SessionState;
import org.junit.jupiter.api.Test;

class NodeSectionTest {
    private static final MetricsSnapshot PLAIN = ExampleRuns.hostile(1, SessionState.COMPLETE);
    private static final MetricsSnapshot FLEET = ExampleFleet.with(
            PLAIN,
            ExampleFleet.node("gpu-1\u001b[2J|<b>", NodeState.LIVE, 0.12),
            ExampleFleet.node("gpu-2", NodeState.STALE, 4.5),
            NodeRow.waiting("gpu-3"),
            ExampleFleet.node("gpu-4", NodeState.LOST, 75),
            ExampleFleet.refused("gpu-5", "its histograms have 2 significant figures, not 3"));

    private static String text(MetricsSnapshot snapshot) {
        Section section = NodeSection.of(Report.of(snapshot));
        assertThat(section).isNotNull();
        return String.join("\n", SectionText.lines(section.blocks()));
    }

    private static String report(MetricsSnapshot snapshot, ReportFormat format, boolean unicode) {
        return format.render(Report.of(snapshot), unicode);
    }

    @Test
    void the_troubled_nodes_are_on_top_with_their_condition_in_words() {
        assertThat(text(FLEET)).isEqualTo("""
                5 nodes: 1 lost, 1 refused, 1 stale, 1 waiting, 1 live
                Node                  state          age  issued  ended  failed  in flight  latency ≈p99  missed      clock
                  gpu-4               × lost     0:01:15   1,234  1,227       2          7     250.00 ms       3  -12.50 ms
                  gpu-5               ⊘ refused    0.1 s   1,234  1,227       2          7     250.00 ms       3  -12.50 ms
                  gpu-2               ◐ stale      4.5 s   1,234  1,227       2          7     250.00 ms       3  -12.50 ms
                  gpu-3               ○ waiting        -       0      0       0          0             -       0          -
                  gpu-1\\u001b[2J|<b>  ● live       0.1 s   1,234  1,227       2          7     250.00 ms       3  -12.50 ms
                gpu-5 is not in the sums: its histograms have 2 significant figures, not 3""");
    }

    @Test
    void a_single_daemon_has_no_section() {
        assertThat(NodeSection.of(Report.of(PLAIN))).isNull();
        assertThat(report(PLAIN, ReportFormat.HTML, true)).doesNotContain("Fleet nodes");
        assertThat(report(PLAIN, ReportFormat.JSON, true)).doesNotContain("\"nodes");
    }

    @Test
    void a_thousand_nodes_show_the_worst_fifty_and_count_the_others() {
        String text = text(ExampleFleet.with(PLAIN, ExampleFleet.large(1000)));
        assertThat(text.lines().filter(line -> line.startsWith("  gpu-"))).hasSize(50);
        assertThat(text.lines().skip(2).findFirst().orElseThrow()).contains("gpu-0003", "× lost", "0:01:15");
        assertThat(text)
                .startsWith("1,000 nodes (1,000 expected): 1 lost, 1 refused, 1 stale, 997 live")
                .contains("\nand 950 more nodes: 950 live")
                .endsWith("\ngpu-0007 is not in the sums: its histograms have 2 significant figures, not 3");
    }

    @Test
    void text_reports_without_unicode_have_ascii_signs() {
        assertThat(report(FLEET, ReportFormat.FULL, true)).contains("× lost", "◐ stale", "○ waiting", "● live");
        assertThat(report(FLEET, ReportFormat.FULL, false))
                .contains("x lost", "! stale", "- waiting", "+ live", "# refused")
                .doesNotContain("×", "●", "\u001b");
    }

    @Test
    void the_page_colours_name_and_state_and_escapes_names() {
        assertThat(report(FLEET, ReportFormat.HTML, true))
                .contains("<h2>Fleet nodes</h2>")
                .contains("<td class=\"t bad\">gpu-4</td><td class=\"t bad\">× lost</td><td class=\"n\">0:01:15</td>")
                .contains("<td class=\"t warn\">◐ stale</td>", "<td class=\"t good\">● live</td>")
                .contains("gpu-1\\u001b[2J|&lt;b&gt;")
                .doesNotContain("<b>gpu", "\u001b");
    }

    @Test
    void markdown_and_json_have_the_same_rows() {
        assertThat(report(FLEET, ReportFormat.MD, true))
                .contains("### Fleet nodes", "| `gpu-4` | `× lost` | 0:01:15 | 1,234 |");
        assertThat(report(FLEET, ReportFormat.JSON, true))
                .containsPattern("\"node\": \"gpu-4\",\\s+\"run_id\": \"run-of-gpu-4\",\\s+\"state\": \"lost\"")
                .contains("\"nodes_repeated\": 0", "\"refused\": \"its histograms");
    }
}
