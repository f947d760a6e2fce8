package io.metricsaggregator.otlp;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /v1/traces}: inflates it within a bound, and reads it in the encoding that its headers state. */
final class TraceBody {
    private TraceBody() {}

    /** A body that is refused, with its HTTP status. */
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1;

        final int status;

        RefusedException(int status, String problem) {
            super(problem, null, false, false);
            this.status = status;
        }
    }

    /** Whether a {@code Content-Type} is JSON; null if it is neither JSON nor protobuf. */
    static @Nullable Boolean isJson(@Nullable String contentType) {
        String type = contentType == null ? "" : contentType;
        int parameters = type.indexOf(';');
        type = (parameters < 0 ? type : type.substring(0, parameters)).trim().toLowerCase(Locale.ROOT);
        return type.equals(Reply.JSON) ? Boolean.TRUE : type.equals(Reply.PROTOBUF) ? Boolean.FALSE : null;
    }

    /**
     * Reads a body.
     *
     * @param encoding value of {@code Content-Encoding}; null for none
     * @param bytesMax largest body once inflated
     */
    static SpanBatch read(byte[] body, boolean json, @Nullable String encoding, int bytesMax) throws RefusedException {
        byte[] plain = inflate(body, encoding, bytesMax);
        try {
            return json ? OtlpJson.read(plain, GenAi.WANTED) : OtlpTraces.read(plain, GenAi.WANTED);
        } catch (InvalidOtlpException e) {
            throw new RefusedException(
                    400, "not an ExportTraceServiceRequest in " + (json ? "JSON" : "protobuf") + ": " + e.getMessage());
        }
    }

    private static byte[] inflate(byte[] body, @Nullable String encoding, int bytesMax) throws RefusedException {
        String name = encoding == null ? "identity" : encoding.trim().toLowerCase(Locale.ROOT);
        return switch (name) {
            case "", "identity" -> {
                requireWithin(body.length, bytesMax);
                yield body;
            }
            case "gzip", "x-gzip" -> gunzip(body, bytesMax);
            default -> throw new RefusedException(415, "Content-Encoding '" + encoding + "' is not gzip or identity");
        };
    }

    private static byte[] gunzip(byte[] body, int bytesMax) throws RefusedException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
            byte[] plain = in.readNBytes(bytesMax + 1);
            requireWithin(plain.length, bytesMax);
            return plain;
        } catch (EOFException e) {
            throw new RefusedException(400, "the gzip body is cut");
        } catch (IOException e) {
            throw new RefusedException(400, "the body is not gzip: " + e.getMessage());
        }
    }

    private static void requireWithin(int bytes, int bytesMax) throws RefusedException {
        if (bytes > bytesMax) {
            throw new RefusedException(
                    413, "the body is larger than " + bytesMax + " bytes; export in smaller batches");
        }
    }
}
