package io.metricsaggregator.proxy;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a proxy counted since it started. Immutable.
 *
 * @param open connections of clients now
 * @param connections connections of clients, those above the limit not included
 * @param overLimit connections that were closed because of the limit
 * @param measured requests that became samples
 * @param other requests that passed unmeasured, by their path or method
 * @param succeeded samples with a complete answer
 * @param failed samples with an error
 * @param cancelled samples whose client closed the connection before the end of the answer
 * @param outsideSession requests that would have been measured but came after the session's end
 * @param refused requests that the proxy did not relay: malformed, too large, too slow, or to another server
 * @param upstreamFailed requests that had no connection to the upstream
 * @param unread answers that the proxy relayed without being able to follow them
 * @param chunksUnknown streamed answers whose coding the proxy does not read: they have no times of chunks
 * @param usageRejected answers whose token counts contradict each other
 * @param connectLate connections whose first request came before the upstream was connected, so that the client waited for that
 * @param redirects answers that send the client past the proxy to the upstream
 * @param recordsDropped records that were not published, because more than a million were waiting
 * @param forwards reads of answers that were forwarded
 * @param forwardP50Nanos median time from the return of a read to the return of the write, waiting for a slow client included; -1 if unknown
 * @param forwardP99Nanos its 99th percentile; -1 if unknown
 * @param forwardP999Nanos its 99.9th percentile; -1 if unknown
 */
public record ProxyStatus(
        int open,
        long connections,
        long overLimit,
        long measured,
        long other,
        long succeeded,
        long failed,
        long cancelled,
        long outsideSession,
        long refused,
        long upstreamFailed,
        long unread,
        long chunksUnknown,
        long usageRejected,
        long connectLate,
        long redirects,
        long recordsDropped,
        long forwards,
        long forwardP50Nanos,
        long forwardP99Nanos,
        long forwardP999Nanos) {

    /** The counts and delays by name, in their order. */
    public Map<String, Long> toMap() {
        Map<String, Long> map = new LinkedHashMap<>();
        map.put("open", (long) open);
        map.put("connections", connections);
        map.put("over_limit", overLimit);
        map.put("measured", measured);
        map.put("other", other);
        map.put("succeeded", succeeded);
        map.put("failed", failed);
        map.put("cancelled", cancelled);
        map.put("outside_session", outsideSession);
        map.put("refused", refused);
        map.put("upstream_failed", upstreamFailed);
        map.put("unread", unread);
        map.put("chunks_unknown", chunksUnknown);
        map.put("usage_rejected", usageRejected);
        map.put("connect_late", connectLate);
        map.put("redirects", redirects);
        map.put("records_dropped", recordsDropped);
        map.put("forwards", forwards);
        map.put("forward_p50_ns", forwardP50Nanos);
        map.put("forward_p99_ns", forwardP99Nanos);
        map.put("forward_p999_ns", forwardP999Nanos);
        return map;
    }

    /** One line: {@code name=count} for each count above 0, and the delays in microseconds. */
    public String toLine() {
        StringBuilder line = new StringBuilder();
        toMap().forEach((name, value) -> {
            boolean delay = name.startsWith("forward_");
            if (!delay && (value > 0 || name.equals("measured"))) {
                line.append(name).append('=').append(value).append(' ');
            } else if (delay && value >= 0) {
                line.append(name.replace("_ns", "_us")).append('=');
                line.append(String.format(Locale.ROOT, "%.1f ", value / 1e3));
            }
        });
        return line.toString().strip();
    }
}
