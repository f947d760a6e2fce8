package io.metricsaggregator.template;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The filters of Jinja that chat templates use; this class holds those of single values. */
final class Filters {
    private final Interpreter interpreter;
    private final Budget budget;
    private final SequenceFilters sequences;
    private final TextFilters texts;

    Filters(Interpreter interpreter, Budget budget) {
        this.interpreter = interpreter;
        this.budget = budget;
        this.sequences = new SequenceFilters(this, interpreter, budget);
        this.texts = new TextFilters(interpreter, budget);
    }

    @Nullable
    Object apply(
            String name,
            @Nullable Object value,
            List<@Nullable Object> positional,
            Map<String, @Nullable Object> named) {
        FilterArguments given = new FilterArguments(positional, named);
        return switch (name) {
            case "tojson" -> toJson(value, given);
            case "length", "count" -> Values.length(value, budget);
            case "default", "d" ->
                value instanceof Values.Undefined || (given.flag(1, "boolean") && !Values.truth(value))
                        ? given.get(0, "default_value", "")
                        : value;
            case "string" -> Repr.text(value, budget);
            case "int" -> toInteger(value, given.get(0, "default", 0L));
            case "float" -> toReal(value, given.get(0, "default", 0.0));
            case "safe" -> new Values.Markup(Repr.text(value, budget));
            case "abs" ->
                value instanceof Double number ? (Object) Math.abs(number) : (Object) Math.abs(Values.integer(value));
            case "round" -> round(value, given);
            case "attr" -> interpreter.attribute(value, Repr.text(given.get(0, "name", ""), budget));
            default ->
                SequenceFilters.NAMES.contains(name)
                        ? sequences.apply(name, value, given)
                        : texts.apply(name, value, given);
        };
    }

    /** Serialises a value like {@code tojson} of transformers: a generator, a range or a view has no JSON form. */
    private Object toJson(@Nullable Object value, FilterArguments given) {
        Object indent = given.get(1, "indent", null);
        Object separators = given.get(2, "separators", null);
        return PyJson.dump(
                value,
                indent == null ? null : indent instanceof String text ? text : " ".repeat(spaces(indent)),
                separators instanceof List<?> list && list.size() == 2 ? list : null,
                given.flag(3, "sort_keys"),
                given.flag(0, "ensure_ascii"),
                budget);
    }

    private static int spaces(Object indent) {
        return (int) Math.max(0, Math.min(1000, Values.integer(indent)));
    }

    private @Nullable Object toInteger(@Nullable Object value, @Nullable Object fallback) {
        try {
            if (value instanceof Double number) {
                return number.longValue();
            }
            if (value instanceof String text) {
                budget.make(text.length());
                String digits = text.strip().replace("_", "");
                return digits.matches("[-+]?\\d{1,19}") ? Long.parseLong(digits) : (long) Double.parseDouble(digits);
            }
            return Values.integer(value);
        } catch (NumberFormatException e) {
            return fallback;
        } catch (TemplateException e) {
            return fallback;
        }
    }

    private @Nullable Object toReal(@Nullable Object value, @Nullable Object fallback) {
        try {
            if (value instanceof String text) {
                budget.make(text.length());
                return Double.parseDouble(text.strip());
            }
            return Values.real(value);
        } catch (NumberFormatException | TemplateException e) {
            return fallback;
        }
    }

    private Object round(@Nullable Object value, FilterArguments given) {
        double scale = Math.pow(10, (double) Values.integer(given.get(0, "precision", 0L)));
        double scaled = Values.real(value) * scale;
        double rounded = switch (Repr.text(given.get(1, "method", "common"), budget)) {
            case "ceil" -> Math.ceil(scaled);
            case "floor" -> Math.floor(scaled);
            default -> Math.rint(scaled);
        };
        return rounded / scale;
    }

    /** Returns a string in lower case for case-insensitive comparison, and any other value unchanged. */
    @Nullable
    Object folded(@Nullable Object value) {
        if (value instanceof String text) {
            budget.make(text.length());
            return text.toLowerCase(Locale.ROOT);
        }
        return value;
    }
}
