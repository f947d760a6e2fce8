package io.metricsaggregator.tui;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.ProgressState;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The use of small and large terminals: 40x8, 80x24, 160x50 and 200x60. */
class ScreenSizesTest extends ScreenFixture {
    private static final long NOW = 30 * SECOND;
    /** A line with a number that goes on behind its last column. */
    private static final String CUT_NUMBER = "(?s).*\\d[\\d,.]*….*";

    @BeforeEach
    void aRunOfThirtySeconds() {
        run(30);
    }

    private List<String> lines(ViewState.Preset page, int width, int height) {
        view.preset(page);
        return draw(NOW, width, height).lines().toList();
    }

    private String page(ViewState.Preset page, int width, int height) {
        return String.join("\n", lines(page, width, height));
    }

    /** Shows the run with other extensions; null keeps those of the run. */
    private void show(SessionState state, @Nullable TelemetrySnapshots telemetry, @Nullable LabelBreakdown labels) {
        MetricsSnapshot plain = snapshot(31, state);
        SnapshotExtensions of = plain.extensions();
        SnapshotExtensions shown = of.toBuilder()
                .telemetry(telemetry == null ? of.telemetry() : telemetry)
                .optional(new OptionalFigures(null, null, labels, null, null, null, null))
                .build();
        history.add(NOW, new MetricsSnapshot(31, NOW, state, 0, plain.metrics(), shown));
    }

    private static LabelBreakdown labels() {
        LabelBreakdown.Durations durations =
                new LabelBreakdown.Durations(90_000, 1234 * MILLI, 2345 * MILLI, 3456 * MILLI, 4567 * MILLI);
        return new LabelBreakdown(List.of(
                new LabelBreakdown.Key(
                        "endpoint",
                        List.of(new LabelBreakdown.Value(
                                "http://gpu-a.cluster/v1",
                                1_234_567,
                                1_234_567,
                                0,
                                0,
                                12_345_678,
                                12_345_678,
                                durations,
                                durations,
                                durations,
                                1_234_567L,
                                null))),
                new LabelBreakdown.Key("tenant", List.of())));
    }

    private static TelemetrySnapshots servers(int count) {
        List<Map<String, Object>> targets = IntStream.range(0, count)
                .mapToObj(i -> Map.<String, Object>of("job", "vllm", "instance", "h:" + i, "reachable", true))
                .toList();
        List<Map<String, Object>> rows = IntStream.range(0, count)
                .mapToObj(i -> Map.<String, Object>of("name", "h:" + i, "running", 256.0 + i))
                .toList();
        return TelemetrySnapshots.of(
                Map.of("scrape", Map.of("targets", targets, "highlights", Map.of("servers", rows))));
    }

    @Test
    void everyPageFitsEveryTerminalAndFrom80ColumnsOnNoNumberIsCut() {
        message = "HTTP 429 1234567890 ".repeat(12);
        for (SessionState state : List.of(SessionState.LIVE, SessionState.COMPLETE)) {
            show(state, servers(3), labels());
            for (int[] size : new int[][] {{80, 24}, {160, 50}, {200, 60}, {40, 8}}) {
                for (ViewState.Preset each : ViewState.Preset.values()) {
                    view.preset(each);
                    for (int scrolled = 0; scrolled < 200; scrolled++) {
                        String drawn = draw(NOW, size[0], size[1]);
                        assertThat(size[0] >= 80 && drawn.matches(CUT_NUMBER))
                                .as("%s at %d columns:%n%s", each, size[0], drawn)
                                .isFalse();
                        view.scroll(1);
                    }
                }
            }
        }
    }

    @Test
    void from160ColumnsOnTheOverviewHasThePlotsOfTheRatesBesideTheFigures() {
        assertThat(page(ViewState.Preset.OVERVIEW, 159, 50)).contains("rates  ").doesNotContain("completed requests/s");
        for (int[] size : new int[][] {{160, 50}, {200, 60}}) {
            assertThat(lines(ViewState.Preset.OVERVIEW, size[0], size[1]))
                    .anyMatch(line -> line.matches(" rates +now \\(10 s\\) +run {20,}completed requests/s *"))
                    .anyMatch(line -> line.matches(" TTFT +≈250\\.5 .*≈300\\.2\\? +█+ *"))
                    .anyMatch(line -> line.startsWith(" heat map of TTFT"))
                    .noneMatch(line -> line.contains("more below"));
        }
        assertThat(page(ViewState.Preset.OVERVIEW, 160, 24)).contains("completed requests/s", "more below (");
        history.add(NOW, ExampleRuns.hostile(1, SessionState.LIVE));
        assertThat(page(ViewState.Preset.OVERVIEW, 160, 24))
                .contains("completed requests/s", "most samples in flight")
                .doesNotContain("more below (");
    }

