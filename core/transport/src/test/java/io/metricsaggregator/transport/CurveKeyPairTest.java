package io.metricsaggregator.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CurveKeyPairTest {
    @Test
    void the_encoding_is_that_of_the_example_in_rfc_32() {
        assertThat(CurveKeyPair.z85(HexFormat.of().parseHex("864fd26fb559f75b")))
                .isEqualTo("HelloWorld");
        assertThat(CurveKeyPair.z85(HexFormat.of().parseHex("00000000ffffffff")))
                .isEqualTo("00000%nSc0");
    }

    @Test
    void each_pair_is_new_and_its_text_shows_no_secret() {
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            CurveKeyPair pair = CurveKeyPair.generate();
            keys.add(pair.publicKey());
            keys.add(pair.secretKey());
            assertThat(pair.toString()).contains(pair.publicKey()).doesNotContain(pair.secretKey());
        }
        assertThat(keys).hasSize(200).allSatisfy(key -> assertThat(key).hasSize(40));
    }
}
