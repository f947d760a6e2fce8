package io.metricsaggregator.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MsgpackSkipTest {
    @Test
    void any_bytes_are_stepped_over_or_refused_as_they_are_where_they_are_read() {
        Random random = Seed.random(MsgpackSkipTest.class);
        MsgpackSkip skip = new MsgpackSkip();
        MsgpackCursor cursor = new MsgpackCursor();
        MsgpackTree tree = new MsgpackTree();
        int accepted = 0;
        for (int round = 0; round < 300_000; round++) {
            byte[] bytes = new byte[random.nextInt(40)];
            for (int i = 0; i < bytes.length; i++) {
                // Containers, strings and small numbers, so that many values are whole.
                int kind = random.nextInt(4);
                bytes[i] = (byte)
                        (kind == 0 ? random.nextInt(256) : kind == 1 ? 0x80 + random.nextInt(64) : random.nextInt(6));
            }
            int at = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
            cursor.reset(ByteBuffer.wrap(bytes), at, bytes.length - at);
            boolean whole = cursor.skip(1) && isRead(tree, bytes, at);
            int end = skip.skip(bytes, at, bytes.length, 1);
            assertThat(end).isEqualTo(whole ? cursor.position() : -1);
            accepted += whole ? 1 : 0;
        }
        assertThat(accepted).isGreaterThan(100_000);
    }

    private static boolean isRead(MsgpackTree tree, byte[] bytes, int at) {
        try {
            tree.readAt(ByteBuffer.wrap(bytes), at, bytes.length - at);
            return true;
        } catch (MalformedMessageException e) {
            return false;
        }
    }

    @Test
    void a_map_whose_key_is_a_container_is_refused_and_one_whose_value_is_one_is_not() {
        MsgpackSkip skip = new MsgpackSkip();
        byte[] keys = {(byte) 0x82, 1, (byte) 0x81, 2, (byte) 0x90, (byte) 0x90, 3};
        assertThat(skip.skip(keys, 0, keys.length, 0)).isEqualTo(-1);
        assertThat(skip.fault()).isEqualTo(MsgpackFault.WRONG_TYPE);
        byte[] values = {(byte) 0x82, 1, (byte) 0x81, 2, (byte) 0x90, 3, (byte) 0x90};
        assertThat(skip.skip(values, 0, values.length, 0)).isEqualTo(values.length);
    }

    @Test
    void a_value_that_is_nested_too_deeply_is_refused() {
        byte[] deep = new byte[MsgpackCursor.MAX_DEPTH + 1];
        Arrays.fill(deep, (byte) 0x91);
        deep[MsgpackCursor.MAX_DEPTH] = 1;
        MsgpackSkip skip = new MsgpackSkip();
        assertThat(skip.skip(deep, 0, deep.length, 0)).isEqualTo(deep.length);
        assertThat(skip.skip(deep, 0, deep.length, 1)).isEqualTo(-1);
        assertThat(skip.fault()).isEqualTo(MsgpackFault.TOO_DEEP);
    }
}
