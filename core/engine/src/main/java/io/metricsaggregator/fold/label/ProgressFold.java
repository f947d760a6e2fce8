package io.metricsaggregator.fold.label;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.fold.row.InFlightTable;
import io.metricsaggregator.fold.series.StallLimit;
import io.metricsaggregator.parts.SliceHistogram;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ProgressState;
import io.metricsaggregator.snapshot.figures.Stall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long the endpoints under test have not answered: the time since the last chunk, completion or error of a sample was received, while
 * samples are in flight. Times are of receipt, so that the wait grows when no event arrives; frames received together count as one answer. The limit
 * does not change during a wait, so a stall is judged alike by the tick in the middle of it, by the answer that ends it, and in a replay. Belongs to
 * the thread of the fold; an event allocates nothing.
 */
public final class ProgressFold {
    private static final long SECOND = 1_000_000_000L;
    private static final long SLOW_MIN = 5 * SECOND;
    private static final int SLOW_TIMES = 10;
    private static final long GAPS_MIN = 100;
    private static final double P99 = 99;
    /** How long the state is {@link ProgressState#BLIND} after the daemon fell behind. */
    private static final long BLIND_SHOWN = SECOND;

    private final Registry registry;
    private final InFlightTable table;
    private final LongCounter issued;
    private final StallLimit limit;
    private final SliceHistogram gaps = new SliceHistogram();
    private final List<Stall> stalls = new ArrayList<>();
    private @Nullable LongCounter stallCounter;
    private @Nullable LongCounter stalledCounter;

    private boolean any;
    private long firstNanos;
    private long nowNanos;
    /** Start of the present wait. */
    private long baseNanos;
    /** Time of the last answer, or of the issue that began the wait, on the producers' clock. */
    private long baseEventNanos;

    private long inFlightAtBase;
    private long issuedAtBase;
    private long longest;
    private long stalledUntilNanos = Long.MIN_VALUE;
    private long stallCount;
    private long stalledNanos;
    /** An outage of the daemon ended, and nothing was received since. */
    private boolean resumes;
    /** When the daemon last received anything before the last outage. */
    private long outageNanos;
    /** No producer is connected: waits do not count. */
    private boolean gone;
    /** The present wait, or the rest of it, does not count. */
    private boolean excused;

    private boolean ended;
    private boolean blind;
    private long blindNanos;

    /**
     * A fold before the first record.
     *
     * @param table the samples in flight
     * @param issued counts the issues; incremented before {@link #issued}
     */
    public ProgressFold(Registry registry, InFlightTable table, LongCounter issued, StallLimit limit) {
        this.registry = registry;
        this.table = table;
        this.issued = issued;
        this.limit = limit;
    }

    /** Sets the time of receipt of the records that follow. */
    public void received(long receivedNanos) {
        if (any && (receivedNanos == nowNanos || ended)) {
            return;
        }
        if (!any) {
            any = true;
            firstNanos = receivedNanos;
            baseNanos = receivedNanos;
        }
        advance(receivedNanos);
    }

    private void advance(long nanos) {
        if (resumes) {
            resumes = false;
            if (nanos < outageNanos) {
                // The clock of another boot: no time passes between both.
                firstNanos += nanos - nowNanos;
                baseNanos = nanos;
            }
        } else if (baseNanos == nowNanos) {
            atBase();
        }
        nowNanos = nanos;
    }

    /** The time of receipt of the present records, or of the present tick. */
    public long nowNanos() {
        return nowNanos;
    }

    private void atBase() {
        inFlightAtBase = table.size();
        issuedAtBase = issued.value();
    }

    /** Notes the issue of a sample, before it is in the table: a wait begins if nothing else is in flight. */
    public void issued(long eventNanos) {
        if (table.size() == 0) {
            baseNanos = nowNanos;
            baseEventNanos = eventNanos;
            excused = gone;
        }
    }

    /** Notes a chunk, a completion or an error of a sample, before a completed sample leaves the table. */
    public void answered(long eventNanos, boolean failed) {
        if (nowNanos != baseNanos && table.size() > 0) {
            endWait(nowNanos, failed ? Stall.End.FAILED : Stall.End.PROGRESS, eventNanos);
            baseNanos = nowNanos;
            excused = gone;
        }
        baseEventNanos = eventNanos;
    }

    /** Ends the present wait; {@code eventNanos} is the time of the answer that ends it, or of the last one before. */
    private void endWait(long toNanos, Stall.End end, long eventNanos) {
        long idle = Math.max(0, toNanos - baseNanos);
        if (excused) {
            return;
        }
        longest = Math.max(longest, idle);
        boolean answered = end == Stall.End.PROGRESS || end == Stall.End.FAILED;
        if (answered) {
            gaps.record(idle);
        }
        if (isStall(idle)) {
            stallCount++;
            stalledNanos += idle;
            stalledUntilNanos = eventNanos;
            if (stalls.size() < Progress.STALLS_MAX) {
                stalls.add(stall(idle, end, answered ? (Long) eventNanos : null));
            }
        }
    }

    private Stall stall(long idle, Stall.@Nullable End end, @Nullable Long toEventNanos) {
        return new Stall(
                baseNanos,
                baseNanos - firstNanos,
                idle,
                inFlightAtBase,
                issued.value() - issuedAtBase,
                end,
                baseEventNanos,
                toEventNanos);
    }

    /** Whether a wait of this length is a stall that counts. */
    boolean isStall(long idle) {
        return !gone && isLong(idle);
    }

    /** Whether no producer is connected. */
    boolean isGone() {
        return gone;
    }

    /** Whether a wait of this length would be a stall if a producer were connected. */
    boolean isExcused(long idle) {
        return gone && isLong(idle);
    }

