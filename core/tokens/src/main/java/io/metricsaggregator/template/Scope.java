package io.metricsaggregator.template;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables of one block. Variables of enclosing scopes are readable but cannot be assigned. */
final class Scope {
    private final @Nullable Scope outer;
    private final Map<String, @Nullable Object> values;

    Scope(@Nullable Scope outer, Map<String, @Nullable Object> values) {
        this.outer = outer;
        this.values = values;
    }

    Scope inner() {
        return new Scope(this, new HashMap<>());
    }

    @Nullable
    Object get(String name) {
        for (Scope scope = this; scope != null; scope = scope.outer) {
            if (scope.values.containsKey(name)) {
                return scope.values.get(name);
            }
        }
        return new Values.Undefined(name);
    }

    void set(String name, @Nullable Object value) {
        values.put(name, value);
    }
}
