package io.metricsaggregator.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.frame.TelemetryRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** Reads the golden cases of telemetry: records and the results that the real systems computed from them. */
public final class Golden {
    private static final Path FOLDER = Path.of(System.getProperty("golden.dir", "../../quality/golden"));
    private static final int TOPIC = 40;

    private Golden() {}

    public interface Check {
        void of(Path folder, Map<String, ?> input, Map<String, ?> expected) throws Exception;
    }

    public static Stream<DynamicTest> cases(String system, Check check) throws IOException {
        List<Path> cases;
        try (Stream<Path> folders = Files.list(FOLDER.resolve(system))) {
            cases = folders.sorted().toList();
        }
        assertThat(cases).hasSize(5);
        return cases.stream()
                .map(each -> DynamicTest.dynamicTest(
                        each.getFileName().toString(),
                        () -> check.of(each, json(each.resolve("input.json")), json(each.resolve("expected.json")))));
    }

    public static Map<String, ?> json(Path file) throws IOException {
        return JsonTree.read(Files.readAllBytes(file));
    }

    public static Path file(String name) {
        return FOLDER.resolve(name);
    }

    public static List<TelemetryRecord> telemetry(Path folder) throws IOException {
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("frames.bin")));
        List<TelemetryRecord> telemetry = new ArrayList<>();
        while (file.hasRemaining()) {
            int length = file.getInt();
            ByteBuffer frame = file.slice(file.position(), length);
            file.position(file.position() + length);
            telemetry.add(received(frame, TOPIC, length - TOPIC));
        }
        return telemetry;
    }

    /** Decodes a record like the daemon, which passes no malformed record to a fold. */
    private static TelemetryRecord received(ByteBuffer buffer, int start, int length) {
        DecodedEvent event = new DecodedEvent();
        assertThat(new EventDecoder().decode(buffer, start, length, event)).isNull();
        assertThat(event.type()).isNull();
        TelemetryRecord read = TelemetryRecord.read(new MsgpackTree(), buffer, start, length, 0);
        assertThat(read).isNotNull();
        return read;
    }

    public static TelemetryRecord observation(Map<String, ?> fields) {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(fields, packer);
            byte[] bytes = packer.toByteArray();
            return received(ByteBuffer.wrap(bytes), 0, bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a record with the given fields; values are copied. */
    public static Map<String, Object> fields(Object... keysAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            fields.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return fields;
    }

    /** Checks that all expected values are present: integers exactly, rounded figures exactly, others within 1e-9. */
    public static void compare(String place, @Nullable Object expected, @Nullable Object actual, boolean exactly) {
        if (expected instanceof Map<?, ?> map) {
            assertThat(actual).as(place).isInstanceOf(Map.class);
            Map<?, ?> among = (Map<?, ?>) actual;
            map.forEach((key, value) -> {
                assertThat(among.containsKey(key(key, among)))
                        .as(place + "." + key)
                        .isTrue();
                compare(place + "." + key, value, among.get(key(key, among)), exactly);
            });
        } else if (expected instanceof List<?> list) {
            assertThat(actual).as(place).isInstanceOf(List.class);
            assertThat((List<?>) actual).as(place).hasSize(list.size());
            for (int i = 0; i < list.size(); i++) {
                compare(place + "[" + i + "]", list.get(i), ((List<?>) actual).get(i), exactly);
            }
        } else if (expected instanceof Number number) {
            assertThat(actual).as(place).isInstanceOf(Number.class);
            double want = number.doubleValue();
            double tolerance = exactly ? 0 : 1e-9 * Math.max(1, Math.abs(want));
            assertThat(((Number) actual).doubleValue()).as(place).isCloseTo(want, within(tolerance));
        } else {
            assertThat(actual).as(place).isEqualTo(expected);
        }
    }

    /** Finds the key of a bucket edge whatever its number format. */
    private static Object key(Object key, Map<?, ?> among) {
        if (among.containsKey(key) || !String.valueOf(key).matches("[\\d.e+]+")) {
            return key;
        }
        return among.keySet().stream()
                .filter(each -> String.valueOf(each).matches("[\\d.E+]+")
                        && Double.parseDouble(String.valueOf(each)) == Double.parseDouble(String.valueOf(key)))
                .findFirst()
                .map(Object.class::cast)
                .orElse(key);
    }
}
