package io.metricsaggregator.telemetry.scrape;

import java.util.Collection;

/**
 * Tracks the common time of all scrapes and rejects targets whose clocks are too far from it. A clock is right within ten minutes of the
 * common time. It may be further ahead if that much time has passed, by the receiver's clock since the newest scrape, or by the scraper's
 * monotonic clock since the target's previous scrape, if that one was right. If not, the majority of the targets scraped last decides. Times
 * are ms since 1970, or of the monotonic clock for records without a wall clock. Belongs to the thread that applies events.
 */
final class ScrapeClock {
    /** Largest difference of a right clock from the common time, in ms. */
    private static final long OFF_MILLIS = 600_000L;

    private static final long MILLI = 1_000_000L;

    private long watermark = Long.MIN_VALUE;
    private long scrapes;
    private boolean ticked;
    private long nowNanos;
    private long watermarkNanos;

    /** Time of the newest scrape; {@link Long#MIN_VALUE} before the first. */
    long watermark() {
        return watermark;
    }

    /** Sets the time of the receiver's monotonic clock, in nanoseconds. */
    void tick(long now) {
        if (!ticked) {
            ticked = true;
            watermarkNanos = now;
        }
        nowNanos = now;
    }

    /** Advances the common time to that of an accepted scrape. */
    void advance(long at) {
        if (at >= watermark) {
            watermark = at;
            watermarkNanos = nowNanos;
        }
    }

    /** The judgement of a scrape's time. */
    enum Judgement {
        RIGHT,
        WRONG,
        /** The common time was wrong and ahead: it starts again at this scrape. */
        RESTART
    }

    /**
     * Judges the time of a scrape.
     *
     * @param monotonicMillis the same moment on the monotonic clock of the scraper
     */
    Judgement judge(ScrapeTarget target, long at, long monotonicMillis, Collection<ScrapeTarget> targets) {
        scrapes++;
        boolean ahead = watermark != Long.MIN_VALUE && at > watermark + passedMillis() + OFF_MILLIS;
        boolean behind = watermark != Long.MIN_VALUE && at < watermark - OFF_MILLIS;
        boolean off = behind || (ahead && !target.hasWaited(at, monotonicMillis, OFF_MILLIS));
        target.clock(scrapes, off);
        if (!off) {
            target.clockIsRight(at, monotonicMillis);
            return Judgement.RIGHT;
        }
        long lately = scrapes - 4L * targets.size();
        long active = targets.stream().filter(each -> each.isActive(lately)).count();
        long others = targets.stream()
                .filter(each -> each.isActive(lately) && each.isOff())
                .count();
        if (2 * others <= active) {
            target.clockIsWrong();
            return Judgement.WRONG;
        }
        targets.forEach(ScrapeTarget::clockIsUnknown);
        target.clockIsRight(at, monotonicMillis);
        if (at >= watermark) {
            return Judgement.RIGHT;
        }
        watermark = Long.MIN_VALUE;
        return Judgement.RESTART;
    }

    /** Time since the newest scrape arrived, by the receiver's clock. */
    private long passedMillis() {
        return Math.max(0, (nowNanos - watermarkNanos) / MILLI);
    }
}
