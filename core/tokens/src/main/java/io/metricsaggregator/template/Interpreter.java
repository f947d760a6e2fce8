package io.metricsaggregator.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Evaluates expressions within the budget of one rendering. One instance per rendering; not thread-safe. */
final class Interpreter implements Expr.Visitor {
    private static final Set<String> DICT_METHODS = Set.of(
            "items", "keys", "values", "get", "copy", "pop", "popitem", "update", "clear", "setdefault", "fromkeys");
    private static final Set<String> LIST_METHODS =
            Set.of("count", "index", "append", "extend", "insert", "pop", "remove", "clear", "reverse", "sort", "copy");

    private final Budget budget;
    private final Filters filters;

    Interpreter(Budget budget) {
        this.budget = budget;
        this.filters = new Filters(this, budget);
    }

    /** Evaluates an expression to a value without markup. */
    @Nullable
    Object value(Expr expr, Scope scope) {
        return Values.plain(marked(expr, scope));
    }

    /** Evaluates an expression to a value that may be {@link Values.Markup}. */
    @Nullable
    Object marked(Expr expr, Scope scope) {
        budget.step();
        return expr.accept(this, scope);
    }

    @Override
    public @Nullable Object literal(Expr.Literal literal, Scope scope) {
        return literal.value();
    }

    @Override
    public @Nullable Object name(Expr.Name name, Scope scope) {
        return scope.get(name.name());
    }

    @Override
    public @Nullable Object attribute(Expr.Attribute attribute, Scope scope) {
        return attribute(value(attribute.of(), scope), attribute.name());
    }

    @Override
    public @Nullable Object item(Expr.Item item, Scope scope) {
        return item(value(item.of(), scope), value(item.key(), scope));
    }

    @Override
    public @Nullable Object call(Expr.Call call, Scope scope) {
        return call(value(call.function(), scope), call.arguments(), scope);
    }

    @Override
    public @Nullable Object filter(Expr.Filter filter, Scope scope) {
        return filter(filter.name(), value(filter.of(), scope), filter.arguments(), scope);
    }

    @Override
    public @Nullable Object test(Expr.Test test, Scope scope) {
        return Tests.test(test.name(), value(test.of(), scope), positional(test.arguments(), scope), budget)
                != test.negated();
    }

    @Override
    public @Nullable Object conditional(Expr.Conditional conditional, Scope scope) {
        if (Values.truth(value(conditional.condition(), scope))) {
            return marked(conditional.then(), scope);
        }
        Expr otherwise = conditional.otherwise();
        return otherwise == null ? new Values.Undefined("an inline if without else") : marked(otherwise, scope);
    }

    @Override
    public @Nullable Object listOf(Expr.ListOf list, Scope scope) {
        return values(list.elements(), scope);
    }

    @Override
    public @Nullable Object tupleOf(Expr.TupleOf tuple, Scope scope) {
        return new Values.Tuple(values(tuple.elements(), scope));
    }

