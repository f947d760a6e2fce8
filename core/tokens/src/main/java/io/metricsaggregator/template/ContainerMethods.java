package io.metricsaggregator.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The read-only methods of Python's lists and dictionaries; the sandbox offers no mutating ones. */
final class ContainerMethods {
    private ContainerMethods() {}

    static @Nullable Object call(Object of, String method, List<@Nullable Object> arguments, Budget budget) {
        if (of instanceof Map<?, ?> map) {
            return onMap(map, method, arguments, budget);
        }
        if (of instanceof List<?> list && method.equals("count")) {
            long count = 0;
            for (Object each : list) {
                count += Comparison.equal(each, arguments.get(0), budget) ? 1 : 0;
            }
            return count;
        }
        if (of instanceof List<?> list && method.equals("index")) {
            for (int i = 0; i < list.size(); i++) {
                if (Comparison.equal(list.get(i), arguments.get(0), budget)) {
                    return (long) i;
                }
            }
            throw new TemplateException("index: " + Values.typeName(arguments.get(0)) + " is not in list");
        }
        if (of instanceof List<?> list && method.equals("copy") && !(of instanceof Values.Tuple)) {
            return Values.elements(list, budget);
        }
        throw new TemplateException(Values.typeName(of) + " has no method '" + method + "' that a template may call");
    }

    private static @Nullable Object onMap(
            Map<?, ?> map, String method, List<@Nullable Object> arguments, Budget budget) {
        return switch (method) {
            case "items" -> items(map, budget);
            case "keys" -> view("dict_keys", map.keySet(), budget);
            case "values" -> view("dict_values", map.values(), budget);
            case "get" -> {
                boolean there = Comparison.hasKey(map, arguments.get(0), budget);
                yield there ? map.get(arguments.get(0)) : arguments.size() > 1 ? arguments.get(1) : null;
            }
            case "copy" -> {
                budget.makeElements(map.size());
                yield new LinkedHashMap<Object, @Nullable Object>(map);
            }
            default -> throw new TemplateException("dict has no method '" + method + "' that a template may call");
        };
    }

    private static Values.View view(String type, java.util.Collection<?> elements, Budget budget) {
        budget.makeElements(elements.size());
        return new Values.View(type, null, new ArrayList<>(elements));
    }

    /** Returns the entries of a map as pairs. */
    static Values.View items(Map<?, ?> map, Budget budget) {
        budget.makeElements(3L * map.size());
        List<@Nullable Object> items = new ArrayList<>(map.size());
        map.forEach((key, value) -> {
            List<@Nullable Object> item = new ArrayList<>(2);
            item.add(key);
            item.add(value);
            items.add(new Values.Tuple(item));
        });
        return new Values.View("dict_items", null, items);
    }
}
