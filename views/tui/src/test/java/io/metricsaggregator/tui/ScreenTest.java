package io.metricsaggregator.tui;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.SlowSample;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ScreenTest extends ScreenFixture {
    private static Map<String, Object> level(double value) {
        return Map.of("mean", value, "max", value, "last", value);
    }

    private static Map<String, Object> server(String instance) {
        return Map.of("job", "it", "instance", instance, "engine", "vllm", "running", level(12));
    }

    @Test
    void theOverviewSummarisesTelemetryAndTheTelemetryViewShowsAllOfIt() {
        MetricsSnapshot plain = snapshot(1, SessionState.LIVE);
        Map<String, Object> telemetry = Map.of(
                "scrape",
                Map.of(
                        "targets",
                        List.of(
                                Map.of("job", "vllm", "instance", "h:1", "reachable", true),
                                Map.of("job", "gpu", "instance", "h:2", "reachable", false, "last_error", message)),
                        "server",
                        Map.of("targets", List.of(server("h:1\u001b[2J")), "running", level(12)),
                        "highlights",
                        Map.of(
                                "servers",
                                List.of(Map.of("name", "h:1", "running", 256.0)),
                                "gpus",
                                List.of(Map.of("name", "h:2/0", "power_w", 612.4)))),
                "resource",
                Map.of(
                        "cluster", Map.of("n_nodes", 2L, "n_nodes_reporting", 1L),
                        "nodes_missing", List.of("n\u001b[2J2")));
        SnapshotExtensions extensions = plain.extensions();
        assertThat(extensions).isNotNull();
        history.add(
                0,
                new MetricsSnapshot(
                        1,
                        SECOND,
                        SessionState.LIVE,
                        0,
                        plain.metrics(),
                        SnapshotExtensions.of(extensions.run(), extensions.inFlight(), extensions.slices())
                                .rates(extensions.rates())
                                .workers(extensions.workers())
                                .errors(extensions.errors())
                                .malformed(extensions.malformed())
                                .slowest(List.of(new SlowSample(
                                        "latency",
                                        "slow one\u001b[2J",
                                        "w1",
                                        7 * SECOND,
                                        true,
                                        null,
                                        3 * SECOND,
                                        null,
                                        null,
                                        10 * SECOND)))
                                .goodput(extensions.goodput())
                                .telemetry(TelemetrySnapshots.of(telemetry))
                                .self(extensions.self())
                                .session(extensions.session())
                                .build()));
        String overview = screen.text(history, view, 0, 120, 40);
        assertThat(overview).contains("UNREACHABLE gpu h:2").contains("1 of 2 targets answer");
        view.preset(ViewState.Preset.SERVERS);
        String servers = screen.text(history, view, 0, 120, 40);
        assertThat(servers)
                .containsPattern("server +running\\s+h:1 +256")
                .containsPattern("GPU +power\\s+h:2/0 +612 W")
                .contains("1 of 2 nodes report")
                .contains("MISSING: n")
                .doesNotContain("\u001b");
        assertThat(servers.indexOf("vllm h:1")).isBetween(0, servers.indexOf("Servers and GPUs"));
        assertThat(servers).containsPattern("running +mean 12.0, max 12");
        for (int width : new int[] {20, 40, 80}) {
            assertThat(screen.text(history, view, 0, width, 24).lines()).allMatch(line -> line.length() <= width);
        }
        view.preset(ViewState.Preset.LATENCY);
        assertThat(screen.text(history, view, 0, 160, 60))
                .contains("slowest samples")
                .containsPattern("slow one\\S+ +7\\.000 s +\\+3\\.000 s +- +- +\\+7\\.000 s +w1 +FAILED")
                .doesNotContain("\u001b");
    }

    @Test
    void withoutASnapshotTheScreenNamesWhatItWaitsFor() {
        assertThat(draw(0, 80, 24)).contains("waiting for a snapshot");
    }

    @Test
    void theOverviewShowsTheLastSecondsBesideTheWholeRun() {
        run(30);
        assertThat(draw(30 * SECOND + 100 * MILLI, 210, 44))
                .contains("LIVE")
                .contains("age 0.1 s")
                .contains("issued 305 = succeeded 300 + failed 0 (0.00%) + in flight 5")
                .contains("31%")
                .contains("records 1,200 = applied 1,199 + malformed 1  lost in transit 7")
                .contains("now (10 s)")
                // The last ten seconds have 201 to 300 ms; the whole run has 1 to 300.
                .containsPattern("TTFT +≈2[45]\\d\\.\\d +≈29\\d\\.\\d +≈(29\\d|300)\\.\\d\\? +\\| +≈1[45]\\d\\.\\d")
                .contains("300.2?")
                .contains("not certain yet: TTFT p99.9 needs 6,336 more samples, about 0:10:34")
                .contains("goodput")
                .contains("50.00% of 300, target 90.00%: MISSED by 120")
                .containsPattern("requests/s +10\\.0 +10\\.0")
                .contains("cpu 10% of a core")
                .contains("+10  error.client RateLimit: too\\u000amany \\u001b[31mrequests ??")
                .containsPattern("w2 +silent .* 7 *\\n");
    }

    @Test
    void aRunWithoutNewSnapshotsIsMarkedStaleInTextAndColour() {
        run(3);
        assertThat(styleOf("LIVE", 3 * SECOND)).isEqualTo(Style.GOOD);
        assertThat(draw(4 * SECOND, 200, 60)).contains("LIVE");
        assertThat(styleOf("1.0 s", 4 * SECOND)).isEqualTo(Style.WARN);
        assertThat(draw(9 * SECOND, 200, 60)).contains("STALE (was LIVE)");
        assertThat(styleOf("STALE", 9 * SECOND)).isEqualTo(Style.BAD);
    }

    @Test
    void snapshotGapsAreShownAndAnotherRunResetsTheHistory() {
        run(3);
        history.add(9 * SECOND, snapshot(9, SessionState.LIVE));
        assertThat(draw(9 * SECOND, 120, 40)).contains("missed 5");
        history.add(10 * SECOND, snapshot(2, SessionState.LIVE));
        assertThat(draw(10 * SECOND, 120, 40)).doesNotContain("missed").contains("#2");
    }

    @Test
    void aHeldScreenStaysUnchangedWhileTheRunContinues() {
        run(10);
        view.hold(4 * SECOND);
        assertThat(draw(10 * SECOND, 160, 40))
                .contains("HELD 6.0 s behind, the run is LIVE")
                .contains("succeeded 40 ");
        view.release();
        assertThat(draw(10 * SECOND, 160, 40)).doesNotContain("HELD").contains("succeeded 100 ");
    }

    @Test
    void theHeatMapHasAColumnPerSecondWithSlowerValuesHigher() {
        run(20);
        view.preset(ViewState.Preset.LATENCY);
        String drawn = draw(20 * SECOND, 100, 44);
        assertThat(drawn)
                .contains("heat map of TTFT")
                .containsPattern("-19 s +\\^ now")
                .contains("share of the second: ░ to 3 %");
        List<String> rows = drawn.lines()
                .dropWhile(line -> !line.contains("heat map"))
                .skip(1)
                .takeWhile(line -> line.matches(" +[\\d.]+ (ms|s|us) .*"))
                .toList();
        assertThat(rows).hasSizeGreaterThanOrEqualTo(6);
        // Each second is slower than its predecessor: the last is at the top, the first at the bottom.
        assertThat(rows.get(0).trim()).endsWith("█");
        assertThat(rows.get(0).indexOf('█'))
                .isGreaterThan(rows.get(rows.size() - 1).indexOf('█'));
    }

    @Test
    void atTheEndOfTheRunTheScreenShowsTheSummaryAndBelowItEveryTable() {
        run(3);
        history.add(4 * SECOND, snapshot(4, SessionState.COMPLETE));
        assertThat(draw(60 * SECOND, 80, 24))
                .contains("COMPLETE")
                .contains("Verdict    ")
                .contains("Limited by ")
                .doesNotContain("Ledger");
        view.scroll(1000);
        assertThat(draw(60 * SECOND, 80, 24)).contains("Ledger");
        view.preset(ViewState.Preset.RAW);
        assertThat(draw(60 * SECOND, 100, 50)).contains("records_received").doesNotContain("Ledger");
    }

    @Test
    void everyPresetFitsEveryTerminal() {
        run(65);
        for (int[] size : new int[][] {{80, 24}, {20, 5}, {40, 10}, {132, 43}, {300, 100}}) {
            for (ViewState.Preset preset : ViewState.Preset.values()) {
                view.preset(preset);
                draw(65 * SECOND, size[0], size[1]);
                view.scroll(1000);
                draw(65 * SECOND, size[0], size[1]);
            }
        }
    }

    @Test
    void aBaselineShowsChangesAndTheirSignificance() {
        Screen compared = new Screen(true, snapshot(60, SessionState.COMPLETE), null);
        history.add(SECOND, snapshot(30, SessionState.LIVE));
        String drawn = compared.render(history, view, SECOND, 140, 40).stream()
                .map(Line::text)
                .collect(Collectors.joining("\n"));
        assertThat(drawn).contains("p99 vs baseline").contains("-50.0% better");
        view.toggleBaseline();
        assertThat(compared.render(history, view, SECOND, 140, 40).toString()).doesNotContain("vs baseline");
    }

    @Test
    void anHourOfSnapshotsTakesBoundedMemoryAndKeepsTheLastMinuteComplete() {
        MetricsSnapshot one = snapshot(1, SessionState.LIVE);
        for (int i = 1; i <= 4 * 3600; i++) {
            history.add(
                    i * SECOND / 4,
                    new MetricsSnapshot(i, i * SECOND / 4, SessionState.LIVE, 0, one.metrics(), one.extensions()));
        }
        History.Entry newest = history.newest();
        assertThat(newest).isNotNull();
        List<History.Entry> kept = history.upTo(newest);
        assertThat(kept).hasSizeBetween(300, 600);
        assertThat(kept.stream().filter(each -> newest.nanos - each.nanos <= 60 * SECOND))
                .hasSizeGreaterThanOrEqualTo(240);
        assertThat(newest.nanos - kept.get(0).nanos).isGreaterThan(300 * SECOND);
    }

    @Test
    void onASmallTerminalTheFooterFitsAndAHeldScreenSaysSo() {
        run(30);
        for (ViewState.Preset each : ViewState.Preset.values()) {
            view.preset(each);
            assertThat(draw(30 * SECOND, 80, 24).lines().toList().get(23))
                    .startsWith(" " + (each.ordinal() + 1) + " " + each.title() + "  ")
                    .contains("? help", "p hold")
                    .endsWith("q leave");
        }
        view.hold(20 * SECOND);
        assertThat(draw(30 * SECOND, 80, 24).lines().toList().get(0))
                .startsWith(" RUN cafe  LIVE  HELD 10.0 s behind, the run is LIVE");
    }

    @Test
    void theHelpListsEveryPageWithoutACutLineOnASmallTerminal() {
        run(3);
        view.toggleHelp();
        String drawn = draw(3 * SECOND, 80, 24);
        for (ViewState.Preset each : ViewState.Preset.values()) {
            assertThat(drawn).contains((each.ordinal() + 1) + " " + each.title(), each.content());
        }
        assertThat(drawn).contains("now, run").doesNotContain("…");
    }

    @Test
    void aCutLineEndsWithAMarkSoThatACutNumberDoesNotPassForAWholeOne() {
        run(30);
        List<String> lines = draw(30 * SECOND, 40, 10).lines().toList();
        assertThat(lines.get(1)).hasSize(40).endsWith("+ f…");
        assertThat(new Line().add("lost 1,234,567").cut(10, '~').text()).isEqualTo("lost ~");
    }

    @Test
    void theWindowIsLabelledWithTheSecondsItCovers() {
        run(5);
        assertThat(draw(5 * SECOND, 80, 24)).contains("now (4 of 10 s)");
        run(30);
        assertThat(draw(30 * SECOND, 80, 24)).contains("now (10 s)");
    }

    @Test
    void thePageOfRatesDrawsChartsThatUseTheWidthOfTheTerminal() {
        run(30);
        view.preset(ViewState.Preset.THROUGHPUT);
        assertThat(draw(30 * SECOND, 80, 40))
                .contains("completed requests/s")
                .containsPattern("\\n +10\\.0 █+ *\\n")
                .contains("0:00 ");
        List<String> wide = draw(30 * SECOND, 200, 40).lines().toList();
        assertThat(wide).anyMatch(line -> line.startsWith("            ████████████████"));
    }

    @Test
    void labelsNeverTouchTheirValues() {
        run(3);
        view.preset(ViewState.Preset.DAEMON);
        assertThat(draw(3 * SECOND, 80, 40)
                        .lines()
                        .skip(5)
                        .filter(line -> line.length() > 36 && !line.contains(" daemon")))
                .isNotEmpty()
                .allMatch(line -> line.charAt(36) == ' ');
    }
}
