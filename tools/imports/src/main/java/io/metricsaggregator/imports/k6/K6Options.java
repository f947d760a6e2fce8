package io.metricsaggregator.imports.k6;

import io.metricsaggregator.imports.ImportOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How to read a file of k6.
 *
 * @param fromBlocked whether a request starts when it begins to wait for a connection, instead of when it is sent
 * @param firstByte whether the first byte of a response counts as its first chunk
 * @param skipFirst events at the start of a response without content, such as the role
 * @param skipLast events at its end without content, such as {@code [DONE]}
 * @param tags tags that a request must have
 */
record K6Options(boolean fromBlocked, boolean firstByte, int skipFirst, int skipLast, Map<String, String> tags) {
    private static final Pattern SKIP = Pattern.compile("(first|last)=(\\d{1,4})");

    K6Options {
        tags = Map.copyOf(tags);
    }

    /**
     * Reads the options of the format.
     *
     * @throws IllegalArgumentException if one is invalid; the message names it
     */
    static K6Options of(ImportOptions options) {
        String from = options.formatOption("k6-from");
        if (from != null && !from.equals("blocked") && !from.equals("sending")) {
            throw new IllegalArgumentException("--k6-from '" + from + "' is neither sending nor blocked");
        }
        int[] skip = skip(options.formatOption("sse-skip"));
        return new K6Options(
                "blocked".equals(from),
                "true".equals(options.formatOption("first-byte")),
                skip[0],
                skip[1],
                tags(options.formatOption("tag")));
    }

    private static int[] skip(@Nullable String text) {
        int[] skip = {0, 0};
        if (text != null) {
            for (String each : text.split(",", -1)) {
                Matcher matcher = SKIP.matcher(each.strip());
                if (!matcher.matches()) {
                    throw new IllegalArgumentException(
                            "--sse-skip '" + text + "' is not of the form first=1,last=1, with numbers up to 9999");
                }
                skip[matcher.group(1).equals("first") ? 0 : 1] = Integer.parseInt(matcher.group(2));
            }
        }
        return skip;
    }

    private static Map<String, String> tags(@Nullable String text) {
        Map<String, String> tags = new LinkedHashMap<>();
        if (text != null) {
            for (String each : text.split(",", -1)) {
                int equals = each.indexOf('=');
                if (equals < 1) {
                    throw new IllegalArgumentException("--tag '" + text + "' is not of the form NAME=VALUE");
                }
                tags.put(
                        each.substring(0, equals).strip(),
                        each.substring(equals + 1).strip());
            }
        }
        return tags;
    }
}
