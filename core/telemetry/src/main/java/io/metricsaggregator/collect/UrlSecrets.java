package io.metricsaggregator.collect;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Masks user, password and parameters of URLs in logs, messages, snapshots and reports. Passwords of wrong URLs are hidden too: whatever stands between
 * the scheme, or the start of a quoted text, and the last {@code @} is masked, and so is the value of every parameter, whatever its name.
 */
public final class UrlSecrets {
    /** A URL: to the closing quote if it is quoted, else to white space. Addresses of ipc and inproc sockets have no user. */
    private static final Pattern URL =
            Pattern.compile("(?<quote>['\"])?(?<scheme>\\b(?!ipc:|inproc:)[A-Za-z][A-Za-z0-9+.-]*://)");

    private static final Pattern PARAMETER = Pattern.compile("([?&;][^=&;]*=)[^&;]+");
    /** A quoted text without a scheme that looks like {@code user:password@host}. */
    private static final Pattern BARE = Pattern.compile("(['\"])(?![^'\"\\n]*://)[^'\"\\n]*:[^'\"\\n]*@");

    private UrlSecrets() {}

    /** Replaces user and password of each URL in the text, and the values of its parameters, by {@code ***}. */
    public static String mask(String text) {
        if (text.indexOf('@') < 0 && text.indexOf('?') < 0) {
            return text;
        }
        StringBuilder masked = new StringBuilder();
        Matcher url = URL.matcher(text);
        int from = 0;
        while (url.find(from)) {
            masked.append(bare(text.substring(from, url.start("scheme")))).append(url.group("scheme"));
            from = end(text, url.end(), url.group("quote"));
            masked.append(rest(text.substring(url.end(), from)));
        }
        return masked.append(bare(text.substring(from))).toString();
    }

    /** Masks a value that is a URL as a whole, whatever is wrong with it. */
    public static String maskValue(String value) {
        int scheme = value.indexOf("://");
        if (value.startsWith("ipc:") || value.startsWith("inproc:")) {
            return value;
        }
        int start = scheme < 0 ? 0 : scheme + 3;
        return value.substring(0, start) + rest(value.substring(start));
    }

    /** The value of the header {@code Authorization} for the user and password of a URL (RFC 7617, in UTF-8); null if it has none. */
    public static @Nullable String authorization(URI url) {
        String user = url.getUserInfo();
        return user == null
                ? null
                : "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
    }

    private static int end(String text, int from, @Nullable String quote) {
        for (int i = from; i < text.length(); i++) {
            char each = text.charAt(i);
            boolean ends = quote == null
                    ? Character.isWhitespace(each) || each == '\'' || each == '"'
                    : each == quote.charAt(0) || each == '\n';
            if (ends) {
                return i;
            }
        }
        return text.length();
    }

    private static String rest(String afterScheme) {
        int at = afterScheme.lastIndexOf('@');
        String host = at < 0 ? afterScheme : "***" + afterScheme.substring(at);
        return PARAMETER.matcher(host).replaceAll("$1***");
    }

    private static String bare(String text) {
        return BARE.matcher(text).replaceAll("$1***@");
    }
}
