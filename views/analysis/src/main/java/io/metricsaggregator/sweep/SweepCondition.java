package io.metricsaggregator.sweep;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A condition that fails a sweep, such as {@code front.auc < base*0.97} or {@code required.concurrency < 64}.
 *
 * @param figure one of {@link #FIGURES}
 * @param relation how the figure must relate to the bound for the condition to hold
 * @param ofBase whether the bound is {@code factor} times the figure of the base sweep rather than {@code factor} itself
 * @param factor the bound, or the factor
 */
public record SweepCondition(String figure, Requirement.Relation relation, boolean ofBase, double factor) {
    /** The area of the front, compared over the range that sweep and base share. */
    private static final String AREA = "front.auc";

    /** The figures that a condition may name. */
    public static final List<String> FIGURES = List.of(
            AREA,
            "front.points",
            "knee.concurrency",
            "knee.x",
            "knee.y",
            "saturation.concurrency",
            "goodput.concurrency",
            "goodput.per_s",
            "required.concurrency");

    private static final Pattern SHAPE =
            Pattern.compile("\\s*([a-z_.]+)\\s*(<=|>=|<|>)\\s*(base\\s*(?:\\*\\s*)?)?(\\d+(?:\\.\\d+)?)?\\s*");

    /**
     * The result for one curve.
     *
     * @param curve name of the curve; empty if there is one only
     * @param holds whether the condition holds
     * @param evidence the figures, in words
     */
    public record Answer(String curve, boolean holds, String evidence) {}

    /**
     * Reads a condition.
     *
     * @throws IllegalArgumentException if the text is not a condition; the message quotes it
     */
    public static SweepCondition parse(String text) {
        Matcher matcher = SHAPE.matcher(text);
        String base = matcher.matches() ? matcher.group(3) : null;
        String number = matcher.matches() ? matcher.group(4) : null;
        boolean complete = base == null ? number != null : base.contains("*") == (number != null);
        if (!matcher.matches() || !complete) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a condition. Write 'front.auc < base*0.97' or 'required.concurrency < 64'");
        }
        if (!FIGURES.contains(matcher.group(1))) {
            throw new IllegalArgumentException("'" + matcher.group(1) + "' is not a figure of a sweep. Write one of "
                    + String.join(", ", FIGURES));
        }
        return new SweepCondition(
                matcher.group(1),
                Requirement.Relation.of(matcher.group(2)),
                base != null,
                number == null ? 1 : Double.parseDouble(number));
    }

    /**
     * Evaluates the condition for every curve.
     *
     * @param base the sweep that {@code base} means; null without one
     * @throws IllegalArgumentException if a curve, or its counterpart in the base, does not have the figure: an unknown figure passes no gate
     */
    public List<Answer> check(Sweep sweep, @Nullable Sweep base) {
        List<Answer> answers = new ArrayList<>();
        for (Curve curve : sweep.curves()) {
            Curve other = !ofBase || base == null ? null : base.curve(curve.name());
            if (ofBase && other == null) {
                throw new IllegalArgumentException("'" + this + "' needs "
                        + (base == null ? "--base" : "the curve '" + curve.name() + "' in the runs of --base"));
            }
            Front.Range range = range(curve, other);
            double value = value(curve, range, "this sweep");
            double bound = other == null ? factor : factor * value(other, range, "the base");
            answers.add(new Answer(
                    curve.name(),
                    relation.holds(value, bound),
                    figure + " is " + Rounded.of(value) + ", the bound " + Rounded.of(bound)
                            + (range == null || !figure.equals(AREA)
                                    ? ""
                                    : " over " + curve.front().x().key() + " " + Rounded.of(range.from()) + " to "
                                            + Rounded.of(range.to()))));
        }
        return answers;
    }

    private static Front.@Nullable Range range(Curve curve, @Nullable Curve other) {
        Front.Range own = curve.front().range();
        Front.Range its = other == null ? own : other.front().range();
        return own == null || its == null ? null : own.and(its);
    }

    private double value(Curve curve, Front.@Nullable Range range, String whose) {
        Double value = figures(curve, range).get(figure);
        if (value == null) {
            throw new IllegalArgumentException("'" + this + "' needs " + figure + ", which " + whose + " does not have"
                    + (curve.name().isEmpty() ? "" : " for " + curve.name()));
        }
        return value;
    }

    private static Map<String, @Nullable Double> figures(Curve curve, Front.@Nullable Range range) {
        Front front = curve.front();
        Front.Step knee = front.knee();
        SweepPoint best = curve.bestGoodput();
        Requirement.Answer required = curve.required();
        Map<String, @Nullable Double> all = new LinkedHashMap<>();
        all.put(AREA, range == null ? null : front.area(range));
        all.put("front.points", (double) front.steps().size());
        all.put("knee.concurrency", knee == null ? null : knee.point().concurrency());
        all.put("knee.x", knee == null ? null : (Double) knee.x());
        all.put("knee.y", knee == null ? null : (Double) knee.y());
        all.put("saturation.concurrency", concurrency(curve.saturation()));
        all.put("goodput.concurrency", concurrency(best));
        all.put("goodput.per_s", best == null ? null : best.figure(PointFigure.GOODPUT_PER_S));
        // That no concurrency meets the limits is an answer, and the worst one.
        all.put(
                "required.concurrency",
                required == null ? null : required.point() == null ? (Double) 0.0 : concurrency(required.point()));
        return all;
    }

    private static @Nullable Double concurrency(@Nullable SweepPoint point) {
        return point == null ? null : point.concurrency();
    }

    @Override
    public String toString() {
        return figure + " " + relation.sign() + " " + (ofBase ? "base*" : "") + Rounded.of(factor);
    }
}
