package io.metricsaggregator.ledger;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.TimestampMath;
import java.util.Arrays;

/**
 * Detects lost and repeated records of one worker from their numbers ({@code seq}), which begin at 0 in each life of the worker and
 * grow by one. Where records name their life the counts are exact, even if several processes share a worker name. Where they do not,
 * the daemon guesses: a number in the lower half of those seen is a restart, any other number below the next one is a repetition.
 * Once more than {@value #LIVES_MAX} lives were seen, a life may be one that was forgotten, so that a start above 0 is no loss.
 */
final class RecordNumbering {
    /** Lives of a worker that are remembered at the same time. */
    static final int LIVES_MAX = 256;

    private static final long NOT_BEGUN = -1;

    private long life = DecodedEvent.NO_LIFE;
    private long next = NOT_BEGUN;
    /** Earlier lives as pairs of life and next number; the oldest is overwritten first. Empty during the first life. */
    private long[] others = {};

    private int othersUsed;
    private int othersOldest;
    private boolean forgotten;

    private long restarts;
    private long gaps;
    private long lost;
    private long repeated;
    private long unknownStart;

    /** Takes the numbers of {@code count} records, the first of them {@code number}, as {@link #take(long, long)} does each. The last is below the largest long. */
    void take(long number, long count, long ofLife) {
        take(number, ofLife);
        if (next == number + 1 && life == ofLife) {
            next += count - 1;
        } else {
            for (long i = 1; i < count; i++) {
                take(number + i, ofLife);
            }
        }
    }

    /** Takes the number of a record and the life it belongs to; allocates only when a worker begins its second life. */
    void take(long number, long ofLife) {
        if (number == next && ofLife == life) {
            next = after(number);
        } else {
            takeUnexpected(number, ofLife);
        }
    }

    private void takeUnexpected(long number, long ofLife) {
        if (next == NOT_BEGUN) {
            life = ofLife;
            next = after(number);
            // Sent before the daemon subscribed, or lost: the numbers cannot tell the two apart.
            unknownStart = number;
            return;
        }
        if (ofLife != life) {
            switchTo(ofLife);
        }
        if (next == NOT_BEGUN && forgotten && number > 0) {
            next = after(number);
        } else if (next == NOT_BEGUN) {
            restart(number);
        } else if (number >= next) {
            skipTo(number, next);
        } else if (ofLife == DecodedEvent.NO_LIFE && number < next - number) {
            restart(number);
        } else {
            repeated++;
        }
    }

    private void restart(long number) {
        restarts++;
        skipTo(number, 0);
    }

    private void skipTo(long number, long expected) {
        if (number > expected) {
            gaps++;
            lost = TimestampMath.saturatedAdd(lost, number - expected);
        }
        next = after(number);
    }

    private static long after(long number) {
        return number == Long.MAX_VALUE ? number : number + 1;
    }

    /** Sets the current life aside and continues another: a new one, or one that was set aside before. */
    private void switchTo(long wanted) {
        for (int i = 0; i < othersUsed; i += 2) {
            if (others[i] == wanted) {
                long continued = others[i + 1];
                others[i] = life;
                others[i + 1] = next;
                life = wanted;
                next = continued;
                return;
            }
        }
        if (othersUsed < 2 * (LIVES_MAX - 1)) {
            others = Arrays.copyOf(others, othersUsed + 2);
            setAside(othersUsed);
            othersUsed += 2;
        } else {
            setAside(othersOldest);
            forgotten = true;
            othersOldest = (othersOldest + 2) % othersUsed;
        }
        life = wanted;
        next = NOT_BEGUN;
    }

    private void setAside(int at) {
        others[at] = life;
        others[at + 1] = next;
    }

    /** Starts of the worker after its first: as named by its records, or guessed where they name no life. */
    long restarts() {
        return restarts;
    }

    /** Number of gaps: places at which one or more numbers were skipped. */
    long gaps() {
        return gaps;
    }

    /** Numbers that were skipped over all gaps, including the start of later lives. Saturates. */
    long lost() {
        return lost;
    }

    /** Records whose number is below the next expected one. */
    long repeated() {
        return repeated;
    }

    /** Number of the first record received of the worker: that many before it were not received. */
    long unknownStart() {
        return unknownStart;
    }
}
