package io.metricsaggregator.report.submission;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A mapping of a JSON or YAML file with its place, for readers of files that people write: a value of another type than asked for reads as absent.
 *
 * @param label where the mapping stands, such as {@code node_sets[1].components}
 * @param map the mapping
 */
record Node(String label, Map<?, ?> map) {
    /** Marks a value that a person has to fill in. */
    static final String TODO = "TODO";

    /** Whether a value is still to be filled in. */
    static boolean isTodo(@Nullable Object value) {
        return value instanceof String text && (text.equals(TODO) || text.startsWith(TODO + ":"));
    }

    /** Whether the mapping has a value of that name, filled in or not; null and an empty text are none. */
    boolean has(String key) {
        Object value = map.get(key);
        return value != null && !"".equals(value);
    }

    /** Whether the value is still to be filled in. */
    boolean isTodo(String key) {
        return isTodo(map.get(key));
    }

    /** The mapping of that name; null if there is none. */
    @Nullable
    Node node(String key) {
        return map.get(key) instanceof Map<?, ?> inner ? new Node(child(key), inner) : null;
    }

    /** The mappings in the list of that name; empty without one. */
    List<Node> nodes(String key) {
        List<Node> nodes = new ArrayList<>();
        if (map.get(key) instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                if (list.get(i) instanceof Map<?, ?> inner) {
                    nodes.add(new Node(child(key) + "[" + i + "]", inner));
                }
            }
        }
        return nodes;
    }

    /** The text of that name, filled in; null if there is none. */
    @Nullable
    String text(String key) {
        return has(key) && !isTodo(key) && map.get(key) instanceof String text ? text : null;
    }

    /** The finite number of that name; null if there is none. */
    @Nullable
    Double number(String key) {
        return map.get(key) instanceof Number number && Double.isFinite(number.doubleValue())
                ? (Double) number.doubleValue()
                : null;
    }

    /** The whole number of that name, within 64 bits; null if there is none. */
    @Nullable
    Long whole(String key) {
        Object value = map.get(key);
        return value instanceof Long || value instanceof Integer ? (Long) ((Number) value).longValue() : null;
    }

    /** The whole number of that name, of any size; null if there is none. */
    @Nullable
    BigInteger big(String key) {
        Long small = whole(key);
        return small != null ? BigInteger.valueOf(small) : map.get(key) instanceof BigInteger big ? big : null;
    }

    /** Whether the value is {@code true}. */
    boolean isTrue(String key) {
        return Boolean.TRUE.equals(map.get(key));
    }

    private String child(String key) {
        return label.isEmpty() ? key : label + "." + key;
    }
}
