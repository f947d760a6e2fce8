package io.metricsaggregator.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OtlpTracesTest {
    private static final int SPANS = 16_000;
    private static final int MUTATIONS = 15_000;

    private static Random random() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("OtlpTracesTest seed: -Dtest.seed=" + seed);
        return new Random(seed);
    }

    private static int count(ExportTraceServiceRequest request) {
        return request.getResourceSpansList().stream()
                .flatMap(resource -> resource.getScopeSpansList().stream())
                .mapToInt(scope -> scope.getSpansCount())
                .sum();
    }

    @Test
    void spans_of_another_encoder_are_read_as_they_were_written_in_protobuf_and_in_json() throws Exception {
        Random random = random();
        RandomTraces traces = new RandomTraces(random);
        OtlpJsonText json = new OtlpJsonText(random);
        int read = 0;
        int rejected = 0;
        while (read + rejected < SPANS) {
            ExportTraceServiceRequest request = traces.request();
            List<Span> expected = RandomTraces.spans(request);
            SpanBatch binary = OtlpTraces.read(request.toByteArray(), RandomTraces.ALL);
            assertThat(binary.spans()).isEqualTo(expected);
            assertThat(binary.rejected()).isEqualTo(count(request) - expected.size());
            byte[] text = json.of(request);
            SpanBatch textual = OtlpJson.read(text, RandomTraces.ALL);
            assertThat(textual.spans())
                    .as(new String(text, StandardCharsets.UTF_8))
                    .isEqualTo(expected);
            assertThat(textual.rejected()).isEqualTo(binary.rejected());
            assertThat(textual.firstProblem()).isEqualTo(binary.firstProblem());
            read += expected.size();
            rejected += binary.rejected();
        }
        System.out.println("spans equal: " + read + ", rejected alike: " + rejected);
        assertThat(read).isGreaterThan(10_000);
        assertThat(rejected).isGreaterThan(100);
    }

    @Test
    void damaged_and_cut_bodies_are_refused_with_the_declared_exception_or_read() {
        Random random = random();
        RandomTraces traces = new RandomTraces(random);
        OtlpJsonText json = new OtlpJsonText(random);
        int refused = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            ExportTraceServiceRequest request = traces.request();
            boolean textual = i % 2 == 0;
            byte[] body = damaged(textual ? json.of(request) : request.toByteArray(), random);
            try {
                SpanBatch batch =
                        textual ? OtlpJson.read(body, RandomTraces.ALL) : OtlpTraces.read(body, RandomTraces.ALL);
                assertThat(batch.spans())
                        .allSatisfy(span -> assertThat(span.id()).isNotZero());
            } catch (InvalidOtlpException e) {
                refused++;
                assertThat(e.getMessage()).isNotBlank();
            }
        }
        System.out.println("bodies refused: " + refused + " of " + MUTATIONS);
        assertThat(refused).isBetween(MUTATIONS / 4, MUTATIONS);
    }

    private static byte[] damaged(byte[] body, Random random) {
        byte[] damaged = random.nextInt(3) == 0 ? Arrays.copyOf(body, random.nextInt(body.length + 1)) : body.clone();
        for (int i = random.nextInt(4); i > 0 && damaged.length > 0; i--) {
            int at = random.nextInt(damaged.length);
            damaged[at] =
                    random.nextBoolean() ? (byte) random.nextInt() : (byte) (damaged[at] ^ 1 << random.nextInt(8));
        }
        return damaged;
    }

    @Test
    void attributes_that_nobody_wants_are_skipped_whatever_they_hold() throws Exception {
        Random random = random();
        RandomTraces traces = new RandomTraces(random);
        Wanted none = new Wanted(name -> false, name -> false);
        for (int i = 0; i < 300; i++) {
            ExportTraceServiceRequest request = traces.request();
            for (SpanBatch batch : List.of(
                    OtlpTraces.read(request.toByteArray(), none),
                    OtlpJson.read(new OtlpJsonText(random).of(request), none))) {
                assertThat(batch.spans()).hasSameSizeAs(RandomTraces.spans(request));
                assertThat(batch.spans())
                        .allSatisfy(span -> assertThat(span.attributes()).isEmpty());
            }
        }
    }

    @Test
    void a_body_that_is_something_else_is_refused_with_the_place() {
        assertThatThrownBy(() ->
                        OtlpTraces.read("{\"resourceSpans\":[]}".getBytes(StandardCharsets.UTF_8), RandomTraces.ALL))
                .isInstanceOf(InvalidOtlpException.class)
                .hasMessageContaining("at byte");
        assertThatThrownBy(() -> OtlpTraces.read(new byte[] {0}, RandomTraces.ALL))
                .hasMessage("tag 0 is no field at byte 0");
        assertThatThrownBy(() -> OtlpTraces.read(new byte[] {10, 5, 0}, RandomTraces.ALL))
                .hasMessage("length 5 is beyond the 1 bytes left at byte 1");
        byte[] endless = new byte[12];
        Arrays.fill(endless, (byte) 0xff);
        assertThatThrownBy(() -> OtlpTraces.read(endless, RandomTraces.ALL)).hasMessageContaining("varint");
        for (String text : List.of("", "[]", "1", "{", "{} {}", "{\"resourceSpans\":{}}", "{\"resourceSpans\":[1]}")) {
            assertThatThrownBy(() -> OtlpJson.read(text.getBytes(StandardCharsets.UTF_8), RandomTraces.ALL))
                    .as(text)
                    .isInstanceOf(InvalidOtlpException.class);
        }
    }

    private static SpanBatch json(String span) throws InvalidOtlpException {
        String text = "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[" + span + "]}]}]}";
        return OtlpJson.read(text.getBytes(StandardCharsets.UTF_8), RandomTraces.ALL);
    }

    @Test
    void json_values_of_the_wrong_type_are_refused_and_named() {
        assertThatThrownBy(() -> json("{\"startTimeUnixNano\":\"soon\"}"))
                .hasMessage("startTimeUnixNano 'soon' is not an integer of 64 bits");
        assertThatThrownBy(() -> json("{\"kind\":\"SPAN_KIND_CLIENT\"}")).hasMessageContaining("kind");
        assertThatThrownBy(() -> json("{\"endTimeUnixNano\":1e400}")).hasMessageContaining("endTimeUnixNano");
        assertThatThrownBy(() -> json("{\"traceId\":5}")).hasMessage("traceId is not a string");
        assertThatThrownBy(() -> json("{\"attributes\":{}}")).hasMessage("attributes is not an array");
        assertThatThrownBy(() -> json("{\"attributes\":[{\"key\":\"a\",\"value\":\"b\"}]}"))
                .hasMessageContaining("value of an attribute");
        assertThatThrownBy(() -> json("{\"attributes\":" + "[".repeat(200) + "]".repeat(200) + "}"))
                .isInstanceOf(InvalidOtlpException.class);
    }

    @Test
    void null_is_the_default_and_half_a_surrogate_pair_is_replaced() throws Exception {
        SpanBatch batch = json(
                "{\"traceId\":\"0af7651916cd43dd8448eb211c80319c\",\"spanId\":\"b7ad6b7169203331\","
                        + "\"parentSpanId\":null,\"startTimeUnixNano\":5,\"endTimeUnixNano\":\"6\",\"events\":null,\"status\":null,"
                        + "\"attributes\":[{\"key\":\"a\",\"value\":{\"stringValue\":\"x\\ud800y\"}},{\"key\":\"b\",\"value\":null}]}");
        assertThat(batch.spans()).hasSize(1);
        assertThat(batch.spans().get(0).attributes()).containsOnlyKeys("a").containsEntry("a", "x?y");
    }

    @Test
    void what_a_span_keeps_is_bounded() throws Exception {
        StringBuilder attributes = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            attributes.append(i == 0 ? "" : ",").append("{\"key\":\"k" + i + "\",\"value\":{\"boolValue\":true}}");
        }
        SpanBatch batch = json("{\"traceId\":\"0af7651916cd43dd8448eb211c80319c\",\"spanId\":\"b7ad6b7169203331\","
                + "\"startTimeUnixNano\":5,\"endTimeUnixNano\":6,\"attributes\":[" + attributes + "]}");
        assertThat(batch.spans().get(0).attributes()).hasSize(SpanBatch.ATTRIBUTES_MAX);
        String empty = "{},".repeat(100_000) + "{}";
        assertThat(json(empty).rejected()).isEqualTo(100_001);
    }
}
