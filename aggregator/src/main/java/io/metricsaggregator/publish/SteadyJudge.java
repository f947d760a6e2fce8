package io.metricsaggregator.publish;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.Slices;
import io.metricsaggregator.snapshot.SteadyBatch;
import io.metricsaggregator.snapshot.SteadyState;
import io.metricsaggregator.steady.LiveState;
import io.metricsaggregator.steady.LiveVerdict;
import io.metricsaggregator.steady.RequiredDuration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Judges whether a run is steady, from its batches. A pure function of its inputs, so that a live snapshot and a replay agree; called on the thread
 * {@code publish}, and takes up to some milliseconds.
 */
public final class SteadyJudge {
    /** Batches after the warm-up that a judgement needs. */
    private static final int NEEDED = 4;

    private SteadyJudge() {}

    /**
     * Judges the batches that are closed.
     *
     * @param batches all batches, in order of time
     * @param newestNanos time of the newest event; {@link Long#MAX_VALUE} once the run has ended
     * @param slices the run over time, for samples in flight
     * @param floorSeconds shortest duration of a level that is certified
     * @return null before the first tracked sample
     */
    public static @Nullable SteadyState of(
            List<SteadyBatch> batches, long newestNanos, Slices slices, double floorSeconds) {
        if (batches.isEmpty()) {
            return null;
        }
        Driver driver = Driver.of(batches);
        List<SteadyBatch> closed = new ArrayList<>();
        for (SteadyBatch each : batches) {
            if (!each.isClosed(newestNanos)) {
                break;
            }
            // Batches without a value have nothing to judge: a run may issue less than one sample per batch.
            if (driver != null && !Double.isNaN(driver.value.applyAsDouble(each))) {
                closed.add(each);
            }
        }
        double[] values = driver == null
                ? new double[0]
                : closed.stream().mapToDouble(driver.value).toArray();
        LiveVerdict verdict = LiveVerdict.shown(values, inFlight(closed, slices));
        return state(verdict, driver, batches.get(0).fromNanos(), closed, floorSeconds);
    }

    private static SteadyState state(
            LiveVerdict verdict,
            @Nullable Driver driver,
            long firstNanos,
            List<SteadyBatch> closed,
            double floorSeconds) {
        boolean level = verdict.state() == LiveState.STEADY || verdict.state() == LiveState.SHIFTED;
        Long since = level ? (Long) closed.get(verdict.since()).fromNanos() : null;
        boolean steady = verdict.state() == LiveState.STEADY;
        double seconds = steady && since != null
                ? (closed.get(closed.size() - 1).toNanos() - since) / 1e9
                : 0;
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
        double batchSeconds = judged.isEmpty() ? 0 : (judged.get(0).toNanos() - judged.get(0).fromNanos()) / 1e9;
        double latency = 0;
        long samples = 0;
        for (SteadyBatch each : judged) {
            long completed = each.completed() + each.failed();
            if (!Double.isNaN(each.latencyP90())) {
                latency += each.latencyP90() * completed;
                samples += completed;
            }
        }
        return RequiredDuration.seconds(
                Double.isNaN(cov) ? 0 : cov, batchSeconds, samples == 0 ? 0 : latency / samples / 1e9, floorSeconds);
    }

    private static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? (Double) value : null;
    }

    /** Samples in flight at the end of each batch; empty if the slices do not reach that far. */
    private static double[] inFlight(List<SteadyBatch> closed, Slices slices) {
        long[] column = slices.column("in_flight");
        if (column == null || column.length == 0) {
            return new double[0];
        }
        double[] inFlight = new double[closed.size()];
        for (int i = 0; i < inFlight.length; i++) {
            long slice = (closed.get(i).toNanos() - slices.startNanos()) / slices.widthNanos() - 1;
            if (slice >= column.length) {
                // The last batch ends behind the last event, when everything has drained.
                return new double[0];
            }
            inFlight[i] = column[(int) Math.max(0, slice)];
        }
        return inFlight;
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
