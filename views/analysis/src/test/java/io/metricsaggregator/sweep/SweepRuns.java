package io.metricsaggregator.sweep;

import io.metricsaggregator.verdict.Verdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs of sweeps that the tests of {@code sweep} and of its views share. */
public final class SweepRuns {
    private static final double[][] EXAMPLE = {
        {1, 55, 52}, {8, 400, 48}, {32, 1300, 41}, {64, 2100, 34}, {128, 2900, 25}, {256, 3100, 13}, {512, 3000, 6.2}
    };

    private SweepRuns() {}

    /** The worked example: seven valid runs at concurrency 1 to 512, all but the last on the front. */
    public static List<SweepRun> example() {
        List<SweepRun> runs = new ArrayList<>();
        for (double[] each : EXAMPLE) {
            runs.add(run(each[0], each[1], each[2]));
        }
        return runs;
    }

    /** A valid run of 1200 s. */
    public static SweepRun run(double concurrency, double systemTps, double tpsPerUser) {
        return run("", concurrency, Verdict.Validity.VALID, figures(systemTps, tpsPerUser));
    }

    /** A run of 1200 s and 2000 samples of a dataset of 1000. */
    public static SweepRun run(
            String curve, double concurrency, Verdict.Validity validity, Map<PointFigure, Double> figures) {
        return new SweepRun(
                "run-" + (long) concurrency,
                new SweepRun.Placement(concurrency, false, false, null, null, 1000L),
                curve,
                Basis.RUN,
                figures,
                SweepRun.Marks.NONE,
                0.9,
                validity,
                false,
                true,
                1200.0,
                2000,
                Map.of(),
                "ttft <= 400.00 ms for 90.00% of requests",
                validity == Verdict.Validity.INVALID ? "losses: 9 records never arrived" : "");
    }

    /** A run that fails so often that the verdict counts it against it. */
    public static SweepRun failing(double concurrency, double systemTps, double tpsPerUser) {
        SweepRun run = run("", concurrency, Verdict.Validity.QUESTIONABLE, figures(systemTps, tpsPerUser));
        return new SweepRun(
                run.name(),
                run.placement(),
                run.curve(),
                run.basis(),
                run.figures(),
                run.marks(),
                run.targetShare(),
                run.validity(),
                true,
                run.complete(),
                run.seconds(),
                run.issued(),
                run.context(),
                run.objectives(),
                run.reason());
    }

    /** A run of which one percentile is an estimate of too few values, with a note. */
    public static SweepRun marked(double concurrency, double systemTps, double tpsPerUser) {
        SweepRun run = run(concurrency, systemTps, tpsPerUser);
        Set<PointFigure> perUser = Set.of(PointFigure.TPS_PER_USER);
        return new SweepRun(
                run.name(),
                run.placement(),
                run.curve(),
                run.basis(),
                run.figures(),
                new SweepRun.Marks(perUser, perUser, List.of("latency is of all 9 samples")),
                run.targetShare(),
                run.validity(),
                false,
                run.complete(),
                run.seconds(),
                run.issued(),
                run.context(),
                run.objectives(),
                run.reason());
    }

    /** The two figures of the front. */
    public static Map<PointFigure, Double> figures(double systemTps, double tpsPerUser) {
        Map<PointFigure, Double> figures = new EnumMap<>(PointFigure.class);
        figures.put(PointFigure.SYSTEM_TPS, systemTps);
        figures.put(PointFigure.TPS_PER_USER, tpsPerUser);
        return figures;
    }
}
