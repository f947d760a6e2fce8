package io.metricsaggregator.imports.k6;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedRequest.Outcome;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.format.Formats;
import io.metricsaggregator.imports.format.Story;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

public class K6FormatTest {
    private static final String END = "2023-11-14T22:13:20.312Z";
    private static final String OK = "\"status\":\"200\"";

    public static final String EXAMPLE =
            "{\"type\":\"Metric\",\"data\":{\"name\":\"http_reqs\",\"type\":\"counter\"},\"metric\":\"http_reqs\"}\n"
                    + request(END, OK, 0, true);

    private static String point(String metric, String time, String value, String tags) {
        return "{\"metric\":\"" + metric + "\",\"type\":\"Point\",\"data\":{\"time\":\"" + time + "\",\"value\":"
                + value + ",\"tags\":{" + tags + "}}}\n";
    }

    private static String request(String time, String tags, int failed, boolean declares) {
        return point("http_reqs", time, "1", tags)
                + (declares ? "{\"type\":\"Metric\",\"data\":{},\"metric\":\"http_req_duration\"}\n" : "")
                + point("http_req_duration", time, "312", tags)
                + point("http_req_blocked", time, "0.5", tags)
                + point("http_req_connecting", time, "0.25", tags)
                + point("http_req_tls_handshaking", time, "0", tags)
                + point("http_req_sending", time, "1", tags)
                + point("http_req_waiting", time, "199", tags)
                + point("http_req_receiving", time, "112", tags)
                + point("http_req_failed", time, String.valueOf(failed), tags);
    }

    private static String streamed(String user, String... events) {
        String tags = OK + ",\"vu\":\"" + user + "\",\"iter\":\"0\"";
        StringBuilder text = new StringBuilder(point("http_req_sending", "2023-11-14T22:13:20Z", "20", tags));
        for (String event : events) {
            text.append(point("sse_event", event, "1", tags));
        }
        return text
                + point("http_reqs", END, "1", tags)
                + point("http_req_sending", END, "20", tags)
                + point("http_req_duration", END, "312", tags);
    }

    private static CollectingSink read(String text, String... options) throws Exception {
        Map<String, String> given = new java.util.HashMap<>();
        for (int i = 0; i < options.length; i += 2) {
            given.put(options[i], options[i + 1]);
        }
        ImportOptions base = ImportOptions.DEFAULT;
        return CollectingSink.read(
                new K6Format(),
                new ImportOptions(base.part(), base.warmup(), base.end(), base.keepTexts(), base.inputs(), given),
                text);
    }

    @Test
    void the_example_is_one_request_without_a_first_token() throws Exception {
        CollectingSink sink = read(EXAMPLE);

        assertThat(Formats.recognising(CollectingSink.source(EXAMPLE).head())).isInstanceOf(K6Format.class);
        assertThat(sink.kind).isEqualTo(SourceKind.TIMES);
        assertThat(sink.skipped).isEmpty();
        assertThat(sink.requests).hasSize(1);
        ImportedRequest request = sink.requests.get(0);
        assertThat(request.issuedNanos()).isEqualTo(1_700_000_000_000_000_000L);
        assertThat(request.outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(Story.of(request).latency()).isEqualTo(312_000_000);
        assertThat(request.chunks()).isZero();
        assertThat(sink.unknowable)
                .containsKeys("ttft_ns", "chunk_delta_ns", "usage", "finish_reason", "schedule_slip_ns", "interrupted");
    }

    @Test
    void the_first_byte_stands_for_the_first_token_only_on_demand() throws Exception {
        CollectingSink sink = read(EXAMPLE, "first-byte", "true");

        assertThat(Story.of(sink.requests.get(0)).ttft()).isEqualTo(200_000_000);
        assertThat(sink.unknowable).doesNotContainKey("ttft_ns");
    }

    @Test
    void a_request_from_blocked_on_adds_the_wait_for_a_connection_once() throws Exception {
        ImportedRequest request = read(EXAMPLE, "k6-from", "blocked", "first-byte", "true")
                .requests
                .get(0);

        assertThat(Story.of(request).latency()).isEqualTo(312_500_000);
        assertThat(Story.of(request).ttft()).isEqualTo(200_500_000);
    }

    @Test
    void a_compressed_file_is_read_alike() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(EXAMPLE.getBytes(StandardCharsets.UTF_8));
        }
        CollectingSink sink = new CollectingSink();
        ImportSource source = ImportSource.of("out.json.gz", new ByteArrayInputStream(bytes.toByteArray()));