    @Test
    void theFooterSaysHowManyLinesAreBelowAndAboveAndTheScrollingEndsAtTheLastLine() {
        assertThat(lines(ViewState.Preset.RAW, 80, 12).get(11)).startsWith(" 7 raw  more below (5 lines)  ? help");
        view.scroll(2);
        assertThat(draw(NOW, 80, 12).lines().toList().get(11))
                .startsWith(" 7 raw  more above (2 lines), below (3 lines)  ? help");
        view.scroll(1000);
        assertThat(draw(NOW, 80, 12))
                .contains("\n ttft_ns ")
                .endsWith(" 7 raw  more above (5 lines)  ? help  tab page" + "  p hold  q leave");
        view.scroll(-4);
        assertThat(draw(NOW, 80, 12)).contains("more above (1 line), below (4 lines)");
        assertThat(draw(NOW, 40, 12)).contains(" 7 raw  1 above, 4 below  ? q");
        assertThat(page(ViewState.Preset.RAW, 80, 24)).doesNotContain("more");
    }

    @Test
    void onALowTerminalTheHelpScrollsAndItsTextsWrap() {
        view.toggleHelp();
        assertThat(draw(NOW, 40, 8)).contains("more below (").doesNotContain("…");
        view.scroll(1000);
        assertThat(draw(NOW, 40, 8)).contains("tracked sample", "more above (");
        view.toggleHelp();
        assertThat(draw(NOW, 40, 8)).contains("LIVE").doesNotContain("more above");
    }

    @Test
    void theKeysOfTheHelpBeginInOneColumnBesideThePagesAndBelowThemWhereThatIsTooWide() {
        view.toggleHelp();
        List<String> wide = draw(NOW, 160, 50).lines().toList();
        int column = wide.get(0).indexOf("keys") + 2;
        assertThat(wide.subList(1, 7))
                .allMatch(line -> line.substring(column - 3, column + 1).matches(" {3}\\S"));
        assertThat(wide).anyMatch(line -> line.startsWith("up down k j  scroll", column));
        for (ViewState.Preset each : ViewState.Preset.values()) {
            assertThat(wide).anyMatch(line -> line.contains(each.content()));
        }
        assertThat(draw(NOW, 130, 50).lines()).anyMatch(line -> line.startsWith("   up down k j  scroll"));
    }

    @Test
    void aTableWithoutRowsIsAPlainLine() {
        MetricsSnapshot plain = snapshot(31, SessionState.LIVE);
        SnapshotExtensions of = plain.extensions();
        SnapshotExtensions empty = SnapshotExtensions.of(of.run(), of.inFlight(), of.slices())
                .self(of.self())
                .build();
        history.add(NOW, new MetricsSnapshot(31, NOW, SessionState.LIVE, 0, List.of(), empty));
        assertThat(page(ViewState.Preset.OVERVIEW, 80, 24))
                .contains("\n no errors so far", "\n no workers so far", "\n no tracked sample has been measured yet")
                .doesNotContain("p50", "issued      done", "first message");
        assertThat(page(ViewState.Preset.ERRORS, 80, 24))
                .contains("\n no errors so far")
                .doesNotContain("message");
        assertThat(page(ViewState.Preset.WORKERS, 80, 24))
                .contains("\n no workers so far")
                .doesNotContain("issued  ");
        show(SessionState.LIVE, null, labels());
        assertThat(page(ViewState.Preset.THROUGHPUT, 120, 60))
                .contains("By endpoint")
                .doesNotContain("By tenant");
    }

