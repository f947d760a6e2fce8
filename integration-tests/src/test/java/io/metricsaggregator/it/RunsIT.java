package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.run.GoldenCase;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports in every format, and several runs merged and compared on the command line. */
class RunsIT {
    @TempDir
    Path directory;

    private MetricsSnapshot run(String name, GoldenCase golden) throws IOException {
        Path output = directory.resolve(name);
        String in = "ipc://" + directory.resolve(name + "-in");
        try (RunningProcess daemon = Cli.daemon(
                output,
                "--in",
                "bind:" + in,
                "--streaming",
                "--journal",
                directory.resolve(name + "-journal").toString())) {
            try (RunningProcess replay =
                    Cli.start("replay", golden.framesFile().toString(), "--out", "connect:" + in)) {
                assertThat(replay.awaitExit()).as("%s", replay).isZero();
            }
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        return FinalSnapshotFile.read(output);
    }

    private String out(int status, String... arguments) throws IOException {
        try (RunningProcess process = Cli.start(arguments)) {
            assertThat(process.awaitExit()).as("%s", process).isEqualTo(status);
            return process.out();
        }
    }

    @Test
    void runsOfTwoNodesMergeByHistogramsAndExactlyByJournals() throws IOException {
        MetricsSnapshot a = run("a", new GoldenCase("02_streaming_chunks"));
        MetricsSnapshot b = run("b", new GoldenCase("06a_early_stopping_700"));
        Path merged = directory.resolve("merged");
        assertThat(out(
                        0,
                        "merge",
                        directory.resolve("a").toString(),
                        directory.resolve("b").toString(),
                        "--output-dir",
                        merged.toString()))
                .contains("merged of 2 runs");
        MetricsSnapshot both = FinalSnapshotFile.read(merged);
        SeriesMetric latency = both.series("sample_latency_ns");
        long count = a.series("sample_latency_ns").count()
                + b.series("sample_latency_ns").count();
        assertThat(latency.count()).isEqualTo(count);
        assertThat(latency.detail().exact()).isFalse();

        Path exact = directory.resolve("exact");
        out(
                0,
                "merge",
                directory.resolve("a-journal").toString(),
                directory.resolve("b-journal").toString(),
                "--output-dir",
                exact.toString());
        SeriesMetric byValues = FinalSnapshotFile.read(exact).series("sample_latency_ns");
        assertThat(byValues.detail().exact()).isTrue();
        assertThat(byValues.count()).isEqualTo(count);
        assertThat(byValues.total()).isEqualTo(latency.total());
        for (String percentile : new String[] {"50.0", "99.0"}) {
            double difference = Math.abs(latency.percentile(percentile) / byValues.percentile(percentile) - 1);
            // Half a bucket of three significant figures.
            assertThat(difference).isLessThan(0.001);
        }
        // The two runs were sequential; their times do not depend on the source they are read from.
        MetricsSnapshot ofJournals = FinalSnapshotFile.read(exact);
        assertThat(both.extensions().run().settings()).containsEntry("merged_overlap", "none");
        assertThat(ofJournals.extensions().run().settings()).containsEntry("merged_overlap", "none");
        assertThat(ofJournals.extensions().run().wallNanos())
                .isEqualTo(b.extensions().run().wallNanos());
        assertThat(ofJournals.extensions().run().runId())
                .isEqualTo(both.extensions().run().runId());
        mergeNamesWhatItFound();
        compareAnswersByItsStatus();
    }

    private void mergeNamesWhatItFound() throws IOException {
        try (RunningProcess merge = Cli.start(
                "merge",
                directory.resolve("a").toString(),
                directory.resolve("b-journal").toString())) {
            assertThat(merge.awaitExit()).as("%s", merge).isEqualTo(2);
            assertThat(merge.err())
                    .contains("found a final snapshot in " + directory.resolve("a") + ", a journal in "
                            + directory.resolve("b-journal"));
        }
        try (RunningProcess merge = Cli.start(
                "merge",
                directory.resolve("b").toString(),
                directory.resolve("a").toString())) {
            assertThat(merge.awaitExit()).as("%s", merge).isZero();
            assertThat(merge.err()).contains("warning: the runs did not measure at the same time: ");
        }
        assertThat(out(
                        4,
                        "merge",
                        directory.resolve("a").toString(),
                        directory.resolve("nowhere").toString()))
                .isEmpty();
        assertThat(out(
                        2,
                        "merge",
                        directory.resolve("a").toString(),
                        directory.resolve("a").toString()))
                .isEmpty();
    }

    private void compareAnswersByItsStatus() throws IOException {
        assertThat(out(
                        0,
                        "compare",
                        directory.resolve("a").toString(),
                        directory.resolve("a").toString()))
                .contains("latency.p99")
                .contains(" 0.0%");
        assertThat(out(
                        7,
                        "compare",
                        directory.resolve("a").toString(),
                        directory.resolve("b").toString(),
                        "--fail-if",
                        "latency.p50 > -99%",
                        "--format",
                        "md"))
                .startsWith("### ");
        assertThat(out(
                        2,
                        "compare",
                        directory.resolve("a").toString(),
                        directory.resolve("b").toString(),
                        "--fail-if",
                        "latency"))
                .isEmpty();
    }

    @Test
    void anInconclusiveConditionFailsUnlessIgnoredAndIsExplainedEitherWay() throws IOException {
        run("a", new GoldenCase("02_streaming_chunks"));
        run("b", new GoldenCase("02_streaming_chunks"));
        String baseline = directory.resolve("a").toString();
        String other = directory.resolve("b").toString();
        // The limit is exceeded even by identical runs, and a few samples do not bound this percentile.
        String condition = "latency.p99.9 > -1%";
        String seen = other + ": latency.p99.9 > -1.000% is inconclusive and ";
        Map<String, Integer> statuses = Map.of("fail", 7, "pass", 0);
        for (Map.Entry<String, Integer> expected : statuses.entrySet()) {
            try (RunningProcess compare = Cli.start(
                    "compare",
                    "--full",
                    baseline,
                    other,
                    "--fail-if",
                    condition,
                    "--inconclusive",
                    expected.getKey())) {
                assertThat(compare.awaitExit()).as("%s", compare).isEqualTo(expected.getValue());
                assertThat(compare.err())
                        .contains(seen
                                + (expected.getValue() == 7
                                        ? "counts as failed (--inconclusive pass ignores it): "
                                        : "is ignored (--inconclusive pass): "))
                        .contains("too few values bound the percentile");
                assertThat(compare.out()).contains("latency.p99.9");
            }
        }
        out(7, "compare", baseline, other, "--fail-if", condition);
        // A condition that holds fails whatever the treatment of inconclusive ones.
        out(
                7,
                "compare",
                baseline,
                other,
                "--fail-if",
                condition,
                "--fail-if",
                "latency.mean > -1%",
                "--inconclusive",
                "pass");
        out(2, "compare", baseline, other, "--fail-if", condition, "--inconclusive", "perhaps");
    }

    @Test
    void theNewestRunIsJudgedByTheHistoryOfThoseBeforeIt() throws IOException {
        run("r0", new GoldenCase("02_streaming_chunks"));
        String document = Files.readString(directory.resolve("r0/final_snapshot.json"));
        for (int i = 1; i < 7; i++) {
            // Started later; the last took ten times as long.
            String later = document.replaceFirst("\"started_wall_ns\": \\d", "\"started_wall_ns\": " + (i + 1));
            Files.createDirectories(directory.resolve("r" + i));
            Files.writeString(
                    directory.resolve("r" + i + "/final_snapshot.json"),
                    i < 6
                            ? later
                            : later.replaceFirst("(\"name\": \"tracked_duration_ns\",\\s*\"value\": \\d+)", "$10"));
        }
        String runs = directory.toString();
        assertThat(out(0, "history", runs)).contains("7 runs").contains("No figure changed its level");
        try (RunningProcess failing = Cli.start("history", runs, "--fail-if", "requests_per_s < history-3mad")) {
            assertThat(failing.awaitExit()).as("%s", failing).isEqualTo(7);
            assertThat(failing.err())
                    .contains("requests_per_s < history-3mad holds: requests_per_s of " + directory.resolve("r6"))
                    .contains("of 6 earlier runs");
        }
        out(0, "history", runs, "--fail-if", "requests_per_s > history+3mad");
        assertThat(out(0, "history", runs, "--format", "html")).contains("<h1>History of runs</h1>");
        out(2, "history", runs, "--fail-if", "requests > 3");
    }

    @Test
    void anInvalidRunFailsAComparisonAndAStrictReport() throws IOException {
        run("a", new GoldenCase("02_streaming_chunks"));
        run("b", new GoldenCase("08a_malformed"));
        String valid = directory.resolve("a").toString();
        String invalid = directory.resolve("b").toString();
        assertThat(out(0, "report", valid, "--strict-verdict")).contains("Verdict");
        Path page = directory.resolve("page.html");
        try (RunningProcess report =
                Cli.start("report", invalid, "--strict-verdict", "--format", "html", "-o", page.toString())) {
            assertThat(report.awaitExit()).as("%s", report).isEqualTo(8);
            assertThat(report.err()).contains("the run is INVALID: losses:").contains("malformed");
        }
        assertThat(page).isNotEmptyFile();
        assertThat(out(0, "compare", valid, invalid)).contains("run " + invalid + ": INVALID");
        assertThat(out(0, "compare", valid, valid, "--fail-if", "verdict=invalid"))
                .contains("baseline " + valid);
        try (RunningProcess compare = Cli.start("compare", valid, invalid, "--fail-if", "verdict=invalid")) {
            assertThat(compare.awaitExit()).as("%s", compare).isEqualTo(7);
            assertThat(compare.err()).contains("verdict=invalid holds: " + invalid + " is INVALID: losses:");
        }
    }

    @Test
    void everyReportFormatIsWrittenAndTheJsonReportMatchesItsSchema() throws IOException {
        run("a", new GoldenCase("02_streaming_chunks"));
        String final_ = directory.resolve("a").toString();
        for (String format : new String[] {
            "text",
            "html",
            "md",
            "csv",
            "slices",
            "json",
            "hgrm",
            "hlog",
            "summary",
            "mlcommons",
            "vllm",
            "aiperf",
            "aiperfcsv",
            "llmd",
            "junit"
        }) {
            Path file = directory.resolve("report." + format);
            out(0, "report", final_, "--format", format, "-o", file.toString());
            assertThat(Files.size(file)).as(format).isGreaterThan(200);
            out(4, "report", final_, "--format", format, "-o", file.toString());
        }
        assertThat(out(
                        0,
                        "report",
                        final_,
                        "--plots",
                        directory.resolve("plots").toString()))
                .contains("percentiles.svg");
        assertThat(out(0, "report", final_, "--save")).contains("report.html").contains("result_summary.json");
        Python.require();
        validate(Path.of("..", "docs", "report.schema.json"), "report.json");
        validate(Path.of("src/test/resources/llm-d/br_v0_2_1_json_schema.json"), "report.llmd");
    }

    private void validate(Path schema, String report) throws IOException {
        try (RunningProcess python = Python.start(
                "validate_report.py",
                schema.toString(),
                directory.resolve(report).toString())) {
            int status = python.awaitExit();
            if (python.err().contains("No module named 'jsonschema'")) {
                System.out.println("SKIPPED: no jsonschema (pip install jsonschema)");
                return;
            }
            assertThat(status).as("%s", python).isZero();
        }
    }
}
