package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.TreeWriter;
import io.metricsaggregator.snapshot.percentile.DurationBuckets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where tracked samples spent the time to their first token, from the times that servers reported of them. A sample is in {@code buckets} if it
 * succeeded, was streamed, and reported both {@code queue_ns} and {@code ttft_ns}; its parts then add up to its time to first token.
 *
 * @param reported completions of tracked samples with a valid {@code server}, those after an error included
 * @param failed completions of {@code reported} after an error; they are in nothing else
 * @param negative successes whose server time exceeds their time to first token; they are in no bucket and no {@code outside_ttft_ns}
 * @param transferred successes whose KV transfer was joined from a {@code transfer.complete} with their id
 * @param kvBytes sum of {@code kv_bytes}; null if no success reported them
 * @param buckets the parts by time to first token, eight buckets for each power of two, ascending; those without a sample are left out
 */
public record ServerTimeFigures(
        long reported,
        long failed,
        long negative,
        long transferred,
        @Nullable Long kvBytes,
        List<Bucket> buckets) {
    public static final ServerTimeFigures BLANK = new ServerTimeFigures(0, 0, 0, 0, null, List.of());
    private static final double COHORT_SHARE = 0.01;

    /** A part of the time to first token. */
    public enum Part {
        QUEUE("queue", "server queue"),
        PREFILL("prefill", "prefill"),
        KV_TRANSFER("kv_transfer", "KV transfer"),
        OUTSIDE("outside", "outside the server");

        private final String key;
        private final String title;

        Part(String key, String title) {
            this.key = key;
            this.title = title;
        }

        /** The short name, as part of keys. */
        public String key() {
            return key;
        }

        /** The name in texts. */
        public String title() {
            return title;
        }
    }

    public ServerTimeFigures {
        buckets = buckets.stream()
                .sorted(Comparator.comparingLong(Bucket::fromNanos))
                .toList();
    }

    /** The fields; see {@link Fields.Shape}. */
    public static ServerTimeFigures pass(Fields f, ServerTimeFigures v) throws MalformedMessageException {
        ServerTimeFigures figures = new ServerTimeFigures(
                f.count("reported", v.reported()),
                f.count("failed", v.failed()),
                f.count("negative", v.negative()),
                f.count("transferred", v.transferred()),
                f.by(Fields.Merge.KNOWN_SUM).maybeCount("kv_bytes", v.kvBytes()),
                f.byName("by_ttft", v.buckets(), Bucket::name, Bucket::named, Bucket::pass));
        f.derived("mean", tree(v.mean()));
        f.derived("slowest", tree(v.slowest()));
        return figures;
    }

    private static @Nullable Map<String, @Nullable Object> tree(@Nullable Composition of) {
        return of == null ? null : TreeWriter.tree(of, Composition::pass);
    }

    /** Number of samples whose time to first token is split. */
    public long split() {
        long samples = 0;
        for (Bucket each : buckets) {
            samples = TimestampMath.saturatedAdd(samples, each.samples());
        }
        return samples;
    }

    /** The parts that samples have: without the KV transfer where none has one. */
    public List<Part> parts() {
        boolean transfers = buckets.stream().anyMatch(each -> each.transferNanos() > 0);
        return Arrays.stream(Part.values())
                .filter(each -> transfers || each != Part.KV_TRANSFER)
                .toList();
    }

    /** The mean parts of all samples; null without one. */
    public @Nullable Composition mean() {
        return slowest(split());
    }

    /**
     * The mean parts of the slowest 1 % by time to first token, rounded up to whole samples; null without a sample. Of the bucket that
     * the cohort ends in, each sample counts as the bucket's mean.
     */
    public @Nullable Composition slowest() {
        return slowest((long) Math.ceil(split() * COHORT_SHARE));
    }

    private @Nullable Composition slowest(long samples) {
        if (samples == 0) {
            return null;
        }
        double[] sums = new double[Part.values().length];
        double ttft = 0;
        long left = samples;
        for (int i = buckets.size() - 1; i >= 0 && left > 0; i--) {
            Bucket bucket = buckets.get(i);
            long taken = Math.min(left, bucket.samples());
            double share = bucket.samples() == 0 ? 0 : (double) taken / bucket.samples();
            sums[Part.QUEUE.ordinal()] += share * bucket.queueNanos();
            sums[Part.PREFILL.ordinal()] += share * bucket.prefillNanos();
            sums[Part.KV_TRANSFER.ordinal()] += share * bucket.transferNanos();
            sums[Part.OUTSIDE.ordinal()] += share * bucket.outsideNanos();
            ttft += share * bucket.ttftNanos();
            left -= taken;
        }
        return new Composition(
                samples, ttft / samples, sums[0] / samples, sums[1] / samples, sums[2] / samples, sums[3] / samples);
    }

    /**
     * The mean parts of some samples, in nanoseconds, which add up to their mean time to first token.
     *
     * @param samples number of samples
     * @param ttftNanos mean time to first token, as the client saw it
     * @param queueNanos waiting in the server's queue
     * @param prefillNanos from the scheduling in the server to the first token
     * @param transferNanos transfer of the KV cache, as far as the time outside the server covers it; 0 where it is not reported
     * @param outsideNanos the rest: network, HTTP, tokenizer, router
     */
    public record Composition(
            long samples,
            double ttftNanos,
            double queueNanos,
            double prefillNanos,
            double transferNanos,
            double outsideNanos) {
        /** The fields; see {@link Fields.Shape}. They are not read. */
        public static Composition pass(Fields f, Composition v) throws MalformedMessageException {
            f.count("samples", v.samples());
            f.real("ttft_ns", v.ttftNanos());
            for (Part part : Part.values()) {
                f.real(part.key() + "_ns", v.nanos(part));
            }
            f.text("limited_by", v.largest().key());
            return v;
        }

        /** A part in nanoseconds. */
        public double nanos(Part part) {
            return switch (part) {
                case QUEUE -> queueNanos;
                case PREFILL -> prefillNanos;
                case KV_TRANSFER -> transferNanos;
                case OUTSIDE -> outsideNanos;
            };
        }

        /** The share of a part, 0 to 1; 0 where all times are 0. */
        public double share(Part part) {
            return ttftNanos <= 0 ? 0 : nanos(part) / ttftNanos;
        }

        /** The largest part; of equal ones the first. */
        public Part largest() {
            Part largest = Part.QUEUE;
            for (Part each : Part.values()) {
                largest = nanos(each) > nanos(largest) ? each : largest;
            }
            return largest;
        }
    }

    /**
     * The samples whose times to first token are close together.
     *
     * @param fromNanos the smallest time to first token of the bucket
     * @param samples number of samples
     * @param ttftNanos sum of their times to first token
     * @param queueNanos sum of {@code queue_ns}
     * @param prefillNanos sum of {@code ttft_ns} of the server
     * @param transferNanos sum of the KV transfers, each as far as the time outside the server covers it
     */
    public record Bucket(
            long fromNanos, long samples, long ttftNanos, long queueNanos, long prefillNanos, long transferNanos) {
        private static final DurationBuckets BUCKETS = new DurationBuckets(3);

        /** Number of buckets. */
        public static final int COUNT = BUCKETS.count(62);

        /** The number of the bucket of a time to first token of at least 0. */
        public static int of(long nanos) {
            return BUCKETS.of(nanos);
        }

        /** The smallest time to first token of a bucket. */
        public static long from(int bucket) {
            return BUCKETS.from(bucket);
        }

        String name() {
            return Long.toString(fromNanos);
        }

        private static Bucket named(String name) {
            long from;
            try {
                from = Long.parseLong(name);
            } catch (NumberFormatException e) {
                from = 0; // a key of another version: its samples count as the fastest
            }
            return new Bucket(Math.max(0, from), 0, 0, 0, 0, 0);
        }

        private static Bucket pass(Fields f, Bucket v) throws MalformedMessageException {
            return new Bucket(
                    v.fromNanos(),
                    f.count("samples", v.samples()),
                    f.count("ttft_ns", v.ttftNanos()),
                    f.count("queue_ns", v.queueNanos()),
                    f.count("prefill_ns", v.prefillNanos()),
                    f.count("kv_transfer_ns", v.transferNanos()));
        }

        /** What is left of the times to first token. */
        double outsideNanos() {
            return Math.max(0, (double) ttftNanos - queueNanos - prefillNanos - transferNanos);
        }
    }
}
