package io.metricsaggregator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.runs.Comparison;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
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
    void everyViewSaysWhichDurationsAreOfFailedSamplesToo() {
        MetricsSnapshot mixed = ExampleRuns.hostile(1, SessionState.COMPLETE);
        Comparison comparison = Comparison.of("old", mixed, "new", ExampleRuns.steady("b", 100, 2, 0));
        assertThat(comparison.notes())
                .containsExactly(
                        "baseline: TTFT is of all 1,000 samples, up to 1 failed ones among them: the snapshot does not"
                                + " separate those that succeeded",
                        "baseline: latency is of all 1,000 samples, up to 1 failed ones among them: the snapshot does not"
                                + " separate those that succeeded");
        for (ComparisonView view : ComparisonView.values()) {
            assertThat(view.render(List.of(comparison)))
                    .containsIgnoringCase("note: " + comparison.notes().get(1));
        }
        Comparison same = Comparison.of("old", mixed, "new", ExampleRuns.hostile(2, SessionState.COMPLETE));
        assertThat(same.notes()).hasSize(4);
    }

    @Test
    void estimatesAndPercentilesOfTooFewValuesAreMarkedInEveryView() {
        MetricsSnapshot run = ExampleRuns.steady("a", 100, 2, 0);
        Comparison exact = Comparison.of("a", run, "b", run);
        Comparison.Row row = new Comparison.Row(
                "latency.p99", "ms", 1, 2, null, null, null, null, false, false, Comparison.Outcome.UNTESTED, false);
        Comparison marked = new Comparison(
                "a", "b", exact.baselineVerdict(), exact.otherVerdict(), List.of(row), List.of(), List.of(), run, run);
        for (ComparisonView view : ComparisonView.values()) {
            assertThat(view.render(List.of(marked))).contains("≈ latency.p99?");
        }
        String title = new Quantity(SeriesName.SUCCEEDED_SAMPLE_LATENCY_NS).title();
        assertThat(ComparisonView.HTML.render(List.of(marked))).contains("<span>≈ " + title + ", p99?</span>");
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
