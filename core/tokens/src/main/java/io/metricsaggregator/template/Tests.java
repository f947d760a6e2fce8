package io.metricsaggregator.template;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Jinja's tests: the names after {@code is}. */
final class Tests {
    private Tests() {}

    static boolean test(String name, @Nullable Object value, List<@Nullable Object> arguments, Budget budget) {
        return switch (name) {
            case "defined" -> !(value instanceof Values.Undefined);
            case "undefined" -> value instanceof Values.Undefined;
            case "none" -> value == null;
            case "true" -> Boolean.TRUE.equals(value);
            case "false" -> Boolean.FALSE.equals(value);
            case "boolean" -> value instanceof Boolean;
            case "integer" -> value instanceof Long;
            case "float" -> value instanceof Double;
            case "number" -> Values.isNumber(value);
            case "string" -> value instanceof String;
            case "mapping" -> value instanceof Map;
            case "sequence" -> isSequence(value);
            case "iterable" -> isSequence(value) || value instanceof List || value instanceof Values.Generator;
            case "callable" -> value instanceof Values.Function;
            case "odd" -> Math.floorMod(Values.integer(value), 2L) == 1;
            case "even" -> Math.floorMod(Values.integer(value), 2L) == 0;
            case "divisibleby" -> Math.floorMod(Values.integer(value), Values.integer(first(name, arguments))) == 0;
            case "lower" -> isCased(value, false, budget);
            case "upper" -> isCased(value, true, budget);
            case "eq", "equalto", "==" -> Comparison.equal(value, first(name, arguments), budget);
            case "ne", "!=" -> !Comparison.equal(value, first(name, arguments), budget);
            case "lt", "lessthan", "<" -> Comparison.compare(value, first(name, arguments), budget) < 0;
            case "le", "<=" -> Comparison.compare(value, first(name, arguments), budget) <= 0;
            case "gt", "greaterthan", ">" -> Comparison.compare(value, first(name, arguments), budget) > 0;
            case "ge", ">=" -> Comparison.compare(value, first(name, arguments), budget) >= 0;
            case "in" -> Comparison.contains(first(name, arguments), value, budget);
            case "sameas" ->
                value == first(name, arguments)
                        || (Values.isNumber(value) && Comparison.equal(value, first(name, arguments), budget));
            default -> throw new TemplateException("the test '" + name + "' is not supported");
        };
    }

    private static boolean isSequence(@Nullable Object value) {
        return value instanceof List<?> list
                ? !(list instanceof Values.View view) || view.isIndexed()
                : value instanceof Map || value instanceof String || value instanceof Values.Undefined;
    }

    /** Python's {@code islower} and {@code isupper}: at least one cased letter, and none of the opposite case. */
    private static boolean isCased(@Nullable Object value, boolean upper, Budget budget) {
        String text = Repr.text(value, budget);
        budget.make(2L * text.length());
        String lower = text.toLowerCase(Locale.ROOT);
        String raised = text.toUpperCase(Locale.ROOT);
        return upper ? text.equals(raised) && !text.equals(lower) : text.equals(lower) && !text.equals(raised);
    }

    private static @Nullable Object first(String name, List<@Nullable Object> arguments) {
        if (arguments.isEmpty()) {
            throw new TemplateException("the test '" + name + "' requires an argument");
        }
        return arguments.get(0);
    }
}
