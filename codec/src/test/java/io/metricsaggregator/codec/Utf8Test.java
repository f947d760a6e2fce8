package io.metricsaggregator.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Utf8Test {

    @Test
    void sequencesOfUpToThreeBytesAreValidatedAsByTheJdk() {
        byte[] bytes = new byte[3];
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        // All of two bytes; of three one in 37, others in each run.
        int first = (1 << 16) + Seed.random(Utf8Test.class).nextInt(37);
        for (int i = 0; i < 1 << 24; i = i < 1 << 16 ? i + 1 : Math.max(first, i + 37)) {
            bytes[0] = (byte) (i >>> 16);
            bytes[1] = (byte) (i >>> 8);
            bytes[2] = (byte) i;
            assertSame(buffer, bytes);
        }
    }

    @Test
    void sequencesOfFourBytesAreValidatedAsByTheJdk() {
        byte[] bytes = new byte[4];
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        for (int lead = 0xec; lead <= 0xf8; lead++) {
            for (int second = 0x70; second <= 0xd0; second++) {
                for (int third = 0x7e; third <= 0xc2; third += 2) {
                    bytes[0] = (byte) lead;
                    bytes[1] = (byte) second;
                    bytes[2] = (byte) third;
                    bytes[3] = (byte) 0x80;
                    assertSame(buffer, bytes);
                    bytes[3] = (byte) 0x41;
                    assertSame(buffer, bytes);
                }
            }
        }
    }

    @Test
    void longTextWithOneInvalidByteIsValidatedAsByTheJdk() {
        Random random = Seed.random(Utf8Test.class);
        String alphabet = "abcdefgh é漢😀";
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(40);
            for (int i = 0; i < length; i++) {
                text.appendCodePoint(alphabet.codePointAt(
                        alphabet.offsetByCodePoints(0, random.nextInt(alphabet.codePointCount(0, alphabet.length())))));
            }
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            if (bytes.length > 0 && random.nextBoolean()) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            assertSame(ByteBuffer.wrap(bytes), bytes);
        }
    }

    @Test
    void aPrefixNeverSplitsACharacter() {
        byte[] bytes = "aé漢😀b".getBytes(StandardCharsets.UTF_8);
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        for (int max = 0; max <= bytes.length + 1; max++) {
            int length = Utf8.prefixLength(buffer, 0, bytes.length, max);
            assertThat(length).isBetween(Math.min(max, bytes.length) - 3, Math.min(max, bytes.length));
            assertThat(Utf8.isValid(buffer, 0, length)).isTrue();
        }
    }

    private static void assertSame(ByteBuffer buffer, byte[] bytes) {
        boolean jdk;
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            jdk = true;
        } catch (CharacterCodingException e) {
            jdk = false;
        }
        // What is behind the text is of no account.
        byte[] longer = Arrays.copyOf(bytes, bytes.length + Long.BYTES);
        Arrays.fill(longer, bytes.length, longer.length, (byte) (bytes.length % 2 == 0 ? 'a' : 0xff));
        if (Utf8.isValid(ByteBuffer.wrap(longer), 0, bytes.length) != jdk) {
            assertThat(!jdk).as("with %s behind it", longer[bytes.length]).isEqualTo(jdk);
        }
        if (Utf8.isValid(buffer, 0, bytes.length) != jdk) {
            assertThat(Utf8.isValid(buffer, 0, bytes.length))
                    .as("%s", java.util.HexFormat.of().formatHex(bytes))
                    .isEqualTo(jdk);
        }
    }
}
