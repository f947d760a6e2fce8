package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs at several concurrencies over real sockets, drawn as a sweep. */
class SweepIT {
    @TempDir
    Path directory;

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    /** Receives a simulated minute of load at once: the clock of its records runs faster than time. */
    private void run(String name, double rate, int ttftMillis, int gapMillis, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--in", "bind:ipc://" + path("events"), "--token-source", "usage", "--streaming", "--slo", "ttft=1s"));
        arguments.addAll(List.of(more));
        try (RunningProcess daemon =
                Cli.daemon(directory.resolve("runs").resolve(name), arguments.toArray(new String[0]))) {
            try (RunningProcess load = Cli.start(
                    "produce",
                    "--out",
                    "connect:ipc://" + path("events"),
                    "--optional-keys",
                    "--fast",
                    "--duration",
                    "60s",
                    "--error-rate",
                    "0",
                    "--rate",
                    Double.toString(rate),
                    "--ttft",
                    Integer.toString(ttftMillis),
                    "--chunk-gap",
                    Integer.toString(gapMillis))) {
                assertThat(load.awaitExit()).as("%s", load).isZero();
            }
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
    }

    private static RunningProcess sweep(int status, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("sweep"));
        command.addAll(List.of(arguments));
        RunningProcess process = Cli.start(command.toArray(new String[0]));
        assertThat(process.awaitExit()).as("%s", process).isEqualTo(status);
        return process;
    }

    private static String output(String... arguments) throws IOException {
        try (RunningProcess process = sweep(0, arguments)) {
            return process.out();
        }
    }

    @Test
    void runsAtSeveralConcurrenciesAreASweepInEveryFormat() throws IOException {
        run("c1", 1, 100, 20, "--label", "concurrency=1", "--label", "gpus=2");
        run("c16", 12, 150, 25, "--label", "concurrency=16", "--label", "gpus=2", "--journal", path("journal"));
        run("c64", 30, 300, 50, "--label", "concurrency=64", "--label", "gpus=2");
        assertThat(FinalSnapshotFile.read(directory.resolve("runs/c16"))
                        .extensions()
                        .run()
                        .labels())
                .isEqualTo(Map.of("concurrency", "16", "gpus", "2"));
        try (RunningProcess report = Cli.start("report", path("runs/c16"), "--full")) {
            assertThat(report.awaitExit()).isZero();
            assertThat(report.out()).contains("Labels   concurrency=16, gpus=2");
        }

        // The three ways to give the runs have one result: a directory of runs, paths, and points.
        String text = output(path("runs"), "--require", "tps_per_user>=25");
        assertThat(text)
                .contains("Front          tokens/s over tokens/s per user: concurrency 1, 16, 64")
                .contains("largest concurrency with tps_per_user>=25: 16; at concurrency 64 tps_per_user is ")
                .contains("Rules          of MLPerf Endpoints: 6 met, 3 NOT MET, 2 unknown")
                .doesNotContain("differs:");
        assertThat(output(path("runs/c64"), path("runs/c1"), path("runs/c16"), "--require", "tps_per_user>=25"))
                .isEqualTo(text);
        assertThat(output("--point", "2=" + path("runs/c1"), "--point", "offline=" + path("runs/c64")))
                .containsPattern("VALID +2 ")
                .containsPattern("VALID +offline ");
        formats();
        conditions();

        // A journal alone is recomputed, with other objectives if asked for.
        assertThat(output(path("journal"), "--slo", "ttft=1ms", "--format", "csv"))
                .contains(",16.0,false,false,,2.0,run,1,")
                .contains(",0.0,0.0,0.0,,,");
        assertThat(output(path("journal"), "--slo", "ttft=60s", "--format", "csv"))
                .contains(",1.0,0.0,,,");
        assertThat(output(path("runs/c16"), "--slo", "ttft=1ms", "--format", "csv"))
                .contains(",0.0,0.0,0.0,,,");
        try (RunningProcess refused = sweep(2, path("runs"), "--slo", "ttft=1ms,tpot=1ms")) {
            assertThat(refused.err()).contains("--slo with several limits needs journals");
        }
        assertThat(output(path("journal"), "--slo", "ttft=1s,tpot=60s", "--format", "csv"))
                .contains(",0.0,,,");
        relabelled();
    }

    /** A finished run gets another label by a replay of its journal, which keeps those it has. */
    private void relabelled() throws IOException {
        try (RunningProcess replay =
                Cli.start("replay", path("journal"), "--label", "concurrency=17", "--output-dir", path("relabelled"))) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
        }
        assertThat(FinalSnapshotFile.read(directory.resolve("relabelled"))
                        .extensions()
                        .run()
                        .labels())
                .isEqualTo(Map.of("concurrency", "17", "gpus", "2"));
    }

    private void formats() throws IOException {
        String csv = output(path("runs"), "--format", "csv");
        assertThat(csv.lines()).hasSize(4);
        assertThat(csv).contains("\r\n,16.0,false,false,,2.0,run,1,");
        assertThat(output(path("runs"), "--format", "md"))
                .contains(
                        "### Sweep, 3 points: ",
                        "| verdict | concurrency | tokens/s | tokens/s per user |",
                        "| GPUs | 2 |");
        Map<String, Object> tree = JsonTree.read(
                output(path("runs"), "--format", "json", "--by", "gpus").getBytes(StandardCharsets.UTF_8));
        Map<?, ?> curve = (Map<?, ?>) ((List<?>) tree.get("curves")).get(0);
        assertThat(curve.get("name")).isEqualTo("2");
        Map<?, ?> point = (Map<?, ?>) ((List<?>) curve.get("points")).get(1);
        Map<?, ?> figures = (Map<?, ?>) point.get("figures");
        double throughput = (Double) ((Map<?, ?>) figures.get("system_tps")).get("median");
        assertThat(((Map<?, ?>) figures.get("tps_per_gpu")).get("median")).isEqualTo(throughput / 2);
        assertThat(throughput).isPositive();
        String page = path("sweep.html");
        output(path("runs"), "--format", "html", "-o", page);
        assertThat(Path.of(page)).content().contains("<svg ", "Pareto front, labelled with concurrency");
    }

    private void conditions() throws IOException {
        String[] runs = {path("runs/c1"), path("runs/c16"), path("runs/c64")};
        assertThat(output(runs[0], runs[1], runs[2], "--base", path("runs"), "--fail-if", "front.auc < base*0.97"))
                .isNotEmpty();
        try (RunningProcess failed =
                sweep(7, runs[0], runs[2], "--base", path("runs"), "--strict", "--fail-if", "front.auc < base*0.97")) {
            assertThat(failed.err()).contains("front.auc < base*0.97 holds: front.auc is ");
        }
        try (RunningProcess unknown = sweep(2, runs[0], "--fail-if", "saturation.concurrency < 8")) {
            assertThat(unknown.err()).contains("which this sweep does not have");
        }
    }

    @Test
    void runsWithoutLabelsAreDerivedAndDifferentSettingsAreListedOrRefused() throws IOException {
        run("a", 10, 100, 20);
        run("b", 20, 100, 20, "--early-stopping");
        assertThat(output(path("runs"), "--full"))
                .contains(" derived ")
                .contains("differs: early_stopping: false (" + path("runs/a") + "), true (" + path("runs/b") + ")")
                .contains("NOT MET  concurrency stated, not derived");
        try (RunningProcess refused = sweep(2, path("runs"), "--strict")) {
            assertThat(refused.err()).contains("--strict: the runs differ in early_stopping: false (");
        }
    }
}
