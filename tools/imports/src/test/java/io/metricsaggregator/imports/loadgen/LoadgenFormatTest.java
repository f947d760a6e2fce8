package io.metricsaggregator.imports.loadgen;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.format.Formats;
import io.metricsaggregator.imports.format.Story;
import java.util.Map;
import org.junit.jupiter.api.Test;

public class LoadgenFormatTest {
    private static final String EVENTS = """
        {"traceEvents":[
        {"name":"Sample","cat":"default","ph":"b","pid":1,"id":7,"ts":1000.000,"args":{"sample_seq":7,"query_seq":7,"sample_idx":42,"issue_start_ns":1500,"complete_ns":310000000}},
        {"name":"Token","cat":"default","ph":"b","pid":1,"id":7,"ts":1000.000,"args":{"sample_seq":7,"query_seq":7,"sample_idx":42,"issue_start_ns":1500,"complete_ns":200000000}},
        {"name":"Sample","cat":"default","ph":"e","pid":1,"id":7,"ts":311000.000},
        """;
    public static final String EXAMPLE =
            EVENTS + "{\"name\":\"LastTrace\"}\n],\"displayTimeUnit\":\"ns\",\"otherData\":{\"version\":\"5\"}}\n";

    private static String sample(int id, String due, int delay) {
        return "{\"name\":\"Sample\",\"ph\":\"b\",\"id\":" + id + ",\"ts\":" + due + ",\"args\":{\"issue_start_ns\":"
                + delay + ",\"complete_ns\":9000}},";
    }

    private static String counter(String name, String due, int delay, int done) {
        return "{\"name\":\"" + name + "\",\"ph\":\"C\",\"ts\":" + due + ",\"args\":{\"issue_delay\":" + delay
                + ",\"issue_to_done\":" + done + "}},";
    }

    private static CollectingSink read(String events) throws Exception {
        return CollectingSink.read(new LoadgenFormat(), "{\"traceEvents\":[" + events + "{\"name\":\"LastTrace\"}]}");
    }

    @Test
    void the_example_gives_schedule_issue_first_token_and_completion() throws Exception {
        CollectingSink sink = CollectingSink.read(new LoadgenFormat(), EXAMPLE);

        assertThat(Formats.recognising(CollectingSink.source(EXAMPLE).head())).isInstanceOf(LoadgenFormat.class);
        assertThat(sink.kind).isEqualTo(SourceKind.TIMES);
        assertThat(sink.skipped).isEmpty();
        ImportedRequest request = sink.requests.get(0);
        assertThat(request.id()).isEqualTo("7");
        assertThat(request.scheduledNanos()).isEqualTo(1_000_000);
        assertThat(request.issuedNanos()).isEqualTo(1_001_500);
        assertThat(request.chunkNanos(0)).isEqualTo(201_000_000);
        assertThat(request.endNanos()).isEqualTo(311_000_000L);
        Story story = Story.of(request);
        assertThat(story.latency()).isEqualTo(309_998_500);
        assertThat(story.ttft()).isEqualTo(199_998_500);
        assertThat(story.slip()).isEqualTo(1500);
        assertThat(sink.unknowable)
                .containsKeys("chunk_delta_ns", "usage", "finish_reason")
                .doesNotContainKey("ttft_ns");
    }

    @Test
    void the_trace_of_a_killed_run_is_read_to_its_end() throws Exception {
        CollectingSink sink = CollectingSink.read(new LoadgenFormat(), EVENTS);

        assertThat(Formats.recognising(CollectingSink.source(EVENTS).head())).isInstanceOf(LoadgenFormat.class);
        assertThat(sink.requests).hasSize(1);
        assertThat(sink.skipped).containsExactly(Map.entry("truncated", 1L));
    }

    @Test
    void first_tokens_of_the_server_scenario_are_joined_by_schedule_and_issue() throws Exception {
        CollectingSink sink = read(sample(1, "1.000", 5)
                + sample(2, "2.000", 5)
                + sample(3, "2.000", 5)
                + counter("Token_Latency", "1.000", 5, 700)
                + counter("Token_Latency", "2.000", 5, 800));

        assertThat(sink.requests).extracting(ImportedRequest::chunks).containsExactly(1, 0, 0);
        assertThat(sink.requests.get(0).chunkNanos(0)).isEqualTo(1705);
        assertThat(sink.skipped).containsExactly(Map.entry("first_token_ambiguous", 2L));
    }

    @Test
    void counters_alone_are_samples_without_ids() throws Exception {
        CollectingSink sink = read(counter("Latency", "1.000", 5, 900) + counter("Token_Latency", "1.000", 5, 700));

        assertThat(sink.requests).hasSize(1);
        assertThat(sink.requests.get(0).id()).isNull();
        assertThat(sink.requests.get(0).issuedNanos()).isEqualTo(1005);
        assertThat(sink.requests.get(0).chunkNanos(0)).isEqualTo(1705);
        assertThat(sink.requests.get(0).endNanos()).isEqualTo(1905);
    }

    @Test
    void whole_numbers_of_older_versions_are_nanoseconds() throws Exception {
        assertThat(read(sample(1, "1000", 5)).requests.get(0).scheduledNanos()).isEqualTo(1000);
    }

    @Test
    void repeated_ids_and_missing_times_are_counted_by_name() throws Exception {
        CollectingSink sink = read(
                sample(1, "1.000", 5) + sample(1, "2.000", 5)
                        + "{\"name\":\"Sample\",\"ph\":\"b\",\"id\":3,\"args\":{}},{\"name\":\"Sample\",\"ph\":\"b\",\"id\":3,\"ts\":1.0,\"args\":{}},");

        assertThat(sink.requests).hasSize(1);
        assertThat(sink.skipped).containsOnlyKeys("id_repeated", "ts_missing", "issue_start_ns_missing");
        assertThat(sink.unknowable).containsKey("ttft_ns");
    }
}
