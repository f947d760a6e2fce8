package io.metricsaggregator.snapshot.histogram;

import io.metricsaggregator.snapshot.HistogramBucket;
import io.metricsaggregator.snapshot.percentile.HistogramPercentiles;
import io.metricsaggregator.snapshot.percentile.MlcommonsRank;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;

/**
 * The sum of histograms as one array of counts, reused from sum to sum. Percentiles and buckets follow the rules of a daemon's live snapshot, and
 * the encoding is the one that HdrHistogram itself writes, so a sum looks like the snapshot of one daemon. Counts stay at 2^63 − 1. One owner.
 */
public final class HdrSum {
    private static final int COMPRESSED_COOKIE = 0x1c849304 | 0x10;
    private static final int COOKIE = 0x1c849303 | 0x10;
    private static final int COMPRESSED_HEADER_BYTES = 8;
    private static final int HEADER_BYTES = 40;
    private static final int COUNT_MAX_BYTES = 9;
    private static final int DEFLATED_MIN_BYTES = 256;

    private HdrGrid grid;
    private long[] counts;
    /** One more than the last index with a count. */
    private int used;

    /** An empty sum. */
    public HdrSum(HdrGrid grid) {
        this.grid = grid;
        this.counts = new long[grid.length()];
    }

    /** Sets all counts to 0. */
    public void clear() {
        Arrays.fill(counts, 0, used, 0);
        used = 0;
    }

    /** Adds counts; of other buckets, each at the smallest value of its bucket. */
    public void add(HdrCounts part) {
        HdrGrid other = part.grid();
        grid = grid.upTo(other.highest());
        if (counts.length < grid.length()) {
            counts = Arrays.copyOf(counts, grid.length());
        }
        if (grid.sameBuckets(other)) {
            used = Math.max(used, part.addTo(counts));
        } else {
            part.forEach((index, count) -> add(grid.indexOf(other.lowestOf(index)), count));
        }
    }

    private void add(int index, long count) {
        long sum = counts[index] + count;
        counts[index] = sum < 0 ? Long.MAX_VALUE : sum;
        used = Math.max(used, index + 1);
    }

    /** Buckets of the counts. */
    public HdrGrid grid() {
        return grid;
    }

    /** The count at an index; 0 beyond the array. */
    public long at(int index) {
        return index < used ? counts[index] : 0;
    }

    /** One more than the last index with a count; 0 without counts. */
    public int used() {
        return used;
    }

    /**
     * Percentiles by MLCommons' rule of live snapshots, {@link MlcommonsRank#ofHistogram}.
     *
     * @param keys percentiles such as {@code "99.0"}; the result has their order
     * @param count values of the series, at least 1
     */
    public Map<String, Double> percentiles(Collection<String> keys, long count) {
        List<String> ascending = keys.stream()
                .sorted(Comparator.comparingDouble(Double::parseDouble))
                .toList();
        long[] ranks = ascending.stream()
                .mapToLong(key -> MlcommonsRank.ofHistogram(Double.parseDouble(key), count))
                .toArray();
        Map<String, Double> found = new LinkedHashMap<>();
        keys.forEach(key -> found.put(key, 0.0));
        long seen = 0;
        int next = 0;
        double value = 0;
        for (int i = 0; i < used && next < ascending.size(); i++) {
            if (counts[i] > 0) {
                seen = seen + counts[i] < 0 ? Long.MAX_VALUE : seen + counts[i];
                value = (double) grid.highestOf(i);
                while (next < ranks.length && seen >= ranks[next]) {
                    found.put(ascending.get(next++), value);
                }
            }
        }
        while (next < ascending.size()) {
            found.put(ascending.get(next++), value);
        }
        return found;
    }

    /** The percentiles that people see, estimated from the counts; {@code min} and {@code max} are the extremes of the values. */
    public Map<String, Double> shown(Collection<String> keys, long count, double min, double max) {
        HistogramPercentiles estimate = HistogramPercentiles.ofKeys(keys, count);
        for (int i = 0; i < used && !estimate.isComplete(); i++) {
            if (counts[i] > 0) {
                estimate.add((double) grid.middleOf(i), counts[i]);
            }
        }
        return estimate.of(keys, min, max);
    }

    /**
     * Log-spaced buckets from max(min, 1) to max(max, 10 × the low edge), as in a daemon's snapshot.
     *
     * @param number of buckets, at least 1
     */
    public List<HistogramBucket> buckets(int number, double min, double max) {
        LogBuckets buckets = new LogBuckets(min, max, number);
        for (int i = 0; i < used; i++) {
            if (counts[i] > 0) {
                buckets.add(buckets.bucketOf((double) grid.highestOf(i)), counts[i]);
            }
        }
        return buckets.buckets();
    }

    /** The compressed encoding V2 of HdrHistogram, byte for byte as a daemon writes it. */
    public byte[] encode(Deflater deflater) {
        int limit = Math.max(1, used);
        ByteBuffer into = ByteBuffer.allocate(HEADER_BYTES + COUNT_MAX_BYTES * limit);
        into.putInt(COOKIE).putInt(0).putInt(0).putInt(grid.significantFigures());
        into.putLong(grid.lowest()).putLong(grid.highest()).putDouble(1.0);
        int index = 0;
        while (index < limit) {
            int zeros = 0;
            while (index + zeros < limit && counts[index + zeros] == 0) {
                zeros++;
            }
            if (zeros > 1) {
                put(into, -zeros);
                index += zeros;
            } else {
                put(into, counts[index++]);
            }
        }
        into.putInt(4, into.position() - HEADER_BYTES);
        deflater.reset();
        deflater.setInput(into.array(), 0, into.position());
        deflater.finish();
        byte[] out = new byte[Math.max(DEFLATED_MIN_BYTES, into.position() / 2)];
        int length = COMPRESSED_HEADER_BYTES;
        while (!deflater.finished()) {
            if (length == out.length) {
                out = Arrays.copyOf(out, 2 * out.length);
            }
            length += deflater.deflate(out, length, out.length - length);
        }
        ByteBuffer.wrap(out).putInt(COMPRESSED_COOKIE).putInt(length - COMPRESSED_HEADER_BYTES);
        return Arrays.copyOf(out, length);
    }

    private static void put(ByteBuffer into, long number) {
        long left = (number << 1) ^ (number >> 63);
        for (int i = 0; i < COUNT_MAX_BYTES - 1; i++) {
            if (left >>> 7 == 0) {
                into.put((byte) left);
                return;
            }
            into.put((byte) ((left & 0x7f) | 0x80));
            left >>>= 7;
        }
        into.put((byte) left);
    }
}
