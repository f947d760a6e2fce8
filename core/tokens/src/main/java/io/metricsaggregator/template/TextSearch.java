package io.metricsaggregator.template;

/** Substring search in linear time, whatever the texts are. */
final class TextSearch {
    /** Maximum length of a part that is compared character by character at each candidate position. */
    private static final int SHORT = 16;

    private TextSearch() {}

    /** Charges for one pass over a text; the number of matches does not matter. */
    static void charge(String text, String part, Budget budget) {
        int length = part.length();
        budget.read(text.length() * (length > SHORT ? 8L : 1 + length / 4));
        if (length > SHORT) {
            budget.make(2L * length);
        }
    }

    /** Returns the index of the first occurrence of {@code part}, or a negative number. Charges for the pass. */
    static int find(String text, String part, Budget budget) {
        charge(text, part, budget);
        return new Part(part).next(text, 0);
    }

    /** Returns the index of the last occurrence of {@code part}, or a negative number. Charges for the pass. */
    static int findLast(String text, String part, Budget budget) {
        charge(text, part, budget);
        if (part.length() <= SHORT) {
            return text.lastIndexOf(part);
        }
        String reversed = reverse(part);
        int found = new Part(reversed).next(reverse(text), 0);
        return found < 0 ? -1 : text.length() - found - part.length();
    }

    private static String reverse(String text) {
        char[] chars = new char[text.length()];
        for (int i = 0; i < chars.length; i++) {
            chars[i] = text.charAt(chars.length - 1 - i);
        }
        return new String(chars);
    }

    /** A prepared search string for repeated searches; uses Knuth-Morris-Pratt where it is long. */
    static final class Part {
        private final String part;
        private final int[] border;

        Part(String part) {
            this.part = part;
            this.border = new int[part.length() > SHORT ? part.length() : 0];
            int length = 0;
            for (int i = 1; i < border.length; i++) {
                while (length > 0 && part.charAt(i) != part.charAt(length)) {
                    length = border[length - 1];
                }
                length += part.charAt(i) == part.charAt(length) ? 1 : 0;
                border[i] = length;
            }
        }

        /** Returns the index of the first occurrence at or after {@code from}, or a negative number. */
        int next(String text, int from) {
            if (border.length == 0) {
                return text.indexOf(part, from);
            }
            int matched = 0;
            for (int i = from; i < text.length(); i++) {
                while (matched > 0 && text.charAt(i) != part.charAt(matched)) {
                    matched = border[matched - 1];
                }
                matched += text.charAt(i) == part.charAt(matched) ? 1 : 0;
                if (matched == part.length()) {
                    return i - matched + 1;
                }
            }
            return -1;
        }
    }
}
