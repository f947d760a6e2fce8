package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sample among the slowest of its run, with its timestamps. Timestamps are the producer's, in nanoseconds.
 *
 * @param by the duration that ranks it: {@link #LATENCY} or {@link #TTFT}
 * @param id the first 256 bytes of the sample id
 * @param worker the worker that sent the completion; {@code ""} if the record names none
 * @param nanos the duration in nanoseconds
 * @param failed whether it had an error before it completed
 * @param scheduledNanos its scheduled time; null if the producer sends no {@code scheduled_ns}
 * @param issuedNanos when it was issued
 * @param firstNanos when its first chunk came; null if the answer came in one piece
 * @param lastNanos when its last chunk came; null if the answer came in one piece
 * @param completedNanos when it completed
 * @param traceId trace of the request (W3C Trace Context), 32 hexadecimal digits; null if the producer named none
 * @param spanId span that sent the request, 16 hexadecimal digits; null without a trace
 */
public record SlowSample(
        String by,
        String id,
        String worker,
        long nanos,
        boolean failed,
        @Nullable Long scheduledNanos,
        long issuedNanos,
        @Nullable Long firstNanos,
        @Nullable Long lastNanos,
        long completedNanos,
        @Nullable String traceId,
        @Nullable String spanId) {
    /** From the issue to the completion. */
    public static final String LATENCY = "latency";

    /** From the issue to the first chunk. */
    public static final String TTFT = "ttft";

    /** A sample of no trace. */
    public SlowSample(
            String by,
            String id,
            String worker,
            long nanos,
            boolean failed,
            @Nullable Long scheduledNanos,
            long issuedNanos,
            @Nullable Long firstNanos,
            @Nullable Long lastNanos,
            long completedNanos) {
        this(
                by,
                id,
                worker,
                nanos,
                failed,
                scheduledNanos,
                issuedNanos,
                firstNanos,
                lastNanos,
                completedNanos,
                null,
                null);
    }

    /** The declaration of the samples of a run: for each duration that ranks them a list, the slowest first. */
    public static List<SlowSample> passAll(Fields f, List<SlowSample> samples) throws MalformedMessageException {
        List<SlowSample> all = new ArrayList<>();
        for (String by : List.of(LATENCY, TTFT)) {
            List<SlowSample> ranked =
                    samples.stream().filter(each -> each.by().equals(by)).toList();
            all.addAll(f.absentList(by, ranked, SlowSample::pass, blank(by)));
        }
        return all;
    }

    private static SlowSample blank(String by) {
        return new SlowSample(by, "", "", 0, false, null, 0, null, null, 0);
    }

    private static SlowSample pass(Fields f, SlowSample v) throws MalformedMessageException {
        return new SlowSample(
                v.by(),
                f.text("id", v.id()),
                f.text("worker", v.worker()),
                f.count("value_ns", v.nanos()),
                f.laterFlag("failed", v.failed()),
                f.maybeCount("scheduled_ns", v.scheduledNanos()),
                f.count("issued_ns", v.issuedNanos()),
                f.maybeCount("first_ns", v.firstNanos()),
                f.maybeCount("last_ns", v.lastNanos()),
                f.count("completed_ns", v.completedNanos()),
                f.absentText("trace_id", v.traceId()),
                f.absentText("span_id", v.spanId()));
    }

    /** The same sample with its timestamps relative to a start. */
    public SlowSample since(long startNanos) {
        return shifted(-startNanos, worker);
    }

    /** The same sample on another clock, of a worker by another name. */
    public SlowSample shifted(long byNanos, String newWorker) {
        return new SlowSample(
                by,
                id,
                newWorker,
                nanos,
                failed,
                plus(scheduledNanos, byNanos),
                issuedNanos + byNanos,
                plus(firstNanos, byNanos),
                plus(lastNanos, byNanos),
                completedNanos + byNanos,
                traceId,
                spanId);
    }

    private static @Nullable Long plus(@Nullable Long nanos, long byNanos) {
        return nanos == null ? null : (Long) (nanos + byNanos);
    }
}
