package io.metricsaggregator.template;

/** Finds text in text, in time that grows with the length of the text alone. */
final class TextSearch {
    /** Up to this length a part is compared in full wherever its start is found. */
    private static final int SHORT = 16;

    private TextSearch() {}

    /** Charges for one pass over a text in search of a part, whatever number of finds it has. */
    static void charge(String text, String part, Budget budget) {
        int length = part.length();
        budget.read(text.length() * (length > SHORT ? 8L : 1 + length / 4));
        if (length > SHORT) {
            budget.make(2L * length);
        }
    }

    /** The first place of {@code part}; negative if there is none. Charges for the pass. */
    static int find(String text, String part, Budget budget) {
        charge(text, part, budget);
        return new Part(part).next(text, 0);
    }

    /** The last place of {@code part}; negative if there is none. Charges for the pass. */
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

    /** A part that is searched for several times, by Knuth, Morris and Pratt where it is long. */
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

        /** Its first place from {@code from} on; negative if there is none. */
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
