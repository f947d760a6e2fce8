package io.metricsaggregator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.daemon.SnapshotFile;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Goodput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The exit status that each check of the verdict gives {@code report --strict-verdict} and {@code compare --fail-if verdict=…}. */
class VerdictStatusTest {
    private static final long LEVEL = 100;

    @TempDir
    private Path directory;

    /** A valid run of 20 s with other counters, series and objectives. */
    private static MetricsSnapshot run(
            Map<String, Long> counters, @Nullable SeriesMetric series, @Nullable Goodput goodput, long lost) {
        MetricsSnapshot base = ExampleRuns.steady("a", (int) LEVEL, 0, lost);
        List<Metric> metrics = new ArrayList<>(base.metrics());
        metrics.removeIf(each -> counters.containsKey(each.name())
                || (series != null && each.name().equals(series.name())));
        counters.forEach((name, value) -> metrics.add(new CounterMetric(name, value)));
        if (series != null) {
            metrics.add(series);
        }
        SnapshotExtensions of = base.extensions();
        return new MetricsSnapshot(
                1,
                1,
                SessionState.COMPLETE,
                0,
                metrics,
                SnapshotExtensions.of(of.run(), of.inFlight(), of.slices())
                        .rates(of.rates())
                        .workers(of.workers())
                        .errors(of.errors())
                        .malformed(of.malformed())
                        .slowest(of.slowest())
                        .goodput(goodput)
                        .telemetry(of.telemetry())
                        .self(of.self())
                        .session(of.session())
                        .build());
    }

    private static MetricsSnapshot outcomes(long succeeded, long failed) {
        return run(
                Map.of(
                        "tracked_samples_completed", succeeded + failed,
                        "tracked_samples_succeeded", succeeded,
                        "tracked_samples_errored", failed,
                        "tracked_samples_failed", failed),
                null,
                null,
                0);
    }

    private static MetricsSnapshot negative(long of1000) {
        return run(
                Map.of(),
                new SeriesMetric(
                        "ttft_ns",
                        1000,
                        1000L,
                        1L,
                        2L,
                        1.0,
                        Map.of("50.0", 1.0, "99.0", 2.0),
                        List.of(),
                        null,
                        new SeriesDetail(true, of1000, of1000, 1.0, Map.of(), null)),
                null,
                0);
    }

    private static MetricsSnapshot good(long good) {
        return run(
                Map.of(),
                null,
                new Goodput(List.of(new Goodput.Constraint("ttft", 300_000_000L, good)), 0.95, 1000, good, 0),
                0);
    }

    /** Name, run, whether its verdict is failing (questionable, or worse), and whether it is invalid. */
    static Stream<Arguments> runs() {
        return Stream.of(
                Arguments.of("no failure", outcomes(1000, 0), false, false),
                Arguments.of("failing share", outcomes(940, 60), true, false),
                Arguments.of("failing share", outcomes(500, 500), true, true),
                Arguments.of("no success", outcomes(0, 200), true, true),
                Arguments.of("negative durations", negative(10), true, false),
                Arguments.of("negative durations", negative(11), true, true),
                Arguments.of("lost records", run(Map.of(), null, null, 3), true, true),
                Arguments.of("objectives met", good(950), false, false),
                Arguments.of("objectives missed", good(949), true, false),
                Arguments.of("too few samples", outcomes(9, 0), true, false),
                Arguments.of("enough samples for a rate", outcomes(10, 0), false, false));
    }

    private Path written(String name, MetricsSnapshot snapshot) throws IOException {
        Path file = SnapshotFile.write(snapshot, directory.resolve(name));
        assertThat(file).isNotNull();
        return file;
    }

    private int execute(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("-o");
        all.add(directory.resolve("out" + System.nanoTime()).toString());
        return Main.execute(all.toArray(new String[0]));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void a_strict_verdict_is_8_for_an_invalid_run_and_a_condition_is_7(
            String name, MetricsSnapshot snapshot, boolean failing, boolean invalid) throws IOException {
        String run = written("run", snapshot).toString();
        String valid = written("valid", outcomes(1000, 0)).toString();
        assertThat(execute("report", run)).as(name).isZero();
        assertThat(execute("report", run, "--strict-verdict")).as(name).isEqualTo(invalid ? 8 : 0);
        assertThat(execute("report", run, "--strict-verdict", "--format", "junit"))
                .isEqualTo(invalid ? 8 : 0);
        assertThat(execute("compare", valid, run, "--fail-if", "verdict=invalid"))
                .as(name)
                .isEqualTo(invalid ? 7 : 0);
        assertThat(execute("compare", valid, run, "--fail-if", "verdict=questionable"))
                .as(name)
                .isEqualTo(failing ? 7 : 0);
        assertThat(execute("compare", run, valid, "--fail-if", "verdict=questionable"))
                .as(name + ", as the baseline")
                .isEqualTo(failing ? 7 : 0);
    }

    @Test
    void the_limit_of_failures_moves_the_condition() throws IOException {
        String run = written("run", outcomes(940, 60)).toString();
        String valid = written("valid", outcomes(1000, 0)).toString();
        assertThat(execute("compare", valid, run, "--fail-if", "verdict=questionable", "--max-failed", "10%"))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"series", "hgrm", "hlog", "token_accounting"})
    void a_format_without_data_of_the_run_is_written_with_a_status_of_its_own(String format) throws IOException {
        String run = written("run", outcomes(1000, 0)).toString();
        Path file = directory.resolve("table");
        assertThat(Main.execute("report", run, "--format", format, "-o", file.toString()))
                .isEqualTo(11);
        assertThat(file).exists();
        String invalid = written("bad", outcomes(0, 200)).toString();
        assertThat(execute("report", invalid, "--format", format, "--strict-verdict"))
                .as("an invalid run")
                .isEqualTo(8);
        assertThat(execute("report", run, "--format", "slices")).isZero();
    }

    @Test
    void outputs_of_a_report_exclude_each_other() throws IOException {
        String run = written("run", outcomes(1000, 0)).toString();
        assertThat(execute("report", run, "--save")).isEqualTo(2);
        assertThat(Main.execute("report", run, "--save", "--plots", directory.toString()))
                .isEqualTo(2);
    }
}
