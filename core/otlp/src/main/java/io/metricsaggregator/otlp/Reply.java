package io.metricsaggregator.otlp;

import java.nio.charset.StandardCharsets;

/**
 * An answer to an exporter, as OTLP/HTTP has it: an {@code ExportTraceServiceResponse}, or a {@code google.rpc.Status} for a failure, in the
 * encoding of the request.
 *
 * @param status HTTP status: 200; 400 and 413 for what must not be sent again; 415; 503 for what may be sent again
 * @param contentType of the body
 * @param body may be empty
 * @param retryAfterSeconds value of {@code Retry-After}; 0 for no such header
 */
@SuppressWarnings("ArrayRecordComponent") // sent, never compared
public record Reply(int status, String contentType, byte[] body, int retryAfterSeconds) {
    static final String PROTOBUF = "application/x-protobuf";
    static final String JSON = "application/json";

    private static final int REJECTED_SPANS = 1 << 3;
    private static final int PARTIAL_SUCCESS = 1 << 3 | 2;
    private static final int MESSAGE = 2 << 3 | 2;
    private static final int MESSAGE_MAX = 512;

    /** All spans were taken. */
    static Reply taken(boolean json) {
        return json ? new Reply(200, JSON, ascii("{}"), 0) : new Reply(200, PROTOBUF, new byte[0], 0);
    }

    /** Some spans were rejected, the others taken. */
    static Reply partly(boolean json, long rejected, String problem) {
        if (json) {
            return new Reply(
                    200,
                    JSON,
                    ascii("{\"partialSuccess\":{\"rejectedSpans\":\"" + rejected + "\",\"errorMessage\":\""
                            + printable(problem) + "\"}}"),
                    0);
        }
        ProtobufBytes partial = new ProtobufBytes();
        partial.varint(REJECTED_SPANS).varint(rejected).varint(MESSAGE).block(ascii(printable(problem)));
        return new Reply(
                200,
                PROTOBUF,
                new ProtobufBytes()
                        .varint(PARTIAL_SUCCESS)
                        .block(partial.bytes())
                        .bytes(),
                0);
    }

    /** The request was refused. */
    static Reply refused(boolean json, int status, String problem, int retryAfterSeconds) {
        String message = printable(problem);
        byte[] body = json
                ? ascii("{\"message\":\"" + message + "\"}")
                : new ProtobufBytes().varint(MESSAGE).block(ascii(message)).bytes();
        return new Reply(status, json ? JSON : PROTOBUF, body, retryAfterSeconds);
    }

    /** Keeps what needs no escape in JSON: parts of the body may be in a message. */
    private static String printable(String text) {
        StringBuilder kept = new StringBuilder();
        for (int i = 0; i < Math.min(text.length(), MESSAGE_MAX); i++) {
            char c = text.charAt(i);
            kept.append(c >= ' ' && c <= '~' && c != '"' && c != '\\' ? c : '\'');
        }
        return kept.toString();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
