package io.metricsaggregator.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The methods of Python's lists and dictionaries that change nothing: in the sandbox there are no others. */
final class ContainerMethods {
    private ContainerMethods() {}

    static @Nullable Object call(Object of, String method, List<@Nullable Object> arguments) {
        if (of instanceof Map<?, ?> map) {
            return onMap(map, method, arguments);
        }
        if (of instanceof List<?> list && method.equals("count")) {
            return list.stream()
                    .filter(each -> Values.equal(each, arguments.get(0)))
                    .count();
        }
        if (of instanceof List<?> list && method.equals("index")) {
            for (int i = 0; i < list.size(); i++) {
                if (Values.equal(list.get(i), arguments.get(0))) {
                    return (long) i;
                }
            }
            throw new TemplateException(Values.repr(arguments.get(0)) + " is not in list");
        }
        throw new TemplateException(Values.typeName(of) + " has no method '" + method + "' that a template may call");
    }

    private static @Nullable Object onMap(Map<?, ?> map, String method, List<@Nullable Object> arguments) {
        return switch (method) {
            case "items" -> {
                List<@Nullable Object> items = new ArrayList<>();
                map.forEach((key, value) -> {
                    List<@Nullable Object> item = new ArrayList<>();
                    item.add(key);
                    item.add(value);
                    items.add(new Values.Tuple(item));
                });
                yield items;
            }
            case "keys" -> new ArrayList<@Nullable Object>(map.keySet());
            case "values" -> new ArrayList<@Nullable Object>(map.values());
            case "get" ->
                map.containsKey(arguments.get(0))
                        ? map.get(arguments.get(0))
                        : arguments.size() > 1 ? arguments.get(1) : null;
            case "copy" -> Values.copy(map);
            default -> throw new TemplateException("dict has no method '" + method + "' that a template may call");
        };
    }
}
