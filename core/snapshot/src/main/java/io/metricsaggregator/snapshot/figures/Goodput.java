package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many tracked samples met the service level objectives. A sample is good if it completed without an error and within every
 * limit; one that failed meets none. Samples that have not completed, or whose output is still to be counted where that matters,
 * are not judged yet.
 *
 * @param constraints the limits, in the order they were given; empty with classes, which have their own
 * @param targetShare the required share of good samples, above 0 and up to 1; with classes the smallest of them
 * @param judged tracked samples that were judged
 * @param good judged samples that are good
 * @param unjudged completed samples whose output could not be counted
 * @param classes the samples by class; null if all are judged by the same objectives
 */
public record Goodput(
        List<Constraint> constraints,
        double targetShare,
        long judged,
        long good,
        long unjudged,
        @Nullable ServiceClasses classes) {

    public static final Goodput BLANK = new Goodput(List.of(), 0, 0, 0, 0);

    /** The fields; see {@link Fields.Shape}. */
    public static Goodput pass(Fields f, Goodput v) throws MalformedMessageException {
        Goodput all = judgements(f, v);
        ServiceClasses classes = f.absent("classes", v.classes(), ServiceClasses::pass, ServiceClasses.BLANK);
        return new Goodput(all.constraints, all.targetShare, all.judged, all.good, all.unjudged, classes);
    }

    static Goodput judgements(Fields f, Goodput v) throws MalformedMessageException {
        double target = f.by(Fields.Merge.FIRST).real("target_share", v.targetShare());
        long judged = f.count("judged", v.judged());
        long good = f.count("good", v.good());
        f.derived("good_share", v.share());
        f.derived("budget_left", v.budgetLeft());
        long unjudged = f.count("unjudged", v.unjudged());
        List<Constraint> constraints =
                f.byName("constraints", v.constraints(), Constraint::name, Constraint::named, (fields, each) -> {
                    Constraint constraint = new Constraint(
                            each.name(),
                            fields.by(Fields.Merge.FIRST).count("limit_ns", each.limitNanos()),
                            fields.count("met", each.met()));
                    fields.derived("met_share", v.share(each));
                    return constraint;
                });
        return new Goodput(constraints, target, judged, good, unjudged);
    }

    /** Whether another run was judged by the same limits and the same share. */
    public boolean hasSameObjectives(@Nullable Goodput other) {
        return other != null
                && targetShare == other.targetShare
                && (classes == null ? other.classes == null : classes.hasSameObjectives(other.classes))
                && constraints.size() == other.constraints.size()
                && constraints.stream()
                        .allMatch(each -> other.constraints.stream()
                                .anyMatch(same ->
                                        same.name().equals(each.name()) && same.limitNanos() == each.limitNanos()));
    }

    /** Judgements by the same objectives. */
    public Goodput(List<Constraint> constraints, double targetShare, long judged, long good, long unjudged) {
        this(constraints, targetShare, judged, good, unjudged, null);
    }

    /** The judgements of all classes together. */
    public static Goodput ofClasses(double targetShare, ServiceClasses classes) {
        List<Goodput> each =
                classes.rows().stream().map(ServiceClasses.Row::goodput).toList();
        return new Goodput(
                List.of(),
                targetShare,
                each.stream().mapToLong(Goodput::judged).sum(),
                each.stream().mapToLong(Goodput::good).sum(),
                each.stream().mapToLong(Goodput::unjudged).sum(),
                classes);
    }

    public Goodput {
        constraints = List.copyOf(constraints);
    }

    /**
     * A limit on one duration of a sample.
     *
     * @param name the duration: {@code ttft}, {@code tpot} or {@code latency}
     * @param limitNanos the largest duration that meets the limit, in nanoseconds
     * @param met judged samples that met the limit
     */
    public record Constraint(String name, long limitNanos, long met) {
        private static Constraint named(String name) {
            return new Constraint(name, 0, 0);
        }
    }

    /** The share of samples that is good, 0 to 1; null while none has been judged. */
    public @Nullable Double share() {
        return judged == 0 ? null : (double) good / judged;
    }

    /** The share of samples that met a limit, 0 to 1; null while none has been judged. */
    public @Nullable Double share(Constraint constraint) {
        return judged == 0 ? null : (double) constraint.met() / judged;
    }

    /** How many more judged samples could have been bad with the target, in each class, still met; negative: how many bad ones are too many. */
    public long budgetLeft() {
        if (classes != null) {
            return classes.rows().stream()
                    .filter(each -> each.goodput().judged > 0)
                    .mapToLong(each -> each.goodput().budgetLeft())
                    .min()
                    .orElse(0);
        }
        return (long) Math.floor(judged * (1 - targetShare) + 1e-9) - (judged - good);
    }

    /** Whether the target is met; false while none has been judged. */
    public boolean isMet() {
        return judged > 0 && budgetLeft() >= 0;
    }
}
