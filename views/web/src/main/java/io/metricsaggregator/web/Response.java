package io.metricsaggregator.web;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Builds answers as bytes. Every answer forbids a browser to run, load, frame or send anything beyond this server's own files. */
final class Response {
    private static final String SECURITY =
            "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self';"
                    + " connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
                    + "X-Content-Type-Options: nosniff\r\n"
                    + "Referrer-Policy: no-referrer\r\n"
                    + "Cross-Origin-Opener-Policy: same-origin\r\n"
                    + "Cross-Origin-Resource-Policy: same-origin\r\n"
                    + "Cache-Control: no-store\r\n"
                    + "Connection: close\r\n\r\n";

    private Response() {}

    /** The head of a stream of server-sent events, which ends with the connection. */
    static byte[] events() {
        return bytes("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n" + SECURITY);
    }

    /** A whole answer; for a HEAD request without its body. */
    static byte[] of(String status, String type, byte[] body, boolean head) {
        byte[] start = bytes("HTTP/1.1 " + status + "\r\nContent-Type: " + type + "\r\nContent-Length: " + body.length
                + "\r\n" + SECURITY);
        if (head) {
            return start;
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream(start.length + body.length);
        whole.writeBytes(start);
        whole.writeBytes(body);
        return whole.toByteArray();
    }

    /** A line of text with a status, such as {@code 404 Not Found}. */
    static byte[] text(String status, String line, boolean head) {
        return of(status, "text/plain; charset=us-ascii", bytes(line + "\n"), head);
    }

    /** The answer to a method other than GET and HEAD. */
    static byte[] notAllowed() {
        byte[] body = bytes("only GET and HEAD\n");
        return bytes(
                "HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD\r\nContent-Type: text/plain; charset=us-ascii\r\n"
                        + "Content-Length: " + body.length + "\r\n" + SECURITY + "only GET and HEAD\n");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
