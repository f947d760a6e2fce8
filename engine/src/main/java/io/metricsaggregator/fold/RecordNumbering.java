package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import java.util.Arrays;

/**
 * What the numbers ({@code seq}) of one worker's records tell about records that did not arrive. Numbers begin at 0 in each life of
 * the worker and grow by one. Records that name their life are exact, also when several processes share a name; for the others
 * the daemon guesses: a number in the lower half of those seen is a restart, any other number that was passed is a repetition.
 */
final class RecordNumbering {
    /** Lives of a worker that are remembered at a time. */
    static final int LIVES_MAX = 16;

    private static final long NOT_BEGUN = -1;

    private long life = DecodedEvent.NO_LIFE;
    private long next = NOT_BEGUN;
    /** The lives before, as pairs of life and next number, the oldest overwritten first; empty while there was one life. */
    private long[] others = {};

    private int othersUsed;
    private int othersOldest;

    private long restarts;
    private long gaps;
    private long lost;
    private long repeated;
    private long unknownStart;

    /** Takes the number of a record; allocates only when a worker has its second life. */
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
            // Sent before the daemon subscribed, or lost: nothing here tells which.
            unknownStart = number;
            return;
        }
        if (ofLife != life) {
            switchTo(ofLife);
        }
        if (next == NOT_BEGUN) {
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

    /** Puts the current life aside and takes up another, which may have been put aside before. */
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
            putAside(othersUsed);
            othersUsed += 2;
        } else {
            putAside(othersOldest);
            othersOldest = (othersOldest + 2) % othersUsed;
        }
        life = wanted;
        next = NOT_BEGUN;
    }

    private void putAside(int at) {
        others[at] = life;
        others[at + 1] = next;
    }

    /** Lives after the first: starts of the worker that were seen, or guessed where records name no life. */
    long restarts() {
        return restarts;
    }

    /** How often numbers were skipped. */
    long gaps() {
        return gaps;
    }

    /** How many numbers were skipped, at the beginning of a later life too. */
    long lost() {
        return lost;
    }

    /** Records whose number had been passed. */
    long repeated() {
        return repeated;
    }

    /** How many numbers are below the worker's first. */
    long unknownStart() {
        return unknownStart;
    }
}
