package io.metricsaggregator.cli.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.cli.Main;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.figures.Imported;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.verdict.Finding;
import io.metricsaggregator.verdict.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Imports as a user runs them: from a file to a final snapshot, a journal and its replay. */
class ImportCommandTest {
    private static final String VLLM =
            "{\"date\":\"20261030-101500\",\"endpoint_type\":\"openai-chat\",\"num_prompts\":2,"
                    + "\"completed\":1,\"failed\":1,\"mean_ttft_ms\":200.0,\"input_lens\":[12,12],\"output_lens\":[5,0],"
                    + "\"ttfts\":[0.2,0.0],\"itls\":[[0.05,0.06],[]],\"start_times\":[5000.0,5000.5],"
                    + "\"queue_times\":[0.002,0.0],\"errors\":[\"\",\"boom\"]}";

    @TempDir
    private Path folder;

    private record Result(int status, String message) {}

    private static Result run(Object... arguments) {
        StringWriter err = new StringWriter();
        String[] words = Stream.of(arguments).map(String::valueOf).toArray(String[]::new);
        int status = Main.commands(words[0]).setErr(new PrintWriter(err)).execute(words);
        return new Result(status, err.toString());
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private MetricsSnapshot imported(String text) throws IOException {
        Path out = folder.resolve("out");
        assertThat(run("import", "auto", file("in.json", text), "--output-dir", out))
                .isEqualTo(new Result(0, ""));
        return FinalSnapshotFile.read(out);
    }

    private static void assertValue(MetricsSnapshot snapshot, String series, long count, double mean) {
        SeriesMetric metric = snapshot.series(series);
        assertThat(metric).as(series).isNotNull();
        assertThat(metric.count()).as(series).isEqualTo(count);
        assertThat(metric.mean()).as(series).isEqualTo(mean);
    }

    @Test
    void the_story_of_a_vllm_file_has_its_figures_and_its_source_in_every_report() throws IOException {
        MetricsSnapshot snapshot = imported(VLLM);

        assertThat(snapshot.state()).isEqualTo(SessionState.COMPLETE);
        assertValue(snapshot, "ttft_ns", 1, 200e6);
        assertValue(snapshot, "chunk_delta_ns", 2, 55e6);
        assertValue(snapshot, "sample_latency_ns", 1, 310e6);
        assertValue(snapshot, "usage_prompt_tokens", 1, 12);
        assertValue(snapshot, "usage_completion_tokens", 1, 5);
        assertValue(snapshot, "usage_tpot_ns", 1, 27.5e6);
        assertValue(snapshot, "schedule_slip_ns", 2, 1e6);
        Imported imported = snapshot.extensions().run().imported();
        assertThat(imported.kind()).isEqualTo("C");
        assertThat(imported.endUnknown()).isEqualTo(1);
        assertThat(imported.disagreements()).isZero();
        assertThat(imported.files().get(0).sha256()).hasSize(64);
        for (ReportFormat format : List.of(ReportFormat.FULL, ReportFormat.HTML, ReportFormat.MD)) {
            assertThat(format.render(Report.of(snapshot), false))
                    .as(format.name())
                    .contains("imported from vLLM benchmark (format vllm, every chunk): in.json");
        }
        assertThat(ReportFormat.FULL.render(Report.of(snapshot), false)).startsWith("Source   imported from");
        assertThat(ReportFormat.JSON.render(Report.of(snapshot), false)).contains("\"imported\": {");
    }

    @Test
    void a_file_without_dates_gets_none() throws IOException {
        Path out = folder.resolve("out");
        Path journals = folder.resolve("journals");
        assertThat(run("import", "auto", file("in.json", VLLM), "--output-dir", out, "--journal", journals)
                        .status())
                .isZero();
        MetricsSnapshot snapshot = FinalSnapshotFile.read(out);

        assertThat(snapshot.extensions().run().startedWallNanos()).isZero();
        assertThat(snapshot.extensions().run().wallNanos()).isZero();
        assertThat(Files.readString(out.resolve("final_snapshot.json")))
                .contains("\"started_wall_ns\": null", "\"wall_ns\": null", "\"wall_time\": null");
        assertThat(ReportFormat.FULL.render(Report.of(snapshot), false)).contains(", dates unknown, ");
        assertThat(ReportFormat.HTML.render(Report.of(snapshot), false)).contains("dates unknown, ");
        assertThat(ReportFormat.JSON.render(Report.of(snapshot), false)).contains("\"started\": null");
        try (Stream<Path> runs = Files.list(journals)) {
            assertThat(runs.map(each -> each.getFileName().toString()).filter(each -> each.startsWith("run-")))
                    .allMatch(each -> each.startsWith("run-00000000000000000000-"));
        }
    }

    @Test
    void a_run_that_its_tool_cancelled_is_interrupted() throws IOException {
        String records = "{\"metadata\":{\"request_start_ns\":1700000000000000000},\"metrics\":"
                + "{\"request_latency\":{\"value\":310.0,\"unit\":\"ms\"}}}\n";
        String summary = "{\"schema_version\":\"1.0\",\"request_latency\":{\"unit\":\"ms\",\"avg\":310.0},"
                + "\"was_cancelled\":true,\"error_summary\":[{\"count\":8,\"error_details\":"
                + "{\"type\":\"RequestCancellationError\"}}]}";
        Path out = folder.resolve("out");
        assertThat(run("import", "auto", file("r.jsonl", records), file("s.json", summary), "--output-dir", out)
                        .status())
                .isZero();
        MetricsSnapshot snapshot = FinalSnapshotFile.read(out);

        assertThat(snapshot.state()).isEqualTo(SessionState.INTERRUPTED);
        assertThat(Verdict.of(snapshot).validity()).isNotEqualTo(Verdict.Validity.VALID);
        assertThat(ReportFormat.FULL.render(Report.of(snapshot), false))
                .contains("Run      INTERRUPTED", "interrupted: AIPerf was cancelled");
    }

    @Test
    void a_failure_whose_time_the_file_lacks_does_not_lower_the_verdict() throws IOException {
        MetricsSnapshot snapshot = imported(VLLM);
        Verdict verdict = Verdict.of(snapshot);

        assertThat(ReportFormat.FULL.render(Report.of(snapshot), false))
                .contains("1 failed at a time that the imported file does not state")
                .doesNotContain("still in flight");
        assertThat(verdict.findings())
                .filteredOn(each -> each.what().equals("unfinished samples"))
                .isEmpty();
        assertThat(verdict.findings())
                .as("half of the samples failed")
                .filteredOn(each -> each.weight() == Finding.Weight.BAD)
                .extracting(Finding::what)
                .containsExactly("failed samples");
    }

    @Test
    void a_file_without_issue_times_yields_latencies_but_no_rates_and_nothing_over_time() throws IOException {
        MetricsSnapshot snapshot =
                imported(VLLM.replace("\"start_times\":[5000.0,5000.5],\"queue_times\":[0.002,0.0],", ""));

        assertValue(snapshot, "ttft_ns", 1, 200e6);
        assertValue(snapshot, "sample_latency_ns", 1, 310e6);
        assertThat(snapshot.has(CounterName.TRACKED_DURATION_NS)).isFalse();
        assertThat(snapshot.has(CounterName.TOTAL_DURATION_NS)).isFalse();
        assertThat(snapshot.extensions().slices().length()).isZero();
        assertThat(Report.of(snapshot).requestsPerSecond()).isNull();
        assertThat(ReportFormat.JSON.render(Report.of(snapshot), false))
                .contains("\"in_flight_peak\": null", "\"requests_per_s\": null");
        assertThat(Verdict.of(snapshot).findings())
                .extracting(Finding::evidence)
                .contains("not judged: the imported file has no issue times");
        assertThat(Verdict.of(snapshot).findings())
                .as("half of the samples failed")
                .filteredOn(each -> each.weight() == Finding.Weight.BAD)
                .extracting(Finding::what)
                .containsExactly("failed samples");
    }

    @Test
    void a_journal_of_an_import_is_finished_and_its_replay_knows_the_source() throws IOException {
        Path journal = folder.resolve("journal");
        Path out = folder.resolve("replayed");
        assertThat(run("import", "vllm", file("in.json", VLLM), "--journal", journal)
                        .status())
                .isZero();

        assertThat(JournalDirectory.open(journal).unfinished()).isEmpty();
        assertThat(run("replay", journal, "--output-dir", out, "--slo", "ttft=250ms")
                        .status())
                .isZero();
        MetricsSnapshot replayed = FinalSnapshotFile.read(out);
        assertThat(replayed.extensions().run().imported().tool()).isEqualTo("vLLM benchmark");
        assertThat(replayed.extensions().goodput().good()).isEqualTo(1);
        try (Stream<Path> left = Files.list(journal)) {
            assertThat(left.map(each -> each.getFileName().toString()).filter(name -> name.startsWith(".import")))
                    .isEmpty();
        }
    }

    @Test
    void what_cannot_be_imported_is_refused_by_name() throws IOException {
        Path out = folder.resolve("out");
        Path two = file("two.json", VLLM + "\n" + VLLM);
        assertThat(run("import", "auto", file("x.txt", "hello"), "--output-dir", out)
                        .message())
                .contains("no format recognises x.txt");
        assertThat(run("import", "nothing", two, "--output-dir", out).message()).contains("'nothing' is not a format");
        Result several = run("import", "auto", two, "--output-dir", out);
        assertThat(several.status()).isEqualTo(2);
        assertThat(several.message()).contains("the file holds 2 runs", "1: date 20261030-101500", "2: date");
        assertThat(run("import", "auto", two).message()).contains("--journal DIR, --output-dir DIR or --print");
        assertThat(run("import", "auto", two, "--output-dir", out, "--part", "3")
                        .status())
                .isEqualTo(2);
        assertThat(run("import", "auto", two, "--output-dir", out, "--part", "x")
                        .message())
                .contains("--part 'x'");
        assertThat(run("import", "vllm", file("e.json", "{}"), "--output-dir", out)
                        .message())
                .contains("nothing in");

        assertThat(run("import", "auto", two, "--output-dir", out, "--part", "all")
                        .status())
                .isZero();
        assertThat(FinalSnapshotFile.read(out.resolve("part-2"))
                        .extensions()
                        .run()
                        .imported()
                        .part())
                .startsWith("date 20261030-101500");
    }

    @Test
    void strict_fails_when_a_record_was_skipped_and_the_verdict_names_it() throws IOException {
        String text = VLLM.replace("[0.05,0.06],[]", "[0.05,\"x\"],[]");
        Path out = folder.resolve("out");
        assertThat(run("import", "auto", file("in.json", text), "--output-dir", out, "--strict")
                        .status())
                .isEqualTo(6);
        MetricsSnapshot snapshot = FinalSnapshotFile.read(out);
        assertThat(snapshot.extensions().run().imported().skipped()).containsEntry("itls_invalid", 1L);
        assertThat(Verdict.of(snapshot).findings())
                .extracting(Finding::evidence)
                .anyMatch(each -> each.contains("1 itls_invalid"));
    }

    @Test
    void figures_of_a_whole_run_are_reported_and_compared_but_not_merged() throws IOException {
        Path summary = file(
                "s.json",
                "{\"endpoint_type\":\"openai\",\"num_prompts\":3,\"completed\":3,\"failed\":0,\"duration\":1.5,"
                        + "\"mean_ttft_ms\":10.0,\"median_ttft_ms\":9.0,\"std_ttft_ms\":1.0,\"p99_ttft_ms\":12.5}");
        Path one = folder.resolve("one");
        Path two = folder.resolve("two");
        assertThat(run("import", "auto", summary, "--output-dir", one).message())
                .contains("--summary");
        for (Path out : List.of(one, two)) {
            assertThat(run("import", "auto", summary, "--summary", "--output-dir", out, "--node", "n1")
                            .status())
                    .isZero();
        }
        MetricsSnapshot snapshot = FinalSnapshotFile.read(one);
        assertThat(snapshot.series("ttft_ns").percentiles()).containsEntry("99.0", 12.5e6);
        assertThat(snapshot.extensions().run().environment()).containsEntry("host", "n1");
        assertThat(run("report", one).status()).isZero();
        assertThat(run("compare", one, two).status()).isZero();
        Result merge = run("merge", one, two);
        assertThat(merge.status()).isEqualTo(2);
        assertThat(merge.message()).contains("cannot be merged");
    }

    @Test
    void failures_of_unknown_end_are_not_in_flight_beyond_the_concurrency_of_the_tool() throws Exception {
        List<String> starts = new ArrayList<>();
        List<String> ttfts = new ArrayList<>();
        List<String> latencies = new ArrayList<>();
        List<String> errors = new ArrayList<>();
        for (int i = 0; i < 96; i++) {
            boolean failed = i % 4 == 3;
            starts.add(String.valueOf(5000 + i * 0.125));
            ttfts.add(failed ? "0.0" : "0.25");
            latencies.add(failed ? "0.0" : "0.9375");
            errors.add(failed ? "\"refused\"" : "\"\"");
        }
        MetricsSnapshot snapshot =
                imported("{\"endpoint_type\":\"openai-chat\",\"num_prompts\":96,\"completed\":72,\"failed\":24,"
                        + "\"ttfts\":" + ttfts + ",\"latencies\":" + latencies + ",\"start_times\":" + starts
                        + ",\"errors\":" + errors + "}");

        // Six successes, and a failure at the moment of its issue.
        assertThat(snapshot.extensions().inFlight().peak()).isEqualTo(7);
        assertThat(snapshot.extensions().slices().column("in_flight")).endsWith(0L);
    }

    @Test
    void a_real_file_that_is_imported_and_written_again_has_the_figures_of_the_tool() throws Exception {
        Path real = Path.of("../tools/imports/src/test/resources/real/vllm/clean/result.json");
        assumeThat(real).exists();
        Map<String, ?> original = JsonTree.read(Files.readAllBytes(real));
        MetricsSnapshot snapshot = imported(Files.readString(real));
        Map<String, ?> again = JsonTree.read(
                ReportFormat.VLLM.render(Report.of(snapshot), false).getBytes(StandardCharsets.UTF_8));

        List<String> compared = new ArrayList<>(List.of("completed", "failed", "num_prompts", "total_input_tokens"));
        compared.add("total_output_tokens");
        original.keySet().stream().filter(name -> name.endsWith("_ms")).forEach(compared::add);
        assertThat(compared).hasSizeGreaterThan(15);
        for (String name : compared) {
            assertThat(((Number) again.get(name)).doubleValue())
                    .as(name)
                    .isCloseTo(((Number) original.get(name)).doubleValue(), withinPercentage(1e-4));
        }
    }

    /**
     * AIPerf's figures of requests come back. Not compared: its input length, which its own tokenizer counts while the file also has the server's; and
     * its rates, which it takes over the whole profiling phase rather than the duration it reports.
     */
    @Test
    void a_real_aiperf_file_that_is_imported_and_written_again_has_the_figures_of_the_tool() throws Exception {
        Path real = Path.of("../tools/imports/src/test/resources/real/aiperf/clean");
        assumeThat(real).exists();
        Path out = folder.resolve("out");
        assertThat(run("import", "aiperf", real.resolve("profile_export.jsonl.gz"), "--output-dir", out))
                .isEqualTo(new Result(0, ""));
        Map<String, ?> original;
        try (InputStream summary =
                new GZIPInputStream(Files.newInputStream(real.resolve("profile_export_aiperf.json.gz")))) {
            original = JsonTree.read(summary.readAllBytes());
        }
        Map<String, ?> again = JsonTree.read(ReportFormat.AIPERF
                .render(Report.of(FinalSnapshotFile.read(out)), false)
                .getBytes(StandardCharsets.UTF_8));

        int compared = 0;
        for (String metric : List.of(
                "time_to_first_token",
                "request_latency",
                "inter_token_latency",
                "inter_chunk_latency",
                "output_sequence_length",
                "request_count",
                "benchmark_duration",
                "total_osl")) {
            Map<?, ?> theirs = (Map<?, ?>) original.get(metric);
            for (Map.Entry<?, ?> figure : ((Map<?, ?>) again.get(metric)).entrySet()) {
                Object value = theirs.get(figure.getKey());
                if (value instanceof Number number && figure.getValue() instanceof Number written) {
                    assertThat(written.doubleValue())
                            .as("%s of %s", figure.getKey(), metric)
                            .isCloseTo(number.doubleValue(), within(1e-4 * Math.abs(number.doubleValue())));
                    compared++;
                }
            }
        }
        assertThat(compared).isGreaterThan(60);
    }

    @Test
    void text_in_utf_16_is_named_in_every_format() throws Exception {
        Path in = Files.write(folder.resolve("in.json"), VLLM.getBytes(StandardCharsets.UTF_16LE));

        for (String format : List.of("auto", "vllm", "k6", "locust", "endpoints")) {
            Result result = run("import", format, in, "--output-dir", folder.resolve("out"));
            assertThat(result.status()).as(format).isEqualTo(2);
            assertThat(result.message()).as(format).contains("in.json is UTF-16");
        }
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void an_import_that_fails_at_its_second_run_leaves_nothing_of_the_first() throws Exception {
        String figures = "{\"endpoint_type\":\"openai-chat\",\"num_prompts\":2,\"completed\":2,\"mean_ttft_ms\":20.0}";
        Path out = folder.resolve("out");
        Path journal = folder.resolve("journal");

        Result result = run(
                "import",
                "auto",
                file("in.json", VLLM + figures),
                "--part",
                "all",
                "--output-dir",
                out,
                "--journal",
                journal);

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.message()).contains("--summary");
        assertThat(out.resolve("part-1")).doesNotExist();
        try (Stream<Path> left = Files.list(journal)) {
            assertThat(left.map(path -> path.getFileName().toString())).containsExactly(".journal.lock");
        }
    }
}
