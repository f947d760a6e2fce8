package io.metricsaggregator.report.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.report.section.Section;
import io.metricsaggregator.sweep.PointFigure;
import io.metricsaggregator.sweep.Requirement;
import io.metricsaggregator.sweep.Sweep;
import io.metricsaggregator.sweep.SweepOptions;
import io.metricsaggregator.sweep.SweepRun;
import io.metricsaggregator.sweep.SweepRuns;
import io.metricsaggregator.verdict.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SweepFormatTest {
    private static final SweepOptions OPTIONS = new SweepOptions(
            PointFigure.TPS_PER_USER, PointFigure.SYSTEM_TPS, false, Requirement.parse("tps_per_user>=30"));

    /** The worked example, with a repeat at 64 and an invalid run at 96. */
    private static Sweep example() {
        List<SweepRun> runs = new ArrayList<>(SweepRuns.example());
        runs.add(SweepRuns.run(64, 2300, 36));
        runs.add(SweepRuns.run("", 96, Verdict.Validity.INVALID, SweepRuns.figures(9000, 60)));
        return Sweep.of(runs, OPTIONS);
    }

    @Test
    void theTextNamesFrontKneeSaturationAndTheLimitThatIsMissed() {
        assertThat(SweepFormat.TEXT.render(example()))
                .startsWith("Sweep, 8 points of 9 runs (medians): 7 VALID, 1 INVALID\n")
                .contains("  At 96          losses: 9 records never arrived\n")
                .contains("  Front          tokens/s over tokens/s per user: concurrency 1, 8, 32, 64, 128, 256\n")
                .contains("  Off the front  concurrency 96 (the run is INVALID)\n")
                .contains("  Knee           concurrency 64: 2,200 tokens/s, 35 tokens/s per user\n")
                .contains("  Saturation     concurrency 256; beyond it tokens/s rises by less than 5 %")
                .contains("  Required       largest concurrency with tps_per_user>=30: 64;"
                        + " at concurrency 128 tps_per_user is 25, not >= 30\n")
                .containsPattern("INVALID +96 +9,000 .* off\n")
                .containsPattern("VALID +512 .* dominated\n")
                .doesNotContain("2,100 to 2,300", "Regions");
        assertThat(SweepFormat.TEXT.render(example(), true, 300))
                .contains("2,200 (2,100 to 2,300)", "off: invalid", "dominated")
                .contains("Regions: low 2 to 9, medium 10 to 65, high 66 to 512, margin to 564");
    }

    @Test
    void aTableHasAtMostEightColumnsInWordsAndTheVerdictFirst() {
        Map<PointFigure, Double> all = new EnumMap<>(PointFigure.class);
        Arrays.stream(PointFigure.values()).forEach(each -> all.put(each, each.isShare() ? 0.1234 : 1234.4));
        Sweep sweep = Sweep.of(
                List.of(
                        SweepRuns.run("", 1, Verdict.Validity.VALID, all),
                        SweepRuns.run("", 2, Verdict.Validity.QUESTIONABLE, all)),
                new SweepOptions(
                        PointFigure.TPS_PER_USER,
                        PointFigure.SYSTEM_TPS,
                        false,
                        Requirement.parse("latency_p50_ms<=5,tpot_p90_ms<=5")));
        Section.Table table = PointTable.of(sweep, sweep.curves().get(0));
        assertThat(table.columns())
                .extracting(Section.Column::title)
                .containsExactly(
                        "verdict",
                        "concurrency",
                        "tokens/s",
                        "tokens/s per user",
                        "latency p50, ms",
                        "failed",
                        "objectives",
                        "front");
        assertThat(table.rows().get(1))
                .containsExactly(
                        "QUESTIONABLE", "2", "1,234", "1,234", "1,234", "12.34%", "MISSED 12.34%", "dominated");
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 120, 200})
    void textFitsTheTerminalAndCutsNoNumber(int width) {
        List<SweepRun> runs = new ArrayList<>(SweepRuns.example());
        runs.add(SweepRuns.run("", 1_000_000, Verdict.Validity.QUESTIONABLE, SweepRuns.figures(1e12, 5)));
        for (boolean full : List.of(false, true)) {
            List<String> lines = SweepFormat.TEXT
                    .render(Sweep.of(runs, OPTIONS), full, width)
                    .lines()
                    .toList();
            assertThat(lines).allMatch(line -> line.length() <= width);
            assertThat(lines).anyMatch(line -> line.contains("QUESTIONABLE") && line.contains("1,000,000,000,000"));
        }
    }

    @Test
    void aCurveHasAKneeOnlyWhereItBendsBetweenItsEnds() {
        assertThat(knee(SweepRuns.run(1, 100, 50), SweepRuns.run(2, 190, 48), SweepRuns.run(4, 350, 45)))
                .as("still rising")
                .contains("  Knee           none: ", "it is larger at the largest\n");
        assertThat(knee(SweepRuns.run(1, 100, 50), SweepRuns.run(2, 110, 25), SweepRuns.run(4, 120, 12)))
                .as("falling from the start")
                .contains("  Knee           none: ", "it is larger at the smallest\n");
        assertThat(knee(SweepRuns.run(1, 100, 50), SweepRuns.run(2, 200, 26), SweepRuns.run(4, 400, 12.9)))
                .as("a rise of 4 % is none")
                .contains("  Knee           none: ");
        assertThat(knee(SweepRuns.run(1, 100, 50), SweepRuns.run(2, 200, 40), SweepRuns.run(4, 220, 20)))
                .contains("  Knee           concurrency 2: 200 tokens/s, 40 tokens/s per user\n");
    }

    private static String knee(SweepRun... runs) {
        return SweepFormat.TEXT.render(Sweep.of(List.of(runs), SweepOptions.DEFAULT));
    }

    @Test
    void mostGoodputNamesTheObjectivesAndTheLargerOneThatMissesThem() {
        Sweep sweep = Sweep.of(List.of(good(8, 14, 0.97), good(64, 55.6, 0.6)), SweepOptions.DEFAULT);
        for (SweepFormat each : List.of(SweepFormat.TEXT, SweepFormat.MD, SweepFormat.HTML)) {
            assertThat(each.render(sweep).replace("&lt;", "<"))
                    .as("%s", each)
                    .contains("ttft <= 400.00 ms for 90.00% of requests: met at 8")
                    .contains("14 good requests/s within the objectives, at concurrency 8; 55.6 at 64, which misses the"
                            + " objectives")
                    .contains("met 97.00%", "MISSED 60.00%");
        }
    }

    private static SweepRun good(double concurrency, double perSecond, double share) {
        Map<PointFigure, Double> figures = SweepRuns.figures(concurrency * 40, 60 - concurrency / 2);
        figures.put(PointFigure.GOODPUT_PER_S, perSecond);
        figures.put(PointFigure.GOOD_SHARE, share);
        return SweepRuns.run("", concurrency, Verdict.Validity.VALID, figures);
    }

    @Test
    void markdownHasAtMostFortyLinesBeforeWhatIsFolded() {
        List<String> lines = SweepFormat.MD.render(example()).lines().toList();
        assertThat(lines.indexOf(lines.stream()
                        .filter(each -> each.startsWith("<details>"))
                        .findFirst()
                        .orElseThrow()))
                .isLessThanOrEqualTo(40);
    }

    @Test
    void theCsvHasARowPerPointAndEmptyCellsForWhatWasNotMeasured() {
        List<String> lines = SweepFormat.CSV.render(example()).lines().toList();
        assertThat(lines).hasSize(9);
        assertThat(lines.get(0))
                .startsWith("curve,concurrency,derived,offline,rate,gpus,basis,runs,system_tps,tps_per_gpu,")
                .endsWith(",usd_per_million_output_tokens,verdict,complete,on_front,knee,estimated,uncertain,notes");
        assertThat(lines.get(4))
                .startsWith(",64.0,false,false,,,run,2,2200.0,,,,35.0,,")
                .endsWith("valid,true,true,true,,,");
        assertThat(lines.get(5)).endsWith("invalid,true,false,false,,,");
        assertThat(lines)
                .allMatch(line -> line.split(",", -1).length == lines.get(0).split(",", -1).length);
    }

    @Test
    void theJsonHasMediansRangesAndRuns() throws Exception {
        Map<String, Object> tree =
                JsonTree.read(SweepFormat.JSON.render(example()).getBytes(StandardCharsets.UTF_8));
        Map<?, ?> curve = (Map<?, ?>) ((List<?>) tree.get("curves")).get(0);
        assertThat(curve.get("saturation_concurrency")).isEqualTo(256.0);
        assertThat(curve.get("required_concurrency")).isEqualTo(64.0);
        assertThat(curve.get("goodput_per_s")).isNull();
        Map<?, ?> point = (Map<?, ?>) ((List<?>) curve.get("points")).get(3);
        assertThat(((Map<?, ?>) point.get("figures")).get("system_tps"))
                .isEqualTo(Map.of("median", 2200.0, "min", 2100.0, "max", 2300.0, "exact", true, "certain", true));
        assertThat(((Map<?, ?>) point.get("figures")).get("ttft_p90_ms")).isNull();
        assertThat((List<?>) point.get("runs")).hasSize(2);
    }

    /** Better than every other point of the example in both figures, and below and above all concurrencies. */
    @Test
    void pointsWhoseRequestsFailAreNeverOnTheFrontNorItsKneeNorTheLargestConcurrency() throws Exception {
        List<SweepRun> runs = new ArrayList<>(SweepRuns.example());
        runs.add(SweepRuns.run(64, 2300, 36));
        runs.add(SweepRuns.failing(2, 9000, 90));
        runs.add(SweepRuns.failing(100, 9000, 90));
        runs.add(SweepRuns.failing(1024, 9000, 90));
        Sweep sweep = Sweep.of(runs, OPTIONS);
        assertThat(SweepFormat.TEXT.render(sweep))
                .contains("  Front          tokens/s over tokens/s per user: concurrency 1, 8, 32, 64, 128, 256\n")
                .contains("  Knee           concurrency 64: 2,200 tokens/s, 35 tokens/s per user\n")
                .contains(
                        "  Required       largest concurrency with tps_per_user>=30: 64; at concurrency 100 requests fail\n")
                .contains(
                        "  Off the front  concurrency 2 (requests fail), concurrency 100 (requests fail), concurrency 1024")
                .containsPattern("QUESTIONABLE +100 .* off\n");
        Map<String, Object> tree = JsonTree.read(SweepFormat.JSON.render(sweep).getBytes(StandardCharsets.UTF_8));
        Map<?, ?> curve = (Map<?, ?>) ((List<?>) tree.get("curves")).get(0);
        assertThat(((Map<?, ?>) curve.get("knee")).get("concurrency")).isEqualTo(64.0);
        assertThat(curve.get("required_concurrency")).isEqualTo(64.0);
        assertThat(curve.get("required_missed")).isEqualTo("at concurrency 100 requests fail");
        assertThat(((Map<?, ?>) curve.get("front")).get("steps").toString()).doesNotContain("9000");
        assertThat((List<?>) curve.get("points"))
                .filteredOn(each -> ((Map<?, ?>) each).get("verdict").equals("questionable"))
                .hasSize(3)
                .allSatisfy(
                        each -> assertThat(((Map<?, ?>) each).get("on_front")).isEqualTo(false))
                .allSatisfy(each -> assertThat(((Map<?, ?>) each).get("place")).isEqualTo("off: requests fail"));
    }

    @Test
    void everyFormatHasTheMarksOfPercentilesAndTheNotesOnTheRuns() throws Exception {
        Sweep sweep = Sweep.of(List.of(SweepRuns.marked(8, 400, 48), SweepRuns.run(16, 700, 30)), OPTIONS);
        for (SweepFormat each : List.of(SweepFormat.TEXT, SweepFormat.MD, SweepFormat.HTML)) {
            assertThat(each.render(sweep))
                    .as("%s", each)
                    .contains("≈ 48?")
                    .contains("note: run-8: latency is of all 9 samples")
                    .contains(PercentileText.UNCERTAIN_LEGEND, PercentileText.ESTIMATE_LEGEND)
                    .doesNotContain("30?", "≈ 30", "400?");
        }
        assertThat(SweepFormat.CSV.render(sweep))
                .contains(",\"tps_per_user\",\"tps_per_user\",\"latency is of all 9 samples\"");
        Map<String, Object> tree = JsonTree.read(SweepFormat.JSON.render(sweep).getBytes(StandardCharsets.UTF_8));
        assertThat(tree.get("notes")).isEqualTo(List.of("run-8: latency is of all 9 samples"));
        assertThat(SweepFormat.JSON.render(sweep).replaceAll("\\s", ""))
                .contains(
                        "\"tps_per_user\":{\"median\":48.0,\"min\":48.0,\"max\":48.0,\"exact\":false,\"certain\":false}");
        assertThat(SweepFormat.TEXT.render(example())).doesNotContain("≈", "note: ");
    }

    @Test
    void theFrontIsDrawnAsStepsWithUnsoundPointsAsRings() {
        String page = SweepFormat.HTML.render(example());
        String front = page.substring(page.indexOf("<figure"), page.indexOf("</figure>"));
        assertThat(Pattern.compile("<path class=\"c c0\" d=\"M[\\d.]+ [\\d.]+(V[\\d.]+H[\\d.]+){5}\"/>")
                        .matcher(front)
                        .results()
                        .count())
                .as("one path of five steps in %s", front)
                .isEqualTo(1);
        assertThat(front.split("class=\"dot ring k0", -1)).as("one ring").hasSize(2);
        assertThat(front)
                .contains("<b>96</b><br/>output tokens/s per user (p90): 60<br/>output tokens/s: 9,000</span>")
                .contains(">128</span>");
        assertThat(page)
                .contains("tokens/s over tokens/s per user: concurrency", "Filled circles: points of complete runs");
    }

    @Test
    void runsWithoutTokensGetAHintInsteadOfAFront() {
        SweepRun run = SweepRuns.run("", 8, Verdict.Validity.VALID, Map.of(PointFigure.QPS, 3.0));
        assertThat(SweepFormat.TEXT.render(Sweep.of(List.of(run), SweepOptions.DEFAULT)))
                .contains(
                        "Front          none: no sound point has both tps_per_user and system_tps; run counts output tokens with"
                                + " --tokenizer PATH or --token-source usage");
    }

    @ParameterizedTest
    @EnumSource(SweepFormat.class)
    void textOfLabelsAndPathsCannotBecomeMarkupOrSteerATerminal(SweepFormat format) {
        SweepRun plain = SweepRuns.run(1, 2, 3);
        SweepRun hostile = new SweepRun(
                ExampleRuns.HOSTILE_TEXT,
                new SweepRun.Placement(null, true, false, null, null, null),
                ExampleRuns.HOSTILE_TEXT,
                plain.basis(),
                plain.figures(),
                SweepRun.Marks.NONE,
                null,
                plain.validity(),
                false,
                true,
                null,
                0,
                Map.of(ExampleRuns.HOSTILE_TEXT, ExampleRuns.HOSTILE_TEXT),
                ExampleRuns.HOSTILE_TEXT,
                ExampleRuns.HOSTILE_TEXT);
        String text = format.render(Sweep.of(List.of(plain, hostile), OPTIONS));
        if (format != SweepFormat.CSV && format != SweepFormat.JSON) {
            assertThat(text).doesNotContain("\u202e", "\u0000");
        }
        if (format == SweepFormat.HTML || format == SweepFormat.MD) {
            assertThat(text.replaceFirst("(?s)<script>\"use strict\";.*?</script>", "")
                            .replaceAll("`[^`\n]*`", ""))
                    .doesNotContain("<script>");
        }
        if (format == SweepFormat.CSV) {
            assertThat(text).contains("\"<script>alert(1)</script>\"\"'&|`=cmd|");
        }
    }
}
