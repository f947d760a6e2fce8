package io.metricsaggregator.it;

import io.metricsaggregator.codec.JsonTree;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The event records of docs/protocol.md: its tables, and the examples beside it, docs/examples/records.jsonl and telemetry.jsonl. */
final class DocumentedForms {
    private static final int TOPIC_BYTES = 40;
    private static final Path EXAMPLES = Path.of("..", "docs", "examples");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern TYPE = Pattern.compile("[a-z]+\\.[a-z_]+");
    private static final Pattern KEY = Pattern.compile("[a-z0-9_]*[a-z0-9](?:\\{[a-z,]+\\}[a-z0-9_]*)?");

    private final String text;

    DocumentedForms() throws IOException {
        text = Files.readString(Path.of("..", "docs", "protocol.md"));
    }

    /** An example: its record, and its name, such as {@code transfer.complete 2} for the second one of that type. */
    record Example(String name, Map<String, ?> fields) {
        String type() {
            return (String) fields.get("event_type");
        }
    }

    /** Telemetry comes before the load generator's examples, because those end the session. */
    List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        Map<String, Integer> numbers = new LinkedHashMap<>();
        for (String file : List.of("telemetry.jsonl", "records.jsonl")) {
            for (String line : Files.readAllLines(EXAMPLES.resolve(file))) {
                Map<String, ?> fields = JsonTree.read(line.getBytes(StandardCharsets.UTF_8));
                String type = (String) fields.get("event_type");
                examples.add(new Example(type + " " + numbers.merge(type, 1, Integer::sum), fields));
            }
        }
        return examples;
    }

    /** Returns the rows of the table with a given header. */
    private List<String[]> table(String header) {
        int start = text.indexOf(header);
        if (start < 0) {
            throw new AssertionError("no table " + header);
        }
        return text.substring(start)
                .lines()
                .takeWhile(line -> line.startsWith("|"))
                .skip(2)
                .map(line -> Arrays.copyOfRange(line.split("(?<!\\\\)\\|", -1), 1, 3))
                .toList();
    }

    private static List<String> codes(String cell, Pattern pattern) {
        return CODE.matcher(cell)
                .results()
                .map(each -> each.group(1))
                .filter(each -> pattern.matcher(each).matches())
                .toList();
    }

    private static List<String> braces(String key) {
        int open = key.indexOf('{');
        if (open < 0) {
            return List.of(key);
        }
        int close = key.indexOf('}');
        return Arrays.stream(key.substring(open + 1, close).split(",", -1))
                .map(each -> key.substring(0, open) + each + key.substring(close + 1))
                .toList();
    }

    /** Returns the topics of the load generator's records. */
    Set<String> eventTypes() {
        Set<String> types = new LinkedHashSet<>();
        table("| topic | payload |").forEach(row -> types.addAll(codes(row[0], TYPE)));
        return types;
    }

    /** Returns the keys of the load generator's records. */
    Set<String> eventKeys() {
        Set<String> keys = new LinkedHashSet<>();
        table("| Key | Type | Default | Meaning |").forEach(row -> keys.addAll(codes(row[0], KEY)));
        return keys;
    }

    /** Returns the possible numbers of elements for each tag of {@code data}, the tag included. */
    Map<String, Integer> tags() {
        Map<String, Integer> tags = new LinkedHashMap<>();
        table("| Tag | Elements |")
                .forEach(row -> tags.put(
                        codes(row[0], Pattern.compile(".*")).get(0),
                        1
                                + codes(row[1].replaceFirst("Read in any order.*", ""), KEY)
                                        .size()));
        return tags;
    }

    /** Returns the finish reasons that are counted by name. */
    List<String> finishReasons() {
        String row = text.lines()
                .filter(line -> line.startsWith("| `finish_reason` |"))
                .findFirst()
                .orElseThrow();
        return codes(row.substring(row.indexOf("sample.complete") + 16), KEY).stream()
                .filter(each -> !each.equals("other"))
                .toList();
    }

    /** Returns the keys of telemetry beyond the common ones, per row of the table: its types, and the keys that all or one of them have. */
    Map<List<String>, Set<String>> telemetryKeys() {
        Map<List<String>, Set<String>> keys = new LinkedHashMap<>();
        for (String[] row : table("| `event_type` | Further keys |")) {
            Set<String> of = new LinkedHashSet<>();
            codes(row[1], KEY).forEach(each -> of.addAll(braces(each)));
            keys.put(codes(row[0], TYPE), of);
        }
        return keys;
    }

    /** Returns the keys that all telemetry has in common. */
    List<String> commonKeys() {
        int start = text.indexOf("Common keys: ");
        return codes(text.substring(start, text.indexOf('.', start)), KEY);
    }

    /** Encodes a frame of one record, preceded by its length, in the shortest or the widest MessagePack form. */
    static byte[] frame(String topic, byte[] payload) {
        return bytes(out -> {
            out.writeInt(TOPIC_BYTES + payload.length);
            out.write(Arrays.copyOf(topic.getBytes(StandardCharsets.UTF_8), TOPIC_BYTES));
            out.write(payload);
        });
    }

    /** Encodes a batch of records. */
    static byte[] batch(List<byte[]> records) {
        return frame("batch", bytes(out -> {
            out.writeByte(0xdd);
            out.writeInt(records.size());
            for (byte[] each : records) {
                out.writeByte(0xc6);
                out.writeInt(each.length);
                out.write(each);
            }
        }));
    }

    /** Encodes a record with its keys in reverse order and every integer, string and container in its widest form. */
    static byte[] widest(Map<String, ?> fields) {
        List<Map.Entry<String, ?>> entries = new ArrayList<>(fields.entrySet());
        Collections.reverse(entries);
        Map<String, Object> reversed = new LinkedHashMap<>();
        entries.forEach(each -> reversed.put(each.getKey(), each.getValue()));
        return bytes(out -> widest(reversed, out));
    }

    private static void widest(Object value, DataOutputStream out) throws IOException {
        if (value == null) {
            out.writeByte(0xc0);
        } else if (value instanceof Boolean flag) {
            out.writeByte(flag ? 0xc3 : 0xc2);
        } else if (value instanceof Long number) {
            out.writeByte(0xd3);
            out.writeLong(number);
        } else if (value instanceof Double number) {
            out.writeByte(0xcb);
            out.writeDouble(number);
        } else if (value instanceof String string) {
            byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
            out.writeByte(0xdb);
            out.writeInt(bytes.length);
            out.write(bytes);
        } else if (value instanceof List<?> list) {
            out.writeByte(0xdd);
            out.writeInt(list.size());
            for (Object each : list) {
                widest(each, out);
            }
        } else {
            Map<?, ?> map = (Map<?, ?>) value;
            out.writeByte(0xdf);
            out.writeInt(map.size());
            for (Map.Entry<?, ?> each : map.entrySet()) {
                widest(each.getKey(), out);
                widest(each.getValue(), out);
            }
        }
    }

    private interface Body {
        void to(DataOutputStream out) throws IOException;
    }

    private static byte[] bytes(Body body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            body.to(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /**
     * Returns the value at a path of a snapshot.
     *
     * @param place steps separated by slashes: a key of a map, or {@code key=value} to select an element of a list
     * @return null if the path does not exist
     */
    static @Nullable Object at(Object tree, String place) {
        @Nullable Object here = tree;
        for (String step : place.split("/", -1)) {
            if (here instanceof List<?> list) {
                String[] which = step.split("=", 2);
                here = list.stream()
                        .filter(each -> which[1].equals(((Map<?, ?>) each).get(which[0])))
                        .findFirst()
                        .orElse(null);
            } else {
                here = here instanceof Map<?, ?> map ? map.get(step) : null;
            }
        }
        return here;
    }
}
