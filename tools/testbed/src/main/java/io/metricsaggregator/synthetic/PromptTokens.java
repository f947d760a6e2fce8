package io.metricsaggregator.synthetic;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the tokens of a prompt without a tokenizer: each run of letters or digits is a token for every six characters begun, each other
 * visible character is one. A chat message has {@value #PER_MESSAGE} tokens more for its template.
 */
final class PromptTokens {
    private static final int PER_MESSAGE = 4;
    private static final int WORD_CHARS = 6;

    private PromptTokens() {}

    /** The tokens of a chat message whose content is a text, a list of parts of which those with a text count, or null. */
    static int ofMessage(@Nullable Object content) {
        int tokens = PER_MESSAGE;
        if (content instanceof String text) {
            tokens += ofText(text);
        } else if (content instanceof List<?> parts) {
            for (Object part : parts) {
                if (part instanceof Map<?, ?> map && map.get("text") instanceof String text) {
                    tokens += ofText(text);
                }
            }
        }
        return tokens;
    }

    /** The tokens of a text; 0 for an empty one. */
    static int ofText(String text) {
        int tokens = 0;
        int word = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isLetterOrDigit(c)) {
                if (word % WORD_CHARS == 0) {
                    tokens++;
                }
                word++;
            } else {
                word = 0;
                if (!Character.isWhitespace(c)) {
                    tokens++;
                }
            }
        }
        return tokens;
    }
}
