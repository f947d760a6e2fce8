package io.metricsaggregator.otlp;

import static io.metricsaggregator.otlp.Traces.MILLI;
import static io.metricsaggregator.otlp.Traces.bytes;
import static io.metricsaggregator.otlp.Traces.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A request that a proxy measured and its spans are one sample; the records are those that a proxy sends. */
class RequestJoinTest {
    private final Traces traces = new Traces(false);

    /** The proxy read a request whose {@code traceparent} names a span of trace 1, so many milliseconds after the start. */
    private void proxied(long sender, long millis) {
        traces.measured(EventRecord.sample(EventType.SAMPLE_ISSUED, traces.start + millis * MILLI, "proxied")
                .withTraceparent("00-%016x%016x-%016x-01".formatted(7, 1, sender)));
    }

    private String outcome() throws Exception {
        traces.records();
        return traces.outcome();
    }

    @Test
    void the_span_that_sent_the_request_is_joined() throws Exception {
        proxied(5, 1);
        traces.send(
                traces.chat(5, 0, 0, 9),
                traces.chat(6, 0, 0, 9),
                traces.chat(5, 0, 0, 9).setTraceId(bytes(7, 2)));
        assertThat(outcome()).isEqualTo("samples 2, other 0, joined 1, repeated 0, rejected 0, dropped 0");
    }

    @Test
    void the_span_around_the_http_clients_span_is_joined_whichever_comes_first() throws Exception {
        proxied(50, 1);
        traces.send(traces.span(50, 5, 1, 8), traces.chat(5, 4, 0, 9), traces.span(4, 0, 0, 10));
        assertThat(outcome()).isEqualTo("samples 0, other 2, joined 1, repeated 0, rejected 0, dropped 0");
        traces.send(traces.span(60, 6, 1, 8));
        proxied(60, 1);
        traces.send(traces.chat(6, 0, 0, 9));
        assertThat(outcome()).isEqualTo("samples 0, other 3, joined 2, repeated 0, rejected 0, dropped 0");
    }

    @Test
    void a_span_with_the_id_of_a_measured_answer_is_joined() throws Exception {
        traces.measured(
                EventRecord.sample(EventType.SAMPLE_COMPLETE, 1, "proxied").withResponseId("chatcmpl-1"));
        traces.send(
                with(traces.chat(5, 0, 0, 9), Map.of("gen_ai.response.id", "chatcmpl-1")),
                with(traces.chat(6, 0, 0, 9), Map.of("gen_ai.response.id", "chatcmpl-2")));
        assertThat(outcome()).isEqualTo("samples 1, other 0, joined 1, repeated 0, rejected 0, dropped 0");
    }

    @Test
    void a_request_of_an_unknown_sender_joins_one_span_of_its_trace_that_contains_it() throws Exception {
        proxied(99, 150);
        traces.send(traces.chat(4, 0, 0, 100), traces.chat(5, 0, 120, 200), traces.chat(6, 0, 140, 300));
        assertThat(outcome()).isEqualTo("samples 2, other 0, joined 1, repeated 0, rejected 0, dropped 0");
    }

    @Test
    void of_two_instrumented_layers_the_inner_span_is_the_sample() throws Exception {
        traces.send(traces.chat(3, 2, 5, 8), traces.chat(1, 0, 0, 10), traces.span(2, 1, 1, 9));
        List<EventRecord> records = traces.records();
        assertThat(records).extracting(EventRecord::sampleUuid).containsOnly("00000000000000010000000000000003");
        assertThat(traces.outcome()).isEqualTo("samples 1, other 1, joined 1, repeated 0, rejected 0, dropped 0");
    }

    @Test
    void spans_in_a_circle_of_parents_end() throws Exception {
        proxied(1, 0);
        traces.send(traces.span(1, 2, 0, 9), traces.span(2, 1, 0, 9), traces.chat(2, 1, 0, 9), traces.chat(3, 3, 0, 9));
        assertThat(outcome()).isEqualTo("samples 1, other 2, joined 1, repeated 0, rejected 0, dropped 0");
    }

    @Test
    void of_random_traces_every_request_is_one_sample_whatever_measured_it() throws Exception {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("RequestJoinTest seed: -Dtest.seed=" + seed);
        Random random = new Random(seed);
        int spanOnly = 0;
        int joined = 0;
        long id = 1;
        for (int round = 0; round < 200; round++) {
            List<io.opentelemetry.proto.trace.v1.Span.Builder> spans = new ArrayList<>();
            long root = id++;
            spans.add(traces.span(root, 0, 0, 2000));
            for (int i = 0; i < 10; i++) {
                long from = random.nextInt(1000);
                long outer = id++;
                long inner = id++;
                boolean layered = random.nextBoolean();
                if (layered) {
                    spans.add(traces.chat(outer, root, from, from + 100));
                    joined++;
                }
                spans.add(traces.chat(inner, layered ? outer : root, from + 1, from + 90));
                long sender = inner;
                if (random.nextBoolean()) {
                    sender = id++;
                    spans.add(traces.span(sender, inner, from + 2, from + 80));
                }
                if (random.nextBoolean()) {
                    proxied(sender, from + 3);
                    joined++;
                } else {
                    spanOnly++;
                }
            }
            Collections.shuffle(spans, random);
            traces.send(spans.toArray(new io.opentelemetry.proto.trace.v1.Span.Builder[0]));
            traces.records();
        }
        traces.outcome();
        OtlpCounts counts = traces.frames.counts();
        assertThat(counts.samples()).isEqualTo(spanOnly);
        assertThat(counts.joined()).isEqualTo(joined);
    }
}
