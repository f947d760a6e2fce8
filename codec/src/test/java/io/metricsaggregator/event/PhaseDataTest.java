package io.metricsaggregator.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.MsgpackTree;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** The data of a phase-start event. */
class PhaseDataTest {
    private final EventDecoder decoder = new EventDecoder();
    private final DecodedEvent event = new DecodedEvent();

    private @Nullable Malformation decodeData(List<?> data) throws IOException {
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("event_type", "sample.issued");
        record.put("timestamp_ns", 1L);
        record.put("sample_uuid", "a");
        record.put("data", data);
        record.put("finish_reason", "stop");
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(record, packer);
            byte[] bytes = packer.toByteArray();
            return decoder.decode(ByteBuffer.wrap(bytes), 0, bytes.length, event);
        }
    }

    /** No release of MLCommons endpoints fixes the order of the elements. */
    @Test
    void thePhaseSizeIsFoundAtAnyPositionAndOtherElementsAreIgnored() throws IOException {
        assertThat(announced("performance", true, 4096L)).isEqualTo(4096);
        assertThat(announced(4096L, "performance", false)).isEqualTo(4096);
        assertThat(announced(1L, "x", "performance", List.of(7L), Map.of("n", 9L), 4096L, 2.5))
                .isEqualTo(4096);
        assertThat(announced("performance", true, null, 4096L)).isEqualTo(4096);
        assertThat(announced("warmup", true, 4096L)).isEqualTo(-1);
        assertThat(announced("performance", true)).isEqualTo(-1);
        assertThat(announced("performance", 0L)).isEqualTo(-1);
        assertThat(announced("performance", -5L)).isEqualTo(-1);
        assertThat(announced("performance", BigInteger.ONE.shiftLeft(63))).isEqualTo(-1);
        assertThat(announced()).isEqualTo(-1);
        assertThat(decodeData(List.of("ErrorData", "performance", "4096"))).isNull();
        assertThat(event.announcedSuperPassSize()).as("data of another kind").isEqualTo(-1);
        assertThat(decodeData(List.of("PhaseDatb", "performance", 1L))).isEqualTo(Malformation.DATA_INVALID);
    }

    private long announced(@Nullable Object... elements) throws IOException {
        List<@Nullable Object> data = new ArrayList<>(List.of("PhaseData"));
        data.addAll(Arrays.asList(elements));
        assertThat(decodeData(data)).isNull();
        assertThat(event.dataKind()).isEqualTo(DecodedEvent.DataKind.PHASE_DATA);
        assertThat(event.finishReason()).as("the field after it").isEqualTo(FinishReason.STOP);
        return event.announcedSuperPassSize();
    }
}
