package io.metricsaggregator.fold.series;

import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Service level objectives: the limits that a good sample keeps, and the share of samples that should be good. At least one limit is set, or there are
 * classes, each with objectives of its own.
 *
 * @param ttftNanos longest time to first token, above 0; {@link #NONE} for no limit
 * @param tpotNanos longest time per output token after the first chunk, above 0; {@link #NONE} for no limit
 * @param latencyNanos longest time to completion, above 0; {@link #NONE} for no limit
 * @param targetShare the share of samples that should be good, above 0 and up to 1; the smallest of the classes
 * @param key the label whose value is the class of a sample; empty without classes, and while it is not known
 * @param classes objectives by class, ordered by name and {@link #REST} last; empty for the same of all samples
 */
public record Slo(
        long ttftNanos, long tpotNanos, long latencyNanos, double targetShare, String key, Map<String, Slo> classes) {
    /** No limit. */
    public static final long NONE = Long.MAX_VALUE;
    /** The default share: 90 %, as in the literature on goodput. */
    public static final double DEFAULT_TARGET_SHARE = 0.9;
    /** The class of all samples that belong to no other. */
    public static final String REST = "*";
    /** The most classes. */
    public static final int CLASSES_MAX = 16;

    public Slo {
        require(ttftNanos > 0 && tpotNanos > 0 && latencyNanos > 0, "a limit of an objective is not above 0");
        Map<String, Slo> byName = new TreeMap<>(
                Comparator.<String, Boolean>comparing(REST::equals).thenComparing(Comparator.naturalOrder()));
        byName.putAll(classes);
        classes = Collections.unmodifiableMap(byName);
        require(
                limits(ttftNanos) || limits(tpotNanos) || limits(latencyNanos) || classes.containsKey(REST),
                classes.isEmpty() ? "no objective given" : "the class * of all other samples is missing");
        require(targetShare > 0 && targetShare <= 1, "the share of good samples is not above 0 and up to 100%");
        require(classes.size() <= CLASSES_MAX, classes.size() + " classes are more than " + CLASSES_MAX);
    }

    /** Objectives of all samples. */
    public Slo(long ttftNanos, long tpotNanos, long latencyNanos, double targetShare) {
        this(ttftNanos, tpotNanos, latencyNanos, targetShare, "", Map.of());
    }

    /** Objectives by class. */
    public static Slo ofClasses(String key, Map<String, Slo> classes) {
        double least =
                classes.values().stream().mapToDouble(Slo::targetShare).min().orElse(1);
        return new Slo(NONE, NONE, NONE, least, key, classes);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    private static boolean limits(long nanos) {
        return nanos != NONE;
    }

    /** Whether the time to the first token is limited, in any class. */
    public boolean limitsTtft() {
        return limits(ttftNanos) || classes.values().stream().anyMatch(Slo::limitsTtft);
    }

    /** Whether the time per output token is limited, in any class; outputs must then be counted. */
    public boolean limitsTpot() {
        return limits(tpotNanos) || classes.values().stream().anyMatch(Slo::limitsTpot);
    }

    /** Whether the latency is limited, in any class. */
    public boolean limitsLatency() {
        return limits(latencyNanos) || classes.values().stream().anyMatch(Slo::limitsLatency);
    }
}
