package io.metricsaggregator.web;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The head of an HTTP request. Only the parts that decide the answer are kept.
 *
 * @param method such as {@code GET}
 * @param path the target without its query
 * @param host the Host header in lower case without its port; null if it is missing, repeated or empty
 * @param site the header Sec-Fetch-Site in lower case, which browsers set for addresses they trust; null if it is missing
 * @param otherOrigin whether the header Origin names another host or port than the header Host
 */
record Request(
        String method,
        String path,
        @Nullable String host,
        @Nullable String site,
        boolean otherOrigin) {
    /**
     * Parses a request up to the empty line after its headers.
     *
     * @throws IllegalArgumentException if it is not an HTTP/1 request
     */
    static Request parse(byte[] bytes, int length) {
        String[] lines = new String(bytes, 0, length, StandardCharsets.ISO_8859_1).split("\r\n", -1);
        String[] first = lines[0].split(" ", -1);
        if (first.length != 3 || !first[2].startsWith("HTTP/1.") || !first[1].startsWith("/")) {
            throw new IllegalArgumentException("not an HTTP/1 request");
        }
        String host = null;
        String site = null;
        String authority = null;
        String origin = null;
        boolean repeated = false;
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            if (colon <= 0) {
                continue;
            }
            String value = lines[i].substring(colon + 1).trim().toLowerCase(Locale.ROOT);
            switch (lines[i].substring(0, colon).toLowerCase(Locale.ROOT)) {
                case "host" -> {
                    repeated |= host != null;
                    authority = value;
                    host = value.replaceFirst(":\\d+$", "");
                }
                case "sec-fetch-site" -> site = value;
                case "origin" -> origin = value;
                default -> {}
            }
        }
        int query = first[1].indexOf('?');
        return new Request(
                first[0],
                query < 0 ? first[1] : first[1].substring(0, query),
                repeated || host == null || host.isEmpty() ? null : host,
                site,
                origin != null && !origin.replaceFirst("^https?://", "").equals(authority));
    }

    boolean isHead() {
        return method.equals("HEAD");
    }

    /** Whether a page of another site, or of another port of this host, sent it. */
    boolean isForeign() {
        return site == null ? otherOrigin : site.equals("cross-site") || site.equals("same-site");
    }
}
