package io.metricsaggregator.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FramingTest {
    private static final int EXCHANGES = 10_000;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String marks(String text, boolean answers) {
        return Marks.of(bytes(text), answers, left -> left);
    }

    @ParameterizedTest
    @ValueSource(longs = {20261128})
    void thePiecesInWhichMessagesComeDoNotMatter(long seed) {
        GeneratedMessages generated = new GeneratedMessages(seed);
        int malformed = 0;
        for (int i = 0; i < EXCHANGES; i++) {
            boolean answers = i % 2 == 1;
            String two = answers
                    ? generated.answer(false) + generated.answer(false)
                    : generated.request(i) + generated.request(i);
            byte[] bytes = i % 4 < 2 ? bytes(two) : generated.damaged(bytes(two));
            String whole = Marks.of(bytes, answers, left -> left);
            assertThat(Marks.of(bytes, answers, left -> 1))
                    .as("seed %s, message %s", seed, i)
                    .isEqualTo(whole);
            assertThat(Marks.of(bytes, answers, generated::piece))
                    .as("seed %s, message %s", seed, i)
                    .isEqualTo(whole);
            malformed += whole.contains("malformed") ? 1 : 0;
            if (i % 4 < 2) {
                assertThat(whole)
                        .as("seed %s, message %s: %s", seed, i, two)
                        .doesNotContain("malformed")
                        .doesNotContain("cut");
            }
        }
        assertThat(malformed).as("damaged messages that are refused").isGreaterThan(EXCHANGES / 8);
    }

    @Test
    void aMessageMayEndWithTheConnectionOnlyIfItSaysNothingElse() {
        assertThat(marks("HTTP/1.0 200 OK\r\n\r\nabc", true)).endsWith("content 3 " + "abc".hashCode() + " end ended");
        assertThat(marks("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc", true))
                .endsWith("cut");
        assertThat(marks("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", true))
                .endsWith("cut");
        assertThat(marks("HTTP/1.1 200 OK\r\nContent-Le", true)).endsWith("cut");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET / HTTP/1.1\\nHost: x\\n\\n | 400",
                "\\nGET / HTTP/1.1\\r\\n\\r\\n | 400",
                "GET / HTTP/1.1\\r\\nA: b\\rc\\r\\n\\r\\n | 400",
                "GET / HTTP/1.1\\r\\nA: b\\r\\n c\\r\\n\\r\\n | 400",
                "GET / HTTP/1.1\\r\\nA : b\\r\\n\\r\\n | 400",
                "GET / HTTP/1.1\\r\\n: b\\r\\n\\r\\n | 400",
                "GET / HTTP/1.1\\r\\nA\\r\\n\\r\\n | 400",
                "GET  / HTTP/1.1\\r\\n\\r\\n | 400",
                "GET /\\r\\n\\r\\n | 400",
                "GET / HTTP/2.0\\r\\n\\r\\n | 505",
                "GET / http/1.1\\r\\n\\r\\n | 400",
                "CONNECT a:1 HTTP/1.1\\r\\n\\r\\n | 501",
                "GET http://a/ HTTP/1.1\\r\\n\\r\\n | 501",
                "GET / HTTP/1.1\\r\\nHost: a\\r\\nhost: a\\r\\n\\r\\n | 400",
                "POST / HTTP/1.1\\r\\nContent-Length: 1\\r\\nContent-Length: 1\\r\\n\\r\\n | 400",
                "POST / HTTP/1.1\\r\\nContent-Length: 1, 1\\r\\n\\r\\n | 400",
                "POST / HTTP/1.1\\r\\nContent-Length: +1\\r\\n\\r\\n | 400",
                "POST / HTTP/1.1\\r\\nContent-Length: \\r\\n\\r\\n | 400",
                "POST / HTTP/1.1\\r\\nContent-Length: 1\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n | 400",
                "POST / HTTP/1.0\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n | 400",
                "POST / HTTP/1.1\\r\\nTransfer-Encoding: gzip, chunked\\r\\n\\r\\n | 501",
                "POST / HTTP/1.1\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0x1\\r\\n | 400",
                "POST / HTTP/1.1\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n-1\\r\\n | 400",
                "POST / HTTP/1.1\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n1\\nx | 400",
                "POST / HTTP/1.1\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n1\\r\\nxy\\r\\n | 400",
                "POST / HTTP/1.1\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n1000000000000000\\r\\n | 400",
                "POST / HTTP/1.1\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n\\r\\n | 400"
            })
    void requestsThatTwoReadersCouldReadDifferentlyAreRefused(String escaped, int status) {
        String text = escaped.replace("\\r", "\r").replace("\\n", "\n");
        assertThat(marks(text, false)).contains("malformed " + status);
    }

    @Test
    void longLinesAndHeadsAreRefusedBeforeTheyEnd() {
        assertThat(marks("GET /" + "a".repeat(9000), false)).contains("malformed 414");
        assertThat(marks("GET / HTTP/1.1\r\nA: " + "a".repeat(70_000), false)).contains("malformed 431");
        String chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
        assertThat(marks(chunked + "1;" + "a".repeat(9000), false)).contains("malformed 400");
        assertThat(marks(chunked + "0\r\n" + "A: b\r\n".repeat(20_000), false)).contains("malformed 400");
        assertThat(marks("\r\n".repeat(9), false)).contains("malformed 400");
    }
}
