package io.metricsaggregator.telemetry.energy;

import io.metricsaggregator.snapshot.figures.DeviceEnergy;
import io.metricsaggregator.snapshot.figures.EnergyScope;
import io.metricsaggregator.snapshot.figures.TimeSpan;
import io.metricsaggregator.telemetry.fold.Allowance;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One GPU or RAPL zone, with a trace for each metric that reports it. Two exporters may report the same GPU: the first one of a metric counts. Belongs to
 * the thread that applies events.
 */
final class EnergyDevice {
    private final String id;
    private final EnergyScope scope;
    private final String host;
    private final Map<EnergyMetric, Reported> byMetric = new EnumMap<>(EnergyMetric.class);

    /** What one source reports of a device by one metric. */
    private record Reported(String source, EnergyTrace trace) {}

    /**
     * A device without samples.
     *
     * @param host target or node that reported it first
     */
    EnergyDevice(String id, EnergyScope scope, String host) {
        this.id = id;
        this.scope = scope;
        this.host = host;
    }

    String host() {
        return host;
    }

    EnergyScope scope() {
        return scope;
    }

    /** Samples left out for want of memory. */
    long leftOut() {
        return byMetric.values().stream()
                .mapToLong(each -> each.trace.leftOut())
                .sum();
    }

    /** Whether the device reports that metric. */
    boolean isOf(EnergyMetric metric) {
        return byMetric.containsKey(metric);
    }

    /** The trace of a metric; null if another source reports it. */
    @Nullable
    EnergyTrace trace(EnergyMetric metric, String source, Allowance allowance) {
        Reported known = byMetric.get(metric);
        if (known == null) {
            known = new Reported(source, new EnergyTrace(allowance));
            byMetric.put(metric, known);
        }
        return known.source.equals(source) ? known.trace : null;
    }

    /** The preferred metric with at least two values; null if there is none. */
    private @Nullable EnergyMetric best(boolean power) {
        for (Map.Entry<EnergyMetric, Reported> each : byMetric.entrySet()) {
            if (each.getValue().trace.isMeasured() && (!power || each.getKey().isPower())) {
                return each.getKey();
            }
        }
        return null;
    }

    /** The span in which the device was measured, on the producers' clock; null if it was not. */
    @Nullable
    TimeSpan measured(SourceClocks clocks) {
        EnergyMetric best = best(false);
        Reported reported = best == null ? null : byMetric.get(best);
        if (reported == null) {
            return null;
        }
        long offset = clocks.offsetNanos(reported.source);
        return new TimeSpan(reported.trace.firstNanos() + offset, reported.trace.lastNanos() + offset);
    }

    /** The energy in one span of the producers' clock. */
    EnergySpan over(TimeSpan span, SourceClocks clocks) {
        EnergyMetric best = best(false);
        Reported reported = best == null ? null : byMetric.get(best);
        if (reported == null) {
            return EnergySpan.NONE;
        }
        long offset = clocks.offsetNanos(reported.source);
        EnergySpan energy = reported.trace.over(span.fromNanos() - offset, span.toNanos() - offset);
        EnergyMetric power = energy.resets() == 0 ? null : best(true);
        Reported filling = power == null ? null : byMetric.get(power);
        if (filling != null && !filling.equals(reported)) {
            energy = energy.plus(filled(reported.trace.gaps(), offset, filling, span, clocks));
        }
        return energy;
    }

    /** The energy by the power gauge in the gaps around restarts of the counter. */
    private static EnergySpan filled(
            List<TimeSpan> gaps, long offset, Reported power, TimeSpan span, SourceClocks clocks) {
        EnergySpan sum = EnergySpan.NONE;
        long back = clocks.offsetNanos(power.source);
        for (TimeSpan gap : gaps) {
            long from = Math.max(span.fromNanos(), gap.fromNanos() + offset);
            long to = Math.min(span.toNanos(), gap.toNanos() + offset);
            if (to > from) {
                EnergySpan part = power.trace.over(from - back, to - back);
                sum = sum.plus(new EnergySpan(part.joules(), part.coveredNanos(), 0, 0));
            }
        }
        return sum;
    }

    /**
     * The row of the device in a window.
     *
     * @param spans disjoint spans of the window
     * @param detailed whether to compute the distribution of power
     */
    DeviceEnergy row(List<TimeSpan> spans, SourceClocks clocks, boolean detailed) {
        EnergySpan sum = EnergySpan.NONE;
        for (TimeSpan each : spans) {
            sum = sum.plus(over(each, clocks));
        }
        EnergyMetric best = best(false);
        return new DeviceEnergy(
                id,
                scope,
                best == null ? DeviceEnergy.NO_SOURCE : best.series(),
                sum.joules(),
                sum.coveredNanos() / 1e9,
                sum.resets(),
                sum.samples(),
                detailed ? power(spans, clocks) : null);
    }

    private DeviceEnergy.@Nullable Power power(List<TimeSpan> spans, SourceClocks clocks) {
        EnergyMetric best = best(false);
        Reported reported = best == null ? null : byMetric.get(best);
        if (reported == null) {
            return null;
        }
        long offset = clocks.offsetNanos(reported.source);
        double[] watts = spans.stream()
                .flatMapToDouble(each ->
                        Arrays.stream(reported.trace.powers(each.fromNanos() - offset, each.toNanos() - offset)))
                .sorted()
                .toArray();
        int n = watts.length;
        return n == 0
                ? null
                : new DeviceEnergy.Power(
                        n,
                        Arrays.stream(watts).average().orElseThrow(),
                        watts[n / 2],
                        watts[Math.min(n - 1, (int) (0.95 * n))],
                        watts[n - 1],
                        watts[0]);
    }
}
