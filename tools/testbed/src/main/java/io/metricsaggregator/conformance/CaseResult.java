package io.metricsaggregator.conformance;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of one case.
 *
 * @param name the name of the case
 * @param checks its checks: rules of producers, or lines and metrics compared
 */
public record CaseResult(String name, List<Check> checks) {

    /**
     * One check of a case.
     *
     * @param id the rule or the thing compared
     * @param status whether it passed
     * @param message what was wrong, as one line; empty if it passed
     * @param remedy how to mend it; may be empty
     */
    public record Check(String id, Status status, String message, String remedy) {
        /** A passed check. */
        static Check pass(String id) {
            return new Check(id, Status.PASS, "", "");
        }

        /** A failed check. */
        static Check fail(String id, String message) {
            return new Check(id, Status.FAIL, message, "");
        }
    }

    /** The status of a check. */
    public enum Status {
        PASS,
        FAIL,
        /** It failed, and the list of known failures names it. */
        KNOWN,
        /** The list of known failures names it, but it passed. */
        UNEXPECTED_PASS;

        /** Whether it makes the exit status 8. */
        public boolean isBad() {
            return this == FAIL || this == UNEXPECTED_PASS;
        }
    }

    public CaseResult {
        checks = List.copyOf(checks);
    }

    /** The result of a case of a producer: the rules up to a level that were observed. */
    static CaseResult of(String name, Tally tally, Level level) {
        List<Check> checks = new ArrayList<>();
        for (Rule rule : Rule.values()) {
            if (rule.level().number() > level.number()) {
                continue;
            }
            switch (tally.state(rule)) {
                case KEPT -> checks.add(Check.pass(rule.id()));
                case BROKEN -> checks.add(new Check(rule.id(), Status.FAIL, tally.message(rule), rule.remedy()));
                case NOT_OBSERVED -> {}
            }
        }
        return new CaseResult(name, checks);
    }

    /** Whether a check of the case makes the exit status 8. */
    public boolean isBad() {
        return checks.stream().anyMatch(check -> check.status().isBad());
    }
}
