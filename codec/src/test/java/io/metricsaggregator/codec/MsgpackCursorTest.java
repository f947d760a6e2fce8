package io.metricsaggregator.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

class MsgpackCursorTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dbffffffff",
                "daffff",
                "d9ff",
                "bf",
                "c6ffffffff",
                "c5ffff",
                "c4ff",
                "c9ffffffff01",
                "c8ffff01",
                "c7ff01",
                "d801",
                "ddffffffff",
                "dcffff",
                "9f",
                "dfffffffff",
                "deffff",
                "8f",
                "cf00000000000000",
                "cb00000000000000",
                "ca000000",
                "dd7fffffff",
                "df7fffffff",
                "db7fffffff",
                "d9",
                "da00",
                "db000000",
                "dc",
                "dd0000",
                "c7",
                "c8",
                "c9",
                "d4",
                "cc",
                "cd00",
                "ce000000",
                "d0",
                "d1",
                "d2",
                "d3"
            })
    void aSizeBeyondTheInputIsReportedAsTruncated(String hex) {
        MsgpackCursor cursor = over(Golden.hex(hex));
        assertThat(cursor.skip()).isFalse();
        assertThat(cursor.fault()).isEqualTo(MsgpackFault.TRUNCATED);
    }

    @Test
    void theReservedByteIsMalformedAtAnyPosition() {
        assertThat(over(new byte[] {(byte) 0xc1}).skip()).isFalse();
        MsgpackCursor inside = over(Golden.hex("92c001".replace("01", "c1")));
        assertThat(inside.skip()).isFalse();
        assertThat(inside.fault()).isEqualTo(MsgpackFault.RESERVED_BYTE);
    }

    @Test
    void nestingIsAcceptedUpToTheLimit() {
        byte[] deepest = nested(MsgpackCursor.MAX_DEPTH);
        assertThat(over(deepest).skip()).isTrue();
        MsgpackCursor tooDeep = over(nested(MsgpackCursor.MAX_DEPTH + 1));
        assertThat(tooDeep.skip()).isFalse();
        assertThat(tooDeep.fault()).isEqualTo(MsgpackFault.TOO_DEEP);
        assertThat(over(deepest).skip(1)).isFalse();
    }

    @Test
    void aMillionNestedArraysDoNotOverflowTheStack() {
        MsgpackCursor cursor = over(nested(1_000_000));
        assertThat(cursor.skip()).isFalse();
        assertThat(cursor.fault()).isEqualTo(MsgpackFault.TOO_DEEP);
    }

    @Test
    void skippingStopsDirectlyAfterAValueOfAnyKind() throws IOException {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packMapHeader(4);
            packer.packString("list")
                    .packArrayHeader(3)
                    .packNil()
                    .packBoolean(true)
                    .packDouble(1.5);
            packer.packInt(7).packMapHeader(1).packString("k").packArrayHeader(0);
            packer.packString("bin").packBinaryHeader(3).addPayload(new byte[3]);
            packer.packFloat(1f).packExtensionTypeHeader((byte) 5, 4).addPayload(new byte[4]);
            packer.packLong(42);
            MsgpackCursor cursor = over(packer.toByteArray());
            assertThat(cursor.skip()).isTrue();
            assertThat(cursor.readLong()).isTrue();
            assertThat(cursor.integer()).isEqualTo(42);
            assertThat(cursor.remaining()).isZero();
        }
    }

    @Test
    void integersOfEveryWidthAreReadAndFloatsAreNot() {
        assertInteger("7f", 127);
        assertInteger("e0", -32);
        assertInteger("ccff", 255);
        assertInteger("cdffff", 65535);
        assertInteger("ceffffffff", 4294967295L);
        assertInteger("cf7fffffffffffffff", Long.MAX_VALUE);
        assertInteger("d080", -128);
        assertInteger("d18000", -32768);
        assertInteger("d280000000", Integer.MIN_VALUE);
        assertInteger("d38000000000000000", Long.MIN_VALUE);
        MsgpackCursor beyond = over(Golden.hex("cf8000000000000000"));
        assertThat(beyond.readLong()).isFalse();
        assertThat(beyond.fault()).isEqualTo(MsgpackFault.INTEGER_OUT_OF_RANGE);
        MsgpackCursor real = over(Golden.hex("cb4014000000000000"));
        assertThat(real.readInteger()).isFalse();
        assertThat(real.fault()).isEqualTo(MsgpackFault.WRONG_TYPE);
    }

    @Test
    void integersAreSteppedOverAsTheyAreRead() {
        Random random = Seed.random(MsgpackCursorTest.class);
        int whole = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            for (int i = 0; i < bytes.length; i++) {
                // Most bytes begin an integer, so that there are some in a row.
                bytes[i] = random.nextInt(8) == 0
                        ? bytes[i]
                        : (byte) (random.nextBoolean() ? 0xcc + random.nextInt(8) : 7);
            }
            int number = random.nextInt(8);
            MsgpackCursor read = over(bytes);
            boolean isRead = true;
            for (int left = number; left > 0 && isRead; left--) {
                isRead = read.readInteger();
            }
            MsgpackCursor skipped = over(bytes);
            assertThat(skipped.skipIntegers(number)).isEqualTo(isRead);
            assertThat(skipped.fault()).isEqualTo(read.fault());
            if (isRead) {
                assertThat(skipped.position()).isEqualTo(read.position());
                whole++;
            }
        }
        assertThat(whole).isGreaterThan(1000);
    }

    private static void assertInteger(String hex, long expected) {
        MsgpackCursor cursor = over(Golden.hex(hex));
        assertThat(cursor.readLong()).isTrue();
        assertThat(cursor.integer()).isEqualTo(expected);
    }

    private static byte[] nested(int depth) {
        byte[] bytes = new byte[depth + 1];
        Arrays.fill(bytes, 0, depth, (byte) 0x91);
        bytes[depth] = (byte) 0xc0;
        return bytes;
    }

    private static MsgpackCursor over(byte[] bytes) {
        // Guard bytes on both sides detect reads outside the range.
        ByteBuffer buffer = ByteBuffer.allocate(bytes.length + 16);
        Arrays.fill(buffer.array(), (byte) 0x93);
        buffer.put(8, bytes);
        return new MsgpackCursor().reset(buffer, 8, bytes.length);
    }
}
