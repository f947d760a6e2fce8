package io.metricsaggregator.journal;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names of nodes: 1 to {@value #MAX} letters, digits, {@code _}, {@code .} and {@code -}, the first of them a letter or digit, so that a name is a label, a
 * folder and a line of a report without escaping. Stateless.
 */
public final class NodeName {
    /** Most characters of a name. */
    public static final int MAX = 128;

    private static final Pattern VALID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0," + (MAX - 1) + "}");

    private NodeName() {}

    /**
     * Returns a name that a user gave.
     *
     * @throws IllegalArgumentException if it is not a valid name; the message quotes it
     */
    public static String require(String name) {
        if (!isValid(name)) {
            throw new IllegalArgumentException("--node '" + name + "' is not a name of 1 to " + MAX
                    + " letters, digits, '_', '.' and '-' that begins with a letter or a digit, such as gpu-1");
        }
        return name;
    }

    /** Whether a text is a valid name. */
    public static boolean isValid(String text) {
        return VALID.matcher(text).matches();
    }

    /** The valid name nearest to a text, such as a host name: other characters become {@code _}, and it is cut; null for an empty or null text. */
    public static @Nullable String nearest(@Nullable String text) {
        String trimmed = text == null ? "" : text.strip();
        if (trimmed.isEmpty()) {
            return null;
        }
        String name = trimmed.replaceAll("[^A-Za-z0-9_.-]", "_");
        String begun = VALID.matcher(name.substring(0, 1)).matches() ? name : "n" + name;
        return begun.substring(0, Math.min(MAX, begun.length()));
    }
}
