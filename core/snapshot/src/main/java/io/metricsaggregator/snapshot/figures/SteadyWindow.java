package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import org.jspecify.annotations.Nullable;

/**
 * Figures of the samples issued while the run was steady, of a finished run. Durations are exact in a window of super-passes, else from histograms whose
 * buckets are 0.8 % wide; rates over the span of issue. Null where nothing was measured.
 *
 * @param fromNanos start of the window on the producers' clock
 * @param toNanos end of the window, exclusive: of its last closed batch, or behind its last issue in a window of super-passes
 * @param samples tracked samples issued in the window
 * @param issueNanos from the first issue in the window to the last
 * @param issuedPerSecond samples issued a second
 * @param tokensPerSecond output tokens of these samples a second; null without counted outputs
 * @param goodPerSecond samples a second that met all objectives; null without objectives
 * @param ttft times to the first chunk
 * @param tpot times per output token, as in series {@code tpot_ns}
 * @param latency sample latencies
 * @param superPasses number of super-passes of the window; null for a window of the present level
 */
public record SteadyWindow(
        long fromNanos,
        long toNanos,
        long samples,
        long issueNanos,
        double issuedPerSecond,
        @Nullable Double tokensPerSecond,
        @Nullable Double goodPerSecond,
        @Nullable Durations ttft,
        @Nullable Durations tpot,
        @Nullable Durations latency,
        @Nullable Integer superPasses) {

    private static final SteadyWindow BLANK = new SteadyWindow(0, 0, 0, 0, 0, null, null, null, null, null);

    /** The window in two maps: its bounds, and a summary of its figures. */
    static @Nullable SteadyWindow absent(Fields f, @Nullable SteadyWindow v) throws MalformedMessageException {
        SteadyWindow bounds = f.absent("window", v, SteadyWindow::passBounds, BLANK);
        return bounds == null ? null : f.record("summary", v == null ? bounds : v, SteadyWindow::passSummary, bounds);
    }

    /** All fields in one map. It cannot be read. */
    public static SteadyWindow passAll(Fields f, SteadyWindow v) throws MalformedMessageException {
        passBounds(f, v);
        return passSummary(f, v);
    }

    private static SteadyWindow passBounds(Fields f, SteadyWindow v) throws MalformedMessageException {
        long from = f.count("from_ns", v.fromNanos());
        long to = f.count("to_ns", v.toNanos());
        long samples = f.count("samples", v.samples());
        long issue = f.count("issue_ns", v.issueNanos());
        Integer whole = v.superPasses();
        Long passes = f.absentCount("super_passes", whole == null ? null : (Long) whole.longValue());
        Integer read = passes == null ? null : (Integer) SteadyState.positive(passes);
        return new SteadyWindow(from, to, samples, issue, 0, null, null, null, null, null, read);
    }

    private static SteadyWindow passSummary(Fields f, SteadyWindow v) throws MalformedMessageException {
        double issued = f.real("qps_per_s", v.issuedPerSecond());
        Double tokens = f.maybeReal("system_tps_per_s", v.tokensPerSecond());
        f.derived("tps_per_user_per_s", v.tokensPerSecondPerUser());
        return new SteadyWindow(
                v.fromNanos(),
                v.toNanos(),
                v.samples(),
                v.issueNanos(),
                issued,
                tokens,
                f.maybeReal("goodput_per_s", v.goodPerSecond()),
                f.maybe("ttft_ns", v.ttft(), Durations::pass, Durations.BLANK),
                f.maybe("tpot_ns", v.tpot(), Durations::pass, Durations.BLANK),
                f.maybe("sample_latency_ns", v.latency(), Durations::pass, Durations.BLANK),
                v.superPasses());
    }

    /** Creates a window of the present level. */
    public SteadyWindow(
            long fromNanos,
            long toNanos,
            long samples,
            long issueNanos,
            double issuedPerSecond,
            @Nullable Double tokensPerSecond,
            @Nullable Double goodPerSecond,
            @Nullable Durations ttft,
            @Nullable Durations tpot,
            @Nullable Durations latency) {
        this(
                fromNanos,
                toNanos,
                samples,
                issueNanos,
                issuedPerSecond,
                tokensPerSecond,
                goodPerSecond,
                ttft,
                tpot,
                latency,
                null);
    }

    /**
     * Durations in ns.
     *
     * @param count number of values, at least 1
     * @param mean exact mean
     */
    public record Durations(long count, double mean, double p50, double p90, double p99) {
        private static final Durations BLANK = new Durations(0, 0, 0, 0, 0);

        private static Durations pass(Fields f, Durations v) throws MalformedMessageException {
            return new Durations(
                    f.count("count", v.count()),
                    f.real("mean", v.mean()),
                    f.real("p50", v.p50()),
                    f.real("p90", v.p90()),
                    f.real("p99", v.p99()));
        }
    }

    /** Output tokens a second that one user sees: 10⁹ / p90 of TPOT; null without TPOT. */
    public @Nullable Double tokensPerSecondPerUser() {
        return tpot == null || tpot.p90() <= 0 ? null : (Double) (1e9 / tpot.p90());
    }
}
