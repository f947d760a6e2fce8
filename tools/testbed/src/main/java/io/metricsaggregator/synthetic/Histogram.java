package io.metricsaggregator.synthetic;

import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/** A histogram of seconds with fixed bounds, as Prometheus has it. Any thread may record; a reader may see a value in the sum only. */
final class Histogram {
    private final double[] bounds;
    private final LongAdder[] buckets;
    private final DoubleAdder sum = new DoubleAdder();

    /**
     * Creates an empty histogram.
     *
     * @param bounds upper bounds in seconds, ascending, without infinity
     */
    Histogram(double... bounds) {
        this.bounds = bounds.clone();
        this.buckets = new LongAdder[bounds.length + 1];
        for (int i = 0; i < buckets.length; i++) {
            buckets[i] = new LongAdder();
        }
    }

    /** Records a time in nanoseconds. */
    void record(long nanos) {
        double seconds = nanos / 1e9;
        int bucket = 0;
        while (bucket < bounds.length && seconds > bounds[bucket]) {
            bucket++;
        }
        sum.add(seconds);
        buckets[bucket].increment();
    }

    /** Appends the series of a histogram in Prometheus' text format; {@code labels} ends without a comma. */
    void append(StringBuilder out, String name, String labels) {
        out.append("# TYPE ").append(name).append(" histogram\n");
        long count = 0;
        for (int i = 0; i < buckets.length; i++) {
            count += buckets[i].sum();
            String bound = i == bounds.length ? "+Inf" : Double.toString(bounds[i]);
            out.append(name)
                    .append("_bucket{")
                    .append(labels)
                    .append(",le=\"")
                    .append(bound)
                    .append("\"} ");
            out.append(count).append('\n');
        }
        out.append(name)
                .append("_sum{")
                .append(labels)
                .append("} ")
                .append(sum.sum())
                .append('\n');
        out.append(name)
                .append("_count{")
                .append(labels)
                .append("} ")
                .append(count)
                .append('\n');
    }
}
