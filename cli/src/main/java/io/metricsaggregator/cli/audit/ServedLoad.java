package io.metricsaggregator.cli.audit;

import io.metricsaggregator.imports.journal.Values;
import io.metricsaggregator.synthetic.ServerQuirks;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a run that a tool's figures are about: without those that it tried or warmed the server with. Immutable.
 *
 * @param requests in the order of arrival
 * @param complete those that were answered, in the order of their ends; without those under way at the end that the tool does not count
 * @param before requests before the load
 * @param answered all that were answered
 */
record ServedLoad(List<Served> requests, List<Served> complete, int before, int answered) {
    /** A clock reads a request this much before it arrives, at most. */
    private static final long EARLY_NANOS = 5_000_000;

    private static final long UNDERWAY_NANOS = 1_000_000_000;
    private static final double ON_CLOCK_SHARE = 0.9;
    private static final long EPOCH_MIN_NANOS = 1_000_000_000_000_000_000L;

    ServedLoad {
        requests = List.copyOf(requests);
        complete = List.copyOf(complete);
    }

    /**
     * Finds the load: by the tool's own times where its clock is one of this machine, else by its number of requests, if those before came one
     * after the other.
     *
     * @param all requests of the server's log
     * @param wallNanos what the wall clock is ahead of the clock of the log
     * @param signalNanos when the tool was interrupted; null if it was not
     * @param lateNanos by which the tool may have read an answer late
     */
    static ServedLoad of(
            List<Served> all, ToolClaims claims, long wallNanos, @Nullable Long signalNanos, double lateNanos) {
        List<Served> sorted = all.stream()
                .sorted(Comparator.comparingLong(Served::arrivedNanos))
                .toList();
        int from = byClock(sorted, claims.issues(), wallNanos);
        if (from < 0) {
            from = byNumber(sorted, claims.requests());
        }
        List<Served> load = sorted.subList(from, sorted.size());
        // Answers under way at the end may have reached the tool or not: those that it counts are taken.
        long last = signalNanos == null
                ? load.stream().mapToLong(Served::arrivedNanos).max().orElse(0) - (long) lateNanos
                : signalNanos - 20 * EARLY_NANOS;
        List<Served> complete = load.stream()
                .filter(Served::isComplete)
                .sorted(Comparator.comparingLong(Served::endNanos))
                .toList();
        int certain =
                (int) complete.stream().filter(each -> each.endNanos() < last).count();
        Long counted = claims.succeeded();
        int seen = counted == null ? complete.size() : (int) Math.max(certain, Math.min(counted, complete.size()));
        return new ServedLoad(load, complete.subList(0, seen), from, complete.size());
    }

    private static int byClock(List<Served> sorted, List<Long> issues, long wallNanos) {
        if (issues.isEmpty() || sorted.isEmpty()) {
            return -1;
        }
        long first = Long.MAX_VALUE;
        long onClock = 0;
        for (long issue : issues) {
            long nanos = issue >= EPOCH_MIN_NANOS ? issue - wallNanos : issue;
            first = Math.min(first, nanos);
            onClock += sorted.stream()
                            .anyMatch(each -> each.arrivedNanos() > nanos - EARLY_NANOS
                                    && each.arrivedNanos() < nanos + UNDERWAY_NANOS)
                    ? 1
                    : 0;
        }
        if (onClock < ON_CLOCK_SHARE * issues.size()) {
            return -1;
        }
        int from = 0;
        while (from < sorted.size() - 1 && sorted.get(from).arrivedNanos() < first - EARLY_NANOS) {
            from++;
        }
        return from;
    }

    private static int byNumber(List<Served> sorted, long claimed) {
        int extra = (int) Math.max(0, sorted.size() - Math.max(1, claimed));
        for (int i = 0; i < extra; i++) {
            if (sorted.get(i).endNanos() > sorted.get(i + 1).arrivedNanos()) {
                return 0;
            }
        }
        return claimed == 0 ? 0 : extra;
    }

    /** Requests that the server failed. */
    long failed() {
        return requests.stream().filter(Served::isFailed).count();
    }

    /** What the usage claims for each token; null if there is no usage. */
    static @Nullable Double usageFactor(ServerQuirks.Usage usage) {
        return switch (usage) {
            case SENT -> (Double) 1.0;
            case DOUBLED -> (Double) 2.0;
            case ABSENT -> null;
        };
    }

    /** The values of the complete requests by a reading. */
    Values values(Reading reading, double usageFactor) {
        Values values = new Values();
        for (Served each : complete) {
            reading.read(each, usageFactor, values::add);
        }
        return values;
    }

    /** The same of all requests of the load that the tool has an answer of, also of those that the server failed. */
    Values valuesOfAll(Reading reading, double usageFactor) {
        Values values = new Values();
        requests.stream()
                .filter(each -> each.isFailed() || complete.contains(each))
                .forEach(each -> reading.read(each, usageFactor, values::add));
        return values;
    }

    /** Requests of the second or a later turn of a conversation: more than a system's and a user's message. */
    long laterTurns() {
        return requests.stream().filter(each -> each.messages() > 2).count();
    }
}
