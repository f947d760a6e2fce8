package io.metricsaggregator.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.codec.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;

/**
 * What must not change however snapshots are read and written: their bytes, the order of their rows, and what becomes of malformed ones. A run with
 * {@code -Dsnapshot.errors=write} replaces the texts of errors; the bytes are those of {@link SnapshotCodecTest#full} from before records had one
 * declaration.
 */
class SnapshotPinsTest {
    private static final Path FILES = Path.of("src/test/resources/pins");
    private static final boolean WRITE = "write".equals(System.getProperty("snapshot.errors"));
    private final MsgpackSnapshotCodec msgpack = new MsgpackSnapshotCodec();
    private final JsonSnapshotCodec json = new JsonSnapshotCodec();

    private static byte[] file(String name) throws IOException {
        return Files.readAllBytes(FILES.resolve(name));
    }

    private byte[] onWire() throws IOException {
        return file("snapshot.msgpack");
    }

    @Test
    void both_forms_have_the_bytes_that_they_had() throws IOException {
        MetricsSnapshot fromWire = msgpack.decode(ByteBuffer.wrap(onWire()));
        assertThat(new MsgpackSnapshotCodec().encode(fromWire)).isEqualTo(onWire());
        assertThat(text(json.encode(fromWire))).isEqualTo(text(file("snapshot.json")));
        MetricsSnapshot fromFile = json.decode(ByteBuffer.wrap(file("snapshot.json")));
        assertThat(new MsgpackSnapshotCodec().encode(fromFile)).isEqualTo(onWire());
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Each key is sent twice, first with a value that no field takes. */
    @Test
    void of_a_key_that_comes_twice_the_last_value_counts() throws IOException {
        byte[] twice = packed(new MsgpackTree().read(ByteBuffer.wrap(onWire())), this::writeTwice);
        assertThat(new MsgpackSnapshotCodec().encode(msgpack.decode(ByteBuffer.wrap(twice))))
                .isEqualTo(onWire());
    }

    private void writeTwice(Map.Entry<?, ?> entry, MessagePacker to) throws IOException {
        MsgpackTree.write(entry.getKey(), to);
        MsgpackTree.write(entry.getValue() instanceof List ? (Object) 3L : List.of(1L), to);
        MsgpackTree.write(entry.getKey(), to);
        pack(entry.getValue(), to, this::writeTwice);
    }

    /** Keys of records in another order; the order of rows that are named by their keys is theirs to keep. */
    @Test
    void the_order_of_the_sections_does_not_matter() throws IOException {
        Random random = Seed.random(SnapshotPinsTest.class);
        for (int round = 0; round < 20; round++) {
            List<@Nullable Object> parts = new ArrayList<>(tree(onWire()));
            List<Map.Entry<?, ?>> sections = new ArrayList<>(((Map<?, ?>) parts.get(6)).entrySet());
            Collections.shuffle(sections, random);
            Map<Object, @Nullable Object> shuffled = new LinkedHashMap<>();
            sections.forEach(each -> shuffled.put(each.getKey(), each.getValue()));
            parts.set(6, shuffled);
            MetricsSnapshot read = msgpack.decode(ByteBuffer.wrap(packed(parts, null)));
            assertThat(new MsgpackSnapshotCodec().encode(read)).isEqualTo(onWire());
        }
    }

    private static List<?> tree(byte[] bytes) throws IOException {
        return (List<?>) new MsgpackTree().read(ByteBuffer.wrap(bytes));
    }

    private SnapshotExtensions extensions(byte[] bytes) throws IOException {
        return msgpack.decode(ByteBuffer.wrap(bytes)).extensions();
    }

    private byte[] reencoded(SnapshotExtensions extensions) {
        return new MsgpackSnapshotCodec()
                .encode(new MetricsSnapshot(1, 2, SessionState.LIVE, 0, List.of(), extensions));
    }

    private interface Entries {
        void write(Map.Entry<?, ?> entry, MessagePacker to) throws IOException;
    }

    private static byte[] packed(@Nullable Object tree, @Nullable Entries twice) throws IOException {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            pack(tree, packer, twice);
            return packer.toByteArray();
        }
    }

    private static void pack(@Nullable Object tree, MessagePacker to, @Nullable Entries twice) throws IOException {
        if (twice != null && tree instanceof Map<?, ?> map) {
            to.packMapHeader(2 * map.size());
            for (Map.Entry<?, ?> each : map.entrySet()) {
                twice.write(each, to);
            }
        } else if (twice != null && tree instanceof List<?> list) {
            to.packArrayHeader(list.size());
            for (Object each : list) {
                pack(each, to, twice);
            }
        } else {
            MsgpackTree.write(tree, to);
        }
    }

    /** A line for each value of the file: what is said where it is missing, and where it is an array of an array. */
    @Test
    void malformed_snapshots_are_refused_or_read_as_they_were() throws IOException {
        Map<String, @Nullable Object> document = JsonTree.read(file("snapshot.json"));
        StringBuilder lines = new StringBuilder();
        describe(document, "", UnaryOperator.identity(), lines);
        if (WRITE) {
            Files.writeString(FILES.resolve("malformed.txt"), lines);
        }
        assertThat(lines.toString()).isEqualTo(text(file("malformed.txt")));
    }

    /** Describes each entry of a map, and of the maps in it; {@code whole} is the document with another map in its place. */
    private void describe(Map<?, ?> map, String path, UnaryOperator<Object> whole, StringBuilder lines) {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            String at = path + entry.getKey();
            Map<Object, @Nullable Object> without = new LinkedHashMap<>(map);
            without.remove(entry.getKey());
            Map<Object, @Nullable Object> wrong = new LinkedHashMap<>(map);
            wrong.put(entry.getKey(), List.of(List.of()));
            lines.append(at)
                    .append("\n  absent: ")
                    .append(outcome(whole.apply(without)))
                    .append("\n  wrong:  ")
                    .append(outcome(whole.apply(wrong)))
                    .append('\n');
            UnaryOperator<Object> inner = changed -> whole.apply(with(map, entry.getKey(), changed));
            if (entry.getValue() instanceof Map<?, ?> nested) {
                describe(nested, at + ".", inner, lines);
            } else if (entry.getValue() instanceof List<?> list
                    && !list.isEmpty()
                    && list.get(list.size() - 1) instanceof Map<?, ?> last) {
                List<@Nullable Object> others = new ArrayList<>(list.subList(0, list.size() - 1));
                describe(last, at + "[].", changed -> inner.apply(concat(others, changed)), lines);
            }
        }
    }

    private static Map<Object, @Nullable Object> with(Map<?, ?> map, Object key, @Nullable Object value) {
        Map<Object, @Nullable Object> copy = new LinkedHashMap<>(map);
        copy.put(key, value);
        return copy;
    }

    private static List<@Nullable Object> concat(List<@Nullable Object> first, @Nullable Object last) {
        List<@Nullable Object> all = new ArrayList<>(first);
        all.add(last);
        return all;
    }

    @SuppressWarnings("unchecked")
    private String outcome(Object document) {
        try {
            json.decode(ByteBuffer.wrap(JsonTree.write((Map<String, ?>) document)));
            return "read";
        } catch (MalformedMessageException e) {
            return e.getMessage();
        }
    }
}
