package io.metricsaggregator.tokens;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of transformers whose chat handling is emulated, so that counts agree with tools that use it.
 *
 * @param major the major version
 * @param minor the minor version
 * @param text the version as given
 */
public record TransformersVersion(int major, int minor, String text) {
    /** The version that MLCommons endpoints pins. */
    public static final TransformersVersion DEFAULT = new TransformersVersion(5, 5, "5.5.0");

    private static final Pattern FORM = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})(\\.[0-9A-Za-z.]{1,20})?");

    /**
     * Parses a version such as {@code 5.5.0} or {@code 5.21}.
     *
     * @throws IllegalArgumentException if the text is not a version
     */
    public static TransformersVersion parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a version of transformers, such as 5.5.0");
        }
        return new TransformersVersion(Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2)), text);
    }

    /** Returns whether a message's reasoning is also read from {@code reasoning_content} and {@code thinking}: since 5.21. */
    boolean aliasesReasoning() {
        return major > 5 || (major == 5 && minor >= 21);
    }

    @Override
    public String toString() {
        return text;
    }
}
