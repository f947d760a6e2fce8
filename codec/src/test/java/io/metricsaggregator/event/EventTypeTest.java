package io.metricsaggregator.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Types by their names on the wire. */
class EventTypeTest {
    private static final int BEFORE = 3;
    /** Longest text with a header of one byte: MessagePack lays out the record of a longer name in another way. */
    private static final int SHORT_MAX = 31;

    private static ByteBuffer within(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(BEFORE + bytes.length + 1).put(BEFORE, bytes);
    }

    @Test
    void each_name_gives_its_type_and_no_other_text_of_its_length_does() {
        for (EventType type : EventType.values()) {
            ByteBuffer name = within(type.wireName());
            int length = type.wireName().length();
            assertThat(EventType.match(name, BEFORE, length)).isEqualTo(type);
            for (int i = 0; i < length; i++) {
                ByteBuffer other = within(type.wireName());
                other.put(BEFORE + i, (byte) (other.get(BEFORE + i) ^ 1));
                assertThat(EventType.match(other, BEFORE, length))
                        .as("%s changed at %d", type, i)
                        .isNull();
            }
            assertThat(EventType.match(name, BEFORE, length - 1))
                    .as("%s cut", type)
                    .isNull();
        }
    }

    @Test
    void a_text_shorter_or_longer_than_any_name_has_no_type() {
        for (String text : new String[] {"", "s", "session", "session.start_performance_tracking_and_more"}) {
            assertThat(EventType.match(within(text), BEFORE, text.length()))
                    .as(text)
                    .isNull();
        }
    }

    @Test
    void events_of_the_session_and_steps_of_a_sample_are_told_apart_by_their_names() {
        assertThat(Arrays.stream(EventType.values()).filter(EventType::isSession))
                .containsExactlyElementsOf(Arrays.stream(EventType.values())
                        .filter(type -> type.wireName().startsWith("session."))
                        .toList());
        assertThat(Arrays.stream(EventType.values()).filter(EventType::isStepOfSample))
                .containsExactlyElementsOf(Arrays.stream(EventType.values())
                        .filter(type -> type.wireName().startsWith("sample."))
                        .toList());
    }

    @Test
    void a_record_in_the_usual_layout_may_be_of_its_own_type_only_and_any_other_record_of_each() {
        EventEncoder encoder = new EventEncoder();
        for (EventType type : EventType.values()) {
            byte[] bytes = encoder.encode(EventRecord.sample(type, 1, "a"));
            byte[] longHeader = OrderedKeysDecoderTest.withLongHeader(bytes);
            for (EventType asked : EventType.values()) {
                boolean expected = type == asked || type.wireName().length() > SHORT_MAX;
                assertThat(EventDecoder.mayBe(asked, ByteBuffer.wrap(bytes), 0, bytes.length))
                        .as("%s for %s", type, asked)
                        .isEqualTo(expected);
                assertThat(EventDecoder.mayBe(asked, ByteBuffer.wrap(longHeader), 0, longHeader.length))
                        .as("%s for %s", type, asked)
                        .isEqualTo(expected);
            }
        }
        ByteBuffer issued = ByteBuffer.wrap(encoder.encode(EventRecord.sample(EventType.SAMPLE_ISSUED, 1, "a")));
        assertThat(EventDecoder.mayBe(EventType.ERROR_CLIENT, issued, 0, OrderedKeysDecoder.BYTES_MIN))
                .isFalse();
        assertThat(EventDecoder.mayBe(EventType.ERROR_CLIENT, issued, 0, OrderedKeysDecoder.BYTES_MIN - 1))
                .isTrue();
        byte[] other = EventRecordCodecTest.packed(Map.of("sample_uuid", "0".repeat(90)));
        byte[] longName = EventRecordCodecTest.packed(Map.of("event_type", "vendor.event_with_a_name_of_its_own"));
        for (EventType asked : EventType.values()) {
            assertThat(EventDecoder.mayBe(asked, ByteBuffer.wrap(new byte[4]), 0, 4))
                    .isTrue();
            assertThat(EventDecoder.mayBe(asked, ByteBuffer.wrap(other), 0, other.length))
                    .isTrue();
            assertThat(EventDecoder.mayBe(asked, ByteBuffer.wrap(longName), 0, longName.length))
                    .isTrue();
        }
    }
}
