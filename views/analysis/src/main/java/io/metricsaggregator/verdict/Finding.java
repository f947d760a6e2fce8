package io.metricsaggregator.verdict;

import org.jspecify.annotations.Nullable;

/**
 * What a check found, with its evidence.
 *
 * @param weight how much it weighs against the run
 * @param what the subject of the check, a few words
 * @param evidence a sentence with figures
 * @param limit the limiting factor that it shows, {@code UNKNOWN} if none can be named because of it; null if it says nothing on that
 */
public record Finding(
        Weight weight,
        String what,
        String evidence,
        @Nullable Limit limit) {

    /** Creates a finding that says nothing on the limiting factor. */
    public Finding(Weight weight, String what, String evidence) {
        this(weight, what, evidence, null);
    }

    /** The factor that limited the throughput of a run. */
    public enum Limit {
        /** The client issued samples late; or it reports no schedule and its host lacked CPU. Its delay is part of the measured times. */
        CLIENT,
        /** Samples in flight grew, KV memory was short, or an endpoint did not answer: the server served less than the offered load. */
        SERVER,
        /** Completions or latency changed during the run, so its figures average different states. */
        NOT_STATIONARY,
        /** No limit was found: the server served the offered load. */
        NONE,
        /** The snapshot lacks the data to name one, or a finding contradicts that there was none. */
        UNKNOWN
    }

    /** How much a finding weighs against the run. */
    public enum Weight {
        /** The check passed. */
        GOOD,
        /** The snapshot lacks the data that the check needs. */
        UNKNOWN,
        /** Worth knowing; the run stays valid. */
        NOTE,
        /** The figures need this remark; a run with one is questionable at most where the verdict says so. */
        REMARK,
        /** The figures are invalid. */
        BAD;

        /** Whether the weight is at least that of a remark, so that the run is not valid. */
        public boolean isAgainst() {
            return compareTo(REMARK) >= 0;
        }

        /** Whether a short report names the finding: one that is a note or more. */
        public boolean isNamed() {
            return compareTo(NOTE) >= 0;
        }
    }

    /** Whether views show the finding as a failure, in red: invalid figures and missed objectives. */
    public boolean isFailure() {
        return weight == Weight.BAD || (weight.isAgainst() && what.equals(Objectives.NAME));
    }

    /** The same finding, which shows a limiting factor. */
    Finding limitedBy(Limit factor) {
        return new Finding(weight, what, evidence, factor);
    }
}
