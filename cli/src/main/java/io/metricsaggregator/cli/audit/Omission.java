package io.metricsaggregator.cli.audit;

import io.metricsaggregator.imports.journal.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Coordinated omission: the requests that a tool did not send while the server froze. A tool that sends at a rate and waits for answers holds
 * requests back, and times them from when it sends them; the users that they stand for waited since the schedule. Immutable.
 *
 * @param gapNanos time between two requests of the schedule
 * @param isHeldBack whether fewer than half of the requests that were due during the freeze arrived in it
 * @param late requests that took more than 1.5 times as long as usual, from the schedule
 * @param fromSchedule latencies from the schedule, in nanoseconds
 */
record Omission(double gapNanos, boolean isHeldBack, long late, Values fromSchedule) {
    /** Requests before the freeze that show the schedule. */
    private static final int BEFORE_MIN = 5;
    /** A closed loop sends when an answer has come: within less than this share of the time between two requests. */
    private static final double PACED_SHARE = 0.25;

    /** A schedule has this share of its gaps within a part of their median. */
    private static final double EVEN_SHARE = 0.7;

    private static final double UNEVEN = 0.3;
    private static final double LATE = 1.5;
    private static final double CAUGHT_UP = 0.1;

    /**
     * Compares arrivals with the schedule.
     *
     * @param requests in the order of arrival
     * @param frozen begin of the freeze, on the clock of the arrivals
     * @param thawed its end
     * @param rate requests per second that the tool was to send; 0 to take it from the arrivals before the freeze
     * @return null if the arrivals follow no schedule, or too few came before the freeze
     */
    static @Nullable Omission of(List<Served> requests, long frozen, long thawed, double rate) {
        List<Served> before =
                requests.stream().filter(each -> each.arrivedNanos() < frozen).toList();
        if (before.size() < BEFORE_MIN) {
            return null;
        }
        List<Double> gaps = new ArrayList<>();
        List<Double> pauses = new ArrayList<>();
        for (int i = 1; i < before.size(); i++) {
            long arrived = before.get(i).arrivedNanos();
            gaps.add((double) (arrived - before.get(i - 1).arrivedNanos()));
            requests.stream()
                    .filter(each -> each.endNanos() <= arrived)
                    .mapToLong(Served::endNanos)
                    .max()
                    .ifPresent(end -> pauses.add((double) (arrived - end)));
        }
        double gap = rate > 0 ? 1e9 / rate : median(gaps);
        long even = gaps.stream()
                .filter(each -> Math.abs(each - gap) < UNEVEN * gap)
                .count();
        boolean isPaced = !pauses.isEmpty() && median(pauses) >= PACED_SHARE * gap && even >= EVEN_SHARE * gaps.size();
        if (rate == 0 && !isPaced) {
            return null;
        }
        Predicate<Served> inFreeze = each -> each.arrivedNanos() >= frozen && each.arrivedNanos() < thawed;
        boolean held = requests.stream().filter(inFreeze).count() < (thawed - frozen) / gap / 2;
        double usual =
                median(before.stream().map(each -> (double) each.latencyNanos()).toList());
        Values values = new Values();
        long late = 0;
        int anchor = anchor(requests, thawed);
        boolean behind = held;
        for (int i = 0; i < requests.size(); i++) {
            Served each = requests.get(i);
            double due = each.arrivedNanos();
            if (behind && i > anchor) {
                double planned = requests.get(anchor).arrivedNanos() + (i - anchor) * gap;
                behind = due > planned + CAUGHT_UP * gap;
                due = Math.min(due, planned);
            }
            double latency = each.endNanos() - due;
            late += latency > LATE * usual ? 1 : 0;
            values.add(latency);
        }
        return new Omission(gap, held, late, values);
    }

    /** The last request before the thaw. */
    private static int anchor(List<Served> requests, long thawed) {
        int last = 0;
        for (int i = 0; i < requests.size(); i++) {
            last = requests.get(i).arrivedNanos() < thawed ? i : last;
        }
        return last;
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
