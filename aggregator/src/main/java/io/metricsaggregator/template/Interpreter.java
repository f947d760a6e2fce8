package io.metricsaggregator.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Computes expressions. One for each rendering. */
final class Interpreter {
    private static final Set<String> DICT_METHODS = Set.of(
            "items", "keys", "values", "get", "copy", "pop", "popitem", "update", "clear", "setdefault", "fromkeys");
    private static final Set<String> LIST_METHODS =
            Set.of("count", "index", "append", "extend", "insert", "pop", "remove", "clear", "reverse", "sort", "copy");

    private static final Pattern FIELD = Pattern.compile("%(-?0?\\d{0,3})(\\.\\d{1,2})?([sdirf%])");

    private final Budget budget;
    private final Filters filters;

    Interpreter(Budget budget) {
        this.budget = budget;
        this.filters = new Filters(this, budget);
    }

    @Nullable
    Object value(Expr expr, Scope scope) {
        budget.step();
        if (expr instanceof Expr.Literal literal) {
            return literal.value();
        }
        if (expr instanceof Expr.Name name) {
            return scope.get(name.name());
        }
        if (expr instanceof Expr.Attribute attribute) {
            return attribute(value(attribute.of(), scope), attribute.name());
        }
        if (expr instanceof Expr.Item item) {
            return item(value(item.of(), scope), value(item.key(), scope));
        }
        if (expr instanceof Expr.Call call) {
            return call(value(call.function(), scope), call.arguments(), scope);
        }
        if (expr instanceof Expr.Filter filter) {
            return filter(filter.name(), value(filter.of(), scope), filter.arguments(), scope);
        }
        if (expr instanceof Expr.Test test) {
            return Tests.test(
                            test.name(),
                            value(test.of(), scope),
                            values(test.arguments().positional(), scope))
                    != test.negated();
        }
        if (expr instanceof Expr.Conditional conditional) {
            if (Values.truth(value(conditional.condition(), scope))) {
                return value(conditional.then(), scope);
            }
            Expr otherwise = conditional.otherwise();
            return otherwise == null ? new Values.Undefined("the inline if without else") : value(otherwise, scope);
        }
        return composed(expr, scope);
    }

