package io.metricsaggregator.imports.locust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.SummarySeries;
import io.metricsaggregator.imports.format.Formats;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

public class LocustFormatTest {
    public static final String STATS =
            "Type,Name,Request Count,Failure Count,Median Response Time,Average Response Time,Min Response Time,"
                    + "Max Response Time,Average Content Size,Requests/s,Failures/s,50%,95%,99.9%,100%\r\n"
                    + "POST,/v1/chat,4,1,310,300.5,200.25,420,10,2.5,0.5,310,400,420,420\r\n"
                    + ",Aggregated,4,1,310,300.5,200.25,420,10,2.5,0.5,310,400,420,420\r\n";
    public static final String HISTORY =
            "Timestamp,User Count,Type,Name,Requests/s,Failures/s,50%,99.9%,Total Request Count\r\n"
                    + "1700000000,0,,Aggregated,0.000000,0.000000,N/A,N/A,0\r\n"
                    + "1700000001,8,POST,/v1/chat,2.500000,0.500000,310,420,4\r\n"
                    + "1700000001,8,,Aggregated,2.500000,0.500000,310,420,4\r\n";

    private static List<Map<?, ?>> records(CollectingSink sink) throws Exception {
        List<Map<?, ?>> records = new ArrayList<>();
        for (byte[] each : sink.records) {
            records.add((Map<?, ?>) new MsgpackTree().read(ByteBuffer.wrap(each)));
        }
        return records;
    }

    @Test
    void the_statistics_become_a_summary_of_all_requests() throws Exception {
        CollectingSink sink = CollectingSink.read(new LocustFormat(), STATS);

        assertThat(Formats.recognising(CollectingSink.source(STATS).head())).isInstanceOf(LocustFormat.class);
        assertThat(sink.kind).isEqualTo(SourceKind.AGGREGATES);
        assertThat(sink.skipped).isEmpty();
        assertThat(sink.requests).isEmpty();
        assertThat(sink.summaries)
                .containsExactly(new SummarySeries(
                        "sample_latency_ns",
                        4L,
                        300.5e6,
                        null,
                        200.25e6,
                        420e6,
                        Map.of(50.0, 310e6, 95.0, 400e6, 99.9, 420e6)));
        assertThat(sink.summaryCounters)
                .containsEntry("total_samples_issued", 4L)
                .containsEntry("tracked_samples_issued", 4L)
                .containsEntry("tracked_samples_completed", 4L)
                .containsEntry("tracked_samples_failed", 1L);
        assertThat(sink.figures).containsEntry("POST /v1/chat: Requests/s", 2.5);
        assertThat(sink.unknowable).containsKeys("requests", "ttft_ns", "interrupted");
    }

    @Test
    void failures_and_exceptions_are_kept_beside_the_statistics() throws Exception {
        CollectingSink sink = CollectingSink.read(
                new LocustFormat(),
                ImportOptions.DEFAULT,
                STATS,
                "Method,Name,Error,Occurrences,First Seen,Last Seen\r\nPOST,chat,\"HTTPError('500, busy')\",6,a,b\r\n",
                "Count,Message,Traceback,Nodes\r\n2,boom,\"line 1\nline 2\",local\r\n");

        assertThat(sink.figures)
                .containsEntry("failure POST chat: HTTPError('500, busy')", 6L)
                .containsEntry("exception boom", 2L);
        assertThat(sink.skipped).isEmpty();
    }

    @Test
    void the_history_becomes_gauges_on_the_wall_clock() throws Exception {
        CollectingSink sink = CollectingSink.read(new LocustFormat(), HISTORY);
        List<Map<?, ?>> records = records(sink);

        assertThat(Formats.recognising(CollectingSink.source(HISTORY).head())).isInstanceOf(LocustFormat.class);
        assertThat(sink.kind).isEqualTo(SourceKind.TIMES);
        assertThat(records.get(0).get("event_type")).isEqualTo("session.started");
        assertThat(records.get(0).get("wall_ns")).isEqualTo(1_700_000_000_000_000_000L);
        assertThat(records.get(records.size() - 1).get("event_type")).isEqualTo("session.ended");
        assertThat(records)
                .filteredOn(each -> "locust.users".equals(each.get("name")))
                .extracting(each -> (Object) each.get("value"))
                .containsExactly(0.0, 8.0);
        assertThat(records)
                .filteredOn(each -> "locust.p99_9_ms".equals(each.get("name")))
                .extracting(each -> (Object) each.get("labels"))
                .containsExactly(Map.of("type", "POST", "name", "/v1/chat"), null);
    }

