package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SlowSample;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whether few samples held the tracked window open after the others had completed, so that rates divide by a time in which hardly anything was done. Reads the
 * slowest samples, which have their times; another sample takes at most as long as the fastest of them.
 */
final class Stragglers implements Check {
    private static final double SAMPLES_SHARE = 0.01;
    private static final double TIME_SHARE = 0.2;

    @Override
    public String name() {
        return "stragglers";
    }

    @Override
    public String effect() {
        return "at most " + Check.percent(SAMPLES_SHARE)
                + " of the tracked samples, or one, held the tracked window open for more than "
                + Check.percent(TIME_SHARE)
                + " of its time after the others had completed: questionable, with the rate until then; no limiting factor is named";
    }

    @Override
    public boolean isForLiveRuns() {
        return false;
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        long completed = snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED);
        long window = snapshot.counter(CounterName.TRACKED_DURATION_NS);
        if (extensions.isNone() || completed < 2 || window <= 0) {
            return List.of();
        }
        List<SlowSample> last = extensions.slowest().stream()
                .filter(each -> each.by().equals(SlowSample.LATENCY))
                .sorted(Comparator.comparingLong(SlowSample::completedNanos).reversed())
                .toList();
        int few = (int) Math.max(1, Math.min(last.size() - 1, (long) (SAMPLES_SHARE * completed)));
        int held = 0;
        double open = 0;
        for (int i = 1; i <= Math.min(few, last.size() - 1); i++) {
            double each = last.get(0).completedNanos() - others(snapshot, extensions.slices(), last, i, completed);
            if (each > open) {
                open = each;
                held = i;
            }
        }
        if (open <= TIME_SHARE * window || open >= window) {
            return List.of();
        }
        return List.of(new Finding(
                Finding.Weight.REMARK,
                name(),
                String.format(
                        Locale.ROOT,
                        "%,d of %,d samples held the tracked window open for %s of %s; until then the rate was about %s req/s,"
                                + " over the whole window it is %s req/s",
                        held,
                        completed,
                        Figures.duration(open),
                        Figures.duration(window),
                        Figures.rate((completed - held) / ((window - open) / 1e9)),
                        Figures.rate(completed / (window / 1e9))),
                Finding.Limit.UNKNOWN));
    }

    /**
     * A time by which all samples but the last few had completed and all had been issued, in nanoseconds of the producer's clock.
     *
     * @param last slow samples by descending completion
     * @param few number of samples at the start of the list that are left out
     */
    private static double others(
            MetricsSnapshot snapshot, Slices slices, List<SlowSample> last, int few, long completed) {
        double time = (double) last.get(few).completedNanos();
        for (SlowSample each : last.subList(0, few)) {
            time = Math.max(time, (double) each.issuedNanos());
        }
        if (last.size() == completed) {
            return time;
        }
        Double bySlices = bySlices(snapshot, slices, few);
        if (bySlices != null) {
            return Math.max(time, bySlices);
        }
        // Without slices of tracked samples alone: one that is not among the slowest may have begun as late as any of
        // them.
        long shortest = last.stream().mapToLong(SlowSample::nanos).min().orElse(0);
        return time + shortest;
    }

    /** The end of the last slice in which a sample was issued or one of those before the last few completed; null if slices count other samples too. */
    private static @Nullable Double bySlices(MetricsSnapshot snapshot, Slices slices, int few) {
        long[] done = slices.column("completed");
        long[] issued = slices.column("issued");
        boolean allTracked = snapshot.counter(CounterName.TOTAL_SAMPLES_ISSUED)
                        == snapshot.counter(CounterName.TRACKED_SAMPLES_ISSUED)
                && snapshot.counter(CounterName.TOTAL_SAMPLES_COMPLETED)
                        == snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED);
        if (done == null || issued == null || !allTracked) {
            return null;
        }
        long left = few;
        int slice = done.length - 1;
        while (slice >= 0 && issued[slice] == 0 && done[slice] <= left) {
            left -= done[slice];
            slice--;
        }
        return slices.startNanos() + (slice + 1.0) * slices.widthNanos();
    }
}
