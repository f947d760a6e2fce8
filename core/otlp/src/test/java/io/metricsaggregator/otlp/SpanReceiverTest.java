package io.metricsaggregator.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UnknownFieldSet;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class SpanReceiverTest {
    private static final String PROTOBUF = "application/x-protobuf";
    private static final String JSON = "application/json";

    private final Traces traces = new Traces(true);

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(plain);
        }
        return bytes.toByteArray();
    }

    private static String text(Reply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void a_request_is_answered_in_its_own_encoding() throws Exception {
        Reply binary = traces.send(traces.chat(1, 0, 0, 9));
        assertThat(binary.status()).isEqualTo(200);
        assertThat(binary.contentType()).isEqualTo(PROTOBUF);
        assertThat(ExportTraceServiceResponse.parseFrom(binary.body()).hasPartialSuccess())
                .isFalse();
        Reply textual = traces.receiver.receive("application/json; charset=utf-8", "", ascii("{\"resourceSpans\":[]}"));
        assertThat(textual.status()).isEqualTo(200);
        assertThat(textual.contentType()).isEqualTo(JSON);
        assertThat(text(textual)).isEqualTo("{}");
    }

    @Test
    void the_exporter_is_told_how_many_spans_were_rejected_and_why() throws Exception {
        Span.Builder timeless = traces.chat(2, 0, 0, 9).clearEndTimeUnixNano();
        Span.Builder misdated = traces.chat(3, 0, -4_000_000, -3_999_000);
        Reply reply = traces.send(traces.chat(1, 0, 0, 9), timeless, misdated, traces.chat(0, 0, 0, 9));
        assertThat(reply.status()).isEqualTo(200);
        ExportTraceServiceResponse response = ExportTraceServiceResponse.parseFrom(reply.body());
        assertThat(response.getPartialSuccess().getRejectedSpans()).isEqualTo(3);
        assertThat(response.getPartialSuccess().getErrorMessage()).contains("ends at 0");
        traces.records();
        assertThat(traces.outcome()).isEqualTo("samples 1, other 0, joined 0, repeated 0, rejected 3, dropped 0");
        Reply textual = traces.receiver.receive(
                JSON, null, ascii("{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"traceId\":\"\\\"\"}]}]}]}"));
        assertThat(text(textual))
                .isEqualTo("{\"partialSuccess\":{\"rejectedSpans\":\"1\",\"errorMessage\":"
                        + "\"a trace_id is not 16 bytes or all zero\"}}");
    }

    @Test
    void an_old_span_that_is_no_request_is_not_rejected() {
        assertThat(text(traces.send(traces.span(3, 0, -9_000_000, -8_999_000)))).isEmpty();
    }

    @Test
    void what_is_not_otlp_is_refused_with_a_status_that_says_whether_to_send_it_again() throws Exception {
        assertThat(traces.receiver.receive("text/plain", null, ascii("{}")).status())
                .isEqualTo(415);
        assertThat(traces.receiver.receive(null, null, ascii("{}")).status()).isEqualTo(415);
        assertThat(traces.receiver.receive(JSON, "br", ascii("{}")).status()).isEqualTo(415);
        Reply malformed = traces.receiver.receive(JSON, null, ascii("{\"resourceSpans\":\"\\u0001<b>\"}"));
        assertThat(malformed.status()).isEqualTo(400);
        assertThat(text(malformed))
                .isEqualTo("{\"message\":\"not an ExportTraceServiceRequest in JSON: resourceSpans is not an array\"}");
        Reply cut = traces.receiver.receive(PROTOBUF, null, new byte[] {10, 100, 0});
        assertThat(cut.status()).isEqualTo(400);
        assertThat(UnknownFieldSet.parseFrom(cut.body())
                        .getField(2)
                        .getLengthDelimitedList()
                        .get(0)
                        .toStringUtf8())
                .contains("length 100 is beyond the 1 bytes left");
        assertThat(traces.frames.counts().refused()).isEqualTo(5);
        assertThat(traces.frames.counts().requests()).isZero();
    }

    @Test
    void gzip_is_inflated_within_a_bound() throws Exception {
        byte[] body = Traces.body("app", traces.chat(1, 0, 0, 9));
        assertThat(traces.receiver.receive(PROTOBUF, "gzip", gzip(body)).status())
                .isEqualTo(200);
        assertThat(traces.records()).hasSize(4);
        byte[] cut = Arrays.copyOf(gzip(body), 20);
        assertThat(traces.receiver.receive(PROTOBUF, "gzip", cut).status()).isEqualTo(400);
        assertThat(traces.receiver.receive(PROTOBUF, "gzip", body).status()).isEqualTo(400);
        // An unknown field of zeros, a thousandth of its size when compressed.
        byte[] bomb = new byte[64 << 20];
        byte[] compressed = gzip(bomb);
        assertThat(compressed.length).isLessThan(1 << 20);
        Reply refused = traces.receiver.receive(PROTOBUF, "gzip", compressed);
        assertThat(refused.status()).isEqualTo(413);
        assertThat(traces.receiver.receive(PROTOBUF, null, bomb).status()).isEqualTo(413);
    }

    @Test
    void without_room_a_request_is_refused_whole_and_taken_later() throws Exception {
        Span.Builder[] spans = new Span.Builder[SpanReceiver.WAITING_MAX - 1];
        for (int i = 0; i < spans.length; i++) {
            spans[i] = traces.chat(i + 1, 0, 0, 1);
        }
        assertThat(traces.send(spans).status()).isEqualTo(200);
        Span.Builder[] two = {traces.chat(100_001, 0, 0, 9), traces.chat(100_002, 0, 0, 9)};
        Reply full = traces.send(two);
        assertThat(full.status()).isEqualTo(503);
        assertThat(full.retryAfterSeconds()).isPositive();
        assertThat(traces.records()).hasSize(2 * spans.length + 2);
        assertThat(traces.send(two).status()).isEqualTo(200);
        traces.records();
        assertThat(traces.frames.counts().samples()).isEqualTo(spans.length + 2);
    }
}
