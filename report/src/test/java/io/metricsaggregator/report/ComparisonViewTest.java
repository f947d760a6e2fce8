package io.metricsaggregator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.runs.Comparison;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonViewTest {
    @Test
    void aLargeDifferenceWithinAWideIntervalIsShownAsInconclusiveAndNotAsTheSame() {
        Comparison comparison = Comparison.of(
                "good", ExampleRuns.steady("a", 100, 100, 0), "bad", ExampleRuns.steady("b", 80, 80, 12_730));
        assertThat(ComparisonView.TEXT.render(List.of(comparison)))
                .contains("inconclusive")
                .doesNotContain("  same");
    }

    @Test
    void every_view_starts_with_both_verdicts_and_their_remarks() {
        Comparison comparison = Comparison.of(
                "good", ExampleRuns.steady("a", 100, 2, 0), "bad", ExampleRuns.steady("b", 100, 2, 12_730));
        for (ComparisonView view : ComparisonView.values()) {
            // The page sets the name of a finding in bold.
            String text = view.render(List.of(comparison)).replaceAll("</?b[^>]*>", "");
            assertThat(text)
                    .contains("baseline good: VALID")
                    .contains("run bad: INVALID")
                    .contains("losses: 12,730 numbered records never arrived");
            String figure = view == ComparisonView.HTML ? "requests/s" : "requests_per_s";
            assertThat(text.indexOf("INVALID")).isLessThan(text.indexOf(figure));
        }
    }

    @Test
    void everyViewShowsAWorseFigureAndTheSettingsThatDiffer() {
        Comparison comparison =
                Comparison.of("good", ExampleRuns.steady("a", 100, 2, 0), "bad", ExampleRuns.steady("b", 80, 2, 0));
        for (ComparisonView view : ComparisonView.values()) {
            assertThat(view.render(List.of(comparison)))
                    .contains("requests_per_s")
                    .contains("WORSE")
                    .contains("rate 100 -");
        }
    }
}