    @Test
    void a_summary_and_a_history_in_one_import_are_refused() {
        assertThatIOException()
                .isThrownBy(() -> CollectingSink.read(new LocustFormat(), ImportOptions.DEFAULT, STATS, HISTORY))
                .withMessageContaining("two imports");
    }

    @Test
    void damaged_rows_are_counted_by_name() throws Exception {
        CollectingSink sink = CollectingSink.read(
                new LocustFormat(), STATS.replace("Aggregated,4,", "Aggregated,many,") + ",Aggregated,5\r\n");

        assertThat(sink.skipped).containsOnlyKeys("request_count_invalid", "columns_missing", "aggregated_row_missing");
        assertThat(sink.summaries).isEmpty();
        assertThat(CollectingSink.read(new LocustFormat(), HISTORY + "soon,8,,Aggregated,1,1,1,1,1\r\n").skipped)
                .containsOnlyKeys("timestamp_invalid");
    }

    private static final String JSON = """
            [{"name": "/v1/chat", "method": "POST", "last_request_timestamp": 1012.0, "start_time": 1000.0, "num_requests": 3,
              "num_none_requests": 0, "num_failures": 1, "total_response_time": 620.5, "max_response_time": 310.25,
              "min_response_time": 100.25, "total_content_length": 9, "response_times": {"100": 1, "210": 1, "310": 1},
              "num_reqs_per_sec": {"1000": 2, "1011": 1}, "num_fail_per_sec": {"1011": 1}},
             {"name": "/health", "method": "GET", "last_request_timestamp": 1020.0, "start_time": 1000.0, "num_requests": 2,
              "num_none_requests": 1, "num_failures": 0, "total_response_time": 9.5, "max_response_time": 9.5,
              "min_response_time": 9.5, "total_content_length": 2, "response_times": {"10": 1},
              "num_reqs_per_sec": {}, "num_fail_per_sec": {}}]
            """;

    @Test
    void the_json_file_is_added_up_over_its_entries() throws Exception {
        CollectingSink sink = CollectingSink.read(new LocustFormat(), JSON);

        assertThat(Formats.recognising(CollectingSink.source(JSON).head())).isInstanceOf(LocustFormat.class);
        assertThat(sink.kind).isEqualTo(SourceKind.AGGREGATES);
        assertThat(sink.skipped).isEmpty();
        SummarySeries series = sink.summaries.get(0);
        assertThat(series.count()).isEqualTo(4);
        assertThat(series.mean()).isEqualTo(157.5e6);
        assertThat(series.min()).isEqualTo(9.5e6);
        assertThat(series.max()).isEqualTo(310.25e6);
        assertThat(series.standardDeviation()).isNull();
        // 5 requests, of which one has no time: floor(2.5) may be slower than the median.
        assertThat(series.percentiles()).containsEntry(50.0, 100e6).containsEntry(80.0, 310e6);
        assertThat(sink.summaryCounters)
                .containsEntry("tracked_samples_issued", 5L)
                .containsEntry("tracked_samples_failed", 1L)
                .containsEntry("tracked_samples_errored", 1L)
                .containsEntry("tracked_samples_succeeded", 4L);
        assertThat(sink.figures)
                .containsEntry("Aggregated: Requests/s", 0.25)
                .containsEntry("POST /v1/chat: Request Count", 3L);
    }

    @Test
    void two_files_with_the_statistics_of_a_run_are_refused() {
        assertThatIOException()
                .isThrownBy(() -> CollectingSink.read(new LocustFormat(), ImportOptions.DEFAULT, JSON, STATS))
                .withMessageContaining("two imports");
    }
}
