package io.metricsaggregator.imports.journal;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedRequest.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides which times of a request are known, by one rule for all formats. Unknown are: a time of 0 or below on a clock that does not start
 * with the run, one further than {@value #REACH_DAYS} days from the median of the first issues, an end that does not follow the issue, and
 * a first chunk that does not. What is unknown is taken out of the request and counted. Holds the first {@value #FIRST} requests until
 * their median is known. One thread.
 */
final class RequestTimes {
    /** Longer than any run of a load generator, shorter than what separates it from 1970 or from a date of another century. */
    static final int REACH_DAYS = 30;

    static final int FIRST = 255;

    private static final long REACH_NANOS = REACH_DAYS * 86_400_000_000_000L;
    /** Differences up to this between the last chunk and the end are rounding of the tool's floating-point times. */
    private static final long ROUNDING_NANOS = 1_000_000;

    private final List<ImportedRequest> waiting = new ArrayList<>();
    private final Consumer<String> counted;
    private @Nullable Long reference;
    private boolean settling;

    /**
     * Starts before the first request.
     *
     * @param counted receives the reason of each time that is taken out of a request which stays
     */
    RequestTimes(Consumer<String> counted) {
        this.counted = counted;
    }

    /** Returns the requests whose times can be judged after this one came, in their order: none, many, or this one. */
    List<ImportedRequest> take(ImportedRequest request) {
        if (settling || request.startsItsClock()) {
            return List.of(request);
        }
        waiting.add(request);
        return waiting.size() < FIRST ? List.of() : end();
    }

    /** Returns the requests that wait. */
    List<ImportedRequest> end() {
        settling = true;
        long[] issues = waiting.stream()
                .mapToLong(ImportedRequest::issuedNanos)
                .filter(each -> each > 0)
                .sorted()
                .toArray();
        reference = issues.length == 0 ? null : (Long) issues[issues.length / 2];
        List<ImportedRequest> all = new ArrayList<>(waiting);
        waiting.clear();
        return all;
    }

    /**
     * Takes out of a request what is unknown.
     *
     * @return why the request cannot be taken over; null if it can: a failure always, a success that has its issue and its end
     */
    @Nullable
    String settle(ImportedRequest request) {
        boolean failed = request.outcome() == Outcome.FAILED;
        if (!isIssueKnown(request)) {
            request.startUnknown();
            return failed && !request.isWarmup() ? null : "start_unknown";
        }
        String reason = end(request);
        if (reason != null) {
            return reason;
        }
        reason = chunks(request);
        if (reason != null && !failed) {
            return reason;
        }
        Long due = request.scheduledNanos();
        if (due != null && !isNear(due, request.issuedNanos())) {
            request.scheduledAt(null);
            counted.accept("due_time_unset");
        }
        return null;
    }

    private boolean isIssueKnown(ImportedRequest request) {
        long issued = request.issuedNanos();
        return request.startsItsClock() || (issued > 0 && (reference == null || isNear(issued, reference)));
    }

    private static boolean isNear(long one, long other) {
        return TimestampMath.fits(one, other) && Math.abs(other - one) <= REACH_NANOS;
    }

    private static @Nullable String end(ImportedRequest request) {
        Long end = request.endNanos();
        long issued = request.issuedNanos();
        Outcome outcome = request.outcome();
        if (end != null && end > issued && isNear(end, issued)) {
            return null;
        }
        if (outcome == Outcome.FAILED) {
            // Tools write the start, 0 or nothing where they do not know when a request failed.
            request.endUnknown();
            return null;
        }
        if (outcome == Outcome.OPEN) {
            return null;
        }
        if (end == null || (end <= 0 && issued > 0) || !isNear(end, issued)) {
            return "end_missing";
        }
        return end == issued ? "latency_unknown" : "times_out_of_order";
    }

    private @Nullable String chunks(ImportedRequest request) {
        if (request.chunks() == 0) {
            return null;
        }
        long issued = request.issuedNanos();
        long last = request.chunkNanos(0);
        if (last <= issued || !isNear(last, issued)) {
            request.chunksAt();
            counted.accept("first_token_unset");
            return null;
        }
        Long end = request.endNanos();
        boolean ordered = true;
        for (int i = 1; i < request.chunks(); i++) {
            ordered &= request.chunkNanos(i) >= last;
            last = request.chunkNanos(i);
        }
        if (ordered && (end == null || last - ROUNDING_NANOS <= end)) {
            return null;
        }
        if (request.outcome() == Outcome.FAILED) {
            request.chunksAt();
            counted.accept("chunks_out_of_order");
        }
        return "times_out_of_order";
    }
}
