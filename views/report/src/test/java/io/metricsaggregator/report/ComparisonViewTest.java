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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @Test
    void everyViewJudgesErrorsAndGoodputAndCallsNoFigureBetterThatFailsMore() {
        Comparison comparison = Comparison.of(
                "good",
                ExampleRuns.judged("a", 100, 1_000, 10, 960),
                "bad",
                ExampleRuns.judged("b", 200, 1_000, 300, 650));
        assertThat(comparison.rows())
                .filteredOn(each -> each.key().equals("errors") || each.key().equals("good_share"))
                .hasSize(2)
                .allMatch(each -> each.outcome() == Comparison.Outcome.WORSE);
        assertThat(comparison.rows()).noneMatch(each -> each.outcome() == Comparison.Outcome.BETTER);
        for (ComparisonView view : ComparisonView.values()) {
            assertThat(view.render(List.of(comparison)).replace("&lt;", "<"))
                    .contains("+29.00 points", "-31.00 points")
                    .contains("no figure of the run is called better, so not requests_per_s")
                    .contains("objectives ttft <= 500.00 ms for 95.00% of requests: baseline met (96.00% good), run"
                            + " MISSED (65.00% good)")
                    .contains("95 % interval of slices");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 120, 200})
    void textFitsTheTerminalAndKeepsTheResult(int width) {
        Comparison comparison = Comparison.of(
                "good",
                ExampleRuns.judged("a", 100, 1_000, 10, 960),
                "bad",
                ExampleRuns.judged("b", 200, 1_000, 300, 650));
        for (boolean full : List.of(false, true)) {
            List<String> lines = ComparisonView.TEXT
                    .render(List.of(comparison), full, width)
                    .lines()
                    .toList();
            assertThat(lines).allMatch(line -> line.length() <= width);
            assertThat(lines).anyMatch(line -> line.matches(" +good_share .*96.0 +65.0 +-31.00 points +WORSE.*"));
        }
    }

    @Test
    void markdownHasAtMostFortyLinesBeforeWhatIsFolded() {
        Comparison comparison = Comparison.of(
                "good", ExampleRuns.judged("a", 100, 1_000, 10, 960), "bad", ExampleRuns.steady("b", 80, 2, 12_730));
        List<String> lines =
                ComparisonView.MD.render(List.of(comparison)).lines().toList();
        assertThat(lines.stream().takeWhile(each -> !each.startsWith("<details>")))
                .hasSizeLessThanOrEqualTo(40);
    }
}
