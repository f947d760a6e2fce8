package io.metricsaggregator.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ExcerptTest {
    private static String excerpt(String latin1) {
        byte[] bytes = ("--" + latin1).getBytes(StandardCharsets.ISO_8859_1);
        return Excerpt.of(ByteBuffer.wrap(bytes), 2, bytes.length - 2);
    }

    @Test
    void printableTextIsKeptAndEverythingElseEscaped() {
        assertThat(excerpt("\u0086\u00aaevent_type")).isEqualTo("b'\\x86\\xaaevent_type'");
        assertThat(excerpt("it's\\n\n\u001b[31m\u007f")).isEqualTo("b'it\\'s\\\\n\\x0a\\x1b[31m\\x7f'");
        assertThat(excerpt("")).isEqualTo("b''");
    }

    @Test
    void longTextIsTruncated() {
        assertThat(excerpt("x".repeat(Excerpt.MAX_BYTES))).isEqualTo("b'" + "x".repeat(Excerpt.MAX_BYTES) + "'");
        assertThat(excerpt("x".repeat(5000))).isEqualTo("b'" + "x".repeat(Excerpt.MAX_BYTES) + "'…");
    }
}
