package io.metricsaggregator.template;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Jinja's filters on sequences. Filters that are generators in Jinja return a {@link Values.Generator}, which has no length and no JSON
 * form.
 */
final class SequenceFilters {
    static final Set<String> NAMES = Set.of(
            "list",
            "first",
            "last",
            "items",
            "dictsort",
            "sum",
            "max",
            "min",
            "sort",
            "unique",
            "reverse",
            "join",
            "batch",
            "slice",
            "groupby",
            "map",
            "select",
            "reject",
            "selectattr",
            "rejectattr");

    private final Filters filters;
    private final Interpreter interpreter;
    private final Budget budget;

    SequenceFilters(Filters filters, Interpreter interpreter, Budget budget) {
        this.filters = filters;
        this.interpreter = interpreter;
        this.budget = budget;
    }

    @Nullable
    Object apply(String name, @Nullable Object value, FilterArguments given) {
        return switch (name) {
            case "list" -> elements(value);
            case "first" -> first(value);
            case "last" -> last(value);
            case "items" -> items(value);
            case "dictsort" -> dictSort(value, given);
            case "sum" -> sum(value, given);
            case "max", "min" -> extreme(name.equals("max"), value, given);
            case "sort" -> sort(value, given);
            case "unique" -> unique(value, given);
            case "reverse" -> reverse(value);
            case "join" -> join(value, given);
            case "groupby" -> group(value, text(given.get(0, "attribute", "")));
            case "map" -> map(value, given);
            case "select", "reject" -> select(value, given, name.equals("select"), null);
            case "selectattr", "rejectattr" ->
                select(value, given, name.equals("selectattr"), text(given.get(0, "attribute", "")));
            default -> new Values.Generator(pieces(name.equals("batch"), elements(value), given));
        };
    }

    private List<@Nullable Object> elements(@Nullable Object value) {
        return Values.elements(value, budget);
    }

    private String text(@Nullable Object value) {
        return Repr.text(value, budget);
    }

    private @Nullable Object first(@Nullable Object value) {
        if (value instanceof Values.Generator generator) {
            return generator.takeFirst();
        }
        if (value instanceof List<?> list && !list.isEmpty()) {
            return list.get(0);
        }
        List<@Nullable Object> elements = elements(value);
        return elements.isEmpty() ? new Values.Undefined("first") : elements.get(0);
    }

    private @Nullable Object last(@Nullable Object value) {
        if (value instanceof Values.Generator) {
            throw new TemplateException("last: a generator is not reversible");
        }
        if (value instanceof List<?> list && !list.isEmpty()) {
            return list.get(list.size() - 1);
        }
        List<@Nullable Object> elements = elements(value);
        return elements.isEmpty() ? new Values.Undefined("last") : elements.get(elements.size() - 1);
    }

    private Values.Generator items(@Nullable Object value) {
        if (value instanceof Values.Undefined) {
            return new Values.Generator(new ArrayList<>());
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw new TemplateException("items: " + Values.typeName(value) + " is not a mapping");
        }
        return new Values.Generator(elements(ContainerMethods.items(map, budget)));
    }

    private @Nullable Object sum(@Nullable Object value, FilterArguments given) {
        Object sum = given.get(1, "start", 0L);
        for (Object each : byAttribute(value, given.get(0, "attribute", null))) {
            sum = interpreter.arithmetic("+", sum, each);
        }
        return sum;
    }

    private @Nullable Object extreme(boolean largest, @Nullable Object value, FilterArguments given) {
        Comparator<@Nullable Object> order = order(given.flag(0, "case_sensitive"), given.get(1, "attribute", null));
        List<@Nullable Object> elements = elements(value);
        if (elements.isEmpty()) {
            return new Values.Undefined("the minimum or maximum of an empty sequence");
        }
        Object found = elements.get(0);
        for (Object each : elements) {
            int compared = order.compare(each, found);
            found = (largest ? compared > 0 : compared < 0) ? each : found;
        }
        return found;
    }

    private Object sort(@Nullable Object value, FilterArguments given) {
        List<@Nullable Object> sorted = elements(value);
        budget.steps(8L * sorted.size());
        Comparator<@Nullable Object> order = order(given.flag(1, "case_sensitive"), given.get(2, "attribute", null));
        sorted.sort(given.flag(0, "reverse") ? order.reversed() : order);
        return sorted;
    }

    private Object unique(@Nullable Object value, FilterArguments given) {
        boolean caseSensitive = given.flag(0, "case_sensitive");
        Object attribute = given.get(1, "attribute", null);
        List<@Nullable Object> unique = new ArrayList<>();
        List<@Nullable Object> seen = new ArrayList<>();
        for (Object each : elements(value)) {
            Object key = attribute == null ? each : path(each, text(attribute));
            Object compared = caseSensitive ? key : filters.folded(key);
            if (!Comparison.contains(seen, compared, budget)) {
                seen.add(compared);
                unique.add(each);
            }
        }
        return new Values.Generator(unique);
    }

    private Object reverse(@Nullable Object value) {
        if (value instanceof String text) {
            budget.make(text.length());
            return new StringBuilder(text).reverse().toString();
        }
        List<@Nullable Object> reversed = elements(value);
        java.util.Collections.reverse(reversed);
        return value instanceof Values.Generator ? reversed : new Values.Generator(reversed);
    }

