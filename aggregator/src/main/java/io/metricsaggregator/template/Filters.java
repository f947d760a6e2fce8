package io.metricsaggregator.template;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Jinja's filters, as far as chat templates use them. */
final class Filters {
    private final Interpreter interpreter;
    private final Budget budget;

    Filters(Interpreter interpreter, Budget budget) {
        this.interpreter = interpreter;
        this.budget = budget;
    }

    /** Arguments of one call, by place or by name. */
    private record Given(List<@Nullable Object> positional, Map<String, @Nullable Object> named) {
        @Nullable
        Object get(int place, String name, @Nullable Object otherwise) {
            if (place < positional.size()) {
                return positional.get(place);
            }
            return named.containsKey(name) ? named.get(name) : otherwise;
        }

        boolean flag(int place, String name) {
            return Values.truth(get(place, name, false));
        }
    }

    @Nullable
    Object apply(
            String name,
            @Nullable Object value,
            List<@Nullable Object> positional,
            Map<String, @Nullable Object> named) {
        Given given = new Given(positional, named);
        return switch (name) {
            case "tojson" -> toJson(value, given);
            case "length", "count" -> Values.length(value);
            case "default", "d" ->
                value instanceof Values.Undefined || (given.flag(1, "boolean") && !Values.truth(value))
                        ? given.get(0, "default_value", "")
                        : value;
            case "string" -> Values.text(value);
            case "int" -> toInteger(value, given.get(0, "default", 0L));
            case "float" -> toReal(value, given.get(0, "default", 0.0));
            case "list" -> list(value);
            case "first" -> edge(Values.elements(value), true);
            case "last" -> edge(Values.elements(value), false);
            case "safe", "e", "escape", "forceescape" -> name.equals("safe") ? value : escape(Values.text(value));
            case "items" -> value instanceof Values.Undefined ? list(value) : method(value, "items");
            case "dictsort" -> dictSort(value, given);
            case "abs" ->
                value instanceof Double number ? (Object) Math.abs(number) : (Object) Math.abs(Values.integer(value));
            case "round" -> round(value, given);
            case "sum", "max", "min", "sort", "unique", "reverse", "join", "batch", "slice", "groupby" ->
                sequence(name, value, given);
            case "map" -> map(value, given);
            case "select", "reject" -> select(value, given, name.equals("select"), null);
            case "selectattr", "rejectattr" ->
                select(value, given, name.equals("selectattr"), Values.text(given.get(0, "attribute", "")));
            case "attr" -> interpreter.attribute(value, Values.text(given.get(0, "name", "")));
            default -> text(name, value, given);
        };
    }

    private Object toJson(@Nullable Object value, Given given) {
        Object indent = given.get(1, "indent", null);
        Object first = given.get(0, "ensure_ascii", false);
        // In Jinja's own filter the first argument is the indent.
        if (first instanceof Long && indent == null) {
            indent = first;
            first = false;
        }
        Object separators = given.get(2, "separators", null);
        if (value instanceof Values.Undefined) {
            throw new TemplateException("tojson: " + Values.typeName(value) + " has no JSON form");
        }
        String made = PyJson.dump(
                value,
                indent == null ? -1 : Values.integer(indent),
                separators instanceof List<?> list && list.size() == 2 ? list : null,
                given.flag(3, "sort_keys"),
                Values.truth(first));
        budget.make(made.length());
        return made;
    }

    private @Nullable Object method(@Nullable Object value, String method) {
        if (value == null) {
            throw new TemplateException("None has no " + method);
        }
        return TextMethods.call(value, method, List.of(), Map.of(), budget);
    }

    private List<@Nullable Object> list(@Nullable Object value) {
        budget.makeElementsOf(value);
        return Values.elements(value);
    }

    private static @Nullable Object edge(List<@Nullable Object> elements, boolean first) {
        if (elements.isEmpty()) {
            return new Values.Undefined(first ? "first" : "last");
        }
        return elements.get(first ? 0 : elements.size() - 1);
    }

    private static @Nullable Object toInteger(@Nullable Object value, @Nullable Object otherwise) {
        try {
            if (value instanceof Double number) {
                return number.longValue();
            }
            return value instanceof String text
                    ? (Object) (text.contains(".") ? (long) Double.parseDouble(text) : Long.parseLong(text.strip()))
                    : (Object) Values.integer(value);
        } catch (NumberFormatException | TemplateException e) {
            return otherwise;
        }
    }

    private static @Nullable Object toReal(@Nullable Object value, @Nullable Object otherwise) {
        try {
            return value instanceof String text ? Double.parseDouble(text.strip()) : Values.real(value);
        } catch (NumberFormatException | TemplateException e) {
            return otherwise;
        }
    }

