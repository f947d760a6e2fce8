package io.metricsaggregator.flink;

import io.metricsaggregator.codec.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A snapshot file as its leaves, by path: the form in which two of them are compared. */
public final class SnapshotLeaves {
    private SnapshotLeaves() {}

    /** The leaves of a file. Maps are by key, lists by place; an empty one is a leaf. */
    public static Map<String, Object> of(Path file) throws IOException {
        return of(Files.readAllBytes(file));
    }

    /** The leaves of a snapshot as JSON. */
    public static Map<String, Object> of(byte[] json) throws IOException {
        Map<String, Object> leaves = new TreeMap<>();
        add("", JsonTree.read(json), leaves);
        return leaves;
    }

    private static void add(String path, @Nullable Object node, Map<String, Object> leaves) {
        if (node instanceof Map<?, ?> map && !map.isEmpty()) {
            Object name = map.get("name");
            map.forEach((key, value) -> add(path + "/" + key, value, leaves));
            if (name != null) {
                leaves.put(path + "(" + name + ")", name);
            }
        } else if (node instanceof List<?> list && !list.isEmpty()) {
            for (int i = 0; i < list.size(); i++) {
                add(path + "/" + i, list.get(i), leaves);
            }
        } else {
            leaves.put(path, String.valueOf(node));
        }
    }
}
