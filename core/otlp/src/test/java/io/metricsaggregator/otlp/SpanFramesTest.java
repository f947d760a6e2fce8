package io.metricsaggregator.otlp;

import static io.metricsaggregator.otlp.Traces.MILLI;
import static io.metricsaggregator.otlp.Traces.bytes;
import static io.metricsaggregator.otlp.Traces.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.event.server.ServerKey;
import io.metricsaggregator.event.server.ServerTimes;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpanFramesTest {
    private static final String ID = "00000000000000010000000000000005";

    private final Traces traces = new Traces(true);

    /** The records without the session's. */
    private List<EventRecord> samples() throws Exception {
        return traces.records().stream()
                .filter(each -> !each.type().isSession())
                .toList();
    }

    @Test
    void a_span_of_a_streamed_request_is_a_sample_with_its_own_times() throws Exception {
        traces.send(with(
                traces.chat(5, 9, 100, 350),
                Map.of(
                        "gen_ai.provider.name", "openai",
                        "gen_ai.request.model", "gpt",
                        "gen_ai.response.model", "gpt-2026",
                        "gen_ai.response.time_to_first_chunk", 0.05,
                        "gen_ai.usage.input_tokens", 12,
                        "gen_ai.usage.output_tokens", 34,
                        "gen_ai.response.finish_reasons", List.of("length", "stop"),
                        "gen_ai.conversation.id", "c-1",
                        "server.address", "host")));
        List<EventRecord> records = samples();
        assertThat(records)
                .extracting(EventRecord::type)
                .containsExactly(EventType.SAMPLE_ISSUED, EventType.SAMPLE_RECV_FIRST, EventType.SAMPLE_COMPLETE);
        assertThat(records).extracting(EventRecord::sampleUuid).containsOnly(ID);
        assertThat(records)
                .extracting(each -> each.timestampNanos() - traces.start)
                .containsExactly(100 * MILLI, 150 * MILLI, 350 * MILLI);
        assertThat(records.get(0).conversationId()).isEqualTo("c-1");
        assertThat(records.get(0).optional().labels())
                .isEqualTo(Map.of("model", "gpt", "provider", "openai", "endpoint", "host", "operation", "chat"));
        assertThat(records.get(2).finishReason()).isEqualTo("length");
        assertThat(records.get(2).optional().usage()).isEqualTo(Usage.of(12, 34));
    }

    @Test
    void the_record_of_a_span_names_its_trace_and_does_not_hide_another_span_of_it() throws Exception {
        traces.send(traces.chat(5, 0, 100, 350));
        assertThat(samples().get(0).optional().traceparent())
                .isEqualTo("00-00000000000000070000000000000001-0000000000000005-01");
        traces.send(traces.chat(6, 0, 99, 360));
        assertThat(samples()).extracting(EventRecord::sampleUuid).containsOnly("00000000000000010000000000000006");
    }

    @Test
    void every_count_of_tokens_is_read_and_old_names_only_where_the_new_one_is_missing() throws Exception {
        traces.send(with(
                traces.chat(5, 0, 0, 9),
                Map.of(
                        "gen_ai.system", "old",
                        "gen_ai.usage.prompt_tokens", 100,
                        "gen_ai.usage.completion_tokens", 1,
                        "gen_ai.usage.output_tokens", 50,
                        "gen_ai.usage.cache_read.input_tokens", 60,
                        "gen_ai.usage.cache_creation.input_tokens", 7,
                        "gen_ai.usage.reasoning.output_tokens", 20)));
        List<EventRecord> records = samples();
        assertThat(records.get(0).optional().labels()).containsEntry("provider", "old");
        assertThat(records.get(1).optional().usage())
                .isEqualTo(Usage.of(100, 50)
                        .with(UsageKey.CACHED_TOKENS, 60)
                        .with(UsageKey.CACHE_WRITE_TOKENS, 7)
                        .with(UsageKey.REASONING_TOKENS, 20));
        assertThat(traces.frames.counts().valuesRejected()).isZero();
    }

    @Test
    void a_failed_span_is_a_failed_sample() throws Exception {
        traces.send(
                with(traces.chat(5, 0, 0, 9), Map.of("error.type", "timeout"))
                        .setStatus(Status.newBuilder().setCodeValue(2).setMessage("no answer")),
                traces.chat(6, 0, 20, 29).setStatus(Status.newBuilder().setCodeValue(2)),
                traces.chat(7, 0, 30, 39).setStatus(Status.newBuilder().setCodeValue(1)));
        List<EventRecord> records = samples();
        assertThat(records).hasSize(8);
        assertThat(records.get(1).type()).isEqualTo(EventType.ERROR_GENERIC);
        assertThat(records.get(1).data()).isEqualTo(new ErrorData("timeout", "no answer"));
        assertThat(records.get(2).type()).isEqualTo(EventType.SAMPLE_COMPLETE);
        assertThat(records.get(4).data()).isEqualTo(new ErrorData("Error", ""));
    }

    @Test
    void values_that_contradict_the_span_are_left_out_and_counted() throws Exception {
        traces.send(
                with(
                        traces.chat(5, 0, 0, 9),
                        Map.of(
                                "gen_ai.response.time_to_first_chunk", 0.0091,
                                "gen_ai.usage.input_tokens", 10,
                                "gen_ai.usage.cache_read.input_tokens", 11,
                                "gen_ai.usage.output_tokens", -1,
                                "gen_ai.request.model", "x".repeat(257))),
                with(traces.chat(6, 0, 0, 9), Map.of("gen_ai.response.time_to_first_chunk", Double.NaN)),
                with(traces.chat(7, 0, 0, 9), Map.of("gen_ai.response.time_to_first_chunk", -0.1)),
                with(traces.chat(8, 0, 0, 9), Map.of("gen_ai.response.time_to_first_chunk", "50ms")));
        List<EventRecord> records = samples();
        assertThat(records).hasSize(8).noneMatch(each -> each.type() == EventType.SAMPLE_RECV_FIRST);
        assertThat(records.get(0).optional().labels()).containsOnlyKeys("operation");
        assertThat(records)
                .filteredOn(each -> each.optional().usage() != null)
                .singleElement()
                .satisfies(each ->
                        assertThat(each.optional().usage().counts()).isEqualTo(Map.of(UsageKey.PROMPT_TOKENS, 10L)));
        assertThat(traces.frames.counts().valuesRejected()).isEqualTo(7);
    }

    @Test
    void the_first_chunk_event_counts_where_no_attribute_states_the_time() throws Exception {
        Span.Builder span = traces.chat(5, 0, 0, 90);
        for (long millis : new long[] {40, 30, 50}) {
            span.addEvents(Span.Event.newBuilder()
                    .setName("llm.content.completion.chunk")
                    .setTimeUnixNano(traces.start + millis * MILLI));
        }
        traces.send(span);
        assertThat(samples().get(1).timestampNanos() - traces.start).isEqualTo(30 * MILLI);
    }

    @Test
    void the_records_of_a_request_are_in_the_order_of_their_times() throws Exception {
        traces.send(traces.chat(3, 0, 200, 300), traces.chat(1, 0, 0, 1000), traces.chat(2, 0, 100, 150));
        assertThat(samples()).extracting(EventRecord::timestampNanos).isSorted().hasSize(6);
    }

    @Test
    void spans_that_are_no_request_of_a_client_are_counted_and_left_out() throws Exception {
        traces.send(
                traces.span(1, 0, 0, 9),
                with(traces.span(2, 1, 0, 9), Map.of("gen_ai.operation.name", "invoke_agent")),
                with(traces.span(3, 1, 0, 9), Map.of("gen_ai.operation.name", "execute_tool")),
                with(traces.span(4, 1, 0, 9), Map.of("gen_ai.operation.name", "embeddings")),
                traces.chat(5, 0, 0, 9).setKindValue(2),
                traces.chat(6, 0, 0, 9).setKindValue(1));
        assertThat(samples()).extracting(EventRecord::sampleUuid).containsOnly("00000000000000010000000000000006");
        assertThat(traces.outcome()).isEqualTo("samples 1, other 5, joined 0, repeated 0, rejected 0, dropped 0");
    }

    @Test
    void a_batch_that_an_exporter_sends_again_counts_once() throws Exception {
        traces.send(traces.chat(5, 0, 0, 9), traces.chat(6, 0, 0, 9));
        traces.send(
                traces.chat(5, 0, 0, 9),
                traces.chat(6, 0, 0, 9),
                traces.chat(5, 0, 0, 9).setTraceId(bytes(7, 2)));
        assertThat(samples()).hasSize(6);
        assertThat(traces.outcome()).isEqualTo("samples 3, other 0, joined 0, repeated 2, rejected 0, dropped 0");
    }

    @Test
    void the_first_span_begins_the_session_and_its_end_follows_all_spans() throws Exception {
        traces.send(traces.chat(5, 0, 100, 200));
        traces.receiver.session(true);
        List<EventRecord> records = traces.records();
        assertThat(records)
                .extracting(each -> each.type().wireName())
                .containsExactly(
                        "session.started",
                        "session.start_performance_tracking",
                        "sample.issued",
                        "sample.complete",
                        "session.stop_performance_tracking",
                        "session.ended");
        assertThat(records.get(0).timestampNanos() - traces.start).isEqualTo(100 * MILLI);
        assertThat(records).extracting(EventRecord::timestampNanos).isSorted();
        traces.receiver.session(true);
        assertThat(traces.records()).as("a second stop").isEmpty();
    }

    @Test
    void beside_other_producers_spans_send_no_session_and_wait_for_records_of_a_proxy() throws Exception {
        Traces others = new Traces(false);
        others.receiver.session(true);
        others.send(others.chat(5, 0, 0, 9));
        long now = System.nanoTime();
        assertThat(others.frames.poll(now)).isNull();
        assertThat(others.frames.nanosUntilDue(now)).isBetween(1L, 100 * MILLI);
        assertThat(others.frames.nanosUntilDue(now + 200 * MILLI)).isZero();
        assertThat(others.records())
                .extracting(each -> each.type().wireName())
                .containsExactly("sample.issued", "sample.complete");
        assertThat(others.frames.nanosUntilDue(now)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void spans_that_wait_when_the_session_ends_are_dropped_and_counted() throws Exception {
        traces.send(traces.chat(5, 0, 0, 9), traces.span(6, 0, 0, 9));
        traces.frames.end();
        assertThat(traces.records()).isEmpty();
        assertThat(traces.outcome()).isEqualTo("samples 0, other 1, joined 0, repeated 0, rejected 0, dropped 1");
        assertThat(traces.send(traces.chat(6, 0, 0, 9)).status())
                .as("after the end")
                .isEqualTo(503);
    }

    @Test
    void times_of_the_server_are_those_of_its_span_within_the_request() throws Exception {
        Map<String, Object> latencies = Map.of(
                "gen_ai.request.id", "chatcmpl-1",
                "gen_ai.latency.time_in_queue", 0.012,
                "gen_ai.latency.time_in_model_prefill", 0.085,
                "gen_ai.latency.time_in_model_decode", -1.0,
                "gen_ai.latency.e2e", 0.25);
        // The client's chat span 5 has the HTTP span 6, whose server's span is 7; the server's process exports first.
        traces.send(
                traces.span(6, 5, 100, 350), with(traces.span(7, 6, 110, 340).setKindValue(2), latencies));
        traces.send(traces.chat(5, 0, 100, 350), traces.chat(9, 0, 100, 350));
        List<EventRecord> completions = samples().stream()
                .filter(each -> each.type() == EventType.SAMPLE_COMPLETE)
                .toList();
        assertThat(completions)
                .extracting(each -> each.optional().server())
                .containsExactlyInAnyOrder(
                        null,
                        ServerTimes.from(ServerTimes.Source.SPAN)
                                .with(ServerKey.QUEUE_NS, 12 * MILLI)
                                .with(ServerKey.PREFILL_NS, 85 * MILLI)
                                .with(ServerKey.TTFT_NS, 85 * MILLI)
                                .with(ServerKey.E2E_NS, 250 * MILLI));
        assertThat(traces.frames.counts().valuesRejected()).isEqualTo(1);
    }
}
