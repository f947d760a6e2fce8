package io.metricsaggregator.parts;

import io.metricsaggregator.snapshot.figures.Slices;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The run in slices of time with the histograms of its durations, so that percentiles of several parts can be computed; a snapshot has the percentiles
 * alone, which do not add up. Immutable once made.
 */
public final class SlicesPart {
    /** Slices of a run at most. */
    public static final int MAX_SLICES = 512;
    /** Width of the first slices in nanoseconds; doubled each time that there are too many. */
    public static final long FIRST_WIDTH_NANOS = 1_000_000_000L;

    private static final int DOUBLINGS_MAX = 33;
    private static final int LEVELS_MAX = 16;
    private static final String IN_FLIGHT = "in_flight";
    private static final String IN_FLIGHT_MAX = "in_flight_max";

    private static final String[] SUFFIXES = SliceHistogram.suffixes();

    /** No slices, as of a run without a timeline. */
    public static final SlicesPart NONE = new SlicesPart(false, 0, 1, 0, List.of(), new SliceHistogram[0], null);

    private final boolean started;
    private final long startNanos;
    private final long widthNanos;
    private final long outside;
    private final List<Slices.Column> levels;
    private final @Nullable SliceHistogram[] latency;
    private final @Nullable SliceHistogram @Nullable [] firstToken;

    /**
     * Slices of a part.
     *
     * @param started whether the session has started
     * @param startNanos timestamp at which the first slice starts
     * @param widthNanos {@link #FIRST_WIDTH_NANOS}, doubled any number of times
     * @param outside records outside the slices
     * @param levels counts by slice, all of the length of {@code latency}
     * @param latency latencies by slice of completion, null for a slice without any; not copied
     * @param firstToken times to first token by slice; null for a run without them; not copied
     */
    public SlicesPart(
            boolean started,
            long startNanos,
            long widthNanos,
            long outside,
            List<Slices.Column> levels,
            @Nullable SliceHistogram[] latency,
            @Nullable SliceHistogram @Nullable [] firstToken) {
        this.started = started;
        this.startNanos = startNanos;
        this.widthNanos = widthNanos;
        this.outside = outside;
        this.levels = List.copyOf(levels);
        this.latency = latency;
        this.firstToken = firstToken;
    }

    private int length() {
        return latency.length;
    }

    /** Renders the slices as a snapshot has them. */
    public Slices slices() {
        List<Slices.Column> columns = new ArrayList<>(levels);
        addDurations("latency", latency, columns);
        if (firstToken != null) {
            addDurations("ttft", firstToken, columns);
        }
        return this == NONE
                ? new Slices(0, 1, 0, List.of())
                : new Slices(started ? startNanos : 0, widthNanos, outside, columns);
    }

    private static void addDurations(String name, @Nullable SliceHistogram[] of, List<Slices.Column> into) {
        long[][] values = new long[SUFFIXES.length][of.length];
        for (int slice = 0; slice < of.length; slice++) {
            SliceHistogram.columns(of[slice], slice, values);
        }
        for (int i = 0; i < SUFFIXES.length; i++) {
            into.add(new Slices.Column(name + SUFFIXES[i], values[i]));
        }
    }

    /** The same slices with the first at time 0, to lay runs of several clocks over each other. */
    SlicesPart fromZero() {
        return this == NONE ? this : new SlicesPart(started, 0, widthNanos, outside, levels, latency, firstToken);
    }

    /**
     * Adds the slices of another part of the run.
     *
     * @throws IllegalArgumentException if they start at another time
     */
    SlicesPart add(SlicesPart other) {
        if (this == NONE || other == NONE) {
            return this == NONE ? other : this;
        }
        if (started && other.started && startNanos != other.startNanos) {
            throw new IllegalArgumentException("time slices that start at " + other.startNanos
                    + " cannot be added to time slices that start at " + startNanos + ": they are of another session");
        }
        SlicesPart a = widened(other.widthNanos);
        SlicesPart b = other.widened(widthNanos);
        int length = Math.max(a.length(), b.length());
        List<Slices.Column> sums = new ArrayList<>();
        for (Slices.Column each : a.levels.size() >= b.levels.size() ? a.levels : b.levels) {
            boolean largest = each.name().equals(IN_FLIGHT_MAX);
            long[] sum = Arrays.copyOf(a.level(each.name()), length);
            long[] added = b.level(each.name());
            for (int i = 0; i < added.length; i++) {
                sum[i] = largest ? Math.max(sum[i], added[i]) : sum[i] + added[i];
            }
            sums.add(new Slices.Column(each.name(), sum));
        }
        return new SlicesPart(
                started || other.started,
                started ? startNanos : other.startNanos,
                a.widthNanos,
                outside + other.outside,
                sums,
                sum(a.latency, b.latency, length),
                a.firstToken == null
                        ? b.firstToken == null ? null : Arrays.copyOf(b.firstToken, length)
                        : sum(a.firstToken, b.firstToken == null ? new SliceHistogram[0] : b.firstToken, length));
    }

