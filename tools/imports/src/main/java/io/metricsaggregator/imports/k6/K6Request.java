package io.metricsaggregator.imports.k6;

import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.json.Decimals;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.read.Rfc3339;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one request of k6. Its duration is that of sending, waiting and receiving; {@code blocked} before it contains the time to
 * connect where a connection is new. Belongs to one reader.
 */
final class K6Request {
    private static final int MILLIS = 6;
    private static final int FIRST_FAILURE = 400;
    private static final long ROUNDING_NANOS = 1000;

    private final @Nullable String time;
    private final JsonFields tags;
    private final @Nullable String key;
    private final Map<String, BigDecimal> measures = new HashMap<>();

    /**
     * Starts with the line {@code http_reqs}.
     *
     * @param time the time of the line, as in the file
     * @param key what ties events to this request; null for nothing
     */
    K6Request(@Nullable String time, JsonFields tags, @Nullable String key) {
        this.time = time;
        this.tags = tags;
        this.key = key;
    }

    /** Whether a line with this time and these tags may be of this request. */
    boolean belongs(@Nullable String otherTime, JsonFields otherTags) {
        return Objects.equals(time, otherTime) && tags.equals(otherTags);
    }

    /** Takes the value of another line. */
    void measure(String metric, BigDecimal value) {
        measures.put(metric, value);
    }

    JsonFields tags() {
        return tags;
    }

    /**
     * Hands the request to the sink.
     *
     * @return whether the times of its chunks are known
     */
    boolean hand(ImportSink sink, K6Options options, K6Events events) throws IOException, InvalidField {
        String failure = failure();
        boolean streamed = !measures.containsKey("http_req_waiting");
        ImportedRequest request;
        try {
            request = times(sink, options, events, failure, streamed);
        } catch (InvalidField e) {
            if (failure == null) {
                throw e;
            }
            request = ImportedRequest.issuedAt(endOfFailure()).failedAt(null, type(), failure);
        }
        sink.request(request);
        return streamed;
    }

    private ImportedRequest times(
            ImportSink sink, K6Options options, K6Events events, @Nullable String failure, boolean streamed)
            throws InvalidField {
        long ended = Rfc3339.nanos(time, "time");
        BigDecimal duration = measures.get("http_req_duration");
        if (duration == null) {
            throw new InvalidField("http_req_duration", "missing");
        }
        BigDecimal blocked = options.fromBlocked() ? millis("http_req_blocked") : BigDecimal.ZERO;
        long sent = ended - nanos(duration, "http_req_duration");
        long issued = ended - nanos(duration.add(blocked), "http_req_blocked");
        if (issued > ended || sent > ended) {
            throw new InvalidField("http_req_duration", "invalid");
        }
        ImportedRequest request = ImportedRequest.issuedAt(issued);
        if (failure == null) {
            request.succeededAt(ended);
        } else {
            request.failedAt(ended, type(), failure);
        }
        if (streamed) {
            request.chunksAt(events.take(key, issued, ended));
        } else if (options.firstByte() && failure == null) {
            Long first = firstByte(sent, ended);
            request.firstChunkAt(first);
            if (first == null) {
                sink.skipped("http_req_receiving_invalid");
            }
        }
        return request;
    }

    /** When the first byte came; null if sending, waiting and receiving do not fit between {@code sent} and {@code ended}. */
    private @Nullable Long firstByte(long sent, long ended) {
        BigDecimal sending = millis("http_req_sending");
        BigDecimal waiting = millis("http_req_waiting");
        Long first = Decimals.nanos(sending.add(waiting), MILLIS);
        boolean negative = sending.signum() < 0
                || waiting.signum() < 0
                || millis("http_req_receiving").signum() < 0;
        // The three are rounded apart from their sum.
        return negative || first == null || first > ended - sent + ROUNDING_NANOS
                ? null
                : (Long) Math.min(ended, sent + first);
    }

    /** When a request failed whose duration is none; 0 if that is unknown, too. */
    private long endOfFailure() {
        try {
            return Rfc3339.nanos(time, "time");
        } catch (InvalidField e) {
            return 0;
        }
    }

    private BigDecimal millis(String metric) {
        return measures.getOrDefault(metric, BigDecimal.ZERO);
    }

    private static long nanos(BigDecimal millis, String name) throws InvalidField {
        Long nanos = Decimals.nanos(millis, MILLIS);
        if (nanos == null || nanos < 0 || nanos > Long.MAX_VALUE / 4) {
            throw new InvalidField(name, "invalid");
        }
        return nanos;
    }

    /** Why the request failed; null if it did not. What the script expects decides, else the status. */
    private @Nullable String failure() {
        BigDecimal failed = measures.get("http_req_failed");
        String status = tags.textOfAny("status");
        boolean byStatus = tags.has("error_code") || "0".equals(status) || isFailure(status);
        if (failed == null ? !byStatus : failed.signum() == 0) {
            return null;
        }
        String error = tags.textOfAny("error");
        return error != null ? error : "status " + (status == null ? "unknown" : status);
    }

    private String type() {
        String code = tags.textOfAny("error_code");
        return code != null ? code : tags.textOfAny("status") == null ? "" : String.valueOf(tags.textOfAny("status"));
    }

    private static boolean isFailure(@Nullable String status) {
        return status != null && status.matches("\\d{3}") && Integer.parseInt(status) >= FIRST_FAILURE;
    }
}
