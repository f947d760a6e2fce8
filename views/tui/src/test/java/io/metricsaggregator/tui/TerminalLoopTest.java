package io.metricsaggregator.tui;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.tui.TerminalLoop.Key;
import java.io.IOException;
import java.util.ArrayDeque;
import org.jline.utils.NonBlockingReader;
import org.junit.jupiter.api.Test;

/** What follows an escape, as a slow connection delivers it: a scripted reader stands in for the terminal and its time. */
class TerminalLoopTest {
    private static final long SLOW_MILLIS = 200;

    /** Gives each character some time after the one before. */
    private static final class SlowReader extends NonBlockingReader {
        private final ArrayDeque<Character> left = new ArrayDeque<>();
        private final long gapMillis;
        private long waited;

        SlowReader(String text, long gapMillis) {
            this.gapMillis = gapMillis;
            text.chars().forEach(each -> left.add((char) each));
        }

        @Override
        protected int read(long timeoutMillis, boolean isPeek) {
            if (left.isEmpty() || waited + timeoutMillis < gapMillis) {
                waited += timeoutMillis;
                return READ_EXPIRED;
            }
            waited = 0;
            return left.remove();
        }

        @Override
        public int readBuffered(char[] into, int start, int length, long timeoutMillis) {
            throw new UnsupportedOperationException("the screen reads single characters");
        }

        @Override
        public void close() {}
    }

    private static void assertSequence(String text, long gapMillis, Key key, int charactersLeft) throws IOException {
        SlowReader reader = new SlowReader(text, gapMillis);
        assertThat(TerminalLoop.sequence(reader)).isEqualTo(key);
        assertThat(reader.left).hasSize(charactersLeft);
    }

    @Test
    void the_letters_of_a_response_that_arrives_in_pieces_are_no_keys() throws IOException {
        assertSequence("P1$r2 q\u001b\\", SLOW_MILLIS, Key.NONE, 0);
        assertSequence("]11;rgb:0/0/0\u0007", SLOW_MILLIS, Key.NONE, 0);
        assertSequence("[24;80R", SLOW_MILLIS, Key.NONE, 0);
    }

    @Test
    void a_key_that_arrives_in_pieces_is_that_key() throws IOException {
        assertSequence("[A", SLOW_MILLIS, Key.UP, 0);
        assertSequence("OD", SLOW_MILLIS, Key.LEFT, 0);
        assertSequence("[5~", SLOW_MILLIS, Key.PAGE_UP, 0);
        assertSequence("[6~", SLOW_MILLIS, Key.PAGE_DOWN, 0);
    }

    @Test
    void a_key_pressed_after_the_escape_key_is_left_for_the_screen() throws IOException {
        assertSequence("q", 2 * SLOW_MILLIS, Key.NONE, 1);
    }
}