    private long[] level(String name) {
        for (Slices.Column each : levels) {
            if (each.name().equals(name)) {
                return each.values();
            }
        }
        return new long[0];
    }

    private static @Nullable SliceHistogram[] sum(
            @Nullable SliceHistogram[] a, @Nullable SliceHistogram[] b, int length) {
        @Nullable SliceHistogram[] sums = new @Nullable SliceHistogram[length];
        for (int i = 0; i < length; i++) {
            sums[i] = sum(i < a.length ? a[i] : null, i < b.length ? b[i] : null);
        }
        return sums;
    }

    private static @Nullable SliceHistogram sum(@Nullable SliceHistogram a, @Nullable SliceHistogram b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        SliceHistogram sum = a.copy();
        sum.add(b);
        return sum;
    }

    /** These slices, joined until they are at least as wide. */
    private SlicesPart widened(long atLeastNanos) {
        SlicesPart wide = this;
        while (wide.widthNanos < atLeastNanos) {
            wide = wide.joined();
        }
        return wide;
    }

    private SlicesPart joined() {
        int length = (length() + 1) / 2;
        List<Slices.Column> wide = new ArrayList<>();
        for (Slices.Column each : levels) {
            long[] values = each.values();
            long[] sum = new long[length];
            for (int i = 0; i < length; i++) {
                long first = values[2 * i];
                boolean both = 2 * i + 1 < values.length;
                long second = both ? values[2 * i + 1] : 0;
                sum[i] = switch (each.name()) {
                    case IN_FLIGHT -> both ? second : first;
                    case IN_FLIGHT_MAX -> Math.max(first, second);
                    default -> first + second;
                };
            }
            wide.add(new Slices.Column(each.name(), sum));
        }
        return new SlicesPart(
                started,
                startNanos,
                2 * widthNanos,
                outside,
                wide,
                joined(latency, length),
                firstToken == null ? null : joined(firstToken, length));
    }

    private static @Nullable SliceHistogram[] joined(@Nullable SliceHistogram[] of, int length) {
        @Nullable SliceHistogram[] wide = new @Nullable SliceHistogram[length];
        for (int i = 0; i < length; i++) {
            wide[i] = sum(of[2 * i], 2 * i + 1 < of.length ? of[2 * i + 1] : null);
        }
        return wide;
    }

    void write(DataOutput to) throws IOException {
        to.writeBoolean(this != NONE);
        if (this == NONE) {
            return;
        }
        to.writeBoolean(started);
        to.writeLong(startNanos);
        to.writeByte(Long.numberOfTrailingZeros(widthNanos / FIRST_WIDTH_NANOS));
        to.writeLong(outside);
        to.writeShort(length());
        to.writeByte(levels.size());
        for (Slices.Column each : levels) {
            to.writeUTF(each.name());
            for (long value : each.values()) {
                to.writeLong(value);
            }
        }
        write(latency, to);
        to.writeBoolean(firstToken != null);
        if (firstToken != null) {
            write(firstToken, to);
        }
    }

    private static void write(@Nullable SliceHistogram[] of, DataOutput to) throws IOException {
        for (SliceHistogram each : of) {
            to.writeBoolean(each != null);
            if (each != null) {
                each.write(to);
            }
        }
    }

    static SlicesPart read(DataInput from) throws IOException {
        if (!from.readBoolean()) {
            return NONE;
        }
        boolean started = from.readBoolean();
        long startNanos = from.readLong();
        int doublings = from.readUnsignedByte();
        long outside = from.readLong();
        int length = from.readUnsignedShort();
        int count = from.readUnsignedByte();
        if (doublings > DOUBLINGS_MAX || outside < 0 || length > MAX_SLICES || count > LEVELS_MAX) {
            throw new IOException(length + " time slices of 2^" + doublings + " s with " + count + " columns and "
                    + outside + " records outside");
        }
        List<Slices.Column> levels = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = from.readUTF();
            long[] values = new long[length];
            for (int k = 0; k < length; k++) {
                values[k] = from.readLong();
            }
            levels.add(new Slices.Column(name, values));
        }
        return new SlicesPart(
                started,
                startNanos,
                FIRST_WIDTH_NANOS << doublings,
                outside,
                levels,
                read(length, from),
                from.readBoolean() ? read(length, from) : null);
    }

    private static @Nullable SliceHistogram[] read(int length, DataInput from) throws IOException {
        @Nullable SliceHistogram[] all = new @Nullable SliceHistogram[length];
        for (int i = 0; i < length; i++) {
            all[i] = from.readBoolean() ? SliceHistogram.read(from) : null;
        }
        return all;
    }
}
