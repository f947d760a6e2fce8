package io.metricsaggregator.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.Seed;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleIdsTest {
    private final DecodedEvent event = new DecodedEvent();

    @ParameterizedTest
    @CsvSource({
        "0123456789abcdef0123456789abcdef, HEX",
        "ffffffffffffffffffffffffffffffff, HEX",
        "0123456789ABCDEF0123456789ABCDEF, LONG",
        "0123456789abcdeg0123456789abcdef, LONG",
        "0123456789abcde:0123456789abcdef, LONG",
        "0123456789abcde/0123456789abcdef, LONG",
        "0123456789abcde`0123456789abcdef, LONG",
        "01234567-89ab-cdef-0123-456789abcdef, UUID",
        "01234567-89ab-cdef-0123-456789abcdeF, LONG",
        "0123456789ab-cdef-0123-456789abcdef-, LONG",
        "a, SHORT",
        "exactly15 bytes, SHORT",
        "exactly 16 bytes, LONG",
        "é漢😀, SHORT"
    })
    void anIdIsPackedByItsFormatAndReadsBackUnchanged(String id, IdKind kind) {
        pack(id);
        assertThat(event.idKind()).isEqualTo(kind);
        assertThat(SampleIds.text(event)).isEqualTo(id);
    }

    @Test
    void theEmptyIdIdentifiesNoSample() {
        pack("");
        assertThat(event.idKind()).isEqualTo(IdKind.EMPTY);
    }

    @Test
    void anIdWithAnyOtherByteThanALowerCaseHexDigitPacksAsText() {
        for (int position = 0; position < 32; position++) {
            for (int b = 0; b < 128; b++) {
                byte[] id = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
                id[position] = (byte) b;
                pack(id);
                boolean digit = b >= '0' && b <= '9' || b >= 'a' && b <= 'f';
                assertThat(event.idKind()).as("byte %d", b).isEqualTo(digit ? IdKind.HEX : IdKind.LONG);
            }
        }
    }

    @Test
    void differentIdsPackDifferently() {
        Random random = Seed.random(SampleIdsTest.class);
        Map<String, String> seen = new HashMap<>();
        for (int i = 0; i < 100_000; i++) {
            String id = switch (i % 4) {
                case 0 -> String.format("%032x", i);
                case 1 -> new java.util.UUID(random.nextLong(), random.nextLong()).toString();
                case 2 -> "s" + i;
                default -> "a longer request id, number " + i;
            };
            pack(id);
            String packed = event.idKind() + ":" + event.idHigh() + ":" + event.idLow();
            assertThat(seen.put(packed, id)).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 42",
        "7, 7722789766647053981",
        "8, -2652227271803604044",
        "9, -7490583343254629630",
        "40, 5151121128193337328"
    })
    void hashes_stay_as_they_are_since_runs_that_keep_their_secret_keep_packed_ids(int length, long expected) {
        byte[] id = "0123456789é-0123456789-0123456789-012345678".getBytes(StandardCharsets.UTF_8);
        assertThat(SampleIds.hash(ByteBuffer.wrap(id, 0, 3 + length), 3, length, 42))
                .isEqualTo(expected);
    }

    @Test
    void the_halves_of_a_long_id_are_hashes_of_their_own() {
        pack("an id that two longs cannot hold");
        assertThat(event.idHigh()).isEqualTo(1568034393519071595L);
        assertThat(event.idLow()).isEqualTo(4715859198759075975L);
    }

    private void pack(String id) {
        pack(id.getBytes(StandardCharsets.UTF_8));
    }

    private void pack(byte[] bytes) {
        event.buffer = ByteBuffer.wrap(bytes);
        event.idStart = 0;
        event.idLength = bytes.length;
        SampleIds.pack(event.buffer, 0, bytes.length, event, 42);
    }
}