    @Test
    void theOverviewHasNoHeadOfATelemetryTableWithoutARowAndCountsTheLinesOfPage6() {
        show(SessionState.LIVE, servers(4), null);
        assertThat(page(ViewState.Preset.OVERVIEW, 100, 36))
                .contains(" Servers and GPUs  and 5 more lines: 6\n   4 of 4 targets answer")
                .doesNotContain("server  ");
        assertThat(page(ViewState.Preset.OVERVIEW, 100, 50))
                .contains(" Servers and GPUs  and 3 more lines: 6\n   4 of 4 targets answer")
                .containsPattern("server +running *\n +h:0 +256 *\n +h:1 +257 *\n");
    }

    @Test
    void thePageOfErrorsShowsTheWholeMessageOnAsManyLinesAsItNeeds() {
        message = "HTTP 429 Too Many Requests: " + "word ".repeat(40) + "the end";
        show(SessionState.LIVE, null, null);
        assertThat(page(ViewState.Preset.ERRORS, 80, 24))
                .containsPattern(
                        "\n +errors +now  kind: first message *\n +31 +\\+1\\d  error.client RateLimit: HTTP 429")
                .containsPattern("\n {21}word word .*\n {21}word .*the end");
        assertThat(lines(ViewState.Preset.ERRORS, 200, 60)).anyMatch(line -> line.length() > 180);
    }

    @Test
    void percentilesComeBeforeCountsAndMeansAndKeepTheirColumnsLongest() {
        show(SessionState.LIVE, null, labels());
        assertThat(page(ViewState.Preset.LATENCY, 80, 24))
                .containsPattern("\n TTFT +p50 ≈\\S+ p90 ≈\\S+ p99 ≈\\S+ p99.9 ≈\\S+ *\n +max \\S+, min \\S+, mean");
        view.preset(ViewState.Preset.THROUGHPUT);
        view.scroll(1000);
        assertThat(draw(NOW, 80, 24))
                .containsPattern("By endpoint +latency ≈p50 +≈p99 +TTFT ≈p50 +TPOT ≈p50 *\n")
                .containsPattern("gpu-a\\S+ +1.234 s +3.456 s +1.234 s +1.234 s *\n");
        assertThat(page(ViewState.Preset.THROUGHPUT, 200, 60)).containsPattern("By endpoint +issued +succeeded");
        history.add(NOW + 1, snapshot(32, SessionState.COMPLETE));
        view.preset(ViewState.Preset.OVERVIEW);
        view.scroll(24);
        assertThat(draw(NOW, 80, 40)).containsPattern("Durations in ms +p50 +p90 +p99 +p99.9 +max *\n");
    }

    @Test
    void aNarrowTableOfPercentilesLosesColumnsAndNoNumber() {
        Screen compared = new Screen(true, snapshot(60, SessionState.COMPLETE), null);
        assertThat(compared.text(history, view, NOW, 100, 40)).containsPattern("≈300.2\\? +-50.0% better");
        String narrow = compared.text(history, view, NOW, 80, 24);
        assertThat(narrow)
                .containsPattern("p50 +p99 \\| +p50 +p90 +p99\n")
                .containsPattern("≈299.0\\? \\| +≈150.1 +≈270.0 +≈297.0\\? +-50.0% better");
        assertThat(page(ViewState.Preset.OVERVIEW, 40, 24))
                .containsPattern("\n TTFT +≈150.1 +≈297.0\\? *\n")
                .containsPattern("\n goodput .*\n.*MISSED by 120 *\n");
    }

    @Test
    void theHeaderWrapsWhereItLeavesRoomAndScrollsWithThePageWhereItDoesNot() {
        assertThat(page(ViewState.Preset.OVERVIEW, 80, 24)).contains("\n         in flight: oldest 3.000 s  peak 9");
        history.add(
                NOW,
                ExampleRuns.withWaits(snapshot(31, SessionState.LIVE), ExampleRuns.stalled(ProgressState.STALLED, 41)));
        assertThat(page(ViewState.Preset.OVERVIEW, 80, 6)).contains("STALLED", "more below (");
        view.scroll(2);
        assertThat(draw(NOW, 80, 6)).contains("LIVE", "rates ").doesNotContain("STALLED");
        assertThat(page(ViewState.Preset.OVERVIEW, 80, 5)).contains("STALLED");
        draw(NOW, 20, 5);
    }
}
