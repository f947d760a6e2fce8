package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import org.jspecify.annotations.Nullable;

/**
 * Output tokens and latencies of the tracked samples that completed without an error and whose output has a length. Failed samples are in neither sum.
 *
 * @param samples number of these samples
 * @param tokens their output tokens
 * @param latencyNanos their latencies, from issue to completion
 */
public record Interactivity(long samples, long tokens, long latencyNanos) {
    public static final Interactivity BLANK = new Interactivity(0, 0, 0);
    private static final double NANOS_PER_SECOND = 1e9;

    /** The fields; see {@link Fields.Shape}. */
    public static Interactivity pass(Fields f, Interactivity v) throws MalformedMessageException {
        Interactivity sums = new Interactivity(
                f.count("samples", v.samples()),
                f.count("tokens", v.tokens()),
                f.count("latency_ns", v.latencyNanos()));
        f.derived("e2e_interactivity_tok_per_s", v.tokensPerSecond());
        return sums;
    }

    /** Output tokens per second of request time, seen by the client; null without time. */
    public @Nullable Double tokensPerSecond() {
        return latencyNanos <= 0 ? null : (Double) (tokens * NANOS_PER_SECOND / latencyNanos);
    }
}
