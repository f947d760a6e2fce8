package io.metricsaggregator.snapshot;

import io.metricsaggregator.snapshot.figures.Jobs;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ProgressState;
import io.metricsaggregator.snapshot.figures.SaturationMonitor;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures;
import io.metricsaggregator.snapshot.figures.Stall;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import io.metricsaggregator.snapshot.figures.SuperPasses;
import java.util.List;
import java.util.Map;

/** Figures of a snapshot with every part, for tests. */
final class ExampleFigures {
    private ExampleFigures() {}

    static SteadyState steady() {
        return new SteadyState(
                "steady",
                "tpot_ns",
                9,
                4,
                77_000_000_000L,
                12_000_000_000L,
                160.0,
                600.0,
                0.012,
                -0.004,
                0.7,
                null,
                new SteadyWindow(
                        77_000_000_000L,
                        237_000_000_000L,
                        1000,
                        159_500_000_000L,
                        6.27,
                        null,
                        5.5,
                        new SteadyWindow.Durations(1000, 2e8, 1.9e8, 2.5e8, 3e8),
                        null,
                        new SteadyWindow.Durations(999, 2e9, 1.9e9, 2.5e9, 3e9),
                        12),
                new SuperPasses(
                        4096,
                        null,
                        new SuperPasses.Judgement(
                                "windowable",
                                "anomaly",
                                anomaly(4.5),
                                anomaly(4.5),
                                Map.of("found", false, "reason", "no admissible steady plateau"))),
                new SaturationMonitor(true, 2.5, null));
    }

    static Map<String, Object> anomaly(double percent) {
        return Map.of("found", true, "anomaly", Map.of("detected", true, "delta_pct", percent, "plateaus", List.of()));
    }

    static Progress progress() {
        return new Progress(
                ProgressState.STALLED,
                41_000_000_000L,
                5_000_000_000L,
                30_000_000_000L,
                42_000_000_000L,
                2,
                83_000_000_000L,
                List.of(
                        new Stall(10, 3, 42_000_000_000L, 64, 7, Stall.End.PROGRESS, 1, 2L),
                        new Stall(60, 53, 41_000_000_000L, 1, 0, null, 5, null)),
                Progress.ENDPOINT_STALLED);
    }

    static LabelBreakdown labels() {
        return new LabelBreakdown(List.of(new LabelBreakdown.Key(
                "endpoint",
                List.of(
                        new LabelBreakdown.Value(
                                "a",
                                9,
                                8,
                                1,
                                1,
                                50,
                                60,
                                new LabelBreakdown.Durations(8, 1, 2, 3, 4),
                                new LabelBreakdown.Durations(8, 1, 2, 3, 4),
                                new LabelBreakdown.Durations(7, 1, 2, 3, 4),
                                6L,
                                new Progress.Target(ProgressState.OK, 12L, 34, 1, 56)),
                        new LabelBreakdown.Value("(none)", 1, 1, 0, 0, 0, 0, null, null)))));
    }

    static Jobs jobs() {
        return new Jobs(
                1,
                2,
                1,
                0,
                3,
                16,
                15,
                13,
                new Jobs.Path(13, 2, 1),
                2L,
                List.of(new Jobs.Calls("search", 1, Map.of("8", 2L, "1024", 1L))),
                List.of(new Jobs.Calls("planner", 0, Map.of("16", 5L))));
    }

    static ServerTimeFigures serverTimes() {
        return new ServerTimeFigures(
                5,
                1,
                1,
                2,
                4096L,
                List.of(
                        new ServerTimeFigures.Bucket(320, 2, 650, 240, 300, 20),
                        new ServerTimeFigures.Bucket(2048, 1, 2100, 1700, 250, 0)));
    }
}
