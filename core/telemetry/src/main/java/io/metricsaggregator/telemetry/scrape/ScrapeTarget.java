package io.metricsaggregator.telemetry.scrape;

import io.metricsaggregator.snapshot.telemetry.ScrapeSnapshot;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.statistics.InterpolatedStatistics;
import org.jspecify.annotations.Nullable;

/** One target of scrapes: its successes and failures, and whether its clock agrees with the others. Belongs to the thread that applies events. */
final class ScrapeTarget {
    final String job;
    final String instance;
    final InterpolatedStatistics durationMillis;

    private long scrapes;
    private long failures;
    private long failuresBeforeSession;
    private long failuresInARow;
    private long samples;
    private long lastMillis = Long.MIN_VALUE;
    private long answeredMillis = Long.MIN_VALUE;
    private String error = "";
    private long lastScrape;
    private boolean off;
    private boolean right;
    private long rightMillis;
    private long rightMonotonicMillis;

    ScrapeTarget(String job, String instance, Allowance allowance) {
        this.durationMillis = new InterpolatedStatistics(4096, allowance);
        this.job = job;
        this.instance = instance;
    }

    /**
     * Records a scrape.
     *
     * @param scrape its number among the scrapes of all targets
     * @param isOff whether its time was too far from the common time
     */
    void clock(long scrape, boolean isOff) {
        lastScrape = scrape;
        off = isOff;
    }

    /**
     * Accepts the target's clock.
     *
     * @param at the time of the scrape, milliseconds since 1970
     * @param monotonic the same moment on the scraper's monotonic clock, which cannot be set
     */
    void clockIsRight(long at, long monotonic) {
        off = false;
        right = true;
        rightMillis = at;
        rightMonotonicMillis = monotonic;
    }

    /** Rejects the target's clock: its next scrape must agree with the common time. */
    void clockIsWrong() {
        right = false;
    }

    /** Forgets the judgement of the clock, because the common time itself was wrong. */
    void clockIsUnknown() {
        off = false;
        right = false;
    }

    /** Whether the clock was accepted at the previous scrape and has advanced since as far as the monotonic clock, within the tolerance. */
    boolean hasWaited(long at, long monotonic, long toleranceMillis) {
        return right && Math.abs((at - rightMillis) - (monotonic - rightMonotonicMillis)) <= toleranceMillis;
    }

    /** Whether the clock was off at the last scrape. */
    boolean isOff() {
        return off;
    }

    /** Whether the target was scraped at or after the scrape of that number. */
    boolean isActive(long scrape) {
        return lastScrape > 0 && lastScrape >= scrape;
    }

    /** Time of the newest successful scrape, in milliseconds; null before the first. */
    @Nullable
    Long answeredMillis() {
        return answeredMillis == Long.MIN_VALUE ? null : answeredMillis;
    }

    void answered(long atMillis, long count, @Nullable Double tookMillis) {
        scrapes++;
        failuresInARow = 0;
        samples += count;
        lastMillis = Math.max(lastMillis, atMillis);
        answeredMillis = Math.max(answeredMillis, atMillis);
        if (tookMillis != null) {
            durationMillis.add(tookMillis);
        }
    }

    /**
     * Records a scrape that failed.
     *
     * @param early whether the scrape began before the session did, or in a run whose session has not begun
     */
    void failed(long atMillis, String why, boolean early) {
        scrapes++;
        failures++;
        failuresBeforeSession += early ? 1 : 0;
        failuresInARow++;
        lastMillis = Math.max(lastMillis, atMillis);
        error = why;
    }

    /** The state of the target; without a session no failure was before it. */
    ScrapeSnapshot.Target snapshot(boolean sessionBegan) {
        return new ScrapeSnapshot.Target(
                job,
                instance,
                answeredMillis != Long.MIN_VALUE && failuresInARow == 0,
                answeredMillis != Long.MIN_VALUE,
                scrapes,
                failures,
                sessionBegan ? failuresBeforeSession : 0,
                failuresInARow,
                samples,
                error.isEmpty() ? null : error,
                lastMillis == Long.MIN_VALUE ? null : (Long) lastMillis,
                durationMillis.values(50, 99));
    }
}
