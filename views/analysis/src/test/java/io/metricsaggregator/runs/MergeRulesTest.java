package io.metricsaggregator.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The column "merge" of the snapshot keys in docs/reference.md is what a merge does: two snapshots of a run with every part are merged. */
class MergeRulesTest {
    private static final Path TOP = Path.of("../..");
    private static final Pattern ROW =
            Pattern.compile("\\| `([^`]+)` \\| [^|]* \\| (sum|max|min|any|all|absent|nil) \\| .*");
    /** What two runs that are merged have in common. */
    private static final Set<String> COMMON = Set.of("limit_ns", "from", "to");

    private static final Set<String> IDS = Set.of("id", "run_id");

    private final JsonSnapshotCodec codec = new JsonSnapshotCodec();

    /** The same figures a second time: every integer is larger by one, and devices are others. */
    private static @Nullable Object other(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((key, each) -> copy.put(
                    (String) key, IDS.contains(key) ? each + "-other" : COMMON.contains(key) ? each : other(each)));
            return copy;
        }
        if (value instanceof List<?> list) {
            List<Object> copy = new ArrayList<>();
            list.forEach(each -> copy.add(other(each)));
            return copy;
        }
        return value instanceof Long number ? (Object) (number + 1) : value;
    }

    private Map<String, ?> merged(Map<String, ?> first, Map<String, ?> second) throws IOException {
        var runs = List.of(
                codec.decode(ByteBuffer.wrap(JsonTree.writeLine(first))),
                codec.decode(ByteBuffer.wrap(JsonTree.writeLine(second))));
        return JsonTree.read(codec.encode(SnapshotMerge.merge(runs)));
    }

    @Test
    void every_key_is_merged_as_the_reference_says() throws IOException {
        Map<String, Object> first = new LinkedHashMap<>(
                JsonTree.read(Files.readAllBytes(TOP.resolve("core/snapshot/src/test/resources/pins/snapshot.json"))));
        first.put("metrics", List.of()); // its series has no histogram that could be merged
        Map<String, Object> second = map(other(first));
        Map<String, Object> run = map(other(first.get("run")));
        run.putAll(Map.of("run_id", "other", "schema_version", 2L));
        second.putAll(Map.of("run", run, "slices", Objects.requireNonNull(first.get("slices"))));
        Map<String, ?> merged = merged(first, second);

        List<String> wrong = new ArrayList<>();
        int[] checked = new int[1];
        for (String line : Files.readAllLines(TOP.resolve("docs/reference.md"))) {
            var row = ROW.matcher(line);
            if (row.matches()) {
                check(row.group(1), row.group(2), row.group(1).split("\\."), 0, first, second, merged, wrong, checked);
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(checked[0])
                .as("values of the example under a key with such a rule")
                .isGreaterThan(50);
    }

    @SuppressWarnings("unchecked") // JSON objects have names
    private static Map<String, Object> map(@Nullable Object map) {
        return (Map<String, Object>) Objects.requireNonNull((Map<?, ?>) map);
    }

    private static void check(
            String key,
            String rule,
            String[] path,
            int at,
            @Nullable Object first,
            @Nullable Object second,
            @Nullable Object merged,
            List<String> wrong,
            int[] checked) {
        if (at == path.length) {
            if (first != null) {
                checked[0]++;
                if (!holds(rule, first, second, merged)) {
                    wrong.add(key + " is not " + rule + ": " + first + " and " + second + " give " + merged);
                }
            }
            return;
        }
        String name = path[at].replace("[]", "");
        if (name.equals("*") && first instanceof Map<?, ?> map) {
            for (Object each : map.keySet()) {
                check(key, rule, path, at + 1, map.get(each), in(second, each), in(merged, each), wrong, checked);
            }
        } else if (first instanceof Map<?, ?> map) {
            Object value = map.get(name);
            if (path[at].endsWith("[]") && at + 1 < path.length && value instanceof List<?> list) {
                for (int i = 0; i < list.size(); i++) {
                    check(
                            key,
                            rule,
                            path,
                            at + 1,
                            list.get(i),
                            at(in(second, name), i),
                            at(in(merged, name), i),
                            wrong,
                            checked);
                }
            } else {
                check(key, rule, path, at + 1, value, in(second, name), in(merged, name), wrong, checked);
            }
        }
    }

    private static @Nullable Object in(@Nullable Object map, Object key) {
        return map instanceof Map<?, ?> entries ? entries.get(key) : null;
    }

    private static @Nullable Object at(@Nullable Object list, int index) {
        return list instanceof List<?> values && index < values.size() ? values.get(index) : null;
    }

    private static boolean holds(String rule, Object first, @Nullable Object second, @Nullable Object merged) {
        if (rule.equals("absent") || rule.equals("nil")) {
            return merged == null || merged.equals(List.of()) || merged.equals(Map.of());
        }
        if (first instanceof Map<?, ?> || first instanceof List<?>) {
            return merged != null;
        }
        if (rule.equals("any")) {
            return Boolean.valueOf(first.equals(true) || Boolean.TRUE.equals(second))
                    .equals(merged);
        }
        if (rule.equals("all")) {
            return Boolean.valueOf(first.equals(true) && Boolean.TRUE.equals(second))
                    .equals(merged);
        }
        if (!(first instanceof Number a && second instanceof Number b && merged instanceof Number of)) {
            return false;
        }
        double expected = switch (rule) {
            case "sum" -> a.doubleValue() + b.doubleValue();
            case "max" -> Math.max(a.doubleValue(), b.doubleValue());
            default -> Math.min(a.doubleValue(), b.doubleValue());
        };
        return Math.abs(of.doubleValue() - expected) <= 1e-9 * Math.abs(expected);
    }
}
