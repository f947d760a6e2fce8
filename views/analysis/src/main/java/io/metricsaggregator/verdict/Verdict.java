package io.metricsaggregator.verdict;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The judgement of a run: whether its figures are valid, which factor limited it, and the findings behind both. A check without data yields
 * {@link Finding.Weight#UNKNOWN}; it never passes.
 *
 * @param validity INVALID with a {@link Finding.Weight#BAD} finding, QUESTIONABLE with a {@link Finding.Weight#REMARK}, else VALID
 * @param limit the limiting factor
 * @param findings those of all checks, by descending weight
 */
public record Verdict(Validity validity, Finding.Limit limit, List<Finding> findings) {

    public Verdict {
        findings = List.copyOf(findings);
    }

    /** Whether the figures of the run are valid. */
    public enum Validity {
        /** The figures cover the whole run and describe one steady system. */
        VALID,
        /** The figures are usable only together with the findings. */
        QUESTIONABLE,
        /** The figures cover less than the run. */
        INVALID
    }

    /** The subject of the finding on the objectives of {@code --slo}. */
    public static final String OBJECTIVES = Objectives.NAME;

    /** Checks without whose data no limiting factor is named. */
    private static final Set<String> LIMIT_CHECKS = Set.of(ClientSchedule.NAME, Stationarity.NAME, OverTime.CHECKS);

    /** Judges a run by its last snapshot, of any schema version. */
    public static Verdict of(MetricsSnapshot snapshot) {
        List<Finding> findings = new ArrayList<>();
        Checks.ALL.forEach(each -> findings.addAll(each.judge(snapshot)));
        findings.sort(Comparator.comparing(Finding::weight).reversed());
        Validity validity = findings.stream().anyMatch(each -> each.weight() == Finding.Weight.BAD)
                ? Validity.INVALID
                : findings.stream().anyMatch(each -> each.weight() == Finding.Weight.REMARK)
                        ? Validity.QUESTIONABLE
                        : Validity.VALID;
        return new Verdict(validity, limit(findings), findings);
    }

    /** The findings so far on a run that has not ended, which will cost it its verdict; by descending weight. */
    public static List<Finding> soFar(MetricsSnapshot snapshot) {
        List<Finding> findings = new ArrayList<>();
        for (Check each : Checks.ALL) {
            if (each.isForLiveRuns()) {
                findings.addAll(each.judge(snapshot));
            }
        }
        findings.removeIf(each -> !each.weight().isAgainst());
        findings.sort(Comparator.comparing(Finding::weight).reversed());
        return findings;
    }

    /** Whether samples in flight or completions changed their level, or an endpoint stalled: the run is then not steady, whatever one series says. */
    public static boolean isChanging(MetricsSnapshot snapshot) {
        return List.of(new InFlightTrend(), new Stationarity(), new Stalls()).stream()
                .flatMap(each -> each.judge(snapshot).stream())
                .anyMatch(each -> each.weight().isAgainst());
    }

    private static Finding.Limit limit(List<Finding> findings) {
        Set<Finding.Limit> shown = EnumSet.noneOf(Finding.Limit.class);
        boolean known = true;
        for (Finding each : findings) {
            if (each.weight().isAgainst() && each.limit() != null) {
                shown.add(each.limit());
            }
            known &= each.weight() != Finding.Weight.UNKNOWN || !LIMIT_CHECKS.contains(each.what());
            // Figures that cover less than the run do not show that all of it was served.
            known &= each.weight() != Finding.Weight.BAD;
        }
        for (Finding.Limit each : List.of(
                Finding.Limit.CLIENT, Finding.Limit.SERVER, Finding.Limit.NOT_STATIONARY, Finding.Limit.UNKNOWN)) {
            if (shown.contains(each)) {
                return each;
            }
        }
        return known ? Finding.Limit.NONE : Finding.Limit.UNKNOWN;
    }

    /** Whether so many samples failed that the run is not valid. */
    public boolean isFailing() {
        return findings.stream()
                .anyMatch(each -> each.weight().isAgainst() && each.what().equals(FailedSamples.NAME));
    }

    /** The worst finding that is at least a remark, as {@code what: evidence}; empty if all checks passed or lacked data. */
    public Optional<String> worst() {
        return findings.stream()
                .filter(each -> each.weight().isAgainst())
                .findFirst()
                .map(each -> each.what() + ": " + each.evidence());
    }

    /** The worst finding that counts against the run besides its objectives, as {@code what: evidence}; empty without one. */
    public String reason() {
        return findings.stream()
                .filter(each -> each.weight().isAgainst() && !each.what().equals(OBJECTIVES))
                .findFirst()
                .map(each -> each.what() + ": " + each.evidence())
                .orElse("");
    }

    /** The judgement in one line: {@code VALID. Limiting factor: unknown (the producer sends no scheduled_ns).} */
    public String summary() {
        return validity + ". Limiting factor: " + factor() + ".";
    }

    /** The limiting factor in words: {@code the server}. */
    public String factor() {
        return switch (limit) {
            case CLIENT -> "the client";
            case SERVER -> "the server";
            case NOT_STATIONARY -> "unknown (the run is not stationary)";
            case NONE -> "none (the server served " + served() + ")";
            case UNKNOWN -> "unknown (" + missingEvidence() + ")";
        };
    }

    private String served() {
        return findings.stream()
                .filter(each ->
                        each.weight() == Finding.Weight.NOTE && each.what().equals(FailedSamples.NAME))
                .findFirst()
                .map(each -> "the offered load, but " + each.evidence())
                .orElse("the offered load");
    }

    /** Why no limiting factor is named: the finding that contradicts one, or else the evidence of the check that lacked data. */
    private String missingEvidence() {
        Optional<Finding> contradicts = findings.stream()
                .filter(each -> each.weight().isAgainst() && each.limit() == Finding.Limit.UNKNOWN)
                .findFirst();
        if (contradicts.isPresent()) {
            return "see " + contradicts.get().what();
        }
        return findings.stream()
                .filter(each -> each.weight() == Finding.Weight.UNKNOWN && LIMIT_CHECKS.contains(each.what()))
                .map(Finding::evidence)
                .reduce((stationarity, schedule) -> schedule)
                .or(() -> worst().map(each -> "the run is " + validity))
                .orElse("the snapshot lacks the data");
    }
}
