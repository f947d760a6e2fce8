package io.metricsaggregator.collect;

import java.util.regex.Pattern;

/** Masks passwords and keys in URLs, for logs, messages, snapshots and reports. */
public final class UrlSecrets {
    private static final Pattern USER = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*://)[^/\\s?#@]*(?:@[^/\\s?#@]*)*@");
    private static final Pattern PARAMETER = Pattern.compile(
            "([?&;](?:[\\w-]*(?:password|passwd|secret|token|api[_-]?key|signature)|pwd|auth|key|sig)=)[^&;\\s#'\"]+",
            Pattern.CASE_INSENSITIVE);

    private UrlSecrets() {}

    /** Replaces user and password of each URL in the text, and the values of parameters named like secrets, by {@code ***}. */
    public static String mask(String text) {
        if (!text.contains("://")) {
            return text;
        }
        return PARAMETER.matcher(USER.matcher(text).replaceAll("$1***@")).replaceAll("$1***");
    }
}
