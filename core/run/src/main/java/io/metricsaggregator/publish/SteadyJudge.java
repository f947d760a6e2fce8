package io.metricsaggregator.publish;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.figures.SteadyBatch;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.steady.LiveState;
import io.metricsaggregator.steady.LiveVerdict;
import io.metricsaggregator.steady.RequiredDuration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Judges whether a run is steady, from its closed batches. The judgement is a pure function of the batches, so that a live snapshot and a replay agree; an
 * instance remembers the last one, which takes up to some milliseconds. Used by one thread.
 */
public final class SteadyJudge {
    /** Batches after the warm-up that a judgement needs. */
    private static final int NEEDED = 4;

    private final double floorSeconds;
    private ClosedBatches judged = ClosedBatches.NONE;
    private @Nullable SteadyState state;

    /**
     * A judge that has judged nothing.
     *
     * @param floorSeconds shortest duration of a level that is certified
     */
    public SteadyJudge(double floorSeconds) {
        this.floorSeconds = floorSeconds;
    }

    /** The steady state after the batches; null before the first tracked sample. Computed only if they changed since the last call. */
    public @Nullable SteadyState judge(ClosedBatches batches) {
        if (!batches.isSame(judged)) {
            state = of(batches, floorSeconds);
            judged = batches;
        }
        return state;
    }

    /**
     * Judges batches.
     *
     * @param floorSeconds shortest duration of a level that is certified
     * @return null before the first tracked sample
     */
    static @Nullable SteadyState of(ClosedBatches closed, double floorSeconds) {
        if (!closed.any()) {
            return null;
        }
        Driver driver = Driver.of(closed.batches());
        List<SteadyBatch> measured = new ArrayList<>();
        List<Long> inFlight = new ArrayList<>();
        for (int i = 0; i < closed.batches().size(); i++) {
            SteadyBatch each = closed.batches().get(i);
            // Batches without a value have nothing to judge: a run may issue less than one sample per batch.
            if (driver != null && !Double.isNaN(driver.value.applyAsDouble(each))) {
                measured.add(each);
                if (i < closed.inFlight().size()) {
                    inFlight.add(closed.inFlight().get(i));
                }
            }
        }
        double[] values = driver == null
                ? new double[0]
                : measured.stream().mapToDouble(driver.value).toArray();
        double[] rising = inFlight.size() < measured.size()
                ? new double[0]
                : inFlight.stream().mapToDouble(Long::doubleValue).toArray();
        LiveVerdict verdict = LiveVerdict.shown(values, rising);
        return state(verdict, driver, closed.firstNanos(), measured.subList(0, verdict.judged()), floorSeconds);
    }

    private static SteadyState state(
            LiveVerdict verdict,
            @Nullable Driver driver,
            long firstNanos,
            List<SteadyBatch> closed,
            double floorSeconds) {
        Long since = null;
        double seconds = 0;
        if (verdict.state() == LiveState.STEADY || verdict.state() == LiveState.SHIFTED) {
            since = closed.get(verdict.since()).fromNanos();
            if (verdict.state() == LiveState.STEADY) {
                seconds = (closed.get(closed.size() - 1).toNanos() - since) / 1e9;
            }
        }
        List<SteadyBatch> judged = closed.subList(Math.min(verdict.warmup(), closed.size()), closed.size());
        return new SteadyState(
                verdict.state().wire(),
                driver == null ? null : driver.series.wire(),
                verdict.closed(),
                NEEDED,
                since,
                since == null ? null : (Long) (since - firstNanos),
                seconds,
                required(judged, verdict.cov(), floorSeconds),
                finite(verdict.cov()),
                finite(verdict.drift()),
                finite(verdict.p()),
                verdict.shift(),
                null);
    }

    private static double required(List<SteadyBatch> judged, double cov, double floorSeconds) {
        double batchSeconds =
                judged.isEmpty() ? 0 : (judged.get(0).toNanos() - judged.get(0).fromNanos()) / 1e9;
        double latency = 0;
        long samples = 0;
        for (SteadyBatch each : judged) {
            if (!Double.isNaN(each.latencyP90())) {
                latency += each.latencyP90() * each.completed();
                samples += each.completed();
            }
        }
        return RequiredDuration.seconds(
                Double.isNaN(cov) ? 0 : cov, batchSeconds, samples == 0 ? 0 : latency / samples / 1e9, floorSeconds);
    }

    private static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? (Double) value : null;
    }

    /** The figure by which a run is judged: the first that any batch has. */
    private enum Driver {
        TPOT(SeriesName.TPOT_NS, SteadyBatch::tpot),
        CHUNK_DELTA(SeriesName.CHUNK_DELTA_NS, SteadyBatch::chunkDelta),
        LATENCY(SeriesName.SAMPLE_LATENCY_NS, SteadyBatch::latencyP50);

        private final SeriesName series;

        @SuppressWarnings("ImmutableEnumChecker") // a method of a record
        private final ToDoubleFunction<SteadyBatch> value;

        Driver(SeriesName series, ToDoubleFunction<SteadyBatch> value) {
            this.series = series;
            this.value = value;
        }

        static @Nullable Driver of(List<SteadyBatch> batches) {
            for (Driver each : values()) {
                if (batches.stream().anyMatch(batch -> !Double.isNaN(each.value.applyAsDouble(batch)))) {
                    return each;
                }
            }
            return null;
        }
    }
}
