package io.metricsaggregator.parts;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The tracked samples with one value of a label, in a part of some samples of a run. Immutable.
 *
 * @param issued issues; a retry counts again
 * @param completed completions
 * @param failed completions after an error
 * @param good samples that met the objectives
 * @param inFlight issues less completions; below 0 where another part has the issues
 * @param inputTokens sum of the prompt lengths that are known
 * @param outputTokens sum of the output lengths that are known
 * @param latency latencies of successes; not copied
 * @param firstToken times to first token of successes; not copied
 * @param timePerToken times per output token; not copied
 */
public record LabelSums(
        long issued,
        long completed,
        long failed,
        long good,
        long inFlight,
        long inputTokens,
        long outputTokens,
        SliceHistogram latency,
        SliceHistogram firstToken,
        SliceHistogram timePerToken) {
    static final LabelSums ZERO =
            new LabelSums(0, 0, 0, 0, 0, 0, 0, new SliceHistogram(), new SliceHistogram(), new SliceHistogram());

    LabelSums add(LabelSums other) {
        return new LabelSums(
                issued + other.issued,
                completed + other.completed,
                failed + other.failed,
                good + other.good,
                inFlight + other.inFlight,
                TimestampMath.saturatedAdd(inputTokens, other.inputTokens),
                TimestampMath.saturatedAdd(outputTokens, other.outputTokens),
                sum(latency, other.latency),
                sum(firstToken, other.firstToken),
                sum(timePerToken, other.timePerToken));
    }

    private static SliceHistogram sum(SliceHistogram a, SliceHistogram b) {
        SliceHistogram sum = a.copy();
        sum.add(b);
        return sum;
    }

    /** A merged row of several runs, of which these are the sums, with the percentiles that the merge of snapshots lacks. */
    LabelBreakdown.Value complete(LabelBreakdown.Value merged) {
        return new LabelBreakdown.Value(
                merged.value(),
                merged.issued(),
                merged.completed(),
                merged.failed(),
                merged.inFlight(),
                merged.inputTokens(),
                merged.outputTokens(),
                durations(latency),
                durations(firstToken),
                durations(timePerToken),
                merged.good(),
                merged.progress());
    }

    LabelBreakdown.Value value(String name, boolean judged) {
        return new LabelBreakdown.Value(
                name,
                issued,
                completed,
                failed,
                inFlight,
                inputTokens,
                outputTokens,
                durations(latency),
                durations(firstToken),
                durations(timePerToken),
                judged ? (Long) good : null,
                null);
    }

    /** The percentiles of a histogram; null for an empty one. */
    public static LabelBreakdown.@Nullable Durations durations(SliceHistogram histogram) {
        if (histogram.count() == 0) {
            return null;
        }
        long[] percentiles = histogram.percentiles(50, 90, 99);
        return new LabelBreakdown.Durations(
                histogram.count(), percentiles[0], percentiles[1], percentiles[2], histogram.max());
    }

    void write(DataOutput to) throws IOException {
        for (long each : new long[] {issued, completed, failed, good, inFlight, inputTokens, outputTokens}) {
            to.writeLong(each);
        }
        latency.write(to);
        firstToken.write(to);
        timePerToken.write(to);
    }

    static LabelSums read(DataInput from) throws IOException {
        return new LabelSums(
                from.readLong(),
                from.readLong(),
                from.readLong(),
                from.readLong(),
                from.readLong(),
                from.readLong(),
                from.readLong(),
                SliceHistogram.read(from),
                SliceHistogram.read(from),
                SliceHistogram.read(from));
    }
}
