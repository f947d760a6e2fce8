package io.metricsaggregator.imports.json;

import static org.assertj.core.api.Assertions.assertThat;

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
}
