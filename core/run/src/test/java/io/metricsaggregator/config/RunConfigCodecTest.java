package io.metricsaggregator.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.telemetry.TelemetryOptions;
import io.metricsaggregator.telemetry.promql.ScrapeOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunConfigCodecTest {
    private static final RunConfig FULL = RunConfig.builder()
            .version("1.2")
            .streaming(Streaming.ON)
            .trackAll(true)
            .significantFigures(4)
            .displayBuckets(12)
            .earlyStopping(true)
            .tokenizer(new RunConfig.Tokenizer("/models/a/tokenizer.json", "none", "5.21"))
            .objectives(new Slo(5, Slo.NONE, 7, 0.95))
            .telemetry(new TelemetryOptions(
                    List.of("node-1", "node-2"),
                    77,
                    new ScrapeOptions(
                            20_000,
                            120_000,
                            2,
                            1_000L,
                            null,
                            Map.of("DCGM_FI_", Map.of("container", "triton")),
                            List.of("llama"))))
            .goldenLength(2.99)
            .build();

    @Test
    void names_values_and_order_of_all_settings_equal_those_of_earlier_journals() {
        Map<String, String> expected = new LinkedHashMap<>();
        expected.put("version", "1.2");
        expected.put("streaming", "true");
        expected.put("early_stopping", "true");
        expected.put("hdr_sig_figs", "4");
        expected.put("n_histogram_buckets", "12");
        expected.put("track", "all");
        expected.put("tokenizer", "/models/a/tokenizer.json");
        expected.put("chat_template", "none");
        expected.put("transformers_version", "5.21");
        expected.put("expected_nodes", "node-1,node-2");
        expected.put("max_keys", "77");
        expected.put("scrape_window_ms", "20000");
        expected.put("scrape_staleness_ms", "120000");
        expected.put("promql", "2");
        expected.put("scrape_from_ms", "1000");
        expected.put("scrape_models", "llama");
        expected.put("scrape_select DCGM_FI_ container", "triton");
        expected.put("slo_ttft_ns", "5");
        expected.put("slo_latency_ns", "7");
        expected.put("slo_target_share", "0.95");
        expected.put("golden_al", "2.99");
        assertThat(RunConfigCodec.encode(FULL)).containsExactlyEntriesOf(expected);
    }

    @Test
    void a_decoded_configuration_equals_the_encoded_one() {
        assertThat(RunConfigCodec.decode(RunConfigCodec.encode(FULL))).isEqualTo(FULL);
        RunConfig defaults = RunConfig.builder().version("1").build();
        assertThat(RunConfigCodec.decode(RunConfigCodec.encode(defaults))).isEqualTo(defaults);
    }

    @Test
    void objectives_of_classes_are_settings_of_their_own_that_older_versions_do_not_take_for_objectives_of_all() {
        Slo slo = Slo.ofClasses(
                "tier of a user",
                Map.of("gold: x", new Slo(1, 2, Slo.NONE, 0.99), Slo.REST, new Slo(Slo.NONE, Slo.NONE, 3, 0.5)));
        RunConfig config = RunConfig.builder()
                .version("1")
                .streaming(Streaming.ON)
                .objectives(slo)
                .build();
        Map<String, String> settings = RunConfigCodec.encode(config);
        assertThat(settings)
                .containsEntry("slo_key", "tier of a user")
                .containsEntry("slo_class gold: x slo_tpot_ns", "2")
                .doesNotContainKey("slo_target_share");
        assertThat(RunConfigCodec.decode(settings)).isEqualTo(config);
    }

    @Test
    void a_journal_without_settings_has_no_streaming_series_and_the_defaults() {
        assertThat(RunConfigCodec.decode(Map.of("another", "thing")))
                .isEqualTo(RunConfig.builder().streaming(Streaming.OFF).build());
    }

    @Test
    void an_unreadable_setting_falls_back_to_its_default() {
        RunConfig config = RunConfigCodec.decode(
                Map.of("hdr_sig_figs", "many", "slo_target_share", "most", "promql", "9", "expected_nodes", "a"));
        assertThat(config.histograms().significantFigures()).isEqualTo(3);
        assertThat(config.objectives()).isNull();
        assertThat(config.telemetry()).isEqualTo(TelemetryOptions.DEFAULT);
    }

    @Test
    void a_limit_derived_from_the_heap_does_not_prevent_resuming() {
        assertThat(RunConfigCodec.differences(
                        Map.of("version", "1", "streaming", "auto", "max_keys", "1200"),
                        Map.of("version", "1", "streaming", "auto")))
                .isEmpty();
    }

    @Test
    void a_golden_acceptance_length_may_change_when_a_run_is_resumed() {
        assertThat(RunConfigCodec.differences(
                        Map.of("version", "1", "golden_al", "2.99"), Map.of("version", "1", "golden_al", "3.39")))
                .isEmpty();
    }

    @Test
    void a_changed_flag_is_named_with_both_its_values() {
        assertThat(RunConfigCodec.differences(
                        Map.of("version", "1", "streaming", "auto"), Map.of("version", "1", "streaming", "true")))
                .containsExactly("streaming was auto and is true");
    }

    @Test
    void a_setting_known_to_only_one_version_is_not_a_difference() {
        assertThat(RunConfigCodec.differences(
                        Map.of("version", "1", "streaming", "auto"),
                        Map.of("version", "2", "streaming", "auto", "new", "true")))
                .isEmpty();
    }
}