    private @Nullable Object composed(Expr expr, Scope scope) {
        if (expr instanceof Expr.ListOf list) {
            return values(list.elements(), scope);
        }
        if (expr instanceof Expr.TupleOf tuple) {
            return new Values.Tuple(values(tuple.elements(), scope));
        }
        if (expr instanceof Expr.DictOf dict) {
            Map<Object, @Nullable Object> map = new LinkedHashMap<>();
            for (int i = 0; i < dict.keys().size(); i++) {
                Object key = value(dict.keys().get(i), scope);
                map.put(key == null ? "None" : key, value(dict.values().get(i), scope));
            }
            return map;
        }
        if (expr instanceof Expr.Slice slice) {
            return slice(
                    value(slice.of(), scope),
                    bound(slice.from(), scope),
                    bound(slice.to(), scope),
                    bound(slice.step(), scope));
        }
        if (expr instanceof Expr.Unary unary) {
            Object of = value(unary.of(), scope);
            return switch (unary.operator()) {
                case "not" -> !Values.truth(of);
                case "-" -> of instanceof Double number ? (Object) (-number) : (Object) (-Values.integer(of));
                default -> of;
            };
        }
        if (expr instanceof Expr.Compare compare) {
            return compare(compare, scope);
        }
        Expr.Binary binary = (Expr.Binary) expr;
        Object left = value(binary.left(), scope);
        return switch (binary.operator()) {
            case "and" -> Values.truth(left) ? value(binary.right(), scope) : left;
            case "or" -> Values.truth(left) ? left : value(binary.right(), scope);
            default -> arithmetic(binary.operator(), left, value(binary.right(), scope));
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

    private Map<String, @Nullable Object> named(Expr.Arguments arguments, Scope scope) {
        Map<String, @Nullable Object> named = new LinkedHashMap<>();
        for (int i = 0; i < arguments.names().size(); i++) {
            named.put(arguments.names().get(i), value(arguments.named().get(i), scope));
        }
        return named;
    }

    @Nullable
    Object filter(String name, @Nullable Object value, Expr.Arguments arguments, Scope scope) {
        return filters.apply(name, value, values(arguments.positional(), scope), named(arguments, scope));
    }

    private @Nullable Object call(@Nullable Object function, Expr.Arguments arguments, Scope scope) {
        if (!(function instanceof Values.Function called)) {
            throw new TemplateException(Values.typeName(function) + " cannot be called");
        }
        budget.enter();
        try {
            return called.call(values(arguments.positional(), scope), named(arguments, scope));
        } catch (IndexOutOfBoundsException e) {
            throw new TemplateException("a call lacks an argument");
        } finally {
            budget.leave();
        }
    }

    @Nullable
    Object attribute(@Nullable Object of, String name) {
        if (of instanceof Values.Undefined undefined) {
            throw new TemplateException("'" + undefined.name() + "' is undefined, and has no '" + name + "'");
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

    private static @Nullable Object entry(Map<?, ?> map, Object key) {
        return map.containsKey(key) ? map.get(key) : new Values.Undefined(String.valueOf(key));
    }

    @Nullable
    Object item(@Nullable Object of, @Nullable Object key) {
        if (of instanceof Values.Undefined) {
            throw new TemplateException(Values.typeName(of) + " has no items");
        }
        if (of instanceof Map<?, ?> map) {
            return key == null
                    ? new Values.Undefined("None")
                    : map.containsKey(key) || !(key instanceof String name) ? entry(map, key) : attribute(map, name);
        }
        if (Values.isInteger(key) && (of instanceof List || of instanceof String)) {
            long length = Values.length(of);
            long index = Values.integer(key) < 0 ? Values.integer(key) + length : Values.integer(key);
            if (index < 0 || index >= length) {
                return new Values.Undefined("item " + Values.integer(key));
            }
            return of instanceof List<?> list ? list.get((int) index) : character((String) of, (int) index);
        }
        return key instanceof String name ? attribute(of, name) : new Values.Undefined(Values.text(key));
    }

    private static String character(String text, int index) {
        return Character.toString(text.codePointAt(text.offsetByCodePoints(0, index)));
    }

    private Object slice(@Nullable Object of, @Nullable Object from, @Nullable Object to, @Nullable Object by) {
        budget.makeElementsOf(of);
        List<@Nullable Object> elements = Values.elements(of);
        if (of instanceof Map || of instanceof Values.Undefined) {
            throw new TemplateException(Values.typeName(of) + " cannot be sliced");
        }
        int length = elements.size();
        long step = by == null ? 1 : Values.integer(by);
        if (step == 0) {
            throw new TemplateException("slice step cannot be zero");
        }
        long low = step > 0 ? 0 : -1;
        long high = step > 0 ? length : length - 1;
        long start = place(from, step > 0 ? low : high, length, low, high);
        long end = place(to, step > 0 ? high : low, length, low, high);
        budget.make(length);
        List<@Nullable Object> made = new ArrayList<>();
        for (long i = start; step > 0 ? i < end : i > end; i += step) {
            made.add(elements.get((int) i));
        }
        if (of instanceof String) {
            StringBuilder text = new StringBuilder();
            made.forEach(text::append);
            return text.toString();
        }
        return of instanceof Values.Tuple ? new Values.Tuple(made) : made;
    }

    private static long place(@Nullable Object index, long otherwise, int length, long low, long high) {
        if (index == null) {
            return otherwise;
        }
        long given = Values.integer(index);
        return Math.max(low, Math.min(high, given < 0 ? given + length : given));
    }

    private boolean compare(Expr.Compare compare, Scope scope) {
        Object left = value(compare.first(), scope);
        for (int i = 0; i < compare.operators().size(); i++) {
            Object right = value(compare.others().get(i), scope);
            boolean holds = switch (compare.operators().get(i)) {
                case "==" -> Values.equal(left, right);
                case "!=" -> !Values.equal(left, right);
                case "<" -> Values.compare(left, right) < 0;
                case "<=" -> Values.compare(left, right) <= 0;
                case ">" -> Values.compare(left, right) > 0;
                case ">=" -> Values.compare(left, right) >= 0;
                case "in" -> Values.contains(right, left);
                default -> !Values.contains(right, left);
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
        if (operator.equals("~")) {
            return concat(Values.text(left), Values.text(right));
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
            throw new TemplateException(
                    "'" + operator + "' is not for " + Values.typeName(left) + " and " + Values.typeName(right));
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
        budget.makeElements(Values.length(what) * count);
        List<@Nullable Object> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            made.addAll((List<?>) java.util.Objects.requireNonNull(what));
        }
        return made;
    }

    /** {@code text % values}, with {@code %s}, {@code %r}, {@code %d}, {@code %f}, their widths and precisions, and {@code %%}. */
    String format(String text, @Nullable Object values) {
        List<?> given = values instanceof Values.Tuple tuple ? tuple : java.util.Collections.singletonList(values);
        Matcher field = FIELD.matcher(text);
        StringBuilder made = new StringBuilder();
        int next = 0;
        int from = 0;
        for (int at = text.indexOf('%'); at >= 0; at = text.indexOf('%', from)) {
            made.append(text, from, at);
            if (!field.find(at) || field.start() != at) {
                throw new TemplateException("'" + text + "' is no format that is supported");
            }
            if (field.group(3).equals("%")) {
                made.append('%');
            } else if (next == given.size()) {
                throw new TemplateException("'" + text + "' has more fields than values");
            } else {
                String shown = field(field, given.get(next++));
                budget.make(shown.length());
                made.append(shown);
            }
            from = field.end();
        }
        return made.append(text, from, text.length()).toString();
    }

    private static String field(Matcher field, @Nullable Object value) {
        String width = field.group(1);
        String precision = field.group(2) == null ? "" : field.group(2);
        return switch (field.group(3)) {
            case "d", "i" -> String.format(java.util.Locale.ROOT, "%" + width + "d", (long) Values.real(value));
            case "f" -> String.format(java.util.Locale.ROOT, "%" + width + precision + "f", Values.real(value));
            case "r" ->
                String.format(
                        java.util.Locale.ROOT, "%" + width.replace("0", "") + precision + "s", Values.repr(value));
            default ->
                String.format(
                        java.util.Locale.ROOT,
                        "%" + width.replaceFirst("^0", "") + precision + "s",
                        Values.text(value));
        };
    }
}
