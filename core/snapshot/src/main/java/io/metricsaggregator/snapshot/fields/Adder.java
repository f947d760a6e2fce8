package io.metricsaggregator.snapshot.fields;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Adds records up, field by field, by the rules of their declarations; what has no rule there is refused. One owner at a time.
 *
 * <p>A declaration is passed twice: over the first record, whose values are kept, then over the second one, whose values are joined with them.
 */
public final class Adder implements Writing {
    private final LongBinaryOperator plus;
    private final boolean together;
    private final List<String> keys = new ArrayList<>();
    private final List<@Nullable Object> values = new ArrayList<>();

    private boolean taking;
    private boolean alone;
    private int next;
    private @Nullable Merge rule;
    private @Nullable Long weightLeft;
    private @Nullable Long weightRight;

    /**
     * Creates an adder.
     *
     * @param plus the sum of two integers
     * @param together whether the records were measured at the same time, so that their {@linkplain Merge#PEAK peaks} add up
     */
    public Adder(LongBinaryOperator plus, boolean together) {
        this.plus = plus;
        this.together = together;
    }

    /** The sum of two records. */
    public <T> T add(T left, T right, Shape<T> shape) {
        Adder adder = new Adder(plus, together);
        adder.taking = true;
        adder.pass(left, shape);
        adder.taking = false;
        return adder.pass(right, shape);
    }

    /** A record as a sum of one: without what is unknown of every sum. */
    public <T> T alone(T one, Shape<T> shape) {
        Adder adder = new Adder(plus, together);
        adder.alone = true;
        return adder.pass(one, shape);
    }

    /** The sum of some records, those that are null left out; null if there are no others. */
    public <T> @Nullable T sum(Iterable<? extends @Nullable T> records, Shape<T> shape) {
        T sum = null;
        for (T each : records) {
            if (each != null) {
                sum = sum == null ? alone(each, shape) : add(sum, each, shape);
            }
        }
        return sum;
    }

    private <T> T pass(T value, Shape<T> shape) {
        try {
            return shape.pass(this, value);
        } catch (MalformedMessageException e) {
            throw new IllegalStateException("an adder reads nothing", e);
        }
    }

    @Override
    public Fields by(Merge merge) {
        rule = taking ? null : merge;
        return this;
    }

    @Override
    public long count(String key, long value) {
        Object sum = joined(key, value, Merge.KNOWN_SUM);
        return sum == null ? 0 : (long) sum;
    }

    @Override
    public @Nullable Long maybeCount(String key, @Nullable Long value) {
        return (Long) joined(key, value, Merge.SUM);
    }

    @Override
    public @Nullable Long absentCount(String key, @Nullable Long value) {
        return maybeCount(key, value);
    }

    @Override
    public double real(String key, double value) {
        Object sum = joined(key, value, Merge.KNOWN_SUM);
        return sum == null ? 0 : (double) sum;
    }

    @Override
    public @Nullable Double maybeReal(String key, @Nullable Double value) {
        return (Double) joined(key, value, Merge.SUM);
    }

    @Override
    public @Nullable Double absentReal(String key, @Nullable Double value) {
        return maybeReal(key, value);
    }

    @Override
    public boolean flag(String key, boolean value) {
        return Boolean.TRUE.equals(joined(key, value, Merge.MAX));
    }

    @Override
    public boolean absentFlag(String key, boolean value) {
        return flag(key, value);
    }

    @Override
    public String text(String key, String value) {
        Object text = joined(key, value, Merge.FIRST);
        return text == null ? "" : (String) text;
    }

    @Override
    public @Nullable String maybeText(String key, @Nullable String value) {
        return (String) joined(key, value, Merge.FIRST);
    }

    @Override
    public @Nullable String absentText(String key, @Nullable String value) {
        return maybeText(key, value);
    }

    /** The later word of the list is the larger one; the first stands for a state that is unknown. */
    @Override
    public <E> E word(String key, E value, List<E> all, Function<E, String> name) {
        Object at = joined(key, (long) all.indexOf(value), Merge.MAX);
        return all.get(at == null ? 0 : Math.toIntExact((long) at));
    }

    @Override
    public <T> T record(String key, T value, Shape<T> shape, T blank) {
        T sum = maybe(key, value, shape, blank);
        return sum == null ? blank : sum;
    }

    @Override
    @SuppressWarnings("unchecked") // What was kept for a key is of the type of its row.
    public <T> @Nullable T maybe(String key, @Nullable T value, Shape<T> shape, T blank) {
        if (taking) {
            put(key, value);
            return value;
        }
        Merge merge = rule(Merge.KNOWN_SUM);
        T left = (T) kept(key);
        if (merge == Merge.NONE || (merge == Merge.SUM && !alone && (left == null || value == null))) {
            return null;
        }
        return left == null
                ? value == null ? null : alone(value, shape)
                : value == null ? alone(left, shape) : add(left, value, shape);
    }

    @Override
    public <T> @Nullable T absent(String key, @Nullable T value, Shape<T> shape, T blank) {
        return maybe(key, value, shape, blank);
    }

    /** The elements of both, one after the other. */
    @Override
    @SuppressWarnings("unchecked")
    public <T> List<T> list(String key, List<T> rows, Shape<T> shape, T blank) {
        if (taking) {
            put(key, rows);
            return rows;
        }
        if (rule(Merge.SUM) == Merge.NONE) {
            return List.of();
        }
        List<T> both = new ArrayList<>();
        List<T> left = (List<T>) kept(key);
        if (left != null) {
            both.addAll(left);
        }
        both.addAll(rows);
        return both;
    }

