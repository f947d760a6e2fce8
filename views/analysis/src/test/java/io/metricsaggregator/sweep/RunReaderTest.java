package io.metricsaggregator.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.EnergySettings;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.Jobs;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import io.metricsaggregator.snapshot.figures.SuperPasses;
import io.metricsaggregator.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RunReaderTest {
    private static final long SECOND = 1_000_000_000L;
    private static final RunReader READER = new RunReader(null, null, false, null);

    /** 1000 samples in 100 s of tracking, each of 4 s, with 10 output tokens and 30 input tokens, TTFT 200 ms and 20 ms per token. */
    private static MetricsSnapshot snapshot(Map<String, String> labels, SteadyState steady) {
        List<Metric> metrics = new ArrayList<>(List.of(
                new CounterMetric("total_samples_issued", 1000),
                new CounterMetric("tracked_samples_issued", 1000),
                new CounterMetric("tracked_samples_completed", 1000),
                new CounterMetric("tracked_samples_failed", 20),
                new CounterMetric("tracked_duration_ns", 100 * SECOND)));
        metrics.add(series("sample_latency_ns", 4 * SECOND));
        metrics.add(series("ttft_ns", SECOND / 5));
        metrics.add(series("tpot_ns", SECOND / 50));
        metrics.add(series("osl", 10));
        metrics.add(series("isl", 30));
        SnapshotExtensions extensions = SnapshotExtensions.of(
                        new RunInfo(
                                2,
                                "cafe",
                                "1",
                                0,
                                100 * SECOND,
                                List.of(),
                                List.of(),
                                Map.of("cpu", "fast", "load_at_start", "0.1"),
                                Map.of("streaming", "auto"),
                                null,
                                labels,
                                null,
                                null),
                        new SnapshotExtensions.InFlight(0, 0, 0, 60, 0),
                        new Slices(0, SECOND, 0, List.of()))
                .goodput(new Goodput(List.of(new Goodput.Constraint("ttft", SECOND, 950)), 0.9, 1000, 950, 0))
                .build();
        return new MetricsSnapshot(
                1, 1, SessionState.COMPLETE, 0, metrics, steady == null ? extensions : extensions.withSteady(steady));
    }

    private static Metric series(String name, long value) {
        Histogram histogram = new Histogram(1, 3600 * SECOND, 3);
        histogram.recordValueWithCount(value, 1000);
        io.metricsaggregator.snapshot.SeriesMetric base = ExampleRuns.series(name, histogram);
        return new io.metricsaggregator.snapshot.SeriesMetric(
                name,
                1000,
                value * 1000,
                value,
                value,
                0.0,
                Map.of("50.0", (double) value, "90.0", (double) value, "99.0", (double) value),
                base.histogram(),
                null,
                base.detail());
    }

    private static SteadyState steady(double seconds) {
        return new SteadyState(
                "steady",
                "tpot_ns",
                20,
                4,
                0L,
                0L,
                seconds,
                600,
                0.01,
                0.0,
                0.9,
                null,
                new SteadyWindow(
                        0,
                        700 * SECOND,
                        7000,
                        699 * SECOND,
                        10.0,
                        110.0,
                        9.5,
                        new SteadyWindow.Durations(7000, 2e8, 2e8, 2.5e8, 3e8),
                        new SteadyWindow.Durations(7000, 2e7, 2e7, 4e7, 5e7),
                        new SteadyWindow.Durations(7000, 3e9, 3e9, 4e9, 5e9)));
    }

    @Test
    void aPointHasTheFiguresOfTheWholeRunUnlessASteadyWindowIsCertified() {
        SweepRun run = READER.read("a", snapshot(Map.of("concurrency", "64", "gpus", "4"), steady(599)), null);
        assertThat(run.basis()).isEqualTo(Basis.RUN);
        assertThat(run.placement()).isEqualTo(new SweepRun.Placement(64.0, false, false, null, 4.0, null));
        assertThat(run.figures())
                .containsEntry(PointFigure.QPS, 10.0)
                .containsEntry(PointFigure.SYSTEM_TPS, 100.0)
                .containsEntry(PointFigure.TPS_PER_GPU, 25.0)
                .containsEntry(PointFigure.TOTAL_TPS, 400.0)
                .containsEntry(PointFigure.TOTAL_TPS_PER_GPU, 100.0)
                .containsEntry(PointFigure.TPS_PER_USER, 50.0)
                .containsEntry(PointFigure.TPOT_P90_MS, 20.0)
                .containsEntry(PointFigure.TTFT_P90_MS, 200.0)
                .containsEntry(PointFigure.LATENCY_P99_MS, 4000.0)
                .containsEntry(PointFigure.GOODPUT_PER_S, 9.5)
                .containsEntry(PointFigure.GOOD_SHARE, 0.95)
                .containsEntry(PointFigure.ERROR_SHARE, 0.02)
                .doesNotContainKey(PointFigure.J_PER_OUTPUT_TOKEN);
        assertThat(run.seconds()).isEqualTo(100);
        assertThat(run.targetShare()).isEqualTo(0.9);
    }

    @Test
    void aPointHasTheFiguresOfACertifiedWindow() {
        MetricsSnapshot snapshot = snapshot(Map.of("concurrency", "64"), steady(600));
        SweepRun run = READER.read("a", snapshot, null);
        assertThat(run.basis()).isEqualTo(Basis.STEADY);
        assertThat(run.figures())
                .containsEntry(PointFigure.SYSTEM_TPS, 110.0)
                .containsEntry(PointFigure.TPS_PER_USER, 25.0)
                .containsEntry(PointFigure.TPS_PER_USER_MEDIAN, 50.0)
                .containsEntry(PointFigure.TTFT_P90_MS, 250.0)
                .containsEntry(PointFigure.GOOD_SHARE, 0.95)
                .containsEntry(PointFigure.ERROR_SHARE, 0.02);
        assertThat(run.seconds()).isEqualTo(699);
        assertThat(new RunReader(null, null, true, null)
                        .read("a", snapshot, null)
                        .basis())
                .isEqualTo(Basis.RUN);
    }

    @Test
    void withoutALabelTheConcurrencyIsTheMeanInFlightAndMarkedDerived() {
        // 1000 samples of 4 s in 100 s are 40 at a time; 10 a second of 3 s are 30.
        SweepRun whole = READER.read("a", snapshot(Map.of(), null), null);
        assertThat(whole.placement().derived()).isTrue();
        assertThat(whole.placement().concurrency()).isCloseTo(40, within(1e-9));
        assertThat(READER.read("a", snapshot(Map.of(), steady(600)), null)
                        .placement()
                        .concurrency())
                .isCloseTo(30, within(1e-9));
        assertThat(READER.read("a", snapshot(Map.of("concurrency", "8"), null), "16")
                        .placement())
                .isEqualTo(SweepRun.Placement.at(16));
        assertThat(READER.read("a", snapshot(Map.of("concurrency", "offline"), null), null)
                        .placement()
                        .offline())
                .isTrue();
    }

    @Test
    void aLabelThatIsNoNumberIsAnErrorThatNamesTheRun() {
        assertThatThrownBy(() -> READER.read("runs/a", snapshot(Map.of("concurrency", "many"), null), null))
                .hasMessage("concurrency 'many' of runs/a is not a number above 0 nor offline");
        assertThatThrownBy(() -> READER.read("runs/a", snapshot(Map.of("gpus", "0"), null), null))
                .hasMessage("gpus '0' of runs/a is not a number above 0");
    }

    @Test
    void jobsPerGpuTakeTheNumberOfGpusThatTheReaderIsTold() {
        SteadyState steady = steady(599);
        MetricsSnapshot plain = snapshot(Map.of("concurrency", "64"), steady);
        Jobs jobs = new Jobs(0, 4, 0, 0, 1, 8 * SECOND, 1, 1, Jobs.Path.BLANK, 3L, List.of(), List.of());
        MetricsSnapshot run = new MetricsSnapshot(
                plain.counter(),
                plain.timestampNanos(),
                plain.state(),
                plain.pendingTasks(),
                plain.metrics(),
                plain.extensions().withOptional(plain.extensions().optional().withJobs(jobs)));
        assertThat(READER.read("a", run, null).figures())
                .containsEntry(PointFigure.JOBS_PER_H_USER, 1800.0)
                .doesNotContainKey(PointFigure.JOBS_PER_H_GPU);
        assertThat(new RunReader(null, 8.0, false, null).read("a", run, null).figures())
                .containsEntry(PointFigure.JOBS_PER_H_GPU, jobs.perHourAndGpu(steady.window(), 8.0));
    }

    @Test
    void labelsThatPlaceARunAreNoDifferencesAndTheLabelOfTheCurvesIsNone() {
        RunReader reader = new RunReader("engine", 8.0, false, null);
        SweepRun run = reader.read(
                "a",
                snapshot(Map.of("concurrency", "1", "engine", "x", "model", "m", "dataset_size", "500"), null),
                null);
        assertThat(run.curve()).isEqualTo("x");
        assertThat(run.placement().gpus()).isEqualTo(8);
        assertThat(run.placement().datasetSize()).isEqualTo(500);
        assertThat(run.context())
                .containsOnly(
                        Map.entry("streaming", "auto"),
                        Map.entry("environment.cpu", "fast"),
                        Map.entry("label model", "m"));
        assertThat(reader.read("a", snapshot(Map.of(), null), null).curve()).isEqualTo("(none)");
    }

    @Test
    void aSingleObjectiveIsCountedFromTheHistogramOfTheWholeRun() {
        // All 1000 samples took 4 s and 20 of them failed, so the snapshot does not separate those of successes.
        SingleObjective four = new SingleObjective(SingleObjective.Duration.LATENCY, 4 * SECOND, 0.5);
        RunReader reader = new RunReader(null, null, false, four);
        assertThat(reader.read("a", snapshot(Map.of(), steady(600)), null).figures())
                .doesNotContainKeys(PointFigure.GOOD_SHARE, PointFigure.GOODPUT_PER_S);
        MetricsSnapshot healthy = withoutFailures(snapshot(Map.of(), steady(600)));
        SweepRun run = reader.read("a", healthy, null);
        assertThat(run.basis()).isEqualTo(Basis.RUN);
        assertThat(run.targetShare()).isEqualTo(0.5);
        assertThat(run.figures())
                .containsEntry(PointFigure.GOOD_SHARE, 1.0)
                .containsEntry(PointFigure.GOODPUT_PER_S, 10.0);
        SingleObjective three = new SingleObjective(SingleObjective.Duration.LATENCY, 3 * SECOND, 0.5);
        assertThat(new RunReader(null, null, false, three)
                        .read("a", healthy, null)
                        .figures())
                .containsEntry(PointFigure.GOOD_SHARE, 0.0);
    }

    @Test
    void durationsOfFailedSamplesTooAreNotedAndPercentilesHaveTheMarksOfTheirSeries() {
        SweepRun.Marks mixed = READER.read("a", snapshot(Map.of(), null), "8").marks();
        assertThat(mixed.notes())
                .containsExactly(
                        "TTFT is of all 1,000 samples, up to 20 failed ones among them: the snapshot does not separate those"
                                + " that succeeded",
                        "latency is of all 1,000 samples, up to 20 failed ones among them: the snapshot does not separate"
                                + " those that succeeded");
        assertThat(mixed.uncertain()).as("1,000 values bound a p99").isEmpty();
        assertThat(READER.read("a", withoutFailures(snapshot(Map.of(), null)), "8")
                        .marks()
                        .notes())
                .isEmpty();
        SweepRun.Marks steady =
                READER.read("a", snapshot(Map.of(), steady(600)), "8").marks();
        assertThat(steady.estimated())
                .as("those of the steady window come from histograms")
                .contains(PointFigure.TTFT_P90_MS, PointFigure.TPS_PER_USER, PointFigure.LATENCY_P99_MS)
                .doesNotContain(PointFigure.QPS, PointFigure.SYSTEM_TPS);
        assertThat(steady.notes()).isEmpty();
    }

    @Test
    void aRunWhoseRequestsFailIsNeitherOnTheFrontNorItsKneeNorTheLargestConcurrency() {
        MetricsSnapshot failing = withFailures(snapshot(Map.of(), null), 60);
        SweepRun sound = READER.read("sound", snapshot(Map.of(), null), "8");
        SweepRun few = READER.read("few", failing, "4");
        SweepRun many = READER.read("many", failing, "16");
        assertThat(sound.isSound()).isTrue();
        assertThat(many.validity()).isEqualTo(Verdict.Validity.QUESTIONABLE);
        assertThat(many.isSound()).isFalse();
        SweepOptions options =
                new SweepOptions(PointFigure.TPS_PER_USER, PointFigure.SYSTEM_TPS, false, Requirement.parse("qps>=1"));
        Curve curve = Sweep.of(List.of(few, sound, many), options).curves().get(0);
        // All three have the same figures: of those, the lowest concurrency would be the front.
        assertThat(curve.front().steps())
                .extracting(each -> each.point().concurrency())
                .containsExactly(8.0);
        assertThat(curve.front().knee()).isNull();
        assertThat(curve.required().point().concurrency()).isEqualTo(8);
        assertThat(curve.required().missed()).isEqualTo("at concurrency 16 6.0 % of the requests fail");
        assertThat(curve.bestGoodput().concurrency()).isEqualTo(8);
        assertThat(Sweep.of(List.of(few, many), options)
                        .curves()
                        .get(0)
                        .required()
                        .point())
                .isNull();
    }

    private static MetricsSnapshot withoutFailures(MetricsSnapshot snapshot) {
        return withFailures(snapshot, 0);
    }

    private static MetricsSnapshot withFailures(MetricsSnapshot snapshot, long failures) {
        List<Metric> metrics = snapshot.metrics().stream()
                .map(each ->
                        each.name().equals("tracked_samples_failed") ? new CounterMetric(each.name(), failures) : each)
                .toList();
        return new MetricsSnapshot(1, 1, snapshot.state(), 0, metrics, snapshot.extensions());
    }

    @Test
    void aWindowOfSuperPassesIsCertifiedByTheirJudgementAndTellsTheSizeOfTheDataset() {
        SteadyState level = steady(600);
        SteadyWindow window = level.window();
        SteadyWindow passes = new SteadyWindow(
                0,
                window.toNanos(),
                window.samples(),
                window.issueNanos(),
                window.issuedPerSecond(),
                window.tokensPerSecond(),
                window.goodPerSecond(),
                window.ttft(),
                window.tpot(),
                window.latency(),
                7);
        for (boolean found : new boolean[] {true, false}) {
            SuperPasses judged = new SuperPasses(
                    500, null, new SuperPasses.Judgement("windowable", "", Map.of("found", found), Map.of(), Map.of()));
            SweepRun run = READER.read("a", snapshot(Map.of(), level.with(passes, judged)), "8");
            assertThat(run.basis()).isEqualTo(found ? Basis.STEADY : Basis.RUN);
            assertThat(run.placement().datasetSize()).isEqualTo(500);
        }
    }

    @Test
    void aStatedPriceGivesTheCostOfOutputTokensOnEitherBasis() {
        MetricsSnapshot plain = snapshot(Map.of(), steady(600));
        SnapshotExtensions extensions = plain.extensions();
        RunInfo run = extensions.run();
        SnapshotExtensions priced = SnapshotExtensions.of(
                        new RunInfo(
                                2,
                                "cafe",
                                "1",
                                0,
                                100 * SECOND,
                                List.of(),
                                List.of(),
                                run.environment(),
                                new EnergySettings(null, null, 1, 1, 36.0).encode()),
                        extensions.inFlight(),
                        extensions.slices())
                .build()
                .withSteady(steady(600));
        MetricsSnapshot snapshot = new MetricsSnapshot(1, 1, plain.state(), 0, plain.metrics(), priced);
        // A cent a second: 100 and 110 output tokens a second.
        assertThat(new RunReader(null, null, true, null)
                        .read("a", snapshot, "8")
                        .figures()
                        .get(PointFigure.USD_PER_MILLION_OUTPUT_TOKENS))
                .isCloseTo(100, within(1e-9));
        assertThat(READER.read("a", snapshot, "8").figures().get(PointFigure.USD_PER_MILLION_OUTPUT_TOKENS))
                .isCloseTo(1e4 / 110, within(1e-6));
        assertThat(READER.read("a", snapshot, "8").figures()).doesNotContainKey(PointFigure.J_PER_OUTPUT_TOKEN);
    }
}
