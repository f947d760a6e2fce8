package io.metricsaggregator.fold.label;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.parts.LabelSums;
import io.metricsaggregator.parts.SliceHistogram;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import org.jspecify.annotations.Nullable;

/** What is counted by one value of a label, of tracked samples, in about 8 kB. Belongs to the thread of the fold; counting allocates nothing. */
final class LabelCounts {
    private final SliceHistogram latency = new SliceHistogram();
    private final SliceHistogram firstToken = new SliceHistogram();
    private final SliceHistogram timePerToken = new SliceHistogram();
    private final IdleSpan idle = new IdleSpan();
    private long issued;
    private long completed;
    private long failed;
    private long good;
    private long inFlight;
    private long inputTokens;
    private long outputTokens;
    // The percentiles copied last: a search of thousands of buckets for each value at each tick, if they were not kept.
    private LabelBreakdown.@Nullable Durations latencyCopied;
    private LabelBreakdown.@Nullable Durations firstTokenCopied;
    private LabelBreakdown.@Nullable Durations timePerTokenCopied;

    void issued(ProgressFold progress) {
        issued++;
        if (inFlight++ == 0) {
            idle.begin(progress.nowNanos());
        }
    }

    /** Adds the samples of another value, but for their waits. */
    void add(LabelCounts other) {
        issued += other.issued;
        completed += other.completed;
        failed += other.failed;
        good += other.good;
        inFlight += other.inFlight;
        inputTokens = TimestampMath.saturatedAdd(inputTokens, other.inputTokens);
        outputTokens = TimestampMath.saturatedAdd(outputTokens, other.outputTokens);
        latency.add(other.latency);
        firstToken.add(other.firstToken);
        timePerToken.add(other.timePerToken);
    }

    /** Begins the wait of samples in flight with the present time. */
    void restart(ProgressFold progress) {
        idle.begin(progress.nowNanos());
    }

    /** Notes a chunk, a completion or an error of a sample in flight. */
    void answered(ProgressFold progress) {
        idle.answered(progress);
    }

    /** Ends the present wait at one time and begins another at a later one; see {@link ProgressFold#blind}. */
    void rebase(long fromNanos, long toNanos, ProgressFold progress) {
        if (inFlight > 0) {
            idle.end(fromNanos, progress);
            idle.begin(toNanos);
        }
    }

    /** Ends the present wait with the last receipt before an outage of the daemon, unless that is null, and begins another when it was ready. */
    void outage(@Nullable Long receivedNanos, long readyNanos, ProgressFold progress) {
        if (inFlight > 0) {
            if (receivedNanos != null) {
                idle.end(receivedNanos, progress);
            }
            idle.beginAgain(readyNanos);
        }
    }

    void left() {
        inFlight--;
    }

    void firstReceived(long nanos) {
        firstToken.record(nanos);
    }

    /** Counts a sample that completed; its latency only if it succeeded. */
    void completed(boolean hasFailed, long latencyNanos) {
        completed++;
        if (hasFailed) {
            failed++;
        } else {
            latency.record(latencyNanos);
        }
    }

    void good() {
        good++;
    }

    void timePerToken(double nanos) {
        timePerToken.record(Math.round(nanos));
    }

    void input(long tokens) {
        inputTokens = TimestampMath.saturatedAdd(inputTokens, tokens);
    }

    void output(long tokens) {
        outputTokens = TimestampMath.saturatedAdd(outputTokens, tokens);
    }

    /**
     * Copies the counts.
     *
     * @param value its name in the snapshot
     * @param judged whether the run has objectives
     */
    LabelBreakdown.Value summary(String value, ProgressFold progress, boolean judged) {
        latencyCopied = durations(latencyCopied, latency);
        firstTokenCopied = durations(firstTokenCopied, firstToken);
        timePerTokenCopied = durations(timePerTokenCopied, timePerToken);
        return new LabelBreakdown.Value(
                value,
                issued,
                completed,
                failed,
                inFlight,
                inputTokens,
                outputTokens,
                latencyCopied,
                firstTokenCopied,
                timePerTokenCopied,
                judged ? (Long) good : null,
                idle.summary(inFlight > 0, progress));
    }

    private static LabelBreakdown.@Nullable Durations durations(
            LabelBreakdown.@Nullable Durations last, SliceHistogram histogram) {
        return last != null && last.count() == histogram.count() ? last : LabelSums.durations(histogram);
    }

    /** Copies the counts in the form that adds up. */
    LabelSums part() {
        return new LabelSums(
                issued,
                completed,
                failed,
                good,
                inFlight,
                inputTokens,
                outputTokens,
                latency.copy(),
                firstToken.copy(),
                timePerToken.copy());
    }
}