    /** The sums of the records of each name, in the order in which the names come first. */
    @Override
    @SuppressWarnings("unchecked")
    public <T> List<T> byName(
            String key, List<T> rows, Function<T, String> name, Function<String, T> blank, Shape<T> shape) {
        if (taking) {
            put(key, rows);
            return rows;
        }
        if (rule(Merge.SUM) == Merge.NONE) {
            return List.of();
        }
        Map<String, T> sums = new LinkedHashMap<>();
        List<T> left = (List<T>) kept(key);
        for (List<T> each : left == null ? List.of(rows) : List.of(left, rows)) {
            for (T row : each) {
                T sum = sums.get(name.apply(row));
                sums.put(name.apply(row), sum == null ? alone(row, shape) : add(sum, row, shape));
            }
        }
        return List.copyOf(sums.values());
    }

    @Override
    public boolean group(boolean present, String first) {
        if (taking) {
            return present;
        }
        Merge merge = rule(Merge.KNOWN_SUM);
        if (alone) {
            return present && merge != Merge.NONE;
        }
        boolean left = at(first) >= 0;
        return switch (merge) {
            case NONE -> false;
            case SUM -> present && left;
            default -> present || left;
        };
    }

    @Override
    public void derived(String key, @Nullable Object tree) {
        // Follows from the sums.
    }

    @Override
    public void derivedMap(String key, Body body) {
        // Follows from the sums.
    }

    @Override
    public byte @Nullable [] maybeBytes(String key, byte @Nullable [] value) {
        throw refused(key);
    }

    @Override
    public <T> List<T> entries(List<T> rows, Function<T, String> name, Function<String, T> blank, Shape<T> shape) {
        throw refused("entries");
    }

    @Override
    public <T> Map<String, T> absentMap(String key, Map<String, T> rows, Shape<T> shape, T blank) {
        throw refused(key);
    }

    @Override
    public Map<String, long[]> columns(String key, Map<String, long[]> columns, long unknown) {
        throw refused(key);
    }

    @Override
    public Map<String, Double> absentReals(String key, Map<String, Double> reals) {
        throw refused(key);
    }

    @Override
    public List<String> texts(String key, List<String> texts) {
        throw refused(key);
    }

    @Override
    public Map<String, String> textMap(String key, Map<String, String> texts) {
        throw refused(key);
    }

    @Override
    @SuppressWarnings("unchecked")
    public Map<String, Long> counts(String key, Map<String, Long> counts) {
        if (taking) {
            put(key, counts);
            return counts;
        }
        Map<String, Long> sums = new LinkedHashMap<>(counts);
        Map<String, Long> left = (Map<String, Long>) kept(key);
        if (left != null) {
            left.forEach((name, count) -> sums.merge(name, count, plus::applyAsLong));
        }
        return sums;
    }

    @Override
    public Map<String, @Nullable Object> anything(String key, Map<String, @Nullable Object> tree) {
        throw refused(key);
    }

    @Override
    public <E> @Nullable E maybeWord(String key, @Nullable E value, List<E> all, Function<E, String> name) {
        throw refused(key);
    }

    @Override
    public <T> T form(String key, T value, Form<T> form) {
        throw refused(key);
    }

    @Override
    public <T> @Nullable T maybeForm(String key, @Nullable T value, Form<T> form) {
        throw refused(key);
    }

    @Override
    public <T> Map<String, T> others(Map<String, T> others, Keys names, Form<T> form) {
        throw refused("others");
    }

    private static IllegalStateException refused(String key) {
        return new IllegalStateException("no rule says how " + key + " adds up");
    }

    private void put(String key, @Nullable Object value) {
        keys.add(key);
        values.add(value);
    }

    private Merge rule(Merge usual) {
        Merge merge = rule == null ? usual : rule;
        rule = null;
        return merge == Merge.PEAK ? together ? Merge.KNOWN_SUM : Merge.MAX : merge;
    }

    /** Where the value of a key is; rows of a group may be missing. -1 if it is. */
    private int at(String key) {
        for (int i = next; i < keys.size(); i++) {
            if (keys.get(i).equals(key)) {
                return i;
            }
        }
        return -1;
    }

    private @Nullable Object kept(String key) {
        int at = at(key);
        if (at < 0) {
            return null;
        }
        next = at + 1;
        return values.get(at);
    }

    private @Nullable Object joined(String key, @Nullable Object right, Merge usual) {
        if (taking) {
            put(key, right);
            return right;
        }
        Merge merge = rule(usual);
        if (merge == Merge.NONE) {
            return null;
        }
        Object left = kept(key);
        Object joined = join(merge, left, right);
        weightLeft = left instanceof Long count ? count : null;
        weightRight = right instanceof Long count ? count : null;
        return joined;
    }

    private @Nullable Object join(Merge merge, @Nullable Object left, @Nullable Object right) {
        if (left == null || right == null) {
            boolean unknown = merge == Merge.SUM && !alone;
            return unknown ? null : left == null ? right : left;
        }
        return switch (merge) {
            case FIRST -> left;
            case MAX, MIN -> compare(left, right) > 0 == (merge == Merge.MAX) ? left : right;
            case MEAN -> mean((double) left, (double) right);
            default ->
                left instanceof Double number
                        ? (Object) (number + (double) right)
                        : (Object) plus.applyAsLong((long) left, (long) right);
        };
    }

    private double mean(double left, double right) {
        long a = weightLeft == null ? 0 : weightLeft;
        long b = weightRight == null ? 0 : weightRight;
        return a == 0 ? right : b == 0 ? left : (left * a + right * b) / ((double) a + b);
    }

    private static int compare(Object left, Object right) {
        return left instanceof Long count
                ? Long.compare(count, (long) right)
                : left instanceof Double number
                        ? Double.compare(number, (double) right)
                        : Boolean.compare((boolean) left, (boolean) right);
    }
}