    private static Object round(@Nullable Object value, Given given) {
        double scale = Math.pow(10, (double) Values.integer(given.get(0, "precision", 0L)));
        double scaled = Values.real(value) * scale;
        double rounded = switch (Values.text(given.get(1, "method", "common"))) {
            case "ceil" -> Math.ceil(scaled);
            case "floor" -> Math.floor(scaled);
            default -> Math.rint(scaled);
        };
        return rounded / scale;
    }

    private @Nullable Object sequence(String name, @Nullable Object value, Given given) {
        return switch (name) {
            case "join" -> join(value, given);
            case "reverse" -> {
                if (value instanceof String text) {
                    yield new StringBuilder(text).reverse().toString();
                }
                List<@Nullable Object> reversed = list(value);
                java.util.Collections.reverse(reversed);
                yield reversed;
            }
            case "sum" -> {
                Object sum = given.get(1, "start", 0L);
                for (Object each : byAttribute(value, given.get(0, "attribute", null))) {
                    sum = interpreter.arithmetic("+", sum, each);
                }
                yield sum;
            }
            case "max", "min" -> {
                Comparator<@Nullable Object> order =
                        order(given.flag(0, "case_sensitive"), given.get(1, "attribute", null));
                List<@Nullable Object> elements = list(value);
                yield elements.isEmpty()
                        ? new Values.Undefined(name)
                        : elements.stream().reduce(elements.get(0), (a, b) -> {
                            int compared = order.compare(b, a);
                            return (name.equals("max") ? compared > 0 : compared < 0) ? b : a;
                        });
            }
            case "sort" -> {
                List<@Nullable Object> sorted = list(value);
                budget.steps(8L * sorted.size());
                Comparator<@Nullable Object> order =
                        order(given.flag(1, "case_sensitive"), given.get(2, "attribute", null));
                sorted.sort(given.flag(0, "reverse") ? order.reversed() : order);
                yield sorted;
            }
            case "unique" -> {
                List<@Nullable Object> unique = new ArrayList<>();
                for (Object each : list(value)) {
                    budget.steps(unique.size());
                    if (unique.stream().noneMatch(seen -> Values.equal(folded(seen), folded(each)))) {
                        unique.add(each);
                    }
                }
                yield unique;
            }
            case "groupby" -> group(value, Values.text(given.get(0, "attribute", "")));
            default -> pieces(name.equals("batch"), list(value), given);
        };
    }

    private Object join(@Nullable Object value, Given given) {
        String separator = Values.text(given.get(0, "d", ""));
        return TextMethods.join(separator, byAttribute(value, given.get(1, "attribute", null)), budget);
    }

    private List<@Nullable Object> byAttribute(@Nullable Object value, @Nullable Object attribute) {
        List<@Nullable Object> elements = list(value);
        if (attribute != null) {
            elements.replaceAll(each -> path(each, Values.text(attribute)));
        }
        return elements;
    }

    /** An attribute of an attribute, with dots between. */
    private @Nullable Object path(@Nullable Object value, String names) {
        Object found = value;
        for (String name : names.split("\\.", -1)) {
            found = interpreter.item(found, name.matches("\\d+") ? (Object) Long.valueOf(name) : (Object) name);
        }
        return found;
    }

    private static @Nullable Object folded(@Nullable Object value) {
        return value instanceof String text ? text.toLowerCase(Locale.ROOT) : value;
    }

    private Comparator<@Nullable Object> order(boolean caseSensitive, @Nullable Object attribute) {
        return (a, b) -> {
            Object x = attribute == null ? a : path(a, Values.text(attribute));
            Object y = attribute == null ? b : path(b, Values.text(attribute));
            return Values.compare(caseSensitive ? x : folded(x), caseSensitive ? y : folded(y));
        };
    }

    private List<@Nullable Object> dictSort(@Nullable Object value, Given given) {
        List<@Nullable Object> items = Values.elements(method(value, "items"));
        int place = "value".equals(given.get(1, "by", "key")) ? 1 : 0;
        Comparator<@Nullable Object> order = order(given.flag(0, "case_sensitive"), (long) place);
        items.sort(given.flag(2, "reverse") ? order.reversed() : order);
        return items;
    }

    private List<@Nullable Object> group(@Nullable Object value, String attribute) {
        List<@Nullable Object> sorted = list(value);
        sorted.sort(order(false, attribute));
        List<@Nullable Object> groups = new ArrayList<>();
        List<@Nullable Object> members = new ArrayList<>();
        Object key = null;
        for (Object each : sorted) {
            Object own = path(each, attribute);
            if (members.isEmpty() || !Values.equal(own, key)) {
                key = own;
                members = new ArrayList<>();
                List<@Nullable Object> pair = new ArrayList<>();
                pair.add(key);
                pair.add(members);
                groups.add(new Values.Tuple(pair));
            }
            members.add(each);
        }
        return groups;
    }

