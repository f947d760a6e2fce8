package io.metricsaggregator.fold.conversation;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.snapshot.figures.Interactivity;
import io.metricsaggregator.text.PendingOutput;
import org.jspecify.annotations.Nullable;

/** Adds up tokens and latencies of samples that succeeded and whose output has a length. Belongs to the thread of the fold; allocates nothing. */
public final class InteractivityFold {
    private long samples;
    private long tokens;
    private long latencyNanos;

    /** Whether the latency of a sample is a duration: it did not complete before its issue. */
    public static boolean hasLatency(PendingOutput pending) {
        return pending.completedNanos() >= pending.issuedNanos()
                && TimestampMath.fits(pending.issuedNanos(), pending.completedNanos());
    }

    /** Adds a sample that {@link #hasLatency}. */
    public void counted(PendingOutput pending, long outputTokens) {
        samples++;
        tokens = TimestampMath.saturatedAdd(tokens, outputTokens);
        latencyNanos = TimestampMath.saturatedAdd(latencyNanos, pending.completedNanos() - pending.issuedNanos());
    }

    /** Copies the sums; null before the first sample. */
    @Nullable
    public Interactivity summary() {
        return samples == 0 ? null : new Interactivity(samples, tokens, latencyNanos);
    }
}