        assertThat(Formats.recognising(source.head())).isInstanceOf(K6Format.class);
        new K6Format().reader(ImportOptions.DEFAULT).read(source, sink);
        assertThat(sink.requests).hasSize(1);
    }

    @Test
    void interleaved_lines_of_other_metrics_and_requests_at_one_time_are_told_apart() throws Exception {
        String text = request(END, OK + ",\"name\":\"a\"", 0, false)
                + point("iterations", END, "1", "")
                + request(END, OK + ",\"name\":\"b\"", 0, false)
                + request(END, OK + ",\"name\":\"b\"", 0, false)
                + point("vus", END, "7", "");
        CollectingSink all = read(text);

        assertThat(all.requests).hasSize(3);
        assertThat(all.skipped).isEmpty();
        assertThat(read(text, "tag", "name=b").requests).hasSize(2);
        assertThat(read(text, "tag", "name=b,status=500").requests).isEmpty();
    }

    @Test
    void what_the_script_expects_decides_and_else_the_status() throws Exception {
        String body = point("http_reqs", END, "1", "\"status\":\"503\"")
                + point("http_req_duration", END, "10", "\"status\":\"503\"")
                + point("http_req_waiting", END, "10", "\"status\":\"503\"");
        String expected = request(END, "\"status\":\"404\"", 0, false);
        String failed = request(END, "\"status\":\"0\",\"error\":\"dial: refused\",\"error_code\":\"1212\"", 1, false);
        CollectingSink sink = read(body + expected + failed);

        assertThat(sink.requests)
                .extracting(ImportedRequest::outcome)
                .containsExactly(Outcome.FAILED, Outcome.SUCCEEDED, Outcome.FAILED);
        assertThat(sink.requests.get(0).error()).isEqualTo(new ErrorData("503", "status 503"));
        assertThat(sink.requests.get(2).error()).isEqualTo(new ErrorData("1212", "dial: refused"));
        assertThat(sink.requests.get(2).endNanos()).isEqualTo(1_700_000_000_312_000_000L);
    }

    @Test
    void server_sent_events_of_interleaved_users_become_chunks() throws Exception {
        String[] events = {
            "2023-11-14T22:13:20.1Z",
            "2023-11-14T22:13:20.2Z",
            "2023-11-14T22:13:20.25Z",
            "2023-11-14T22:13:20.31Z",
            END
        };
        String one = streamed("1", events);
        String other = streamed("2", events[1]);
        String mixed =
                one.substring(0, one.indexOf("http_reqs") - 11) + other + one.substring(one.indexOf("http_reqs") - 11);
        CollectingSink sink = read(mixed, "sse-skip", "first=1,last=1");

        assertThat(sink.skipped).isEmpty();
        assertThat(sink.kind).isEqualTo(SourceKind.CHUNKS);
        assertThat(sink.requests).extracting(ImportedRequest::chunks).containsExactly(0, 3);
        Story story = Story.of(sink.requests.get(1));
        assertThat(story.ttft()).isEqualTo(200_000_000);
        assertThat(story.chunkDeltas()).containsExactly(50_000_000, 60_000_000);
        assertThat(story.latency()).isEqualTo(312_000_000);
    }

    @Test
    void a_stream_that_never_ends_stays_open_and_events_without_a_mark_are_counted() throws Exception {
        String one = streamed("1", "2023-11-14T22:13:20.2Z");
        CollectingSink sink = read(one.substring(0, one.indexOf("http_reqs") - 11)
                + point("sse_event", END, "1", OK)
                + point("sse_event", END, "1", OK + ",\"vu\":\"9\",\"iter\":\"0\""));

        assertThat(sink.requests).hasSize(1);
        assertThat(sink.requests.get(0).outcome()).isEqualTo(Outcome.OPEN);
        assertThat(sink.requests.get(0).chunks()).isEqualTo(1);
        assertThat(sink.skipped).containsExactly(Map.entry("sse_event_without_request", 2L));
    }

    @Test
    void damaged_lines_cost_their_request_by_name() throws Exception {
        CollectingSink sink = read(EXAMPLE.replace("\"value\":312", "\"value\":\"x\"")
                + EXAMPLE.replace(END, "yesterday") + "{\"metric\":");

        assertThat(sink.requests).isEmpty();
        assertThat(sink.skipped)
                .containsKeys(
                        "value_invalid",
                        "http_req_duration_missing",
                        "time_invalid",
                        "point_without_request",
                        "truncated");
    }

    @Test
    void options_that_mean_nothing_are_refused_by_name() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("", "k6-from", "dns"))
                .withMessageContaining("--k6-from 'dns'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("", "sse-skip", "1"))
                .withMessageContaining("--sse-skip '1'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("", "tag", "name"))
                .withMessageContaining("--tag 'name'");
    }
}