    private static List<@Nullable Object> pieces(boolean batch, List<@Nullable Object> elements, Given given) {
        int count = (int) Math.max(1, Math.min(100_000, Values.integer(given.get(0, "linecount", 1L))));
        boolean filled = given.positional().size() > 1 || given.named().containsKey("fill_with");
        Object fill = given.get(1, "fill_with", null);
        List<@Nullable Object> pieces = new ArrayList<>();
        int start = 0;
        int number = batch ? (elements.size() + count - 1) / count : count;
        for (int i = 0; i < number; i++) {
            int size = batch ? count : elements.size() / count + (i < elements.size() % count ? 1 : 0);
            List<@Nullable Object> piece =
                    new ArrayList<>(elements.subList(start, Math.min(elements.size(), start + size)));
            start += piece.size();
            int wanted = batch ? count : (elements.size() + count - 1) / count;
            while (filled && piece.size() < wanted) {
                piece.add(fill);
            }
            pieces.add(piece);
        }
        return pieces;
    }

    private List<@Nullable Object> map(@Nullable Object value, Given given) {
        List<@Nullable Object> mapped = new ArrayList<>();
        for (Object each : list(value)) {
            budget.step();
            if (given.named().containsKey("attribute")) {
                Object found = path(each, Values.text(given.named().get("attribute")));
                mapped.add(
                        found instanceof Values.Undefined && given.named().containsKey("default")
                                ? given.named().get("default")
                                : found);
            } else {
                List<@Nullable Object> rest =
                        given.positional().subList(1, given.positional().size());
                mapped.add(apply(Values.text(given.positional().get(0)), each, rest, given.named()));
            }
        }
        return mapped;
    }

    private List<@Nullable Object> select(
            @Nullable Object value, Given given, boolean wanted, @Nullable String attribute) {
        int skipped = attribute == null ? 0 : 1;
        List<@Nullable Object> arguments = given.positional();
        List<@Nullable Object> selected = new ArrayList<>();
        for (Object each : list(value)) {
            budget.step();
            Object looked = attribute == null ? each : path(each, attribute);
            boolean passes = arguments.size() > skipped
                    ? Tests.test(
                            Values.text(arguments.get(skipped)),
                            looked,
                            arguments.subList(skipped + 1, arguments.size()))
                    : Values.truth(looked);
            if (passes == wanted) {
                selected.add(each);
            }
        }
        return selected;
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("'", "&#39;")
                .replace("\"", "&#34;");
    }

    private @Nullable Object text(String name, @Nullable Object value, Given given) {
        String text = Values.text(value);
        budget.make(text.length());
        return switch (name) {
            case "trim" -> TextMethods.strip(text, given.positional(), true, true);
            case "upper" -> text.toUpperCase(Locale.ROOT);
            case "lower" -> text.toLowerCase(Locale.ROOT);
            case "capitalize" -> TextMethods.capitalize(text);
            case "title" -> TextMethods.title(text);
            case "replace" ->
                TextMethods.replace(
                        text,
                        Values.text(given.get(0, "old", "")),
                        Values.text(given.get(1, "new", "")),
                        Values.integer(given.get(2, "count", -1L)),
                        budget);
            case "indent" -> indent(text, given);
            case "truncate" -> truncate(text, given);
            case "wordcount" -> (long) text.strip().split("\\W+", -1).length;
            case "format" -> interpreter.format(text, new Values.Tuple(new ArrayList<>(given.positional())));
            case "center" -> {
                long missing = Math.max(0, Values.integer(given.get(0, "width", 80L)) - Values.length(text));
                budget.make(missing);
                yield " ".repeat((int) (missing / 2)) + text + " ".repeat((int) (missing - missing / 2));
            }
            default -> throw new TemplateException("the filter '" + name + "' is not supported");
        };
    }

    private String indent(String text, Given given) {
        Object width = given.get(0, "width", 4L);
        String by = width instanceof String given0 ? given0 : " ".repeat((int) Math.min(1000, Values.integer(width)));
        boolean first = given.flag(1, "first");
        boolean blank = given.flag(2, "blank");
        String[] lines = text.split("\n", -1);
        budget.make((long) by.length() * lines.length);
        StringBuilder made = new StringBuilder();
        for (int i = 0; i < lines.length; i++) {
            boolean indented = (i > 0 || first) && (blank || !lines[i].isEmpty() || i == 0);
            made.append(i == 0 ? "" : "\n").append(indented ? by : "").append(lines[i]);
        }
        return made.toString();
    }

    private static String truncate(String text, Given given) {
        long length = Values.integer(given.get(0, "length", 255L));
        String end = Values.text(given.get(2, "end", "..."));
        long leeway = Values.integer(given.get(3, "leeway", 5L));
        if (text.length() <= length + leeway) {
            return text;
        }
        String cut = text.substring(0, (int) Math.max(0, length - end.length()));
        int space = cut.lastIndexOf(' ');
        return (given.flag(1, "killwords") || space < 0 ? cut : cut.substring(0, space)) + end;
    }
}
