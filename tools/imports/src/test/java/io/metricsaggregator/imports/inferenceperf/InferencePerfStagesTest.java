package io.metricsaggregator.imports.inferenceperf;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.format.Formats;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InferencePerfStagesTest {
    private static final Path CUT = Path.of("src/test/resources/real/inference-perf/cut");
    private static final String REQUESTS = "per_request_lifecycle_metrics.json.gz";

    private static CollectingSink read(String... files) throws Exception {
        CollectingSink sink = new CollectingSink();
        FormatReader reader = new InferencePerfFormat().reader(ImportOptions.DEFAULT);
        for (String file : files) {
            try (ImportSource source = ImportSource.open(CUT.resolve(file))) {
                reader.read(source, sink);
            }
        }
        reader.finish(sink);
        return sink;
    }

    private static CollectingSink planned(String load) throws Exception {
        return CollectingSink.read(
                new InferencePerfFormat(),
                ImportOptions.DEFAULT,
                InferencePerfFormatTest.EXAMPLE,
                "load: " + load + "\nserver: {}\nreport: {}\n");
    }

    @Test
    void a_run_that_ctrl_c_stopped_reached_64_of_256_requests() throws Exception {
        CollectingSink sink =
                read("config.yaml", REQUESTS, "stage_0_lifecycle_metrics.json", "stage_1_lifecycle_metrics.json");

        assertThat(sink.interrupted).isEqualTo("64 of the 256 planned requests are in the file");
        assertThat(sink.figures)
                .containsEntry("planned requests", 256L)
                .containsEntry("requests in the files", 64L)
                .containsEntry("stage 0: planned requests/s", 8.0)
                .containsEntry("stage 0: planned seconds", 2.0)
                .containsEntry("stage 0: planned requests", 16L)
                .containsEntry("stage 0: requests", 16L)
                .containsEntry("stage 1: planned seconds", 30.0)
                .containsEntry("stage 1: planned requests", 240L)
                .containsEntry("stage 1: requests", 48L)
                .containsEntry("stage 1: requests/s", 8.184778048684159);
        assertThat(sink.skipped).isEmpty();
        // The reports of stages are no summary of the run.
        assertThat(sink.checks).isEmpty();
        assertThat(sink.startedWallNanos).isNull();
    }

    @Test
    void the_first_stage_has_the_date_and_no_later_one() throws Exception {
        assertThat(read(REQUESTS, "inference-perf.partial.stage_0.yaml").startedWallNanos)
                .isEqualTo(Instant.parse("2026-11-25T22:43:12.210446Z").toEpochMilli() * 1_000_000 + 446_000);
        assertThat(read(REQUESTS, "inference-perf.partial.stage_1.yaml").startedWallNanos)
                .isNull();
    }

    @Test
    void every_file_of_the_tools_folder_is_read() throws Exception {
        CollectingSink sink = read(
                "config.yaml",
                "inference-perf.partial.stage_0.yaml",
                "inference-perf.partial.stage_1.yaml",
                REQUESTS,
                "stage_0_lifecycle_metrics.json",
                "stage_1_lifecycle_metrics.json",
                "summary_lifecycle_metrics.json",
                "validation.json");

        assertThat(sink.skipped).isEmpty();
        assertThat(sink.checks).hasSizeGreaterThan(20);
        assertThat(sink.figures).containsEntry("validation errors", 0L);
        try (ImportSource first = ImportSource.open(CUT.resolve("config.yaml"))) {
            assertThat(Formats.recognising(first.head())).isInstanceOf(InferencePerfFormat.class);
        }
    }

    @Test
    void without_a_configuration_it_is_unknown_whether_the_run_was_cut_short() throws Exception {
        CollectingSink sink = read(REQUESTS, "summary_lifecycle_metrics.json");

        assertThat(sink.interrupted).isNull();
        assertThat(sink.unknowable).containsKey("interrupted");
    }

    @Test
    void a_summary_alone_is_compared_too() throws Exception {
        assertThat(read("config.yaml", "summary_lifecycle_metrics.json").interrupted)
                .isEqualTo("64 of the 256 planned requests are in the file");
    }

    @Test
    void a_run_of_all_planned_requests_is_complete() throws Exception {
        CollectingSink sink = planned("{stages: [{rate: 0.4, duration: 3}]}");

        assertThat(sink.interrupted).isNull();
        assertThat(sink.unknowable).doesNotContainKey("interrupted");
        assertThat(sink.figures).containsEntry("planned requests", 1L);
    }

    @Test
    void rate_and_duration_of_a_stage_with_a_concurrency_are_no_plan() throws Exception {
        CollectingSink sink = planned(
                "{type: concurrent, stages: [{num_requests: 12, concurrency_level: 3, rate: 12.0, duration: 1}]}");

        assertThat(sink.figures)
                .containsEntry("stage 0: planned requests", 12L)
                .containsEntry("stage 0: planned concurrency", 3L)
                .doesNotContainKeys("stage 0: planned requests/s", "stage 0: planned seconds");
        assertThat(sink.interrupted).isEqualTo("1 of the 12 planned requests are in the file");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{stages: [], sweep: {type: linear}}",
                "{stages: [{rate: 9, duration: 9}], sweep: {type: linear}}",
                "{type: trace_replay, stages: [{rate: 9, duration: 9}]}",
                "{type: trace_session_replay, stages: [{concurrent_sessions: 4, num_sessions: 9}]}",
                "{stages: [{rate: 9, duration: 9}, {rate: 9}]}",
                "{stages: [{rate: 1e20, duration: 9}]}",
            })
    void loads_whose_number_of_requests_is_not_in_the_configuration_are_unknown(String load) throws Exception {
        CollectingSink sink = planned(load);

        assertThat(sink.interrupted).isNull();
        assertThat(sink.unknowable)
                .containsEntry("interrupted", "the configuration does not say how many requests were planned");
        assertThat(sink.figures).doesNotContainKey("planned requests");
    }

    @Test
    void the_configuration_of_another_run_is_named() throws Exception {
        assertThat(planned("{stages: [{rate: 0.2, duration: 1}]}").unknowable.get("interrupted"))
                .isEqualTo("the configuration plans 0 requests and the file has 1: they are of different runs");
    }

    @Test
    void a_file_that_was_cut_says_nothing_of_the_run() throws Exception {
        CollectingSink sink = CollectingSink.read(
                new InferencePerfFormat(),
                ImportOptions.DEFAULT,
                "load: {stages: [{rate: 9, duration: 9}]}\n",
                InferencePerfFormatTest.EXAMPLE.substring(0, InferencePerfFormatTest.EXAMPLE.length() - 3));

        assertThat(sink.skipped).containsKey("truncated");
        assertThat(sink.interrupted).isNull();
    }

    @Test
    void values_of_other_types_and_other_files_are_counted() throws Exception {
        assertThat(planned("[1]").skipped).containsOnlyKeys("load_invalid");
        assertThat(planned("{stages: [3]}").skipped).containsOnlyKeys("load.stages_invalid");
        assertThat(planned("{stages: [{rate: fast, duration: 2}]}").skipped).containsOnlyKeys("rate_invalid");
        for (String other : List.of("a: 1", "{\"a\": 1}")) {
            assertThat(CollectingSink.read(new InferencePerfFormat(), other).skipped)
                    .containsOnlyKeys("not_a_report");
        }
        assertThat(CollectingSink.read(new InferencePerfFormat(), "run: {time: {start: yesterday}}").skipped)
                .containsOnlyKeys("run.time.start_invalid");
    }
}