    private Object join(@Nullable Object value, FilterArguments given) {
        return TextMethods.join(
                text(given.get(0, "d", "")), byAttribute(value, given.get(1, "attribute", null)), budget);
    }

    private List<@Nullable Object> byAttribute(@Nullable Object value, @Nullable Object attribute) {
        List<@Nullable Object> elements = elements(value);
        if (attribute != null) {
            elements.replaceAll(each -> path(each, text(attribute)));
        }
        return elements;
    }

    /** Resolves a dotted path of attributes. */
    private @Nullable Object path(@Nullable Object value, String names) {
        budget.step();
        budget.make(names.length());
        Object found = value;
        for (String name : names.split("\\.", -1)) {
            found = interpreter.item(found, name.matches("\\d{1,9}") ? (Object) Long.valueOf(name) : (Object) name);
        }
        return found;
    }

    private Comparator<@Nullable Object> order(boolean caseSensitive, @Nullable Object attribute) {
        return (a, b) -> {
            Object x = attribute == null ? a : path(a, text(attribute));
            Object y = attribute == null ? b : path(b, text(attribute));
            return Comparison.compare(
                    caseSensitive ? x : filters.folded(x), caseSensitive ? y : filters.folded(y), budget);
        };
    }

    private Object dictSort(@Nullable Object value, FilterArguments given) {
        if (!(value instanceof Map<?, ?> map)) {
            throw new TemplateException("dictsort: " + Values.typeName(value) + " is not a mapping");
        }
        List<@Nullable Object> items = elements(ContainerMethods.items(map, budget));
        int place = "value".equals(given.get(1, "by", "key")) ? 1 : 0;
        Comparator<@Nullable Object> order = order(given.flag(0, "case_sensitive"), (long) place);
        items.sort(given.flag(2, "reverse") ? order.reversed() : order);
        return items;
    }

    private Object group(@Nullable Object value, String attribute) {
        List<@Nullable Object> sorted = elements(value);
        sorted.sort(order(false, attribute));
        List<@Nullable Object> groups = new ArrayList<>();
        List<@Nullable Object> members = new ArrayList<>();
        Object key = null;
        for (Object each : sorted) {
            Object own = path(each, attribute);
            if (members.isEmpty() || !Comparison.equal(filters.folded(own), filters.folded(key), budget)) {
                key = own;
                members = new ArrayList<>();
                List<@Nullable Object> pair = new ArrayList<>();
                pair.add(key);
                pair.add(members);
                budget.makeElements(4);
                groups.add(new Values.Tuple(pair));
            }
            members.add(each);
        }
        return groups;
    }

    private List<@Nullable Object> pieces(boolean batch, List<@Nullable Object> elements, FilterArguments given) {
        int count =
                (int) Math.max(1, Math.min(100_000, Values.integer(given.get(0, batch ? "linecount" : "slices", 1L))));
        boolean filled = given.positional().size() > 1 || given.named().containsKey("fill_with");
        Object fill = given.get(1, "fill_with", null);
        List<@Nullable Object> pieces = new ArrayList<>();
        int start = 0;
        int number = batch ? (elements.size() + count - 1) / count : count;
        int wanted = batch ? count : (elements.size() + count - 1) / count;
        budget.makeElements(elements.size() + 2L * number + (filled ? (long) number * wanted : 0));
        for (int i = 0; i < number; i++) {
            int size = batch ? count : elements.size() / count + (i < elements.size() % count ? 1 : 0);
            List<@Nullable Object> piece =
                    new ArrayList<>(elements.subList(start, Math.min(elements.size(), start + size)));
            start += piece.size();
            while (filled && piece.size() < wanted) {
                piece.add(fill);
            }
            pieces.add(piece);
        }
        return pieces;
    }

    /** Returns the members to filter; a false value such as None has no members. */
    private List<@Nullable Object> members(@Nullable Object value) {
        return Values.truth(value) ? elements(value) : new ArrayList<>();
    }

    private Object map(@Nullable Object value, FilterArguments given) {
        List<@Nullable Object> mapped = new ArrayList<>();
        boolean byAttribute = given.positional().isEmpty() && given.named().containsKey("attribute");
        for (Object each : members(value)) {
            budget.step();
            if (byAttribute) {
                Object found = path(each, text(given.named().get("attribute")));
                mapped.add(
                        found instanceof Values.Undefined && given.named().containsKey("default")
                                ? given.named().get("default")
                                : found);
            } else {
                List<@Nullable Object> rest =
                        given.positional().subList(1, given.positional().size());
                mapped.add(filters.apply(text(given.positional().get(0)), each, rest, given.named()));
            }
        }
        return new Values.Generator(mapped);
    }

    private Object select(@Nullable Object value, FilterArguments given, boolean wanted, @Nullable String attribute) {
        int skipped = attribute == null ? 0 : 1;
        List<@Nullable Object> arguments = given.positional();
        List<@Nullable Object> selected = new ArrayList<>();
        for (Object each : members(value)) {
            budget.step();
            Object tested = attribute == null ? each : path(each, attribute);
            boolean passes = arguments.size() > skipped
                    ? Tests.test(
                            text(arguments.get(skipped)),
                            tested,
                            arguments.subList(skipped + 1, arguments.size()),
                            budget)
                    : Values.truth(tested);
            if (passes == wanted) {
                selected.add(each);
            }
        }
        return new Values.Generator(selected);
    }
}
