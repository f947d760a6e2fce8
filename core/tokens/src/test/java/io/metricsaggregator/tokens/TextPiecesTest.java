package io.metricsaggregator.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextPiecesTest {
    private static final int LENGTH = 5 * TextPieces.PIECE_CHARS;
    private final AtomicInteger signs = new AtomicInteger();

    private static TokenCounter tokenizer(String name) throws IOException {
        return HuggingFaceTokenCounter.open(Path.of("src/test/resources/chat", name, "tokenizer.json"));
    }

    /** A tokenizer that fails on texts longer than one piece. */
    private static TokenCounter pieceOnly(TokenCounter whole) {
        return new TokenCounter() {
            @Override
            public long count(String text) {
                assertThat(text).hasSizeLessThanOrEqualTo(TextPieces.PIECE_CHARS);
                return whole.count(text);
            }

            @Override
            public boolean joins(String all, String left, String right) {
                assertThat(all).hasSizeLessThanOrEqualTo(TextPieces.PIECE_CHARS);
                return whole.joins(all, left, right);
            }
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytelevel", "llama"})
    void a_long_text_has_the_same_token_count_in_pieces_and_whole(String name) throws IOException {
        TokenCounter whole = tokenizer(name);
        for (String part : new String[] {
            " the quick brown fox jumps over the lazy dog",
            "What is the weather in Berlin?\nIt is warm,  and it will be; tomorrow (3 days) too! ",
            "{\"type\":\"function\",\"function\":{\"arguments\":\"{\\\"city\\\": \\\"Berlin\\\"}\"}}\n",
            "naïve é 😀 <s> 日本語のテキスト。",
        }) {
            String text = part.repeat(LENGTH / part.length());
            TextPieces pieces = new TextPieces(pieceOnly(whole), signs::incrementAndGet);
            assertThat(pieces.count(text)).as(part).isEqualTo(whole.count(text));
            assertThat(pieces.isExact()).as(part).isTrue();
        }
        assertThat(signs.get()).as("heartbeats").isGreaterThanOrEqualTo(12);
    }

    @Test
    void a_long_run_of_one_letter_is_cut_and_its_count_is_approximate() throws IOException {
        TextPieces pieces = new TextPieces(pieceOnly(tokenizer("bytelevel")), () -> {});
        assertThat(pieces.count("e".repeat(LENGTH))).isBetween(LENGTH / 10L, (long) LENGTH);
        assertThat(pieces.isExact()).isFalse();
        assertThat(pieces.count("short")).isPositive();
        assertThat(pieces.isExact()).isTrue();
    }

    @Test
    void a_surrogate_pair_is_never_split() {
        TextPieces pieces = new TextPieces(
                text -> {
                    assertThat(Character.isLowSurrogate(text.charAt(0))).isFalse();
                    return text.codePointCount(0, text.length());
                },
                () -> {});
        String text = "x" + "😀".repeat(LENGTH);
        assertThat(pieces.count(text)).isEqualTo(1 + LENGTH);
    }

    @Test
    void one_worker_at_a_time_counts_a_large_text_and_the_others_send_heartbeats_while_they_wait() throws Exception {
        TextMemory memory = new TextMemory(512L << 20, 2);
        assertThat(memory.isLarge(1 << 18)).isFalse();
        assertThat(memory.isLarge(2 << 20)).isTrue();
        memory.becomeLarge(() -> {});
        memory.becomeLarge(() -> {});
        Thread holder = Thread.currentThread();
        Thread other = new Thread(() -> {
            memory.becomeLarge(() -> {
                if (signs.incrementAndGet() == 3) {
                    memory.release(holder);
                }
            });
            memory.release(Thread.currentThread());
        });
        other.start();
        other.join(20_000);
        assertThat(other.isAlive()).isFalse();
        assertThat(signs.get()).isGreaterThanOrEqualTo(3);
    }
}