    private boolean isLong(long idle) {
        return idle >= limit.leastNanos() && idle >= limit.nanos();
    }

    /** Notes the end of the session: time does not pass any more. */
    public void ended() {
        ended = true;
    }

    /**
     * Notes that the daemon was down: the present wait begins again when it was ready. A stall that had begun before ends with its last receipt.
     *
     * @param first whether the outage is a new one; otherwise its end is corrected
     * @param receivedNanos when the daemon last received anything before a new outage
     * @param nanos how long it was down
     * @return when it was ready, on the clock of {@code receivedNanos}
     */
    long outage(boolean first, long receivedNanos, long nanos) {
        if (!any || ended) {
            return receivedNanos;
        }
        if (first) {
            outageNanos = receivedNanos;
            if (table.size() > 0) {
                endWaitOutside(receivedNanos, Stall.End.BLIND);
            }
        }
        resumes = true;
        long readyNanos = TimestampMath.saturatedSum(outageNanos, Math.max(0, nanos));
        baseNanos = Math.max(baseNanos, readyNanos);
        atBase();
        return readyNanos;
    }

    /**
     * Notes that the daemon fell behind: what was received then tells nothing of the endpoints. A stall that had begun before ends there.
     *
     * @param fromNanos when it last kept up
     * @param toNanos now
     */
    void blind(long fromNanos, long toNanos) {
        if (!any || ended) {
            return;
        }
        blind = true;
        blindNanos = toNanos;
        if (resumes) {
            advance(toNanos);
        }
        if (table.size() > 0) {
            endWaitOutside(fromNanos, Stall.End.BLIND);
            baseNanos = toNanos;
        }
        advance(toNanos);
    }

    /** Whether {@link #connected} with this value changes anything. */
    boolean changes(boolean connected) {
        return connected == gone && any && !ended;
    }

    /** Notes whether any producer is connected; without one, waits do not count. */
    void connected(boolean connected, long atNanos) {
        if (!changes(connected)) {
            return;
        }
        if (resumes) {
            advance(atNanos);
        }
        if (table.size() > 0 && !connected) {
            endWaitOutside(atNanos, Stall.End.CLIENT_GONE);
        }
        gone = !connected;
        excused = gone;
        if (connected) {
            baseNanos = atNanos;
        }
        advance(atNanos);
    }

    private void endWaitOutside(long toNanos, Stall.End end) {
        if (baseNanos == nowNanos) {
            atBase();
        }
        endWait(toNanos, end, baseEventNanos);
    }

    /** Moves the clock to the time of a snapshot, and updates the counters. */
    void tick(long atNanos) {
        if (any && !ended && atNanos > nowNanos) {
            advance(atNanos);
        }
        long idle = waiting();
        boolean stalled = isStall(idle);
        if (stalled || stallCount > 0) {
            count(stallCount + (stalled ? 1 : 0), stalledNanos + (stalled ? idle : 0));
        }
    }

    private void count(long stallsNow, long nanos) {
        LongCounter number = stallCounter;
        LongCounter time = stalledCounter;
        if (number == null || time == null) {
            number = registry.counter(CounterName.ENDPOINT_STALLS);
            time = registry.counter(CounterName.STALLED_NS);
            stallCounter = number;
            stalledCounter = time;
        }
        number.set(stallsNow);
        time.set(nanos);
    }

    /** See {@link EndpointWaits#stalledUntilNanos}. */
    long stalledUntilNanos() {
        return isStall(waiting()) ? Long.MAX_VALUE : stalledUntilNanos;
    }

    /** The time since the last answer; 0 with nothing in flight, and while no producer is connected or the daemon is behind. */
    long waiting() {
        return table.size() == 0 || excused || resumes ? 0 : Math.max(0, nowNanos - baseNanos);
    }

    /** The figures at the time of the last record or tick; null before the first record. */
    @Nullable
    public Progress summary() {
        if (!any) {
            return null;
        }
        boolean waiting = table.size() > 0 && !resumes;
        long idle = waiting ? Math.max(0, nowNanos - baseNanos) : 0;
        boolean counts = waiting && !excused;
        long limitNanos = limit.nanos();
        boolean stalled = counts && idle >= limitNanos;
        List<Stall> listed = stalls;
        if (stalled && stalls.size() < Progress.STALLS_MAX) {
            listed = new ArrayList<>(stalls);
            listed.add(stall(idle, ended ? Stall.End.SESSION_END : null, null));
        }
        long slow =
                gaps.count() < GAPS_MIN ? StallLimit.NEVER : Math.max(SLOW_MIN, SLOW_TIMES * gaps.percentiles(P99)[0]);
        return new Progress(
                state(waiting, idle, stalled, limitNanos, slow),
                waiting ? (Long) idle : null,
                slow == StallLimit.NEVER ? null : (Long) slow,
                limitNanos == StallLimit.NEVER ? null : (Long) limitNanos,
                counts ? Math.max(longest, idle) : longest,
                stallCount + (stalled ? 1 : 0),
                stalledNanos + (stalled ? idle : 0),
                listed,
                null);
    }

    private ProgressState state(boolean waiting, long idle, boolean stalled, long limitNanos, long slow) {
        if (!waiting) {
            return ProgressState.IDLE;
        }
        if (blind && nowNanos - blindNanos < BLIND_SHOWN) {
            return ProgressState.BLIND;
        }
        if (stalled) {
            return ProgressState.STALLED;
        }
        if (excused && idle >= limitNanos) {
            return ProgressState.CLIENT_GONE;
        }
        return !excused && idle >= slow ? ProgressState.SLOW : ProgressState.OK;
    }
}
