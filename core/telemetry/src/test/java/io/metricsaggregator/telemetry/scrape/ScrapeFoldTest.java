package io.metricsaggregator.telemetry.scrape;

import static io.metricsaggregator.telemetry.Golden.fields;
import static io.metricsaggregator.telemetry.Golden.observation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.telemetry.Golden;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.fold.RowBudget;
import io.metricsaggregator.telemetry.promql.PromRange;
import io.metricsaggregator.telemetry.promql.ScrapeOptions;
import io.metricsaggregator.telemetry.promql.ScrapeSeries;
import io.metricsaggregator.telemetry.statistics.TimeGrid;
import io.metricsaggregator.telemetry.triton.TritonWindow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ScrapeFoldTest {
    private static final long SECOND = 1_000_000_000L;

    @TestFactory
    Stream<DynamicTest> everyGoldenCaseAgreesWithPrometheusTheNotebookAndTheRules() throws IOException {
        return Golden.cases("triton", ScrapeFoldTest::check);
    }

    private static ScrapeOptions options(Map<String, ?> input, int promql) {
        Map<?, ?> params = (Map<?, ?>) input.get("params");
        Map<String, Map<String, String>> selectors = new LinkedHashMap<>();
        ((Map<?, ?>) params.get("selectors")).forEach((prefix, labels) -> {
            Map<String, String> matchers = new LinkedHashMap<>();
            ((Map<?, ?>) labels).forEach((key, value) -> matchers.put((String) key, (String) value));
            selectors.put((String) prefix, matchers);
        });
        return new ScrapeOptions(
                (Long) params.get("step_s") * 1000,
                (Long) params.get("staleness_s") * 1000,
                promql,
                (Long) params.get("start_s") * 1000,
                (Long) params.get("end_s") * 1000,
                selectors,
                List.of());
    }

    private static void check(Path folder, Map<String, ?> input, Map<String, ?> expected) throws Exception {
        ScrapeFold fold = new ScrapeFold(options(input, 2));
        for (TelemetryRecord each : Golden.telemetry(folder)) {
            fold.apply(each);
            // Intermediate snapshots do not change the result.
            fold.snapshot(false).tree();
        }
        Map<String, ?> known = fold.snapshot(true).tree();
        Golden.compare("again", known, fold.snapshot(true).tree(), true);
        Map<?, ?> ours = (Map<?, ?>) expected.get("ours");
        Golden.compare("windows", ours.get("windows"), known.get("windows"), false);
        assertThat(((Map<?, ?>) known.get("windows")).keySet()).isEqualTo(((Map<?, ?>) ours.get("windows")).keySet());
        Golden.compare("totals", ours.get("requests_total_by_model"), known.get("requests_total_by_model"), false);
        Map<?, ?> compat = (Map<?, ?>) known.get("compat");
        ((Map<?, ?>) expected.get("promql"))
                .forEach((name, query) -> answers(
                        (String) name, (Map<?, ?>) query, (Map<?, ?>) ((Map<?, ?>) compat.get("promql")).get(name)));
        Map<?, ?> notebook = (Map<?, ?>) expected.get("notebook");
        Golden.compare("notebook", notebook, compat.get("notebook"), false);
        assertThat(((Map<?, ?>) compat.get("notebook")).get("error")).isNull();
    }

    private static void answers(String name, Map<?, ?> expected, Map<?, ?> actual) {
        assertThat(actual).as(name).isNotNull();
        assertThat(actual.get("query")).isEqualTo(expected.get("query"));
        Map<Object, Object> byLabels = new LinkedHashMap<>();
        ((List<?>) actual.get("result"))
                .forEach(each -> byLabels.put(((Map<?, ?>) each).get("labels"), ((Map<?, ?>) each).get("values")));
        List<?> wanted = (List<?>) expected.get("result");
        assertThat(byLabels).as(name).hasSize(wanted.size());
        wanted.forEach(each -> Golden.compare(
                name + ((Map<?, ?>) each).get("labels"),
                ((Map<?, ?>) each).get("values"),
                byLabels.get(((Map<?, ?>) each).get("labels")),
                false));
    }

    @TestFactory
    Stream<DynamicTest> seriesDifferInPrometheus3WhereAndAsTheGoldenCasesSay() throws IOException {
        return Golden.cases("triton", (folder, input, expected) -> {
            List<?> differences = (List<?>) expected.get("promql3_differences");
            ScrapeOptions options = options(input, 3);
            Map<String, ScrapeSeries> series = new LinkedHashMap<>();
            TimeGrid grid = new TimeGrid(16, SECOND);
            for (Object each : (List<?>) input.get("series")) {
                Map<?, ?> one = (Map<?, ?>) each;
                ScrapeSeries made = new ScrapeSeries(
                        (String) one.get("name"),
                        Map.of(),
                        (String) one.get("type"),
                        null,
                        grid.column(),
                        true,
                        new RowBudget(1 << 20, 0, Allowance.unlimited()));
                for (Object sample : (List<?>) one.get("samples")) {
                    Number at = (Number) ((List<?>) sample).get(0);
                    made.add(Math.round(at.doubleValue() * 1000), ((Number) ((List<?>) sample).get(1)).doubleValue());
                }
                series.put(one.get("name") + "" + one.get("labels"), made);
            }
            int checked = 0;
            for (Object each : differences) {
                Map<?, ?> one = (Map<?, ?>) each;
                ScrapeSeries of = series.get(one.get("name") + "" + one.get("labels"));
                long at = (Long) one.get("t") * 1000;
                for (int version : new int[] {2, 3}) {
                    PromRange range = new PromRange(version, options.windowMillis());
                    Double value = switch ((String) one.get("fn")) {
                        case "rate" -> range.rate(of, at);
                        case "delta" -> range.delta(of, at);
                        case "increase" -> range.rate(of, at) == null ? null : range.rate(of, at) * 60;
                        case "avg_over_time" -> range.average(of, at);
                        default -> throw new AssertionError(one);
                    };
                    Golden.compare(one.toString(), one.get("prom" + version), value, false);
                    checked++;
                }
            }
            assertThat(checked).isEqualTo(2 * differences.size());
        });
    }

    static Map<String, Object> scrape(double seconds, Object... samples) {
        return fields(
                "event_type", "scrape.samples",
                "timestamp_ns", Math.round(seconds * SECOND),
                "source_id", "t",
                "job", "j",
                "instance", "host:1",
                "ok", true,
                "samples", List.of(samples));
    }

    static List<Object> sample(String name, String type, Object value) {
        return List.of(name, Map.of("model", "m"), type, value);
    }

    private static List<?> rows(ScrapeFold fold) {
        return (List<?>) ((Map<?, ?>) fold.snapshot(true).tree().get("table")).get("rows");
    }

    @Test
    void aCounterYieldsARateOnTheGridAndItsIncreaseSurvivesARestart() throws Exception {
        ScrapeFold fold = new ScrapeFold(ScrapeOptions.DEFAULT);
        fold.apply(observation(scrape(1000, sample("c_total", "counter", 100.0))));
        fold.apply(observation(scrape(1010, sample("c_total", "counter", 150.0))));
        fold.apply(observation(scrape(1020, sample("c_total", "counter", 20.0))));
        Map<?, ?> row = (Map<?, ?>) rows(fold).get(0);
        assertThat(row.get("grew")).isEqualTo(70.0);
        assertThat(((List<?>) row.get("values"))
                        .stream().filter(each -> each != null).toList())
                .isEqualTo(List.of(5.0, 2.0));
    }

    @Test
    void aMalformedSampleDoesNotAffectTheOthers() throws Exception {
        ScrapeFold fold = new ScrapeFold(ScrapeOptions.DEFAULT);
        fold.apply(observation(
                scrape(1000, List.of("x"), 7L, List.of("a", Map.of("l", 1L), "gauge", 1.0), sample("g", "gauge", 5L))));
        assertThat(rows(fold)).hasSize(1);
        assertThat(((Map<?, ?>) fold.snapshot(false).tree().get("counts")).get("samples_invalid"))
                .isEqualTo(3L);
    }

    @Test
    void aFailingTargetIsUnreachableUntilItAnswers() throws Exception {
        ScrapeFold fold = new ScrapeFold(ScrapeOptions.DEFAULT);
        fold.apply(observation(fields(
                "event_type", "scrape.failed",
                "timestamp_ns", 5L,
                "job", "j",
                "instance", "host:1",
                "error", "connection refused")));
        Map<?, ?> target = (Map<?, ?>) ((List<?>) fold.snapshot(false).tree().get("targets")).get(0);
        assertThat(target.get("reachable")).isEqualTo(false);
        assertThat(target.get("last_error")).isEqualTo("connection refused");
        fold.apply(observation(scrape(1, sample("g", "gauge", 5L))));
        target = (Map<?, ?>) ((List<?>) fold.snapshot(false).tree().get("targets")).get(0);
        assertThat(target.get("reachable")).isEqualTo(true);
        assertThat(target.get("n_failed")).isEqualTo(1L);
    }

    @Test
    void aLabelThatTheTargetAlsoHasIsRenamedToExported() throws Exception {
        ScrapeFold fold = new ScrapeFold(ScrapeOptions.DEFAULT);
        Map<String, Object> scrape = scrape(1, List.of("g", Map.of("pod", "inner", "job", "own"), "gauge", 1L));
        scrape.put("labels", Map.of("pod", "outer"));
        fold.apply(observation(scrape));
        assertThat(((Map<?, ?>) ((Map<?, ?>) rows(fold).get(0)).get("labels")))
                .isEqualTo(Map.of(
                        "pod",
                        "outer",
                        "exported_pod",
                        "inner",
                        "job",
                        "j",
                        "exported_job",
                        "own",
                        "instance",
                        "host:1"));
    }

    @Test
    void aSampleWithAnInvalidTimestampOfItsOwnIsOmitted() throws Exception {
        ScrapeFold fold = new ScrapeFold(ScrapeOptions.DEFAULT);
        List<Object> samples = new ArrayList<>();
        for (long at : new long[] {Long.MIN_VALUE, Long.MAX_VALUE, 0, 999_999}) {
            samples.add(List.of("g", Map.of("at", Long.toString(at)), "gauge", 1L, at));
        }
        fold.apply(observation(scrape(1000, samples.toArray())));
        assertThat(rows(fold)).hasSize(2);
        assertThat(((Map<?, ?>) fold.snapshot(false).tree().get("counts")).get("samples_late"))
                .isEqualTo(2L);
    }

    @Test
    void anEmptyScrapeAfterALongGapTakesNoTime() throws Exception {
        ScrapeFold fold = new ScrapeFold(new ScrapeOptions(1000, 300_000, 3, null, null, Map.of(), List.of()));
        fold.apply(observation(scrape(1_000_000_000)));
        List<Object> samples = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            samples.add(List.of(TritonWindow.REQUESTS, Map.of("model", "m" + i), "counter", 1L));
        }
        fold.apply(observation(scrape(1_000_000_001, samples.toArray())));
        // Not a day: 80,000 windows of a second.
        fold.apply(observation(scrape(1_000_080_000, samples.toArray())));
        Map<String, ?> known = fold.snapshot(true).tree();
        assertThat((Long) ((Map<?, ?>) known.get("counts")).get("windows_skipped"))
                .isGreaterThan(79_000L);
        assertThat(((Map<?, ?>) known.get("windows")).size()).isLessThan(100);
    }

    @Test
    void windowsOfAnyWidthAddUpToTheTotal() throws Exception {
        for (long width : new long[] {7_000, 10_000, 60_000}) {
            ScrapeFold fold = new ScrapeFold(new ScrapeOptions(width, 300_000, 3, null, null, Map.of(), List.of()));
            List<Double> values = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                double value = i < 90 ? 10 * i : 3 * (i - 90);
                values.add(value);
                fold.apply(observation(scrape(
                        1_000_000 + 5.3 * i, List.of(TritonWindow.REQUESTS, Map.of("model", "m"), "counter", value))));
            }
            double grown = 890 + 3 * 109;
            assertThat((Double) ((Map<?, ?>) fold.snapshot(true).tree().get("requests_total_by_model")).get("m/"))
                    .as("windows of %d ms", width)
                    .isCloseTo(grown, within(1e-9));
        }
    }

    @Test
    void seriesBeyondTheLimitAreCountedAndEarlierOnesContinue() throws Exception {
        ScrapeFold fold = new ScrapeFold(ScrapeOptions.DEFAULT);
        List<Object> samples = new ArrayList<>();
        for (int i = 0; i < ScrapeFold.SERIES_MAX + 5; i++) {
            samples.add(List.of("g" + i, Map.of(), "gauge", 1L));
        }
        fold.apply(observation(scrape(1, samples.toArray())));
        fold.apply(observation(scrape(2, samples.toArray())));
        Map<?, ?> counts = (Map<?, ?>) fold.snapshot(false).tree().get("counts");
        assertThat(counts.get("samples_over_limit")).isEqualTo(10L);
        assertThat(counts.get("samples")).isEqualTo(2L * ScrapeFold.SERIES_MAX);
    }

    private static Map<?, ?> row(ScrapeFold fold, String name) {
        return rows(fold).stream()
                .map(each -> (Map<?, ?>) each)
                .filter(each -> each.get("name").equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_counters_increase_and_rates_do_not_depend_on_the_order_of_arrival() throws Exception {
        // The counter restarts between 1020 and 1030.
        double[] values = {100, 150, 170, 20, 60, 65};
        Random random = new Random(7);
        List<Object> expected = null;
        for (int round = 0; round < 50; round++) {
            List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5));
            if (round > 0) {
                Collections.shuffle(order, random);
            }
            ScrapeFold fold = new ScrapeFold(ScrapeOptions.DEFAULT);
            for (int i : order) {
                fold.apply(observation(scrape(
                        1000 + 10 * i,
                        sample("c_total", "counter", values[i]),
                        sample("vllm:generation_tokens_total", "counter", values[i]))));
            }
            Map<?, ?> row = row(fold, "c_total");
            assertThat((Double) row.get("grew")).as("%s", order).isCloseTo(70 + 20 + 45, within(1e-9));
            List<Object> rates = new ArrayList<>();
            ((List<?>) row.get("values")).stream().filter(each -> each != null).forEach(rates::add);
            if (expected == null) {
                expected = rates;
                assertThat(rates).isEqualTo(List.of(5.0, 2.0, 2.0, 4.0, 0.5));
            }
            Golden.compare(order.toString(), expected, rates, false);
            Map<?, ?> highlights = (Map<?, ?>) fold.snapshot(false).tree().get("highlights");
            Map<?, ?> server = (Map<?, ?>) ((List<?>) highlights.get("servers")).get(0);
            assertThat((Double) server.get("generation_tokens")).isCloseTo(135, within(1e-9));
        }
    }

    @Test
    void blank_values_of_dcgm_are_ignored_in_counters_and_gauges() throws Exception {
        ScrapeFold fold = new ScrapeFold(ScrapeOptions.DEFAULT);
        String counter = "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION";
        double[] energies = {0x1p63, 1000, 0x1p63, 2500, 2_147_483_632.0};
        for (int i = 0; i < energies.length; i++) {
            fold.apply(observation(scrape(
                    1000 + i,
                    sample(counter, "counter", energies[i]),
                    sample("DCGM_FI_DEV_GPU_TEMP", "gauge", i < 3 ? 40.0 : 2_147_483_633.0))));
        }
        assertThat(row(fold, counter).get("grew")).isEqualTo(1500.0);
        assertThat(row(fold, counter).get("last")).isEqualTo(2500.0);
        assertThat(row(fold, "DCGM_FI_DEV_GPU_TEMP").get("last")).isNull();
        assertThat(((Map<?, ?>) fold.snapshot(false).tree().get("counts")).get("samples_blank"))
                .isEqualTo(5L);
    }

    @Test
    void shares_and_percentages_outside_their_range_are_in_no_figure() throws Exception {
        ScrapeFold fold = new ScrapeFold(ScrapeOptions.DEFAULT);
        double[] values = {50, 808_334_905, -1, 100};
        for (int i = 0; i < values.length; i++) {
            fold.apply(observation(scrape(
                    1000 + i,
                    sample("DCGM_FI_DEV_GPU_UTIL", "gauge", values[i]),
                    sample("vllm:kv_cache_usage_perc", "gauge", i == 0 ? 0.5 : 7.5),
                    sample("own_gauge", "gauge", values[i]))));
        }
        assertThat(row(fold, "vllm:kv_cache_usage_perc").get("last")).isEqualTo(0.5);
        assertThat(row(fold, "vllm:kv_cache_usage_perc").get("n_samples")).isEqualTo(1L);
        assertThat(row(fold, "DCGM_FI_DEV_GPU_UTIL").get("n_samples")).isEqualTo(2L);
        assertThat(row(fold, "own_gauge").get("n_samples")).isEqualTo(4L);
        assertThat(((Map<?, ?>) fold.snapshot(false).tree().get("counts")).get("samples_blank"))
                .isEqualTo(5L);
    }

    @Test
    void an_exposed_label_that_the_target_also_has_is_renamed_like_in_prometheus_even_with_equal_values()
            throws Exception {
        ScrapeFold fold = new ScrapeFold(ScrapeOptions.DEFAULT);
        Map<String, Object> scrape = scrape(
                1,
                List.of("g", Map.of("job", "j", "pod", "inner", "exported_pod", "innermost", "le", "1"), "gauge", 1L));
        scrape.put("labels", Map.of("pod", "outer", "le", "2"));
        fold.apply(observation(scrape));
        assertThat(row(fold, "g").get("labels"))
                .isEqualTo(Map.of(
                        "job", "j",
                        "exported_job", "j",
                        "instance", "host:1",
                        "pod", "outer",
                        "exported_pod", "innermost",
                        "exported_exported_pod", "inner",
                        "le", "2",
                        "exported_le", "1"));
    }

    @Test
    void a_gpu_that_reports_only_its_memory_has_windows() throws Exception {
        ScrapeFold fold = new ScrapeFold(ScrapeOptions.DEFAULT);
        for (int i = 0; i < 10; i++) {
            fold.apply(observation(
                    scrape(1000 + 15 * i, List.of(TritonWindow.DRAM, Map.of("device", "nvidia0"), "gauge", 0.25))));
        }
        Map<?, ?> windows = (Map<?, ?>) fold.snapshot(true).tree().get("windows");
        assertThat(windows).isNotEmpty();
        assertThat(windows.values())
                .allSatisfy(each ->
                        assertThat(((Map<?, ?>) each).get("summed_dram_active")).isEqualTo(0.25));
    }
}
