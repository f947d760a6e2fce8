package io.metricsaggregator.fold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.Observation;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

class TransferFoldTest {
    private static final Path GOLDEN = Path.of(System.getProperty("golden.dir", "../golden"), "nixl");

    private static byte[] packed(Map<String, ?> fields) {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(fields, packer);
            return packer.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Observation observation(Map<String, ?> fields) {
        byte[] bytes = packed(fields);
        Observation read = Observation.read(new MsgpackTree(), ByteBuffer.wrap(bytes), 0, bytes.length, 0);
        assertThat(read).isNotNull();
        return read;
    }

    @TestFactory
    Stream<DynamicTest> everyGoldenCaseAgreesWithUpstreamAndWithTheRules() throws IOException {
        List<Path> cases;
        try (Stream<Path> folders = Files.list(GOLDEN)) {
            cases = folders.sorted().toList();
        }
        assertThat(cases).hasSize(5);
        return cases.stream()
                .map(each -> DynamicTest.dynamicTest(each.getFileName().toString(), () -> check(each)));
    }

    private static void check(Path folder) throws Exception {
        Map<String, ?> input = JsonTree.read(Files.readAllBytes(folder.resolve("input.json")));
        Map<String, ?> expected = JsonTree.read(Files.readAllBytes(folder.resolve("expected.json")));
        List<?> counts = (List<?>) input.get("interval_event_counts");
        List<?> seconds = (List<?>) ((Map<?, ?>) input.get("params")).get("interval_s");
        List<ByteBuffer> frames = frames(folder);
        TransferFold fold = new TransferFold();
        int next = 0;
        for (int i = 0; i < counts.size(); i++) {
            for (long j = 0; j < (Long) counts.get(i); j++) {
                ByteBuffer frame = frames.get(next++);
                Observation observation = Observation.read(new MsgpackTree(), frame, 40, frame.capacity() - 40, 0);
                assertThat(observation).isNotNull();
                fold.apply(observation);
            }
            fold.closeInterval(((Number) seconds.get(i)).doubleValue());
            Map<String, @Nullable Object> known = fold.freeze(false);
            compare("interval " + i, ((List<?>) expected.get("intervals")).get(i), known.get("last_interval"));
        }
        compare("cumulative", expected.get("cumulative"), fold.freeze(true).get("cumulative"));
    }

    private static List<ByteBuffer> frames(Path folder) throws IOException {
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("frames.bin")));
        List<ByteBuffer> frames = new ArrayList<>();
        while (file.hasRemaining()) {
            int length = file.getInt();
            frames.add(file.slice(file.position(), length));
            file.position(file.position() + length);
        }
        return frames;
    }

    /** Integers exactly, rounded figures exactly, others to 1e-9. */
    private static void compare(String place, @Nullable Object expected, @Nullable Object actual) {
        if (expected instanceof Map<?, ?> map) {
            assertThat(actual).as(place).isInstanceOf(Map.class);
            map.forEach((key, value) -> {
                assertThat(((Map<?, ?>) actual).containsKey(key(key, (Map<?, ?>) actual)))
                        .as(place + "." + key)
                        .isTrue();
                compare(place + "." + key, value, ((Map<?, ?>) actual).get(key(key, (Map<?, ?>) actual)));
            });
        } else if (expected instanceof Number number) {
            assertThat(actual).as(place).isInstanceOf(Number.class);
            double want = number.doubleValue();
            double tolerance = place.contains("compat") ? 0 : 1e-9 * Math.max(1, Math.abs(want));
            assertThat(((Number) actual).doubleValue()).as(place).isCloseTo(want, within(tolerance));
        } else {
            assertThat(actual).as(place).isEqualTo(expected);
        }
    }

    /** An edge of a bucket, however it is written. */
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

    private static Map<String, Object> transfer(String source, long endMillis, double micros) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("event_type", "transfer.complete");
        fields.put("timestamp_ns", endMillis * 1_000_000);
        fields.put("source_id", source);
        fields.put("xfer_duration_us", micros);
        fields.put("post_duration_us", 1L);
        fields.put("total_bytes", 1L << 20);
        fields.put("desc_count", 4L);
        return fields;
    }

    private static Map<?, ?> ours(TransferFold fold) {
        return (Map<?, ?>) ((Map<?, ?>) fold.freeze(true).get("cumulative")).get("ours");
    }

    @Test
    void aTransferWithoutItsTimeCountsAndIsInNoTimeStatistic() throws Exception {
        TransferFold fold = new TransferFold();
        Map<String, Object> untimed = transfer("a", 1, 1);
        untimed.remove("xfer_duration_us");
        fold.apply(observation(untimed));
        fold.apply(observation(transfer("a", 100, 2000)));
        assertThat(ours(fold).get("n_ok")).isEqualTo(2L);
        assertThat(ours(fold).get("n_untimed")).isEqualTo(1L);
        assertThat(((Map<?, ?>) ours(fold).get("xfer_ms")).get("count")).isEqualTo(1L);
        assertThat(((Map<?, ?>) ours(fold).get("mib_per_transfer")).get("count"))
                .isEqualTo(2L);
    }

    @Test
    void hostsWithoutACommonClockHaveNoCommonBusyTime() throws Exception {
        TransferFold fold = new TransferFold();
        Map<String, Object> one = transfer("a", 10, 2000);
        one.put("node_id", "host1");
        Map<String, Object> two = transfer("b", 11, 2000);
        two.put("node_id", "host2");
        fold.apply(observation(one));
        fold.apply(observation(two));
        assertThat(((Map<?, ?>) ours(fold).get("throughput_mib_s")).get("busy")).isNull();
        assertThat(((Map<?, ?>) ours(fold).get("throughput_mib_s")).get("per_transfer_pooled"))
                .isNotNull();
        TransferFold common = new TransferFold();
        one.put("wall_ns", 1_000_000_000L);
        two.put("wall_ns", 1_001_000_000L);
        common.apply(observation(one));
        common.apply(observation(two));
        assertThat((Double) ((Map<?, ?>) ours(common).get("time_s")).get("busy_union"))
                .isCloseTo(0.003, within(1e-12));
        assertThat(((Map<?, ?>) ours(common).get("concurrency")).get("peak")).isEqualTo(2L);
    }

    @Test
    void anAggregatedObjectOfVllmIsTakenWholeOrNotAtAll() throws Exception {
        TransferFold fold = new TransferFold();
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("transfer_duration", List.of(0.01, 0.02));
        data.put("post_duration", List.of(0.001, 0.001));
        data.put("bytes_transferred", List.of(1L << 20, 1L << 20));
        data.put("num_descriptors", List.of(1L, 2L));
        data.put("num_failed_transfers", List.of(1L));
        data.put("some_key_of_next_month", List.of(1L));
        Map<String, Object> fields = new LinkedHashMap<>(Map.of("event_type", "transfer.stats", "data", data));
        fold.apply(observation(fields));
        assertThat(ours(fold).get("n_ok")).isEqualTo(2L);
        assertThat(ours(fold).get("n_failed")).isEqualTo(1L);
        assertThat(((Map<?, ?>) ours(fold).get("throughput_mib_s")).get("busy")).isNull();
        data.put("num_descriptors", List.of(1L));
        Observations observations = new Observations();
        assertThat(observations.apply(observation(fields))).isFalse();
        assertThat(observations.any()).isFalse();
        assertThat(observations.rejected())
                .singleElement()
                .satisfies(row -> assertThat(row.reason()).isEqualTo("transfer.lists_of_different_lengths"));
    }

    @Test
    void whatIsNoTransferIsRejectedByReasonAndChangesNothing() {
        Observations observations = new Observations();
        for (Map.Entry<String, Object> wrong : Map.<String, Object>of(
                        "total_bytes", -1L, "xfer_duration_us", -0.5, "desc_count", "many", "post_duration_us", true)
                .entrySet()) {
            Map<String, Object> fields = transfer("a", 1, 1);
            fields.put(wrong.getKey(), wrong.getValue());
            assertThat(observations.apply(observation(fields))).as("%s", wrong).isFalse();
        }
        assertThat(observations.rejected()).hasSize(4).allMatch(row -> row.count() == 1);
        assertThat(observations.freeze(0, true)).isEmpty();
    }

    @Test
    void beyondTheBoundCountsGoOnAndItSaysWhatWasNotKept() throws Exception {
        TransferFold fold = new TransferFold();
        Observation one = observation(transfer("a", 1, 1));
        for (int i = 0; i < TransferStats.KEPT_MAX + 10; i++) {
            fold.apply(one);
        }
        assertThat(ours(fold).get("n_ok")).isEqualTo(TransferStats.KEPT_MAX + 10L);
        assertThat(ours(fold).get("values_not_kept")).isEqualTo(10L);
        assertThat(ours(fold).get("bytes_total")).isEqualTo((TransferStats.KEPT_MAX + 10L) << 20);
    }
}
