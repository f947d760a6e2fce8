package io.metricsaggregator.analysis;

/**
 * One check of a run, with its evidence.
 *
 * @param weight how much it weighs against the run
 * @param what the subject of the check, a few words
 * @param evidence a sentence with figures
 */
public record Finding(Weight weight, String what, String evidence) {

    /** How much a finding weighs against the run. */
    public enum Weight {
        /** The check passed. */
        GOOD,
        /** The snapshot lacks the data that the check needs. */
        UNKNOWN,
        /** The figures need this remark; a run with one is questionable at most where the verdict says so. */
        REMARK,
        /** The figures are invalid. */
        BAD
    }
}
