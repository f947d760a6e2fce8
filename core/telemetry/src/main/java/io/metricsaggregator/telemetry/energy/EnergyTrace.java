package io.metricsaggregator.telemetry.energy;

import io.metricsaggregator.snapshot.figures.TimeSpan;
import io.metricsaggregator.telemetry.fold.Allowance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The energy of one device since its first sample, as points of time and joules. A counter's points are its own values; a power gauge is integrated by
 * trapezoids. Energy between two points is linear (under a gauge, the power is). Beyond {@value #POINTS_MAX} points every second one is left out: sums
 * between points stay exact, and an edge between two points h apart is off by at most h/4 times the range of the power between them, where h is at most
 * 1/1024 of the time observed. Belongs to the thread that applies events.
 */
final class EnergyTrace {
    static final int POINTS_MAX = 2048;
    /** Power above which an increase is an error of the counter rather than of one device, W. */
    static final double WATTS_MAX = 100_000;

    private static final int POINTS_MIN = 64;
    private static final int POINT_BYTES = 48;
    private static final int INTERVALS = 31;
    private static final int GAPS_MAX = 64;
    /** Samples around an edge may be this many sampling intervals apart. */
    private static final int INTERVALS_APART = 3;

    private final Allowance allowance;
    private final int pointsMax;
    private long[] nanos = new long[0];
    private double[] joules = new double[0];
    /** Power at the point, of gauges; NaN for counters. */
    private double[] watts = new double[0];
    /** Covered time up to the point. */
    private long[] covered = new long[0];
    /** The longest time between two samples since the point before. */
    private long[] longest = new long[0];

    private int[] resets = new int[0];
    private int[] samples = new int[0];
    private int size;
    private double raw = Double.NaN;
    private final long[] intervals = new long[INTERVALS];
    private int intervalCount;
    private long leftOut;
    private final List<TimeSpan> gaps = new ArrayList<>();

    EnergyTrace(Allowance allowance) {
        this(allowance, POINTS_MAX);
    }

    EnergyTrace(Allowance allowance, int pointsMax) {
        this.allowance = allowance;
        this.pointsMax = pointsMax;
    }

    /** Whether energy is known for any time. */
    boolean isMeasured() {
        return size >= 2;
    }

    long firstNanos() {
        return nanos[0];
    }

    long lastNanos() {
        return nanos[size - 1];
    }

    boolean isEmpty() {
        return size == 0;
    }

    /**
     * Takes a counter's value. A value equal to the one before is ignored: exporters repeat a value until they read the device again.
     *
     * @param value J
     * @param wrapJoules value at which the counter wraps to 0; NaN if a decrease is a restart
     */
    void count(long at, double value, double wrapJoules) {
        if (size > 0 && (at <= lastNanos() || value == raw)) {
            return;
        }
        double before = raw;
        raw = value;
        if (size == 0) {
            add(at, 0, Double.NaN, 0, 0);
            return;
        }
        double seconds = (at - lastNanos()) / 1e9;
        double grown = value < before && !Double.isNaN(wrapJoules) ? value + wrapJoules - before : value - before;
        boolean restarted = grown < 0 || grown > WATTS_MAX * seconds;
        if (restarted && gaps.size() < GAPS_MAX) {
            gaps.add(new TimeSpan(lastNanos(), at));
        }
        add(at, restarted ? 0 : grown, Double.NaN, restarted ? 0 : at - lastNanos(), restarted ? 1 : 0);
    }

    /** Forgets the counter's value, because the next one counts from another start: it is a reset even if it is larger. */
    void restart() {
        raw = size == 0 ? Double.NaN : Double.POSITIVE_INFINITY;
    }

    /** Takes a gauge's value in W, 0 to {@link #WATTS_MAX}. Time without samples of more than three intervals is not covered. */
    void power(long at, double value) {
        if (size > 0 && at <= lastNanos()) {
            return;
        }
        if (size == 0) {
            add(at, 0, value, 0, 0);
            return;
        }
        long since = at - lastNanos();
        boolean hole = since > INTERVALS_APART * typicalInterval();
        double grown = (watts[size - 1] + value) / 2 * since / 1e9;
        add(at, hole ? 0 : grown, value, hole ? 0 : since, 0);
    }

    private void add(long at, double grown, double power, long covers, int restarts) {
        if (!room()) {
            leftOut++;
            return;
        }
        int i = size++;
        int before = Math.max(0, i - 1);
        nanos[i] = at;
        joules[i] = (i == 0 ? 0 : joules[before]) + grown;
        watts[i] = power;
        covered[i] = (i == 0 ? 0 : covered[before]) + covers;
        longest[i] = i == 0 ? 0 : at - nanos[before];
        resets[i] = (i == 0 ? 0 : resets[before]) + restarts;
        samples[i] = i == 0 ? 1 : samples[before] + 1;
        if (i > 0) {
            intervals[intervalCount++ % INTERVALS] = longest[i];
        }
    }

    /** Makes room for a point; false without memory for even a few. */
    private boolean room() {
        if (size < nanos.length) {
            return true;
        }
        int longer = Math.min(pointsMax, Math.max(POINTS_MIN, 2 * size));
        if (longer > size && allowance.take((long) (longer - size) * POINT_BYTES)) {
            nanos = Arrays.copyOf(nanos, longer);
            joules = Arrays.copyOf(joules, longer);
            watts = Arrays.copyOf(watts, longer);
            covered = Arrays.copyOf(covered, longer);
            longest = Arrays.copyOf(longest, longer);
            resets = Arrays.copyOf(resets, longer);
            samples = Arrays.copyOf(samples, longer);
            return true;
        }
        if (size < 4) {
            return false;
        }
        thin();
        return true;
    }

    /** Leaves out every second point; the last one stays. */
    private void thin() {
        int kept = 1;
        for (int i = 2; ; i += 2) {
            int from = Math.min(i, size - 1);
            long widest = longest[from];
            for (int j = i - 1; j < from; j++) {
                widest = Math.max(widest, longest[j]);
            }
            nanos[kept] = nanos[from];
            joules[kept] = joules[from];
            watts[kept] = watts[from];
            covered[kept] = covered[from];
            longest[kept] = widest;
            resets[kept] = resets[from];
            samples[kept] = samples[from];
            kept++;
            if (i >= size - 1) {
                break;
            }
        }
        size = kept;
    }

    /** Number of points; for tests. */
    int points() {
        return size;
    }

    /** Samples left out for want of memory. */
    long leftOut() {
        return leftOut;
    }

    /** Median of the last intervals between samples, ns; a long time before the second sample. */
    private long typicalInterval() {
        int count = Math.min(intervalCount, INTERVALS);
        if (count == 0) {
            return Long.MAX_VALUE / INTERVALS_APART;
        }
        long[] sorted = Arrays.copyOf(intervals, count);
        Arrays.sort(sorted);
        return Math.min(sorted[count / 2], Long.MAX_VALUE / INTERVALS_APART);
    }

    /** Gaps around restarts of the counter, oldest first; at most {@value #GAPS_MAX}. */
    List<TimeSpan> gaps() {
        return gaps;
    }

    /** One end of a window: the point at or before it, and energy and covered time up to it. */
    private record Edge(int point, long nanos, double joules, long covered) {}

    /** The energy in a span of the device's clock. */
    EnergySpan over(long fromNanos, long toNanos) {
        if (!isMeasured() || toNanos <= firstNanos() || fromNanos >= lastNanos() || toNanos <= fromNanos) {
            return EnergySpan.NONE;
        }
        long most = INTERVALS_APART * typicalInterval();
        Edge from = edge(fromNanos, most, true);
        Edge to = edge(toNanos, most, false);
        if (to.nanos <= from.nanos) {
            return EnergySpan.NONE;
        }
        int behind = to.nanos > nanos[to.point] ? to.point + 1 : to.point;
        return new EnergySpan(
                to.joules - from.joules,
                to.covered - from.covered,
                resets[behind] - resets[from.point],
                samples[to.point] - samples[from.point] + (from.nanos == nanos[from.point] ? 1 : 0));
    }

    /** Finds an edge. Between samples that are too far apart it moves to the sample inside the window. */
    private Edge edge(long at, long most, boolean start) {
        if (at <= nanos[0]) {
            return exactly(0);
        }
        if (at >= nanos[size - 1]) {
            return exactly(size - 1);
        }
        int found = Arrays.binarySearch(nanos, 0, size, at);
        if (found >= 0) {
            return exactly(found);
        }
        int after = -found - 1;
        if (longest[after] > most) {
            return exactly(start ? after : after - 1);
        }
        int before = after - 1;
        double whole = (double) nanos[after] - nanos[before];
        double part = (at - nanos[before]) / whole;
        return new Edge(
                before,
                at,
                joules[before] + energy(before, part),
                covered[before] + Math.round(part * (covered[after] - covered[before])));
    }

    private Edge exactly(int point) {
        return new Edge(point, nanos[point], joules[point], covered[point]);
    }

    /** Energy of the first {@code part} of the time between a point and the next. */
    private double energy(int before, double part) {
        double grown = joules[before + 1] - joules[before];
        double seconds = (nanos[before + 1] - nanos[before]) / 1e9;
        double trapezoid = (watts[before] + watts[before + 1]) / 2 * seconds;
        // Points with others left out between them do not have the energy of their own trapezoid.
        boolean neighbours = Math.abs(trapezoid - grown) <= 1e-9 * Math.abs(grown);
        return neighbours
                ? seconds * part * (watts[before] + (watts[before + 1] - watts[before]) * part / 2)
                : grown * part;
    }

    /** Mean power between neighbouring points in a span, W, for a distribution; energy at the edges is left out. */
    double[] powers(long fromNanos, long toNanos) {
        double[] found = new double[size];
        int count = 0;
        for (int i = 1; i < size; i++) {
            long covers = covered[i] - covered[i - 1];
            if (nanos[i - 1] >= fromNanos && nanos[i] <= toNanos && covers > 0) {
                found[count++] = (joules[i] - joules[i - 1]) / (covers / 1e9);
            }
        }
        return Arrays.copyOf(found, count);
    }
}
