package io.metricsaggregator.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class JsonCursorTest {
    @Test
    void what_is_no_finite_number_becomes_null_and_is_counted() throws Exception {
        byte[] text = "[NaN,-Infinity,1699e99999998000000,1e-99999999999,5]".getBytes(StandardCharsets.UTF_8);
        try (JsonCursor cursor = JsonCursor.over(text, 0, text.length)) {
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.value()).isEqualTo(Arrays.asList(null, null, null, null, 5L));
            assertThat(cursor.notNumbers()).isEqualTo(4);
        }
    }

    @Test
    void bytes_that_look_like_another_encoding_are_invalid_and_fail_no_sooner() {
        byte[] odd = {0, 0x28, 0, 0, 0, 0, 0, 0};
        assertThatThrownBy(() -> {
                    try (JsonCursor cursor = JsonCursor.over(odd, 0, odd.length)) {
                        cursor.next();
                    }
                })
                .isInstanceOf(InvalidJson.class);
    }
}
