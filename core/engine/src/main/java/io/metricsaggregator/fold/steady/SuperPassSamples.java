package io.metricsaggregator.fold.steady;

import io.metricsaggregator.registry.raw.ValueLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The tracked samples of a run by super-pass, to be read after the last event. Belongs to the thread of the fold: the values are read where the fold keeps
 * them.
 */
public final class SuperPassSamples {
    /** Heap that a sample takes at most while it is read and judged. */
    private static final long BYTES_PER_SAMPLE = 64;

    private final long size;
    private final long issued;
    private final long issuedWithoutSize;
    private final long countsMissing;
    private final int passesMax;
    private final int length;
    private final long[][] columns;
    private final ValueLog ttft;
    private final ValueLog tpot;
    private final ValueLog latency;

    @SuppressWarnings("TooManyParameters") // the state of one fold
    SuperPassSamples(
            long size,
            long issued,
            long issuedWithoutSize,
            long countsMissing,
            int passesMax,
            int length,
            long[][] columns,
            ValueLog ttft,
            ValueLog tpot,
            ValueLog latency) {
        this.size = size;
        this.issued = issued;
        this.issuedWithoutSize = issuedWithoutSize;
        this.countsMissing = countsMissing;
        this.passesMax = passesMax;
        this.length = length;
        this.columns = columns;
        this.ttft = ttft;
        this.tpot = tpot;
        this.latency = latency;
    }

    /**
     * One super-pass. Times in ns of the producer's clock, durations in ns, each array ascending.
     *
     * @param issued samples
     * @param firstIssueNanos time of the first issue
     * @param lastIssueNanos time of the last issue, retries included
     * @param lastEventNanos time of the last event that counts: an issue, a first chunk or a completion
     * @param tokens all output tokens counted
     * @param ttft times to the first chunk
     * @param ttftWarm the same without first turns of conversations
     * @param tpot times per output token after the first chunk
     * @param latency sample latencies, of samples with an error too
     * @param tokensAfterFirst output tokens after the first chunk, of the samples in {@code tpot}
     */
    @SuppressWarnings("ArrayRecordComponent") // two passes are never compared
    public record Pass(
            long issued,
            long firstIssueNanos,
            long lastIssueNanos,
            long lastEventNanos,
            long tokens,
            double[] ttft,
            double[] ttftWarm,
            double[] tpot,
            double[] latency,
            double[] tokensAfterFirst) {}

    /** Samples of a super-pass. */
    public long size() {
        return size;
    }

    /** Number of super-passes; the last one may be partial. */
    public int length() {
        return length;
    }

    /** Time of the first issue of a super-pass in ns of the producer's clock; numbered from 0. */
    public long firstIssueNanos(int pass) {
        return columns[SuperPassFold.FIRST_ISSUE][pass];
    }

    /** Time of the last issue of a super-pass in ns of the producer's clock, retries included; numbered from 0. */
    public long lastIssueNanos(int pass) {
        return columns[SuperPassFold.LAST_ISSUE][pass];
    }

    /**
     * Why the passes cannot be judged, in words with a remedy; null if they can.
     *
     * @param heapBytes heap that reading them may take
     */
    public @Nullable String obstacle(long heapBytes) {
        if (issuedWithoutSize > 0) {
            return "the size of a super-pass was announced after the first tracked sample; give --superpass-size";
        }
        if (issued > size * passesMax) {
            return String.format(
                    Locale.ROOT,
                    "more than %d super-passes of %d samples; give a larger --superpass-size",
                    passesMax,
                    size);
        }
        if (!ttft.isComplete() || !tpot.isComplete() || !latency.isComplete()) {
            return "the memory for values was full; see --max-values-memory and --spill-dir";
        }
        if (countsMissing > 0) {
            return countsMissing + " outputs have no length; give --tokenizer, or --token-source usage";
        }
        if (issued > 0 && tpot.size() == 0) {
            return "no time per output token was measured: it needs streamed chunks, and --tokenizer or --token-source usage";
        }
        if (issued > heapBytes / BYTES_PER_SAMPLE) {
            return String.format(
                    Locale.ROOT,
                    "%d samples need %d MiB of heap; replay the journal with a larger -Xmx",
                    issued,
                    (issued * BYTES_PER_SAMPLE) >> 20);
        }
        return null;
    }

