package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.catalogue.Unit;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Durations that cannot be: an end before its start, or one that exceeds 64 bits. They show that the clocks of the producers differ. */
final class ImpossibleDurations implements Check {
    private static final double INVALID = 0.01;
    private static final int NAMED_MAX = 4;
    /** The largest count of tokens that a histogram holds. */
    private static final double TOKENS_MAX = 1e7;

    @Override
    public String name() {
        return "durations";
    }

    @Override
    public String effect() {
        return "a duration below 0, or beyond 64 bits: the clocks of the producers differ, or events are out of order: questionable; invalid"
                + " above " + Check.percent(INVALID)
                + " of the values of a series. `schedule_slip_ns` may be negative: a sample issued early. Values outside the range of a"
                + " histogram, which count at its edge: a note";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        List<String> negative = new ArrayList<>();
        List<String> clamped = new ArrayList<>();
        double worst = 0;
        for (SeriesMetric series : snapshot.series()) {
            SeriesDetail detail = series.detail();
            if (detail == null || series.count() == 0) {
                continue;
            }
            if (detail.negative() > 0 && !mayBeNegative(series)) {
                double share = (double) detail.negative() / series.count();
                worst = Math.max(worst, share);
                negative.add(String.format(
                        Locale.ROOT,
                        "%,d of %,d values of %s are negative (%s)",
                        detail.negative(),
                        series.count(),
                        series.name(),
                        Figures.share(share)));
            }
            if (detail.clamped() > detail.negative() && !holdsZeroTokensOnly(series)) {
                clamped.add(String.format(
                        Locale.ROOT,
                        "%,d of %,d values of %s",
                        detail.clamped() - detail.negative(),
                        series.count(),
                        series.name()));
            }
        }
        long beyond = snapshot.counter(CounterName.DURATIONS_OVERFLOWED);
        if (beyond > 0) {
            long completed = Math.max(1, snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED));
            worst = Math.max(worst, (double) beyond / completed);
            negative.add(String.format(Locale.ROOT, "%,d durations exceed 64 bits and were not recorded", beyond));
        }
        List<Finding> findings = new ArrayList<>();
        if (!negative.isEmpty()) {
            findings.add(new Finding(
                    worst > INVALID ? Finding.Weight.BAD : Finding.Weight.REMARK,
                    name(),
                    shortened(negative) + ": the clocks of the producers differ, or events are out of order",
                    Finding.Limit.UNKNOWN));
        }
        if (!clamped.isEmpty()) {
            findings.add(new Finding(
                    Finding.Weight.NOTE,
                    name(),
                    shortened(clamped) + " are outside the range of the histogram and count at its edge"));
        }
        return findings;
    }

    private static String shortened(List<String> parts) {
        int shown = Math.min(NAMED_MAX, parts.size());
        String more = parts.size() > shown ? "; " + (parts.size() - shown) + " more series" : "";
        return String.join("; ", parts.subList(0, shown)) + more;
    }

    private static boolean mayBeNegative(SeriesMetric series) {
        return series.name().equals(SeriesName.SCHEDULE_SLIP_NS.wire());
    }

    /** Whether the values outside the histogram's range are counts of 0 tokens, which are ordinary. */
    private static boolean holdsZeroTokensOnly(SeriesMetric series) {
        SeriesName name = SeriesName.ofWire(series.name());
        return name != null && name.unit() == Unit.TOKENS && series.max().doubleValue() <= TOKENS_MAX;
    }
}
