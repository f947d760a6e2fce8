package io.metricsaggregator.imports.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.guidellm.GuideLlmFormatTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FormatHintsTest {
    private static @Nullable String hint(String text) throws Exception {
        return FormatHints.of(CollectingSink.source(text).head());
    }

    @Test
    void files_of_versions_that_are_too_old_are_named_with_the_version() throws Exception {
        assertThat(hint("{\"benchmarks\":[{\"type_\":\"generative_benchmark\",\"requests\":{\"successful\":["
                        + "{\"scheduler_info\":{\"requested\":true},\"start_time\":1.0,\"first_token_time\":1.2}]}}]}"))
                .startsWith("was written by GuideLLM before 0.4");
        assertThat(hint("{\"record_id\":\"\",\"metadata\":{\"conversation_id\":\"u\",\"timestamp_ns\":1,"
                        + "\"credit_phase\":\"profiling\"},\"metrics\":{}}"))
                .startsWith("was written by AIPerf before 0.2");
        assertThat(hint(GuideLlmFormatTest.EXAMPLE)).isNull();
    }

    @Test
    void files_without_requests_are_named_with_the_one_to_import() throws Exception {
        assertThat(hint("")).isEqualTo("is empty");
        assertThat(
                        hint(
                                "\177\uFFFD\003\001\001\006Result\001\uFFFD\000\001\f\001\006Attack\001\f\000\001\003Seq\001\006\000"
                                        + "\001\004Code\001\006\000\001\tTimestamp\001\uFFFD\000\001\007Latency\001\004\000\001\bBytesOut"))
                .contains("vegeta encode --to json");
        assertThat(hint("{\"latencies\":{\"total\":1},\"bytes_in\":{},\"status_codes\":{}}"))
                .contains("report of Vegeta");
        assertThat(hint("Metric,avg,min,max,p99\nTime to First Token (ms),1,2,3,4\n"))
                .contains("profile_export.jsonl");
        assertThat(hint("metric_name,timestamp,metric_value,check\n")).contains("--out json");
        assertThat(hint("{\"root_group\":{},\"metrics\":{}}")).contains("summary of k6");
        assertThat(hint("anything")).isNull();
    }
}
