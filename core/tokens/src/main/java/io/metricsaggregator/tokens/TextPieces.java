package io.metricsaggregator.tokens;

import org.jspecify.annotations.Nullable;

/**
 * Counts long texts in pieces, which limits native memory: a tokenizer takes hundreds of bytes per byte of text. A text is cut where the
 * tokens around the cut stay the same, preferably before a word. Without such a position, as in a long run of one letter, the text is
 * cut anyway and the count is approximate. Not thread-safe: one instance per worker.
 */
final class TextPieces {
    /** Maximum length of a piece in characters. */
    static final int PIECE_CHARS = 32 * 1024;
    /** Number of characters on each side of a cut that are tokenized to verify that it changes no tokens. */
    private static final int CONTEXT = 128;
    /** Maximum number of positions tried for a cut. */
    private static final int TRIES = 16;

    private final TokenCounter counter;
    private final Runnable heartbeat;
    private boolean exact;

    /**
     * Creates a counter of long texts.
     *
     * @param heartbeat called after each piece, as the worker's heartbeat
     */
    TextPieces(TokenCounter counter, Runnable heartbeat) {
        this.counter = counter;
        this.heartbeat = heartbeat;
    }

    /** Counts the tokens of a text. */
    long count(String text) {
        exact = true;
        if (text.length() <= PIECE_CHARS) {
            return counter.count(text);
        }
        long tokens = 0;
        int start = 0;
        while (text.length() - start > PIECE_CHARS) {
            Cut cut = cut(text, start);
            exact &= cut.exact;
            tokens += counter.count(text.substring(start, cut.end));
            start = cut.next;
            heartbeat.run();
        }
        return tokens + counter.count(text.substring(start));
    }

    /** Returns whether the last text was counted exactly. */
    boolean isExact() {
        return exact;
    }

    /**
     * A position to cut.
     *
     * @param end end of the piece before the cut
     * @param next start of the piece after the cut: one further where the tokenizer adds a space of its own
     * @param exact whether the tokens around it stay the same
     */
    private record Cut(int end, int next, boolean exact) {}

    private Cut cut(String text, int start) {
        int latest = start + PIECE_CHARS;
        int earliest = start + PIECE_CHARS / 2;
        Cut found = search(text, start, earliest, latest, true);
        if (found == null) {
            found = search(text, start, earliest, latest, false);
        }
        if (found != null) {
            return found;
        }
        int end = Character.isLowSurrogate(text.charAt(latest)) ? latest - 1 : latest;
        return new Cut(end, end, false);
    }

    /** Finds the last position whose cut changes no tokens: before words, or between kinds of characters. */
    private @Nullable Cut search(String text, int start, int from, int to, boolean words) {
        int tries = 0;
        for (int at = to; at > from && tries < TRIES; at--) {
            if (words ? startsWord(text, at) : changesKind(text, at)) {
                tries++;
                int low = Math.max(start, at - CONTEXT);
                String left = text.substring(low, at);
                int high = Math.min(text.length(), at + CONTEXT);
                high -= Character.isHighSurrogate(text.charAt(high - 1)) ? 1 : 0;
                String right = text.substring(at, high);
                if (counter.joins(left + right, left, right)) {
                    return new Cut(at, at, true);
                }
                if (words && counter.joins(left + right, left, right.substring(1))) {
                    return new Cut(at, at + 1, true);
                }
            }
        }
        return null;
    }

    /** Returns whether a single space followed by a word starts here. */
    private static boolean startsWord(String text, int at) {
        return text.charAt(at) == ' '
                && at + 1 < text.length()
                && !Character.isWhitespace(text.charAt(at + 1))
                && !Character.isWhitespace(text.charAt(at - 1));
    }

    private static boolean changesKind(String text, int at) {
        return !Character.isLowSurrogate(text.charAt(at)) && kind(text.charAt(at)) != kind(text.charAt(at - 1));
    }

    private static int kind(char c) {
        return Character.isWhitespace(c) ? 0 : Character.isLetter(c) ? 1 : Character.isDigit(c) ? 2 : 3;
    }
}
