package io.metricsaggregator.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What writer and reader of packed entries agree on: shapes of records, ends of values, and which entries no packer writes. */
class PackFormatTest {
    private static byte[] map(int keys, int... value) {
        ByteBuffer record = ByteBuffer.allocate(5000).put((byte) 0xde).putShort((short) keys);
        for (int i = 0; i < keys; i++) {
            record.put((byte) 0xa1).put((byte) 'x');
            for (int each : value) {
                record.put((byte) each);
            }
        }
        return Arrays.copyOf(record.array(), record.position());
    }

    private static @Nullable RecordShape learn(byte[] record) {
        return RecordShape.learn(record, 0, record.length, false);
    }

    @Test
    void a_shape_is_learned_of_maps_with_string_keys_and_32_fields_at_most() {
        assertThat(Objects.requireNonNull(learn(map(32, 5))).kinds).hasSize(32).containsOnly(RecordShape.RAW);
        assertThat(learn(map(33, 5))).isNull();
        assertThat(learn(map(33, 0xa2, 'a', 'b'))).isNull();
        int[] id = new int[34];
        Arrays.fill(id, 'a');
        id[0] = 0xd9;
        id[1] = 32;
        assertThat(Objects.requireNonNull(learn(map(32, id))).kinds).containsOnly(RecordShape.HEX);
        assertThat(learn(map(33, id))).isNull();
        assertThat(Objects.requireNonNull(learn(map(40, 0xc0))).kinds)
                .as("nil is no field")
                .isEmpty();
        assertThat(learn(new byte[] {(byte) 0x81, 1, 5, 0, 0, 0, 0, 0}))
                .as("a number as key")
                .isNull();
        assertThat(learn(new byte[] {(byte) 0x90, 1, 5, 0, 0, 0, 0, 0}))
                .as("an array")
                .isNull();
        byte[] whole = map(3, 0xcd, 1, 2);
        assertThat(Objects.requireNonNull(learn(whole)).kinds).containsOnly(RecordShape.NUMBER_2);
        assertThat(learn(Arrays.copyOf(whole, whole.length - 1)))
                .as("cut short")
                .isNull();
        assertThat(learn(Arrays.copyOf(whole, whole.length + 1)))
                .as("with a rest")
                .isNull();
        assertThat(learn(new byte[] {(byte) 0x81, (byte) 0xa5, 'c', 'o', 'u', 'n', 't', (byte) 0xda}))
                .as("cut within the size of a text")
                .isNull();
        byte[] shortest = {(byte) 0x81, (byte) 0xa5, 'c', 'o', 'u', 'n', 't', 5};
        assertThat(learn(shortest)).isNotNull();
        assertThat(RecordShape.learn(new byte[] {(byte) 0x81, (byte) 0xa4, 'a', 'b', 'c', 'd', 5}, 0, 7, false))
                .as("of seven bytes")
                .isNull();
        for (int length : new int[] {1 << 16, (1 << 16) + 1}) {
            byte[] large = new byte[length];
            ByteBuffer.wrap(large)
                    .put(new byte[] {(byte) 0x81, (byte) 0xa1, 'x', (byte) 0xc6})
                    .putInt(length - 8);
            assertThat(learn(large) == null).isEqualTo(length > 1 << 16);
        }
        int[] eight = {0xcf, 1, 2, 3, 4, 5, 6, 7, 8};
        assertThat(learn(map(33, eight))).as("33 numbers of eight bytes").isNull();
        byte[] fifteen = map(15, 5);
        fifteen[2] = (byte) 0x8f;
        assertThat(learn(Arrays.copyOfRange(fifteen, 2, fifteen.length))).isNotNull();
    }

