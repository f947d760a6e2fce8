package io.metricsaggregator.imports.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.SourceKind;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class EndpointsFormatTest {
    private static final String ISSUED = "{\"event_type\":\"sample.issued\",\"timestamp_ns\":5000000000000,"
            + "\"sample_uuid\":\"s\",\"conversation_id\":\"\",\"turn\":null,\"data\":[\"PromptData\",\"hi\"]}";

    @Test
    void a_line_becomes_the_record_that_it_was() throws Exception {
        CollectingSink sink = CollectingSink.read(new EndpointsFormat(), ISSUED + "\n");

        assertThat(sink.events())
                .containsExactly(EventRecord.sample(EventType.SAMPLE_ISSUED, 5_000_000_000_000L, "s")
                        .withData(PromptData.ofText("hi")));
        assertThat(sink.kind).isEqualTo(SourceKind.CHUNKS);
        assertThat(sink.skipped).isEmpty();
        assertThat(Formats.recognising(CollectingSink.source(ISSUED).head())).isInstanceOf(EndpointsFormat.class);
    }

    @Test
    void a_malformed_record_of_an_export_keeps_its_bytes() throws Exception {
        byte[] bytes = {(byte) 0xc1, 7};
        String line = "{\"malformed_base64\":\"" + Base64.getEncoder().encodeToString(bytes) + "\"}\n";

        assertThat(CollectingSink.read(new EndpointsFormat(), line).records).containsExactly(bytes);
    }

    @Test
    void damaged_lines_are_counted_by_reason_and_the_rest_is_read() throws Exception {
        String deep = "[".repeat(200) + "]".repeat(200);
        CollectingSink sink = CollectingSink.read(
                new EndpointsFormat(),
                String.join(
                        "\n",
                        ISSUED,
                        "{\"event_type\":",
                        "17",
                        "{\"timestamp_ns\":1}",
                        "{\"event_type\":\"sample.issued\",\"data\":" + deep + "}",
                        "{\"malformed_base64\":\"?\"}",
                        "",
                        ISSUED,
                        "{\"event_type\":\"sample.comp"));

        assertThat(sink.records).hasSize(2);
        assertThat(sink.skipped)
                .containsEntry("malformed_json", 2L)
                .containsEntry("not_an_object", 1L)
                .containsEntry("event_type_missing", 1L)
                .containsEntry("base64_invalid", 1L)
                .containsEntry("truncated", 1L)
                .hasSize(5);
    }
}
