package io.metricsaggregator.cli.wrap;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Scheme, host and port of a server. All names of the loopback address are one host: tools and people mix them.
 *
 * @param scheme {@code http} or {@code https}
 * @param host in lower case; an IPv6 address in brackets
 * @param port 1 to 65535
 */
record Origin(String scheme, String host, int port) {
    private static final int HTTP = 80;
    private static final int HTTPS = 443;
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]", "0.0.0.0", "[::]");

    /** A URL within a text, up to its path. */
    private static final Pattern URL =
            Pattern.compile("(?i)\\bhttps?://(\\[[0-9a-f:.]+\\]|[a-z0-9._-]+)(:[0-9]{1,5})?(?![a-z0-9:@])");

    private static final Pattern WITHOUT_SCHEME =
            Pattern.compile("(?i)(\\[[0-9a-f:.]+\\]|[a-z0-9._-]+)(:[0-9]{1,5})?(/.*)?");

    /** The origin of a URL; without a scheme it is http. Null if the text is no URL. */
    static @Nullable Origin of(String url) {
        String text = url.strip();
        boolean schemed = text.regionMatches(true, 0, "http://", 0, 7) || text.regionMatches(true, 0, "https://", 0, 8);
        if (!schemed && !WITHOUT_SCHEME.matcher(text).matches()) {
            return null;
        }
        try {
            URI uri = URI.create(schemed ? text : "http://" + text);
            String host = uri.getHost();
            if (host == null) {
                return null;
            }
            String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
            int port = uri.getPort() > 0 ? uri.getPort() : scheme.equals("https") ? HTTPS : HTTP;
            return port > 65535 ? null : new Origin(scheme, host.toLowerCase(Locale.ROOT), port);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** The path of a URL, without a slash at its end; empty for none. */
    static String pathOf(String url) {
        String text = url.strip();
        int authority = text.indexOf("://") < 0 ? 0 : text.indexOf("://") + 3;
        int path = text.indexOf('/', authority);
        String found = path < 0 ? "" : text.substring(path);
        return found.endsWith("/") ? found.substring(0, found.length() - 1) : found;
    }

    /** The origins of all URLs in a text, each once, in their order. */
    static List<Origin> in(String text) {
        List<Origin> found = new ArrayList<>();
        Matcher matcher = URL.matcher(text);
        while (matcher.find()) {
            Origin each = of(matcher.group());
            if (each != null && found.stream().noneMatch(each::isSame)) {
                found.add(each);
            }
        }
        return found;
    }

    /** Whether both are one server. */
    boolean isSame(Origin other) {
        return scheme.equals(other.scheme)
                && port == other.port
                && (host.equals(other.host) || (LOOPBACK.contains(host) && LOOPBACK.contains(other.host)));
    }

    /** The text with each URL of this server moved to another; paths and queries stay. */
    String replacedIn(String text, String by) {
        UnaryOperator<String> replacement = url -> {
            Origin each = of(url);
            return each != null && isSame(each) ? by : url;
        };
        return URL.matcher(text)
                .replaceAll((MatchResult match) -> Matcher.quoteReplacement(replacement.apply(match.group())));
    }

    /** Whether connections to this server are encrypted. */
    boolean isSecure() {
        return scheme.equals("https");
    }

    /** The URL of the server without a path, with the port where it is not the scheme's. */
    String url() {
        boolean usual = port == (isSecure() ? HTTPS : HTTP);
        // An address to listen on is none to connect to.
        String reachable = host.equals("0.0.0.0") || host.equals("[::]") ? "127.0.0.1" : host;
        return scheme + "://" + reachable + (usual ? "" : ":" + port);
    }
}