    @Test
    void a_value_of_each_kind_is_a_field_of_its_bytes_behind_the_head_and_the_first_of_eight_bytes_is_the_time() {
        int[][] values = {
            {0},
            {0x7f},
            {0xe0},
            {0xff},
            {0xcc, 1},
            {0xd0, 1},
            {0xca, 1, 2, 3, 4},
            {0xcb, 1, 2, 3, 4, 5, 6, 7, 8},
            {0xcd, 1, 2},
            {0xd1, 1, 2},
            {0xce, 1, 2, 3, 4},
            {0xd2, 1, 2, 3, 4},
            {0xcf, 1, 2, 3, 4, 5, 6, 7, 8},
            {0xd3, 1, 2, 3, 4, 5, 6, 7, 8},
            {0xcf, 1, 2, 3, 4, 5, 6, 7, 8},
            {0x90},
            {0xa1, 'y'}
        };
        ByteBuffer record = ByteBuffer.allocate(200).put(new byte[] {(byte) 0xde, 0, (byte) values.length});
        int[] ends = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            record.put((byte) 0xa1).put((byte) 'x');
            for (int each : values[i]) {
                record.put((byte) each);
            }
            ends[i] = record.position();
        }
        for (boolean timesOnly : new boolean[] {false, true}) {
            byte later = timesOnly ? RecordShape.TIME : RecordShape.NUMBER_8;
            RecordShape shape =
                    Objects.requireNonNull(RecordShape.learn(record.array(), 0, record.position(), timesOnly));
            assertThat(shape.kinds)
                    .containsExactly(
                            RecordShape.RAW,
                            RecordShape.RAW,
                            RecordShape.RAW,
                            RecordShape.RAW,
                            RecordShape.RAW,
                            RecordShape.RAW,
                            RecordShape.RAW,
                            RecordShape.RAW,
                            RecordShape.NUMBER_2,
                            RecordShape.NUMBER_2,
                            RecordShape.NUMBER_4,
                            RecordShape.NUMBER_4,
                            RecordShape.TIME,
                            later,
                            later,
                            RecordShape.VALUE,
                            RecordShape.VALUE);
            assertThat(shape.lengths).containsExactly(1, 1, 1, 1, 1, 1, 4, 8, 2, 2, 4, 4, 8, 8, 8, 1, 2);
            for (int i = 0; i < ends.length; i++) {
                assertThat(shape.positions[i] + shape.lengths[i]).isEqualTo(ends[i]);
            }
        }
    }

    @Test
    void the_end_of_a_value_of_every_kind_is_found_and_of_one_that_is_cut_short_there_is_none() {
        Map<Integer, Integer> lengths = new HashMap<>();
        for (int head = 0; head < 256; head++) {
            boolean isOneByte = head < 0x80 || head >= 0xe0 || (head >= 0xc0 && head <= 0xc3);
            lengths.put(
                    head,
                    isOneByte
                            ? 1
                            : head < 0x90
                                    ? 1 + 2 * (head & 0xf)
                                    : head < 0xa0 ? 1 + (head & 0xf) : head < 0xc0 ? 1 + (head & 0x1f) : 0);
        }
        int[] heads = {
            0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5,
            0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xde, 0xdf
        };
        // Those with a size say that it is 1; the values within are zeros.
        int[] ends = {3, 4, 6, 4, 5, 7, 5, 9, 2, 3, 5, 9, 2, 3, 5, 9, 3, 4, 6, 10, 18, 3, 4, 6, 4, 6, 5, 7};
        for (int i = 0; i < heads.length; i++) {
            lengths.put(heads[i], ends[i]);
        }
        lengths.forEach((head, length) -> {
            byte[] value = new byte[60];
            value[2] = head.byteValue();
            int sizeBytes = head >= 0xc4 && head <= 0xc6
                    ? 1 << (head - 0xc4)
                    : head >= 0xc7 && head <= 0xc9
                            ? 1 << (head - 0xc7)
                            : head >= 0xd9 && head <= 0xdb
                                    ? 1 << (head - 0xd9)
                                    : head >= 0xdc && head <= 0xdf ? 2 << (head & 1) : 0;
            value[2 + sizeBytes] |= sizeBytes > 0 ? 1 : 0;
            for (int end = 3; end < 60; end++) {
                assertThat(RecordShape.skip(value, 2, end))
                        .as("head %x, %d bytes", head, end - 2)
                        .isEqualTo(end - 2 < length ? -1 : 2 + length);
            }
            assertThat(RecordShape.skip(value, 2, 2)).isEqualTo(-1);
        });
    }

    @Test
    void an_entry_with_something_behind_its_numbers_or_texts_is_refused() {
        byte[] burst = {0, 1, 0, 2, 0, 0, PackFormat.BURST, 6};
        assertThat(new FrameUnpacker().unpack(burst, 0, burst.length)).isEqualTo(1);
        byte[] plain = {0, 1, 3, 2, 3, 3, PackFormat.PLAIN_FRAME, 3, 'a', 'b', 'c'};
        assertThat(new FrameUnpacker().unpack(plain, 0, plain.length)).isEqualTo(1);
        // A frame of a topic alone, and the same with a text that no frame takes.
        byte[] topic = Arrays.copyOf(new byte[] {0, 1, 40, 43, 0, 0, (byte) (PackFormat.NEW_TOPIC << 2 | 1)}, 49);
        topic[47] = (byte) PackFormat.NO_SHAPE;
        assertThat(new FrameUnpacker().unpack(topic, 0, topic.length)).isEqualTo(1);
        byte[] unused = Arrays.copyOf(topic, 50);
        unused[4] = 1;
        unused[5] = 1;
        byte[] unknown = Arrays.copyOf(
                new byte[] {0, 1, 46, 43, 0, 0, (byte) (PackFormat.NEW_TOPIC << 2 | PackFormat.SHORTEST)}, 49);
        // One record, of a shape that no record before it has.
        unknown[47] = 1;
        for (byte[] refused : new byte[][] {
            {0, 1, 0, 3, 0, 0, PackFormat.BURST, 6, 0},
            {0, 1, 0, 2, 0, 0, PackFormat.BURST, 6, 0},
            {0, 1, 1, 2, 0, 0, PackFormat.BURST, 6},
            {2, 1, 0, 2, 0, 0, PackFormat.BURST, 6},
            {0, 2, 0, 2, 0, 0, PackFormat.BURST, 6},
            {0, 1, 3, 2, 3, 3, PackFormat.PLAIN_FRAME, 2, 'a', 'b', 'c'},
            {0, 1, 2, 2, 2, 2, PackFormat.PLAIN_FRAME, 3, 'a', 'b', 'c'},
            {0, 1, 4, 2, 3, 3, PackFormat.PLAIN_FRAME, 3, 'a', 'b', 'c'},
            {0, 1, 3, 2, 3, 2, PackFormat.PLAIN_FRAME, 3, 'a', 'b'},
            {0, 1, 3, 2, 2, 3, PackFormat.PLAIN_FRAME, 2, 'a', 'b', 'c'},
            {0, 1, 3, 2, 3, 3, 3 << 2, 3, 'a', 'b', 'c'},
            {0, 1, 0, 12, 0, 0, PackFormat.BURST, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0},
            {0, 1, 40, 2, 0, 0, 1, 0},
            {PackFormat.DEFLATED, 1, 3, 2, 3, 0, PackFormat.PLAIN_FRAME, 3},
            unknown,
            unused,
            {}
        }) {
            FrameUnpacker own = new FrameUnpacker();
            assertThat(own.unpack(refused, 0, refused.length))
                    .as(Arrays.toString(refused))
                    .isEqualTo(-1);
            assertThat(own.hasNext()).isFalse();
        }
    }

    /** The three bytes abc, deflated. */
    static byte[] deflatedText() {
        Deflater deflater = new Deflater(9, true);
        deflater.setInput(new byte[] {'a', 'b', 'c'});
        deflater.finish();
        byte[] text = new byte[50];
        int length = deflater.deflate(text);
        deflater.end();
        return Arrays.copyOf(text, length);
    }

    @Test
    void an_entry_with_something_behind_its_deflated_texts_is_refused() {
        byte[] text = deflatedText();
        int length = text.length;
        for (int more = 0; more <= 1; more++) {
            ByteBuffer entry = ByteBuffer.allocate(100);
            entry.put(new byte[] {PackFormat.DEFLATED, 1, 3, 2, 3, (byte) (length + more), PackFormat.PLAIN_FRAME, 3});
            entry.put(text).put(new byte[more]);
            assertThat(new FrameUnpacker().unpack(entry.array(), 0, entry.position()))
                    .isEqualTo(more == 0 ? 1 : -1);
        }
    }
}
