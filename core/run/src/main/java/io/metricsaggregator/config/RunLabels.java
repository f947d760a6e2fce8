package io.metricsaggregator.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Labels of a run by name: what the user states of it, such as {@code concurrency=64} or {@code engine=vllm}. They decide no figure and do not keep a
 * run from being resumed. Journals and snapshots hold them.
 */
public final class RunLabels {
    /** Most labels of a run. */
    public static final int MAX = 32;
    /** Most characters of a value. */
    public static final int VALUE_MAX = 256;

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}");

    private RunLabels() {}

    /**
     * Reads labels.
     *
     * @param texts of the form {@code name=value}; of two with one name the later counts
     * @return an unmodifiable map in the order given
     * @throws IllegalArgumentException if a text is not a label, or there are more than {@value #MAX}
     */
    public static Map<String, String> parse(List<String> texts) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            String name = equals < 0 ? text : text.substring(0, equals);
            String value = equals < 0 ? "" : text.substring(equals + 1);
            if (!NAME.matcher(name).matches() || !isValue(value)) {
                throw new IllegalArgumentException("--label '" + text + "' is not NAME=VALUE with a name of up to 64"
                        + " letters, digits, '_', '.' and '-' and a value of 1 to " + VALUE_MAX
                        + " characters on one line, such as concurrency=64");
            }
            labels.put(name, value);
        }
        if (labels.size() > MAX) {
            throw new IllegalArgumentException(
                    "--label is given " + labels.size() + " times; a run has at most " + MAX);
        }
        return Collections.unmodifiableMap(labels);
    }

    private static boolean isValue(String text) {
        return !text.isEmpty()
                && text.length() <= VALUE_MAX
                && text.chars().noneMatch(c -> Character.isISOControl(c) || c == '\u2028' || c == '\u2029');
    }
}
