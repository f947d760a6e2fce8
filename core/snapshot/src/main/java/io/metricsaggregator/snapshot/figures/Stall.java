package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A span without any answer that was as long as the limit, with samples in flight. Answers are chunks, completions and errors of samples.
 *
 * @param startNanos when the last answer before it was received, or the first sample was issued, on the daemon's monotonic clock
 * @param sinceStartNanos the same since the daemon received the first record of the run
 * @param durationNanos its whole length, from {@code startNanos}; so far, if {@code end} is null
 * @param inFlight samples in flight at its start
 * @param issuedDuring samples issued during it: more than 0 under open load
 * @param end what ended it; null while it lasts, and for a run that was interrupted in it
 * @param fromEventNanos time of the last event before it on the producers' clock
 * @param toEventNanos time of the answer that ended it on the producers' clock; null without one
 */
public record Stall(
        long startNanos,
        long sinceStartNanos,
        long durationNanos,
        long inFlight,
        long issuedDuring,
        @Nullable End end,
        long fromEventNanos,
        @Nullable Long toEventNanos) {

    public static final Stall BLANK = new Stall(0, 0, 0, 0, 0, null, 0, null);

    /** The fields; see {@link Fields.Shape}. */
    public static Stall pass(Fields f, Stall v) throws MalformedMessageException {
        return new Stall(
                f.count("start_ns", v.startNanos()),
                f.count("since_start_ns", v.sinceStartNanos()),
                f.count("duration_ns", v.durationNanos()),
                f.count("in_flight", v.inFlight()),
                f.count("issued_during", v.issuedDuring()),
                f.maybeWord("end", v.end(), End.ALL, End::wire),
                f.count("from_event_ns", v.fromEventNanos()),
                f.maybeCount("to_event_ns", v.toEventNanos()));
    }

    /** What ended a stall. */
    public enum End {
        /** A chunk or a completion. */
        PROGRESS("progress"),
        /** An error of a sample. */
        FAILED("failed"),
        /** The session ended with samples in flight. */
        SESSION_END("session_end"),
        /** The last connection of a producer closed. */
        CLIENT_GONE("client_gone"),
        /** The daemon fell behind, and cannot tell how long the stall lasted. */
        BLIND("blind");

        private static final List<End> ALL = List.of(values());

        private final String wire;

        End(String wire) {
            this.wire = wire;
        }

        /** Its name in snapshots and reports. */
        public String wire() {
            return wire;
        }
    }
}
