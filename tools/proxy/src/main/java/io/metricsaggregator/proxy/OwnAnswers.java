package io.metricsaggregator.proxy;

import io.metricsaggregator.codec.JsonTree;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Answers that the proxy gives itself: refusals, and those to paths below {@value #PREFIX}. Stateless. */
final class OwnAnswers {
    /** Paths that are not relayed. */
    static final String PREFIX = "/-/";

    private static final Map<Integer, String> REASONS = Map.ofEntries(
            Map.entry(200, "OK"),
            Map.entry(400, "Bad Request"),
            Map.entry(403, "Forbidden"),
            Map.entry(404, "Not Found"),
            Map.entry(405, "Method Not Allowed"),
            Map.entry(409, "Conflict"),
            Map.entry(414, "URI Too Long"),
            Map.entry(431, "Request Header Fields Too Large"),
            Map.entry(501, "Not Implemented"),
            Map.entry(502, "Bad Gateway"),
            Map.entry(503, "Service Unavailable"),
            Map.entry(504, "Gateway Timeout"),
            Map.entry(505, "HTTP Version Not Supported"));

    private OwnAnswers() {}

    /** An answer that ends the connection, with the reason as text. */
    static byte[] refusal(int status, String reason) {
        return message(
                status,
                "text/plain; charset=utf-8",
                "Connection: close\r\nX-Metrics-Aggregator: refused\r\n",
                text(reason));
    }

    /**
     * The answer to a request of a path below {@value #PREFIX}.
     *
     * @param local whether the client is on this machine; another one is refused, as is a page of a browser
     */
    static byte[] answer(RequestHead request, boolean local, Services services) {
        if (!local || request.isForeign()) {
            return plain(403, "only for programs on this machine that name it as such");
        }
        boolean isPost = request.method().equals("POST");
        switch (request.path()) {
            case "/-/session/start" -> {
                return !isPost
                        ? plain(405, "only POST")
                        : services.samples().start() ? plain(200, "started") : plain(409, "a session is open");
            }
            case "/-/session/end" -> {
                return !isPost
                        ? plain(405, "only POST")
                        : services.samples().end() ? plain(200, "ended") : plain(409, "no session is open");
            }
            case "/-/status" -> {
                byte[] json = JsonTree.writeLine(services.counts().status().toMap());
                return request.method().equals("GET")
                        ? message(200, "application/json", "", json)
                        : plain(405, "only GET");
            }
            default -> {
                return plain(404, "no such path of the proxy");
            }
        }
    }

    private static byte[] plain(int status, String text) {
        return message(status, "text/plain; charset=utf-8", "", text(text));
    }

    private static byte[] text(String text) {
        return (text + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] message(int status, String type, String headers, byte[] body) {
        byte[] head = ("HTTP/1.1 " + status + " " + REASONS.getOrDefault(status, "Refused") + "\r\nContent-Type: "
                        + type + "\r\nContent-Length: " + body.length + "\r\n" + headers + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] all = new byte[head.length + body.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(body, 0, all, head.length, body.length);
        return all;
    }
}
