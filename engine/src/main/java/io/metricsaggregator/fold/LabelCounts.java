package io.metricsaggregator.fold;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.snapshot.LabelBreakdown;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What is counted by one value of a label, of tracked samples, in about 5.5 kB. Belongs to the thread of the fold; counting allocates nothing. */
final class LabelCounts {
    private final String value;
    private final byte[] bytes;
    private final SliceHistogram latency = new SliceHistogram();
    private final SliceHistogram firstToken = new SliceHistogram();
    private long issued;
    private long completed;
    private long failed;
    private long inFlight;
    private long inputTokens;
    private long outputTokens;

    LabelCounts(String value) {
        this.value = value;
        this.bytes = value.getBytes(StandardCharsets.UTF_8);
    }

    byte[] bytes() {
        return bytes;
    }

    void issued() {
        issued++;
        inFlight++;
    }

    void left() {
        inFlight--;
    }

    void firstReceived(long nanos) {
        firstToken.record(nanos);
    }

    void completed(boolean hasFailed, long latencyNanos) {
        completed++;
        failed += hasFailed ? 1 : 0;
        latency.record(latencyNanos);
    }

    void input(long tokens) {
        inputTokens = TimestampMath.saturatedAdd(inputTokens, tokens);
    }

    void output(long tokens) {
        outputTokens = TimestampMath.saturatedAdd(outputTokens, tokens);
    }

    LabelBreakdown.Value summary() {
        return new LabelBreakdown.Value(
                value,
                issued,
                completed,
                failed,
                inFlight,
                inputTokens,
                outputTokens,
                durations(latency),
                durations(firstToken));
    }

    static LabelBreakdown.@Nullable Durations durations(SliceHistogram histogram) {
        return histogram.count() == 0
                ? null
                : new LabelBreakdown.Durations(
                        histogram.count(),
                        histogram.percentile(50),
                        histogram.percentile(90),
                        histogram.percentile(99),
                        histogram.max());
    }
}