    @Override
    public @Nullable Object dictOf(Expr.DictOf dict, Scope scope) {
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < dict.keys().size(); i++) {
            Object key = value(dict.keys().get(i), scope);
            Comparison.hasKey(map, key, budget);
            map.put(key, value(dict.values().get(i), scope));
        }
        return map;
    }

    @Override
    public @Nullable Object slice(Expr.Slice slice, Scope scope) {
        return Slices.slice(
                value(slice.of(), scope),
                bound(slice.from(), scope),
                bound(slice.to(), scope),
                bound(slice.step(), scope),
                budget);
    }

    @Override
    public @Nullable Object unary(Expr.Unary unary, Scope scope) {
        Object of = value(unary.of(), scope);
        return switch (unary.operator()) {
            case "not" -> !Values.truth(of);
            case "-" -> of instanceof Double number ? (Object) (-number) : (Object) (-Values.integer(of));
            default -> of;
        };
    }

    @Override
    public @Nullable Object binary(Expr.Binary binary, Scope scope) {
        Object left = marked(binary.left(), scope);
        return switch (binary.operator()) {
            case "and" -> Values.truth(Values.plain(left)) ? marked(binary.right(), scope) : left;
            case "or" -> Values.truth(Values.plain(left)) ? left : marked(binary.right(), scope);
            default -> arithmetic(binary.operator(), left, marked(binary.right(), scope));
        };
    }

    private @Nullable Object bound(@Nullable Expr expr, Scope scope) {
        return expr == null ? null : value(expr, scope);
    }

    List<@Nullable Object> values(List<Expr> expressions, Scope scope) {
        List<@Nullable Object> values = new ArrayList<>(expressions.size());
        for (Expr expression : expressions) {
            values.add(value(expression, scope));
        }
        return values;
    }

    private List<@Nullable Object> positional(Expr.Arguments arguments, Scope scope) {
        List<@Nullable Object> values = values(arguments.positional(), scope);
        Expr more = arguments.star();
        if (more != null) {
            values.addAll(Values.elements(value(more, scope), budget));
        }
        return values;
    }

    private Map<String, @Nullable Object> named(Expr.Arguments arguments, Scope scope) {
        Map<String, @Nullable Object> named = new LinkedHashMap<>();
        for (int i = 0; i < arguments.names().size(); i++) {
            named.put(arguments.names().get(i), value(arguments.named().get(i), scope));
        }
        Expr more = arguments.doubleStar();
        Object given = more == null ? null : value(more, scope);
        if (given instanceof Map<?, ?> map) {
            budget.makeElements(map.size());
            map.forEach((key, value) -> named.put(Repr.text(key, budget), value));
        } else if (more != null) {
            throw new TemplateException("argument after ** must be a mapping, not " + Values.typeName(given));
        }
        return named;
    }

    @Nullable
    Object filter(String name, @Nullable Object value, Expr.Arguments arguments, Scope scope) {
        return filters.apply(name, value, positional(arguments, scope), named(arguments, scope));
    }

    private @Nullable Object call(@Nullable Object function, Expr.Arguments arguments, Scope scope) {
        if (!(function instanceof Values.Function called)) {
            throw new TemplateException(Values.typeName(function) + " is not callable");
        }
        budget.enter();
        try {
            return called.call(positional(arguments, scope), named(arguments, scope));
        } catch (IndexOutOfBoundsException e) {
            throw new TemplateException("a call is missing an argument");
        } finally {
            budget.leave();
        }
    }

    @Nullable
    Object attribute(@Nullable Object of, String name) {
        if (of instanceof Values.Undefined undefined) {
            throw new TemplateException(
                    "'" + undefined.name() + "' is undefined, so it has no attribute '" + name + "'");
        }
        if (of instanceof Map<?, ?> map) {
            return DICT_METHODS.contains(name) ? method(map, name) : entry(map, name);
        }
        if (of instanceof Values.Namespace namespace) {
            return namespace.attributes().containsKey(name)
                    ? namespace.attributes().get(name)
                    : new Values.Undefined(name);
        }
        if (of instanceof Values.Attributes own) {
            return own.attribute(name);
        }
        if (of instanceof List<?> list) {
            return LIST_METHODS.contains(name) ? method(list, name) : new Values.Undefined(name);
        }
        return of instanceof String text && TextMethods.NAMES.contains(name)
                ? method(text, name)
                : new Values.Undefined(name);
    }

    private Values.Function method(Object of, String name) {
        return (arguments, named) -> TextMethods.call(of, name, arguments, named, budget);
    }

    private static @Nullable Object entry(Map<?, ?> map, String key) {
        return map.containsKey(key) ? map.get(key) : new Values.Undefined(key);
    }

    @Nullable
    Object item(@Nullable Object of, @Nullable Object key) {
        if (of instanceof Values.Undefined) {
            throw new TemplateException(Values.typeName(of) + " is not subscriptable");
        }
        if (of instanceof Map<?, ?> map) {
            boolean canBeKey = key instanceof Values.Tuple || !(key instanceof List || key instanceof Map);
            if (canBeKey && Comparison.hasKey(map, key, budget)) {
                return map.get(key);
            }
            return key instanceof String name ? attribute(map, name) : new Values.Undefined("item");
        }
        boolean indexed = of instanceof String || (of instanceof List && !isUnindexed(of));
        if (Values.isInteger(key) && indexed) {
            long length = Values.length(of, budget);
            long index = Values.integer(key) < 0 ? Values.integer(key) + length : Values.integer(key);
            if (index < 0 || index >= length) {
                return new Values.Undefined("item " + Values.integer(key));
            }
            if (of instanceof List<?> list) {
                return list.get((int) index);
            }
            String text = (String) java.util.Objects.requireNonNull(of);
            return length == text.length() ? String.valueOf(text.charAt((int) index)) : character(text, (int) index);
        }
        return key instanceof String name ? attribute(of, name) : new Values.Undefined("item");
    }

    private static boolean isUnindexed(@Nullable Object value) {
        return value instanceof Values.View view && !view.isIndexed();
    }

    private String character(String text, int index) {
        budget.read(4L * text.length());
        return Character.toString(text.codePointAt(text.offsetByCodePoints(0, index)));
    }

    @Override
    public @Nullable Object compare(Expr.Compare compare, Scope scope) {
        Object left = value(compare.first(), scope);
        for (int i = 0; i < compare.operators().size(); i++) {
            Object right = value(compare.others().get(i), scope);
            boolean holds = switch (compare.operators().get(i)) {
                case "==" -> Comparison.equal(left, right, budget);
                case "!=" -> !Comparison.equal(left, right, budget);
                case "<" -> Comparison.compare(left, right, budget) < 0;
                case "<=" -> Comparison.compare(left, right, budget) <= 0;
                case ">" -> Comparison.compare(left, right, budget) > 0;
                case ">=" -> Comparison.compare(left, right, budget) >= 0;
                case "in" -> Comparison.contains(right, left, budget);
                default -> !Comparison.contains(right, left, budget);
            };
            if (!holds) {
                return false;
            }
            left = right;
        }
        return true;
    }

    @Nullable
    Object arithmetic(String operator, @Nullable Object left, @Nullable Object right) {
        boolean marked = left instanceof Values.Markup || right instanceof Values.Markup;
        if (marked
                && operator.equals("+")
                && Values.plain(left) instanceof String
                && Values.plain(right) instanceof String) {
            return new Values.Markup(concat(escaped(left), escaped(right)));
        }
        return computed(operator, Values.plain(left), Values.plain(right));
    }

    private String escaped(@Nullable Object value) {
        return value instanceof Values.Markup markup
                ? markup.text()
                : TextFilters.escape(Repr.text(value, budget), budget);
    }

    private @Nullable Object computed(String operator, @Nullable Object left, @Nullable Object right) {
        if (operator.equals("~")) {
            return concat(Repr.text(left, budget), Repr.text(right, budget));
        }
        if (left instanceof String text) {
            if (operator.equals("+") && right instanceof String other) {
                return concat(text, other);
            }
            if (operator.equals("%")) {
                return format(text, right);
            }
        }
        if (operator.equals("+") && left instanceof List<?> a && right instanceof List<?> b) {
            String type = Values.typeName(a);
            if (!type.equals(Values.typeName(b)) || a instanceof Values.View) {
                throw new TemplateException("'+' is not supported between " + type + " and " + Values.typeName(b));
            }
            budget.makeElements((long) a.size() + b.size());
            List<@Nullable Object> both = new ArrayList<>(a);
            both.addAll(b);
            return a instanceof Values.Tuple ? new Values.Tuple(both) : both;
        }
        if (operator.equals("*") && (left instanceof String || left instanceof List) && Values.isInteger(right)) {
            return repeat(left, Values.integer(right));
        }
        if (operator.equals("*") && Values.isInteger(left) && (right instanceof String || right instanceof List)) {
            return repeat(right, Values.integer(left));
        }
        if (!Values.isNumber(left) || !Values.isNumber(right)) {
            throw new TemplateException("'" + operator + "' is not supported between " + Values.typeName(left) + " and "
                    + Values.typeName(right));
        }
        return Numbers.compute(operator, left, right);
    }

    private String concat(String left, String right) {
        budget.make((long) left.length() + right.length());
        return left + right;
    }

    private Object repeat(@Nullable Object what, long times) {
        int count = (int) Math.max(0, Math.min(Integer.MAX_VALUE, times));
        if (what instanceof String text) {
            budget.make((long) text.length() * count);
            return text.repeat(count);
        }
        List<?> elements = (List<?>) java.util.Objects.requireNonNull(what);
        budget.makeElements((long) elements.size() * count);
        budget.steps(count);
        List<@Nullable Object> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            made.addAll(elements);
        }
        return elements instanceof Values.Tuple ? new Values.Tuple(made) : made;
    }

    /** Evaluates {@code text % values}. */
    String format(String text, @Nullable Object values) {
        return PercentFormat.format(text, values, budget);
    }
}
