package io.metricsaggregator.proxy;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The head of a request that the proxy accepts. Immutable. */
final class RequestHead {
    /** Longest request line in bytes. */
    static final int LINE_MAX_BYTES = 8 << 10;

    private final MessageHead head;
    private final String method;
    private final String target;
    private final Framing.Body body;
    private final long length;

    /**
     * Checks a head.
     *
     * @throws MalformedHttpException if the proxy does not relay it: two readers could frame it differently, or it asks for another server
     */
    RequestHead(MessageHead head) throws MalformedHttpException {
        this.head = head;
        String[] words = head.startLine().split(" ", -1);
        if (words.length != 3 || !MessageHead.isToken(words[0], 0, words[0].length()) || words[1].isEmpty()) {
            throw new MalformedHttpException(400, "the request line is not METHOD TARGET VERSION");
        }
        boolean old = words[2].equals("HTTP/1.0");
        if (!old && !words[2].equals("HTTP/1.1")) {
            throw words[2].startsWith("HTTP/")
                    ? new MalformedHttpException(505, "only HTTP/1.0 and HTTP/1.1")
                    : new MalformedHttpException(400, "the request line does not end with a version of HTTP");
        }
        method = words[0];
        target = words[1];
        if (method.equals("CONNECT") || (!target.startsWith("/") && !target.equals("*"))) {
            throw new MalformedHttpException(
                    501, "this proxy relays to its upstream only: neither CONNECT nor absolute URLs");
        }
        for (String once : new String[] {"host", "content-length", "transfer-encoding"}) {
            if (head.count(once) > 1) {
                throw new MalformedHttpException(400, "more than one " + once);
            }
        }
        String coding = head.value("transfer-encoding");
        length = Math.max(0, head.contentLength());
        if (coding != null && (old || head.contentLength() >= 0)) {
            throw new MalformedHttpException(400, "Transfer-Encoding with Content-Length or HTTP/1.0");
        }
        if (coding != null && !coding.equalsIgnoreCase("chunked")) {
            throw new MalformedHttpException(501, "a transfer coding other than chunked");
        }
        body = coding == null ? Framing.Body.LENGTH : Framing.Body.CHUNKED;
    }

    String method() {
        return method;
    }

    /** The target without its query. */
    String path() {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    Framing.Body body() {
        return body;
    }

    long length() {
        return length;
    }

    /** Whether the connection may change to another protocol after this request. */
    boolean isUpgrade() {
        return head.count("upgrade") > 0;
    }

    /** A value of a header; null if there is none. */
    @Nullable
    String value(String name) {
        return head.value(name);
    }

    /**
     * The bytes to send to the upstream.
     *
     * @param authority of the upstream, which replaces {@code Host} unless that names it already
     * @param addedId value of an {@code x-request-id} to add; null for none
     */
    byte[] forwarded(String authority, @Nullable String addedId) {
        String host = head.value("host");
        boolean same = host == null || host.toLowerCase(Locale.ROOT).equals(authority.toLowerCase(Locale.ROOT));
        return head.with("host", same ? null : authority, "x-request-id", addedId);
    }

    /** Whether a page of another origin may have sent it, or it was sent to another name than that of this machine. */
    boolean isForeign() {
        String host = head.value("host");
        if (host == null || head.count("origin") > 0) {
            return true;
        }
        String name = host.replaceFirst(":\\d{1,5}$", "").toLowerCase(Locale.ROOT);
        return !name.equals("localhost") && !name.equals("[::1]") && !name.matches("127(\\.\\d{1,3}){3}");
    }
}
