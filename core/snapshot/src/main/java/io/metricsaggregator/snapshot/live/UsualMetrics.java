package io.metricsaggregator.snapshot.live;

import static io.metricsaggregator.snapshot.live.SnapshotOutline.key;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads counters and series in their usual form. A series has it if it has the percentiles of the snapshot before, whose keys were checked then. One
 * owner: it keeps names and keys.
 */
final class UsualMetrics {
    private static final byte[] COUNTER = key("counter");
    private static final byte[] SERIES = key("series");
    private static final byte[] EXACT = key("exact");
    private static final byte[] CLAMPED = key("clamped");
    private static final byte[] NEGATIVE = key("negative");
    private static final byte[] STD_DEV = key("std_dev");
    private static final byte[] CERTIFICATION = key("certification");
    private static final byte[] CERTIFIED = key("certified");
    private static final byte[] UPPER_BOUND = key("upper_bound");
    private static final byte[] VALUES_MISSING = key("values_missing");
    private static final byte[] INTERPOLATED = key("interpolated");
    private static final byte[] HDR = key("hdr");
    private static final int COUNTER_PARTS = 3;
    private static final int SERIES_PARTS = 11;
    /** Entries of a detail without certification. */
    private static final int DETAIL_ENTRIES = 6;
    /** Series whose percentiles are remembered. */
    private static final int KNOWN_MAX = 1024;

    private final UsualForm in;
    private final TextMemory names = new TextMemory();
    private final Map<String, Percentiles> known = new HashMap<>();
    private String name = "";
    private long clamped;
    private long negative;
    private @Nullable Double stdDev;
    private @Nullable ByteBuffer hdr;

    /** The keys of a series' percentiles, as texts and as msgpack has them. */
    private record Percentiles(List<String> keys, List<byte[]> encoded) {
        static Percentiles of(List<String> keys) {
            return new Percentiles(keys, keys.stream().map(Percentiles::encoded).toList());
        }

        /** The shortest form; one that no snapshot has for a key that is longer than any. */
        private static byte[] encoded(String key) {
            byte[] text = key.getBytes(StandardCharsets.UTF_8);
            return text.length < 32 ? key(key) : new byte[] {(byte) 0xc1};
        }
    }

    UsualMetrics(UsualForm in) {
        this.in = in;
    }

    /** Starts with the first metric of a snapshot. */
    void rewind() {
        names.rewind();
    }

    /** Reads a counter; false if the metric is not one in its usual form. {@link #name} and {@link #value} then have its own. */
    boolean counter() {
        if (in.arraySize() != COUNTER_PARTS || !in.exactly(COUNTER) || !in.string()) {
            return false;
        }
        name = names.text(in.bytes(), in.cursor());
        return in.integer() && in.atEnd();
    }

    String name() {
        return name;
    }

    long value() {
        return in.number();
    }

    /** Keeps the keys of a series' percentiles, and returns the series. */
    SeriesFigures remember(SeriesFigures series) {
        if (known.size() < KNOWN_MAX || known.containsKey(series.name())) {
            known.put(series.name(), Percentiles.of(series.percentiles()));
        }
        return series;
    }

    /** The figures of a series in its usual form; null for another form. */
    @Nullable
    SeriesFigures series() {
        if (in.arraySize() != SERIES_PARTS || !in.exactly(SERIES) || !in.string()) {
            return null;
        }
        name = names.text(in.bytes(), in.cursor());
        Percentiles percentiles = known.get(name);
        if (percentiles == null || !in.integer() || in.number() < 0) {
            return null;
        }
        long count = in.number();
        Number total = in.numeric();
        Number min = total == null ? null : in.numeric();
        Number max = min == null ? null : in.numeric();
        Number sumSq = max == null ? null : in.numeric();
        double[] values = sumSq == null ? null : values(percentiles.encoded());
        int buckets = values == null ? -1 : buckets();
        if (total == null || min == null || max == null || sumSq == null || values == null || buckets < 0) {
            return null;
        }
        return in.nil() && detail(percentiles.encoded(), values) && in.atEnd()
                ? new SeriesFigures(
                        name,
                        count,
                        total,
                        min,
                        max,
                        sumSq,
                        percentiles.keys(),
                        values,
                        buckets,
                        clamped,
                        negative,
                        stdDev,
                        hdr)
                : null;
    }

    private double @Nullable [] values(List<byte[]> keys) {
        if (in.mapSize() != keys.size()) {
            return null;
        }
        double[] values = new double[keys.size()];
        for (int i = 0; i < values.length; i++) {
            Number value = in.exactly(keys.get(i)) ? in.numeric() : null;
            if (value == null) {
                return null;
            }
            values[i] = value.doubleValue();
        }
        return values;
    }

    /** Number of display buckets, which are [[low, high], count]; −1 if one is not. */
    private int buckets() {
        int size = in.arraySize();
        for (int i = 0; i < size; i++) {
            boolean isPair = in.arraySize() == 2;
            boolean hasRange = isPair && in.arraySize() == 2 && in.real() && in.real();
            if (!hasRange || !in.integer()) {
                return -1;
            }
        }
        return size;
    }

    /** Reads the detail, and writes its percentiles over those of MLCommons. */
    private boolean detail(List<byte[]> keys, double[] values) {
        int size = in.mapSize();
        if (!in.exactly(EXACT) || !in.flag() || !in.integer(CLAMPED)) {
            return false;
        }
        clamped = in.number();
        if (!in.integer(NEGATIVE) || !in.exactly(STD_DEV)) {
            return false;
        }
        negative = in.number();
        stdDev = null;
        if (!in.nil()) {
            if (!in.real()) {
                return false;
            }
            stdDev = in.realNumber();
        }
        // The percentiles are always there: others need the extremes to be shown.
        boolean certified = size > DETAIL_ENTRIES;
        if (certified && (!in.exactly(CERTIFICATION) || !certification())) {
            return false;
        }
        double[] shown = in.exactly(INTERPOLATED) ? values(keys) : null;
        if (shown == null || size != DETAIL_ENTRIES + (certified ? 1 : 0) || !in.exactly(HDR)) {
            return false;
        }
        System.arraycopy(shown, 0, values, 0, values.length);
        hdr = null;
        if (in.nil()) {
            return true;
        }
        if (!in.binary()) {
            return false;
        }
        hdr = ByteBuffer.wrap(in.bytes(), in.cursor().start(), in.cursor().length());
        return true;
    }

    private boolean certification() {
        int size = in.mapSize();
        for (int i = 0; i < size; i++) {
            boolean row = in.string()
                    && in.mapSize() == 3
                    && in.exactly(CERTIFIED)
                    && in.flag()
                    && in.exactly(UPPER_BOUND)
                    && (in.nil() || in.numeric() != null)
                    && in.integer(VALUES_MISSING);
            if (!row) {
                return false;
            }
        }
        return size >= 0;
    }
}
