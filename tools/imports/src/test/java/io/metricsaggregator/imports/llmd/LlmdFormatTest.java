package io.metricsaggregator.imports.llmd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.SummarySeries;
import io.metricsaggregator.imports.format.Formats;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public class LlmdFormatTest {
    public static final String EXAMPLE =
            "{\"version\":\"0.2.1\",\"run\":{\"uid\":\"u1\",\"time\":{\"start\":\"2026-11-28T10:00:00Z\","
                    + "\"end\":\"2026-11-28T10:00:02.5+00:00\",\"duration\":\"PT2.5S\"}},\"scenario\":{\"load\":"
                    + "{\"standardized\":{\"tool\":\"vllm-benchmark\",\"tool_version\":\"0.14\"}}},"
                    + "\"results\":{\"request_performance\":{\"aggregate\":{\"requests\":{\"total\":10,\"failures\":2,"
                    + "\"incomplete\":3,\"input_length\":{\"units\":\"count\",\"mean\":12.5,\"p50\":12}},"
                    + "\"latency\":{\"request_latency\":{\"units\":\"s\",\"mean\":0.3,\"stddev\":0.2,\"min\":0.1,"
                    + "\"p0p1\":0.101,\"p50\":0.25,\"p99p9\":0.9,\"max\":1},"
                    + "\"time_to_first_token\":{\"units\":\"ms\",\"mean\":20.5},"
                    + "\"inter_token_latency\":{\"units\":\"ms/token\",\"mean\":4,\"p99\":9.5}},"
                    + "\"throughput\":{\"request_rate\":{\"units\":\"queries/s\",\"mean\":2.5}}}}}}";

    private static final String YAML = """
            version: '0.2.1'
            run:
              uid: u1
              time: {start: '2026-11-28T10:00:00Z', end: null, duration: PT2.5S}
            scenario: null
            results:
              request_performance:
                aggregate:
                  requests: {total: 5, failures: 0, incomplete: 0}
                  latency:
                    request_latency: {units: s, mean: 0.3, p50: 0.25}
            """;

    private static SummarySeries series(CollectingSink sink, String name) {
        return sink.summaries.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_report_has_counts_and_the_statistics_of_successes_in_nanoseconds_and_tokens() throws Exception {
        CollectingSink sink = CollectingSink.read(new LlmdFormat(), EXAMPLE);

        assertThat(Formats.recognising(CollectingSink.source(EXAMPLE).head())).isInstanceOf(LlmdFormat.class);
        assertThat(sink.kind).isEqualTo(SourceKind.AGGREGATES);
        assertThat(sink.skipped).isEmpty();
        assertThat(sink.toolVersion).isEqualTo("vllm-benchmark 0.14");
        assertThat(sink.parts).containsExactly("uid u1");
        assertThat(sink.startedWallNanos).isEqualTo(1_795_860_000_000_000_000L);
        assertThat(sink.summaryCounters)
                .containsEntry("total_samples_issued", 10L)
                .containsEntry("tracked_samples_completed", 7L)
                .containsEntry("tracked_samples_errored", 2L)
                .containsEntry("tracked_samples_succeeded", 5L)
                .containsEntry("tracked_duration_ns", 2_500_000_000L)
                .containsEntry("succeeded_duration_ns", 2_000_000_000L);
        SummarySeries latency = series(sink, "sample_latency_ns");
        assertThat(latency.count()).isEqualTo(5);
        assertThat(latency.mean()).isEqualTo(0.3e9);
        assertThat(latency.standardDeviation()).isCloseTo(0.2e9 * Math.sqrt(5 / 4.0), within(1.0));
        assertThat(latency.min()).isEqualTo(0.1e9);
        assertThat(latency.max()).isEqualTo(1e9);
        assertThat(latency.percentiles()).isEqualTo(Map.of(0.1, 0.101e9, 50.0, 0.25e9, 99.9, 0.9e9));
        assertThat(series(sink, "ttft_ns").mean()).isEqualTo(20.5e6);
        assertThat(series(sink, "usage_prompt_tokens").percentiles()).isEqualTo(Map.of(50.0, 12.0));
    }

    @Test
    void times_between_tokens_have_no_count_and_stay_figures_of_the_tool() throws Exception {
        CollectingSink sink = CollectingSink.read(new LlmdFormat(), EXAMPLE);

        assertThat(series(sink, "chunk_delta_ns").count()).isNull();
        assertThat(series(sink, "chunk_delta_ns").unusable()).startsWith("no count");
        assertThat(sink.figures)
                .containsEntry("latency.inter_token_latency.p99", 9.5)
                .containsEntry("throughput.request_rate.mean", 2.5);
    }

    @Test
    void yaml_is_read_as_json_is() throws Exception {
        CollectingSink sink = CollectingSink.read(new LlmdFormat(), YAML);

        assertThat(Formats.recognising(CollectingSink.source(YAML).head())).isInstanceOf(LlmdFormat.class);
        assertThat(sink.skipped).isEmpty();
        assertThat(series(sink, "sample_latency_ns").percentiles()).isEqualTo(Map.of(50.0, 0.25e9));
        assertThat(sink.summaryCounters).containsEntry("tracked_samples_succeeded", 5L);
    }

    @Test
    void a_file_that_does_not_say_what_failed_or_did_not_end_takes_all_for_successes_and_says_so() throws Exception {
        CollectingSink sink =
                CollectingSink.read(new LlmdFormat(), YAML.replace(", failures: 0, incomplete: 0", ", failures: null"));

        assertThat(series(sink, "sample_latency_ns").count()).isEqualTo(5);
        assertThat(sink.summaryCounters).doesNotContainKey("total_samples_failed");
        assertThat(sink.unknowable).containsKey("outcomes");
    }

    @Test
    void each_file_is_a_part() throws Exception {
        CollectingSink sink = CollectingSink.read(new LlmdFormat(), ImportOptions.DEFAULT, EXAMPLE, YAML);

        assertThat(sink.parts).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "version: '0.2.1', version: '0.1', version_unsupported",
        "version: '0.2.1', version: '0.20', version_unsupported",
        "'units: s,', 'units: count,', units_unsupported",
        "mean: 0.3, mean: x, mean_invalid",
        "PT2.5S, 2.5 s, duration_invalid",
        "total: 5, total: -5, total_invalid",
        "'  request_performance:', '  request:', request_performance_missing"
    })
    void what_the_format_does_not_allow_is_skipped_by_name(String part, String by, String reason) throws Exception {
        assertThat(CollectingSink.read(new LlmdFormat(), YAML.replace(part, by)).skipped)
                .containsOnlyKeys(reason);
    }
}
