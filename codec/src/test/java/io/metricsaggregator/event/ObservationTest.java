package io.metricsaggregator.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.frame.TelemetryRecord;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

class ObservationTest {
    private static TelemetryRecord read(Object value) throws IOException {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packString("before");
            int start = (int) packer.getTotalWrittenBytes();
            MsgpackTree.write(value, packer);
            byte[] bytes = packer.toByteArray();
            return TelemetryRecord.read(new MsgpackTree(), ByteBuffer.wrap(bytes), start, bytes.length - start, 99);
        }
    }

    private static TelemetryRecord with(String key, Object value) throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("event_type", "metric.gauge");
        fields.put(key, value);
        return read(fields);
    }

    private interface Reading {
        Object of(String key) throws TelemetryRecord.Rejected;
    }

    private static String rejected(Reading reading) {
        return catchThrowableOfType(TelemetryRecord.Rejected.class, () -> reading.of("v"))
                .reason();
    }

    @Test
    void commonKeysAreReadAndMissingOnesHaveTheirDefaults() throws IOException {
        TelemetryRecord told = read(Map.of(
                "event_type",
                "resource.sample.more",
                "timestamp_ns",
                5L,
                "wall_ns",
                7L,
                "source_id",
                "s",
                "node_id",
                "n"));
        assertThat(told.category()).isEqualTo("resource");
        assertThat(told.action()).isEqualTo("sample.more");
        assertThat(told.timestampNanos()).isEqualTo(5);
        assertThat(told.orderNanos()).isEqualTo(7);
        assertThat(told.source()).isEqualTo("s");
        assertThat(told.node()).isEqualTo("n");
        TelemetryRecord bare =
                read(Map.of("event_type", "alone", "timestamp_ns", "soon", "wall_ns", 1.5, "source_id", 4L));
        assertThat(bare.category()).isEqualTo("alone");
        assertThat(bare.action()).isEqualTo("alone");
        assertThat(read(Map.of("event_type", ".odd")).category()).isEmpty();
        assertThat(bare.timestampNanos()).as("the receiver's clock").isEqualTo(99);
        assertThat(bare.wallNanos()).isNull();
        assertThat(bare.orderNanos()).isEqualTo(99);
        assertThat(bare.source()).isEmpty();
        assertThat(bare.node()).isEmpty();
        TelemetryRecord longNames =
                read(Map.of("event_type", "a", "source_id", "x".repeat(257), "node_id", "y".repeat(256)));
        assertThat(longNames.source()).hasSize(256);
        assertThat(longNames.node()).hasSize(256);
    }

    @Test
    void aValueThatIsNotAMapWithATypeIsRejected() throws IOException {
        assertThat(read(List.of("event_type", "a"))).isNull();
        assertThat(read(Map.of("timestamp_ns", 1L))).isNull();
        assertThat(read(Map.of("event_type", 5L))).isNull();
        byte[] cut = {(byte) 0x82, (byte) 0xa1};
        assertThat(TelemetryRecord.read(new MsgpackTree(), ByteBuffer.wrap(cut), 0, 2, 0))
                .isNull();
    }

    @Test
    void numbersOfAnyWidthAreAcceptedAndRejectionsNameTheKey() throws Exception {
        for (Object three : new Object[] {3L, 3.0}) {
            TelemetryRecord of = with("v", three);
            assertThat(of.real("v")).isEqualTo(3.0);
            assertThat(of.positive("v")).isEqualTo(3.0);
            assertThat(of.count("v")).isEqualTo(3);
            assertThat(of.count("v", 9)).isEqualTo(3);
            assertThat(of.has("v")).isTrue();
            assertThat(of.text("v")).isNull();
            assertThat(of.list("v")).isEmpty();
        }
        assertThat(with("v", Long.MAX_VALUE).count("v")).isEqualTo(Long.MAX_VALUE);
        assertThat(with("v", 0L).count("v")).isZero();
        assertThat(with("v", -0.5).real("v")).isEqualTo(-0.5);
        assertThat(with("v", 0L).positive("v")).isZero();
        for (Object nothing : new Object[] {"3", true, Double.NaN, Double.POSITIVE_INFINITY}) {
            TelemetryRecord of = with("v", nothing);
            assertThat(rejected(of::real)).isEqualTo("invalid_v");
            assertThat(rejected(of::count)).isEqualTo("invalid_v");
        }
        assertThat(rejected(with("v", null)::real)).isEqualTo("missing_v");
        assertThat(with("v", null).has("v")).isFalse();
        assertThat(with("v", null).count("v", 9)).isEqualTo(9);
        assertThat(rejected(with("v", -1L)::count)).isEqualTo("negative_v");
        assertThat(rejected(with("v", -0.1)::positive)).isEqualTo("negative_v");
        assertThat(rejected(with("v", 2.5)::count)).isEqualTo("invalid_v");
        assertThat(rejected(with("v", 0x1p63)::count)).isEqualTo("invalid_v");
        assertThat(rejected(with("v", BigInteger.ONE.shiftLeft(63))::count)).isEqualTo("too_large_v");
        assertThat(with("v", List.of(1L)).list("v")).isEqualTo(List.of(1L));
        assertThat(with("v", "t").text("v")).isEqualTo("t");
    }
}
