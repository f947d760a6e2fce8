package io.metricsaggregator.runs;

import io.metricsaggregator.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Fails a comparison if the verdict on either run is {@code worst} or worse: figures of an invalid run prove nothing.
 *
 * @param worst QUESTIONABLE or INVALID
 */
record VerdictCondition(Verdict.Validity worst) implements Condition {
    static final Pattern SHAPE = Pattern.compile("\\s*verdict\\s*=\\s*(\\w+)\\s*", Pattern.CASE_INSENSITIVE);

    static VerdictCondition parse(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "invalid" -> new VerdictCondition(Verdict.Validity.INVALID);
            case "questionable" -> new VerdictCondition(Verdict.Validity.QUESTIONABLE);
            default ->
                throw new IllegalArgumentException(
                        "verdict=" + name
                                + " cannot fail a comparison. Write verdict=invalid, or verdict=questionable for questionable and invalid");
        };
    }

    @Override
    public Answer check(Comparison comparison) {
        List<String> bad = new ArrayList<>();
        add(bad, comparison.baseline(), comparison.baselineVerdict());
        add(bad, comparison.other(), comparison.otherVerdict());
        return new Answer(bad.isEmpty() ? State.DOES_NOT_HOLD : State.HOLDS, String.join("; ", bad));
    }

    private void add(List<String> bad, String name, Verdict verdict) {
        if (verdict.validity().compareTo(worst) >= 0) {
            bad.add(name + " is " + verdict.validity()
                    + verdict.worst().map(each -> ": " + each).orElse(""));
        }
    }

    @Override
    public String toString() {
        return "verdict=" + worst.name().toLowerCase(Locale.ROOT);
    }
}
