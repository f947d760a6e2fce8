package io.metricsaggregator.snapshot.figures;

import static io.metricsaggregator.snapshot.fields.Fields.Merge.MAX;
import static io.metricsaggregator.snapshot.fields.Fields.Merge.NONE;
import static io.metricsaggregator.snapshot.fields.Fields.Merge.SUM;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long the endpoints under test have not answered, by times of receipt: the daemon's clock runs on when no event arrives.
 *
 * @param state whether answers arrive
 * @param idleNanos time since the last answer, or since the first of the samples in flight was issued; null with nothing in flight
 * @param slowNanos {@code idleNanos} from which the state is {@code slow}; null before 100 waits for an answer
 * @param limitNanos {@code idleNanos} from which the state is {@code stalled}; null if stalls are not looked for
 * @param longestIdleNanos the longest wait for an answer so far, the present one included
 * @param endpointStalls stalls so far, the present one included
 * @param stalledNanos sum of their whole lengths
 * @param stalls the first stalls, the present one included, oldest first, at most {@value #STALLS_MAX}; {@code endpointStalls} counts all
 * @param interruptedBy {@value #ENDPOINT_STALLED} if the daemon interrupted the run because of a stall; else null
 */
public record Progress(
        ProgressState state,
        @Nullable Long idleNanos,
        @Nullable Long slowNanos,
        @Nullable Long limitNanos,
        long longestIdleNanos,
        long endpointStalls,
        long stalledNanos,
        List<Stall> stalls,
        @Nullable String interruptedBy) {
    /** Stalls that are listed. */
    public static final int STALLS_MAX = 32;
    /** The cause of a run that was interrupted because of a stall. */
    public static final String ENDPOINT_STALLED = "endpoint_stalled";

    public static final Progress BLANK = new Progress(ProgressState.OK, null, null, null, 0, 0, 0, List.of(), null);

    /** The fields; see {@link Fields.Shape}. */
    public static Progress pass(Fields f, Progress v) throws MalformedMessageException {
        return new Progress(
                f.word("state", v.state(), ProgressState.ALL, ProgressState::wire),
                f.by(MAX).maybeCount("idle_ns", v.idleNanos()),
                f.by(NONE).maybeCount("slow_ns", v.slowNanos()),
                f.by(NONE).maybeCount("limit_ns", v.limitNanos()),
                f.by(MAX).count("longest_idle_ns", v.longestIdleNanos()),
                f.count("endpoint_stalls", v.endpointStalls()),
                f.count("stalled_ns", v.stalledNanos()),
                f.list("stalls", v.stalls(), Stall::pass, Stall.BLANK),
                f.absentText("interrupted_by", v.interruptedBy()));
    }

    public Progress {
        stalls = List.copyOf(stalls.subList(0, Math.min(STALLS_MAX, stalls.size())));
    }

    /** The same figures of a run that the daemon interrupted because of a stall. */
    public Progress interrupted() {
        return new Progress(
                state,
                idleNanos,
                slowNanos,
                limitNanos,
                longestIdleNanos,
                endpointStalls,
                stalledNanos,
                stalls,
                ENDPOINT_STALLED);
    }

    /**
     * How long one of several targets has not answered.
     *
     * @param state {@code ok}, {@code idle}, {@code stalled} or {@code client_gone}
     * @param idleNanos time since its last answer, or since the first of its samples in flight was issued; null with none in flight
     * @param longestIdleNanos the longest wait for an answer so far, the present one included
     * @param endpointStalls stalls so far, the present one included
     * @param stalledNanos sum of their whole lengths
     */
    public record Target(
            ProgressState state,
            @Nullable Long idleNanos,
            long longestIdleNanos,
            long endpointStalls,
            long stalledNanos) {
        private static final Target BLANK = new Target(ProgressState.OK, null, 0, 0, 0);

        /** The fields among those of the target's row. */
        static @Nullable Target group(Fields f, @Nullable Target target) throws MalformedMessageException {
            return f.by(SUM).group(target != null, "state") ? pass(f, target == null ? BLANK : target) : null;
        }

        private static Target pass(Fields f, Target v) throws MalformedMessageException {
            return new Target(
                    f.by(NONE).word("state", v.state(), ProgressState.ALL, ProgressState::wire),
                    f.by(NONE).maybeCount("idle_ns", v.idleNanos()),
                    f.by(MAX).count("longest_idle_ns", v.longestIdleNanos()),
                    f.count("endpoint_stalls", v.endpointStalls()),
                    f.count("stalled_ns", v.stalledNanos()));
        }
    }
}
