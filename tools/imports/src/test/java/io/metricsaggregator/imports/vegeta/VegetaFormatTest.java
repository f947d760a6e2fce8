package io.metricsaggregator.imports.vegeta;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedRequest.Outcome;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.format.Formats;
import io.metricsaggregator.imports.format.Story;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

public class VegetaFormatTest {
    public static final String EXAMPLE =
            "{\"attack\":\"\",\"seq\":0,\"code\":200,\"timestamp\":\"2023-11-14T22:13:20Z\",\"latency\":312000000,\"error\":\"\"}\n";
    public static final String TABLE = "1700000000000000000,200,312000000,100,361,,,big,7,POST,http://h/,\n"
            + "1700000001000000000,500,5000000,100,0,500 Internal Server Error,,big,8\n";

    @Test
    void the_example_gives_the_latency_and_nothing_else() throws Exception {
        CollectingSink sink = CollectingSink.read(new VegetaFormat(), EXAMPLE);

        assertThat(Formats.recognising(CollectingSink.source(EXAMPLE).head())).isInstanceOf(VegetaFormat.class);
        assertThat(sink.kind).isEqualTo(SourceKind.TIMES);
        ImportedRequest request = sink.requests.get(0);
        assertThat(request.issuedNanos()).isEqualTo(1_700_000_000_000_000_000L);
        assertThat(request.id()).isEqualTo("0");
        Story story = Story.of(request);
        assertThat(story.latency()).isEqualTo(312_000_000);
        assertThat(story.ttft()).isNull();
        assertThat(story.completionTokens()).isNull();
        assertThat(sink.unknowable).containsKeys("ttft_ns", "chunk_delta_ns", "schedule_slip_ns", "interrupted");
    }

    @Test
    void a_table_of_nine_or_twelve_columns_is_read_alike() throws Exception {
        CollectingSink sink = CollectingSink.read(new VegetaFormat(), TABLE);

        assertThat(Formats.recognising(CollectingSink.source(TABLE).head())).isInstanceOf(VegetaFormat.class);
        assertThat(sink.skipped).isEmpty();
        assertThat(sink.requests).extracting(ImportedRequest::id).containsExactly("big/7", "big/8");
        assertThat(sink.requests)
                .extracting(ImportedRequest::outcome)
                .containsExactly(Outcome.SUCCEEDED, Outcome.FAILED);
        assertThat(sink.requests.get(1).error()).isEqualTo(new ErrorData("500", "500 Internal Server Error"));
        assertThat(sink.requests.get(1).endNanos()).isEqualTo(1_700_000_001_005_000_000L);
    }

    @Test
    void the_body_tells_answer_usage_and_finish_reason() throws Exception {
        String body = Base64.getEncoder()
                .encodeToString(("{\"choices\":[{\"message\":{\"content\":\"a b\"},\"finish_reason\":\"stop\"}],"
                                + "\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":5}}")
                        .getBytes(StandardCharsets.UTF_8));
        ImportedRequest request = CollectingSink.read(
                        new VegetaFormat(),
                        EXAMPLE.replace("\"error\":\"\"", "\"error\":\"\",\"body\":\"" + body + "\""))
                .requests
                .get(0);

        assertThat(request.output().output().joined()).isEqualTo("a b");
        assertThat(request.finishReason()).isEqualTo("stop");
        assertThat(Story.of(request).promptTokens()).isEqualTo(12);
        assertThat(Story.of(request).completionTokens()).isEqualTo(5);
    }

    @Test
    void damaged_lines_and_rows_are_skipped_by_name() throws Exception {
        assertThat(CollectingSink.read(
                                new VegetaFormat(),
                                EXAMPLE.replace("312000000", "-1") + EXAMPLE.replace("2023-", "20x3-")
                                        + EXAMPLE.replace("\"error\":\"\"", "\"body\":\"?\"") + "{\"latency\":")
                        .skipped)
                .containsOnlyKeys("latency_invalid", "timestamp_invalid", "body_invalid", "truncated");
        assertThat(CollectingSink.read(new VegetaFormat(), TABLE + "1,2,3\nx,200,1,1,1,,,a,1\n1,200,1,1,1,\"half")
                        .skipped)
                .containsOnlyKeys("columns_missing", "timestamp_invalid", "truncated");
    }

    @Test
    void a_quoted_cell_may_hold_commas_quotes_and_line_ends() throws Exception {
        CollectingSink sink = CollectingSink.read(
                new VegetaFormat(), "1700000000000000000,0,5,0,0,\"Post \"\"http://h\"\": a,\nEOF\",,a,1\n");

        assertThat(sink.requests.get(0).error().errorMessage()).isEqualTo("Post \"http://h\": a,\nEOF");
        assertThat(List.copyOf(sink.skipped.keySet())).isEmpty();
    }
}
