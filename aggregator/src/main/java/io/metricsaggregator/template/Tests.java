package io.metricsaggregator.template;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stands behind {@code is}. */
final class Tests {
    private Tests() {}

    static boolean test(String name, @Nullable Object value, List<@Nullable Object> arguments) {
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
            case "sequence", "iterable" ->
                value instanceof List
                        || value instanceof Map
                        || value instanceof String
                        || value instanceof Values.Undefined;
            case "callable" -> value instanceof Values.Function;
            case "odd" -> Math.floorMod(Values.integer(value), 2L) == 1;
            case "even" -> Math.floorMod(Values.integer(value), 2L) == 0;
            case "divisibleby" -> Math.floorMod(Values.integer(value), Values.integer(first(name, arguments))) == 0;
            case "lower" -> Values.text(value).equals(Values.text(value).toLowerCase(Locale.ROOT));
            case "upper" -> Values.text(value).equals(Values.text(value).toUpperCase(Locale.ROOT));
            case "eq", "equalto", "==" -> Values.equal(value, first(name, arguments));
            case "ne", "!=" -> !Values.equal(value, first(name, arguments));
            case "lt", "lessthan", "<" -> Values.compare(value, first(name, arguments)) < 0;
            case "le", "<=" -> Values.compare(value, first(name, arguments)) <= 0;
            case "gt", "greaterthan", ">" -> Values.compare(value, first(name, arguments)) > 0;
            case "ge", ">=" -> Values.compare(value, first(name, arguments)) >= 0;
            case "in" -> Values.contains(first(name, arguments), value);
            case "sameas" ->
                value == first(name, arguments)
                        || (Values.isNumber(value) && Values.equal(value, first(name, arguments)));
            default -> throw new TemplateException("the test '" + name + "' is not supported");
        };
    }

    private static @Nullable Object first(String name, List<@Nullable Object> arguments) {
        if (arguments.isEmpty()) {
            throw new TemplateException("the test '" + name + "' takes an argument");
        }
        return arguments.get(0);
    }
}
