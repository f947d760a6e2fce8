package io.metricsaggregator.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Limits that a point must meet together, such as {@code ttft_p90_ms<=500,tps_per_user>=30}.
 *
 * @param limits in the order they were given, at least one
 */
public record Requirement(List<Limit> limits) {

    public Requirement {
        limits = List.copyOf(limits);
    }

    /**
     * A limit of one figure.
     *
     * @param figure the figure
     * @param relation how the figure must relate to the bound
     * @param bound in the figure's unit
     */
    public record Limit(PointFigure figure, Relation relation, double bound) {
        /** Whether a point meets the limit; an unmeasured figure does not. */
        public boolean isMetBy(SweepPoint point) {
            Double value = point.figure(figure);
            return value != null && relation.holds(value, bound);
        }

        /** The figure of a point beside the limit it misses, such as {@code ttft_p90_ms is 612, not <= 500}. */
        String missedBy(SweepPoint point) {
            Double value = point.figure(figure);
            return value == null
                    ? figure.key() + " is not measured"
                    : figure.key() + " is " + point.marked(figure, Rounded.of(value)) + ", not " + relation.sign() + " "
                            + Rounded.of(bound);
        }

        @Override
        public String toString() {
            return figure.key() + relation.sign() + Rounded.of(bound);
        }
    }

    /**
     * The largest concurrency that meets a requirement.
     *
     * @param point the point; null if none meets it
     * @param missed the first limit that the next larger concurrency misses, or, without a point, that the smallest one misses, in words; null if the
     *     largest concurrency meets it or there are no points
     */
    public record Answer(
            @Nullable SweepPoint point, @Nullable String missed) {}

    private static final Pattern SHAPE = Pattern.compile("\\s*([a-z0-9_]+)\\s*(<=|>=|<|>)\\s*(\\S+?)\\s*");

    /**
     * Reads the limits.
     *
     * @throws IllegalArgumentException if a part is not {@code figure<=number}, with {@code <}, {@code >=} or {@code >} likewise
     */
    public static Requirement parse(String text) {
        List<Limit> limits = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            Matcher matcher = SHAPE.matcher(part);
            if (!matcher.matches()) {
                throw new IllegalArgumentException(
                        "'" + part + "' is not a limit. Write limits such as 'ttft_p90_ms<=500,tps_per_user>=30'");
            }
            limits.add(new Limit(
                    PointFigure.of(matcher.group(1)), Relation.of(matcher.group(2)), number(matcher.group(3), part)));
        }
        return new Requirement(limits);
    }

    private static double number(String text, String part) {
        try {
            double value = Double.parseDouble(text);
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IllegalArgumentException("'" + text + "' in '" + part + "' is not a number");
    }

    /**
     * Finds the largest concurrency among points that have one.
     *
     * @param points all points; one whose requests fail misses the requirement, other unusable ones are passed over
     * @param usable those that may be the answer
     */
    Answer largest(List<SweepPoint> points, List<SweepPoint> usable) {
        List<SweepPoint> ascending = points.stream()
                .filter(each -> each.concurrency() != null && (usable.contains(each) || each.isFailing()))
                .sorted(SweepPoint.BY_CONCURRENCY)
                .toList();
        for (int i = ascending.size() - 1; i >= 0; i--) {
            SweepPoint point = ascending.get(i);
            if (usable.contains(point) && firstMissed(point) == null) {
                return new Answer(point, missedAbove(point, ascending.subList(i + 1, ascending.size()), usable));
            }
        }
        return new Answer(null, ascending.isEmpty() ? null : missed(ascending.get(0), usable));
    }

    private @Nullable String missedAbove(SweepPoint point, List<SweepPoint> larger, List<SweepPoint> usable) {
        return larger.stream()
                .filter(each -> !Objects.equals(each.concurrency(), point.concurrency()))
                .findFirst()
                .map(each -> missed(each, usable))
                .orElse(null);
    }

    private @Nullable Limit firstMissed(SweepPoint point) {
        return limits.stream().filter(each -> !each.isMetBy(point)).findFirst().orElse(null);
    }

    private @Nullable String missed(SweepPoint point, List<SweepPoint> usable) {
        Limit limit = firstMissed(point);
        Double concurrency = point.concurrency();
        if (concurrency == null) {
            return null;
        }
        String at = "at concurrency " + Rounded.of(concurrency) + " ";
        if (!usable.contains(point)) {
            return at + point.unsound();
        }
        return limit == null ? null : at + limit.missedBy(point);
    }

    /** The relation of a figure to a bound. */
    public enum Relation {
        LESS("<"),
        AT_MOST("<="),
        MORE(">"),
        AT_LEAST(">=");

        private final String sign;

        Relation(String sign) {
            this.sign = sign;
        }

        /** The sign, such as {@code <=}. */
        public String sign() {
            return sign;
        }

        static Relation of(String sign) {
            for (Relation each : values()) {
                if (each.sign.equals(sign)) {
                    return each;
                }
            }
            throw new IllegalArgumentException("'" + sign + "' is not <, <=, > or >=");
        }

        /** Whether {@code value} relates to {@code bound} in this way. */
        public boolean holds(double value, double bound) {
            return switch (this) {
                case LESS -> value < bound;
                case AT_MOST -> value <= bound;
                case MORE -> value > bound;
                case AT_LEAST -> value >= bound;
            };
        }
    }

    @Override
    public String toString() {
        return limits.stream().map(Limit::toString).collect(Collectors.joining(","));
    }
}
