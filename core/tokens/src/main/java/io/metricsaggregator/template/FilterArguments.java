package io.metricsaggregator.template;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The evaluated arguments of one call of a filter, looked up by position or by name. */
record FilterArguments(List<@Nullable Object> positional, Map<String, @Nullable Object> named) {
    @Nullable
    Object get(int place, String name, @Nullable Object fallback) {
        if (place < positional.size()) {
            return positional.get(place);
        }
        return named.containsKey(name) ? named.get(name) : fallback;
    }

    boolean flag(int place, String name) {
        return Values.truth(get(place, name, false));
    }
}