    /**
     * Reads the passes, in the order of issue; the last one may be partial.
     *
     * @throws IllegalStateException if {@link #obstacle} names a reason
     * @throws java.io.UncheckedIOException if spilled values cannot be read back
     */
    public List<Pass> passes() {
        double[][] warm = new double[length][];
        double[][] first = new double[length][];
        readFirst(first, warm);
        double[][] perToken = new double[length][];
        double[][] tokens = new double[length][];
        readTokens(perToken, tokens);
        double[][] latencies = spread(latency.column(0), latency.column(1));
        List<Pass> passes = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            passes.add(new Pass(
                    columns[SuperPassFold.ISSUED][i],
                    columns[SuperPassFold.FIRST_ISSUE][i],
                    columns[SuperPassFold.LAST_ISSUE][i],
                    columns[SuperPassFold.LAST_EVENT][i],
                    columns[SuperPassFold.ALL_TOKENS][i],
                    first[i],
                    warm[i],
                    perToken[i],
                    latencies[i],
                    tokens[i]));
        }
        return passes;
    }

    private void readFirst(double[][] first, double[][] warm) {
        long[] keys = ttft.column(0);
        double[][] both = spread(keys, 2, ttft.column(1));
        for (int i = 0; i < length; i++) {
            warm[i] = both[2 * i + 1];
            first[i] = Arrays.copyOf(both[2 * i], both[2 * i].length + warm[i].length);
            System.arraycopy(warm[i], 0, first[i], both[2 * i].length, warm[i].length);
            Arrays.sort(first[i]);
        }
    }

    private void readTokens(double[][] perToken, double[][] tokens) {
        long[] keys = tpot.column(0);
        long[] nanos = tpot.column(1);
        long[] counts = tpot.column(2);
        double[] ratios = new double[keys.length];
        for (int i = 0; i < keys.length; i++) {
            ratios[i] = (double) nanos[i] / (double) counts[i];
        }
        int[] sizes = sizes(keys, length);
        for (int i = 0; i < length; i++) {
            perToken[i] = new double[sizes[i]];
            tokens[i] = new double[sizes[i]];
        }
        int[] filled = new int[length];
        for (int i = 0; i < keys.length; i++) {
            int pass = (int) keys[i];
            perToken[pass][filled[pass]] = ratios[i];
            tokens[pass][filled[pass]++] = counts[i];
        }
        for (int i = 0; i < length; i++) {
            Arrays.sort(perToken[i]);
            Arrays.sort(tokens[i]);
        }
    }

    private double[][] spread(long[] keys, long[] values) {
        return spread(keys, 1, values);
    }

    /** The values of each key in ascending order; a pass has {@code keysPerPass} keys. */
    private double[][] spread(long[] keys, int keysPerPass, long[] values) {
        int[] sizes = sizes(keys, length * keysPerPass);
        double[][] spread = new double[sizes.length][];
        for (int i = 0; i < sizes.length; i++) {
            spread[i] = new double[sizes[i]];
        }
        int[] filled = new int[sizes.length];
        for (int i = 0; i < keys.length; i++) {
            int key = (int) keys[i];
            spread[key][filled[key]++] = values[i];
        }
        for (double[] each : spread) {
            Arrays.sort(each);
        }
        return spread;
    }

    private static int[] sizes(long[] keys, int length) {
        int[] sizes = new int[length];
        for (long each : keys) {
            sizes[(int) each]++;
        }
        return sizes;
    }
}
